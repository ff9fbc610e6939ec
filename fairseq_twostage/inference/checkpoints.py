"""fairseq checkpoints as models: loaded for use, checked for their kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from fairseq import checkpoint_utils
from torch import nn

from fairseq_twostage.databin.binarize import load_dictionary
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.dual_paraphraser import DualParaphraser
from fairseq_twostage.models.naive_parser import NaiveParser
from fairseq_twostage.models.style_cnn import StyleCNN
from fairseq_twostage.models.utterance_lm import UtteranceLM


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
        raise UserError(
            f"cannot load {path}: {str(error).removeprefix(f'{path}: ')}", option
        ) from error
    except Exception as error:  # fairseq and torch raise anything here
        reason = " ".join(str(error).split())[:120]
        raise UserError(
            f"cannot load {path}: no checkpoint, or one of another data-bin than {data} ({reason})",
            option,
        ) from error
    model: nn.Module = models[0]
    broken = [name for name, value in model.state_dict().items() if not _finite(value)]
    if broken:
        raise UserError(
            f"{path} holds weights that are no finite numbers ({broken[0]}): it is damaged, or "
            "training diverged",
            option,
        )
    model.eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    return model


def _finite(value: Any) -> bool:
    return not torch.is_tensor(value) or bool(torch.isfinite(value).all())


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
    if model.decoder.dictionary.symbols != load_dictionary(Path(data) / f"dict.{side}.txt").symbols:
        raise UserError(f"{path} writes no {what}", option)
