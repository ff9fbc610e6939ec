"""The frozen models that rewards, selection and decoding consult."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.checkpoints import (
    load_language_model,
    load_parser,
    load_style_classifier,
)
from fairseq_twostage.models.dual_paraphraser import SIDES
from fairseq_twostage.rewards.executability import GreedyParses


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
