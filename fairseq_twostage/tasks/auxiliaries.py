"""The frozen models that rewards, selection and decoding consult."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from fairseq import checkpoint_utils
from torch import nn

from fairseq_twostage.errors import UserError
from fairseq_twostage.models.dual_paraphraser import SIDES, DualParaphraser
from fairseq_twostage.models.naive_parser import NaiveParser
from fairseq_twostage.models.style_cnn import StyleCNN
from fairseq_twostage.models.utterance_lm import UtteranceLM
from fairseq_twostage.rewards.executability import GreedyParses
from fairseq_twostage.tasks.data_bin import DataBin


class Auxiliaries:
    """LM_x, LM_z, P_dis and P_nsp of one data-bin, loaded when first asked for.

    Args:
        data: the data-bin; checkpoints may have been trained on a copy elsewhere.
        checkpoints: file of each: ``lm_nl``, ``lm_cf``, ``style``, ``parser``; None: not given.
        device: where they run.
    """

    def __init__(self, data: str, checkpoints: dict[str, str | None], device: str = "cpu") -> None:
        self.data = data
        self.checkpoints = checkpoints
        self.device = device
        self._parses: GreedyParses | None = None

    def language_models(self) -> dict[str, Any]:
        """LM_x and LM_z by side."""
        return {side: self.language_model(side) for side in SIDES}

    def language_model(self, side: str) -> Any:
        """LM_x for ``nl``, LM_z for ``cf``."""
        option = f"--lm-{side}"
        return self._placed(
            load_language_model(self._path(option), f"{self.data}/lm.{side}", option)
        )

    def style_classifier(self) -> Any:
        """P_dis."""
        return self._placed(load_style_classifier(self._path("--style"), self.data))

    def parses(self) -> GreedyParses:
        """Greedy P_nsp; one memory for all who ask."""
        if self._parses is None:
            parser = load_parser(self._path("--parser"), self.data)
            self._parses = GreedyParses(self._placed(parser))
        return self._parses

    def has_parser(self) -> bool:
        """Whether a naive parser was given."""
        return self.checkpoints["parser"] is not None

    def _path(self, option: str) -> str:
        path = self.checkpoints.get(option.removeprefix("--").replace("-", "_"))
        if path is None:
            raise UserError("needed by the rewards or the metric, but not given", option)
        return path

    def _placed(self, model: nn.Module) -> Any:
        return model.to(self.device)


def device_of(cpu: bool) -> str:
    """Where models run: the GPU if there is one and it is not declined."""
    return "cpu" if cpu or not torch.cuda.is_available() else "cuda"


def load_frozen(path: str, data: str, option: str) -> Any:
    """A trained model in evaluation mode, without gradients.

    Args:
        path: fairseq checkpoint.
        data: where its dictionaries are now.
        option: named in the error.

    Raises:
        UserError: there is no such file, it is no checkpoint, or one of another data-bin.
    """
    if not Path(path).is_file():
        raise UserError(f"no checkpoint {path}; train it first", option)
    try:
        with torch.random.fork_rng():  # building the model draws parameters that are not kept
            # The vectors it started from may be gone, and would be overwritten anyway.
            models, _, _ = checkpoint_utils.load_model_ensemble_and_task(
                [path], {"data": data, "embeddings": "none"}
            )
    except UserError as error:
        raise UserError(f"cannot load {path}: {error}", option) from error
    except Exception as error:  # fairseq and torch raise anything here
        reason = " ".join(str(error).split())[:120]
        raise UserError(
            f"cannot load {path}: no checkpoint, or one of another data-bin than {data} ({reason})",
            option,
        ) from error
    model: nn.Module = models[0]
    model.eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    return model


def load_paraphraser(path: str, data: str) -> DualParaphraser | NaiveParser:
    """The model of ``--paraphraser``: of both directions, or of natural to canonical alone.

    Raises:
        UserError: it cannot be loaded, is of another kind, or writes something else.
    """
    option = "--paraphraser"
    model = _load_kind(path, data, option, "paraphraser", DualParaphraser, NaiveParser)
    if isinstance(model, NaiveParser):
        _check_output(model, path, data, option, "cf", "canonical utterances")
    return model


def load_parser(path: str, data: str) -> NaiveParser:
    """The model of ``--parser``.

    Raises:
        UserError: it cannot be loaded, is of another kind, or writes something else.
    """
    option = "--parser"
    model: NaiveParser = _load_kind(path, data, option, "naive parser", NaiveParser)
    _check_output(model, path, data, option, "lf", "logical forms")
    return model


def load_language_model(path: str, data: str, option: str) -> UtteranceLM:
    """LM_x or LM_z, of the data-bin's folder ``lm.nl`` or ``lm.cf``.

    Raises:
        UserError: it cannot be loaded, or is of another kind.
    """
    model: UtteranceLM = _load_kind(path, data, option, "language model", UtteranceLM)
    return model


def load_style_classifier(path: str, data: str) -> StyleCNN:
    """The model of ``--style``.

    Raises:
        UserError: it cannot be loaded, or is of another kind.
    """
    model: StyleCNN = _load_kind(path, data, "--style", "style classifier", StyleCNN)
    return model


def _load_kind(path: str, data: str, option: str, noun: str, *kinds: type[nn.Module]) -> Any:
    model = load_frozen(path, data, option)
    if not isinstance(model, kinds):
        raise UserError(f"{path} holds a {type(model).__name__}, no {noun}", option)
    return model


def _check_output(
    model: NaiveParser, path: str, data: str, option: str, side: str, what: str
) -> None:
    if model.decoder.dictionary.symbols != DataBin(data).dictionary(side).symbols:
        raise UserError(f"{path} writes no {what}", option)
