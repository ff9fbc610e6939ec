"""One training, two choices: the checkpoint that is best by a second metric.

fairseq keeps one best checkpoint, by ``--best-checkpoint-metric``. Denoising is chosen by one
metric to start cycle learning from, and by another to be used as it is.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import atomic_write
from fairseq_twostage.selection import ALSO_BEST, best_checkpoint


class AlsoBest:
    """Copies what fairseq saves while a metric is at its best.

    fairseq calls a task's ``post_validate``, ``get_checkpoint_dict`` and ``post_save`` in this
    order; each of them passes on to the method of this class that goes with it.

    Args:
        metric: a quantity that validation computes; larger is better.
    """

    def __init__(self, metric: str) -> None:
        self.metric = metric
        self.value: float | None = None
        self.best: float | None = None  # not asked for yet

    def validated(self, stats: Mapping[str, Any]) -> None:
        """Note the metric of the model as it is now.

        Raises:
            UserError: validation computes no such metric.
        """
        if self.metric not in stats:
            known = ", ".join(sorted(stats))
            raise UserError(f"validation computes no {self.metric!r}, only {known}", "--also-best")
        self.value = float(stats[self.metric])

    def extra_state(self) -> dict[str, Any]:
        """What goes into the checkpoint, so that the copy tells what it was chosen by."""
        return {} if self.value is None else {ALSO_BEST: {self.metric: self.value}}

    def saved(self, checkpoint: str) -> None:
        """Copy ``checkpoint`` if its model is the best so far; of equal ones the later."""
        if self.value is None:  # it was saved without validation
            return
        copy = Path(checkpoint).with_name(best_checkpoint(self.metric))
        if self.best is None:
            self.best = self._value_of(copy)
        if self.value >= self.best:
            self.best = self.value
            with open(checkpoint, "rb") as source, atomic_write(copy, "wb") as file:
                shutil.copyfileobj(source, file)
        self.value = None

    def _value_of(self, copy: Path) -> float:
        """The metric of the best model so far; a run that goes on finds it on disk."""
        if not copy.exists():
            return float("-inf")
        state = torch.load(copy, map_location="cpu", weights_only=True)
        return float(state["extra_state"][ALSO_BEST][self.metric])
