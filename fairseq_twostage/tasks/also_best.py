"""One training, two choices: the checkpoint that is best by a second metric.

fairseq keeps one best checkpoint, by ``--best-checkpoint-metric``. Denoising is chosen by one
metric to start cycle learning from, and by another to be used as it is.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairseq_twostage.checkpoint_reading import load_state
from fairseq_twostage.errors import UserError
from fairseq_twostage.selection import ALSO_BEST, LAST, best_checkpoint
from fairseq_twostage.writing import atomic_write


class AlsoBest:
    """Copies what fairseq saves while a metric is at its best.

    fairseq calls a task's ``begin_epoch`` and then ``post_validate``, ``get_checkpoint_dict`` and
    ``post_save`` in this order; each of them passes on to the method of this class that goes with
    it.

    Args:
        metric: a quantity that validation computes; larger is better.
    """

    def __init__(self, metric: str) -> None:
        self.metric = metric
        self.value: float | None = None
        self.best: float | None = None  # not asked for yet

    def begins(self, folder: str | Path) -> None:
        """Find what was best so far, before training writes anything.

        A run that was killed after fairseq's save and before the copy left its best model in the
        last checkpoint alone.

        Args:
            folder: where checkpoints are saved (``--save-dir``).
        """
        if self.best is not None:
            return
        last = Path(folder, LAST)
        copied, saved = self._standing(self._copy_of(last)), self._standing(last)
        if saved > copied:
            self._keep(last)
        self.best, _ = max(copied, saved)

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
        assert self.best is not None  # an epoch has begun
        if self.value >= self.best:
            self.best = self.value
            self._keep(Path(checkpoint))
        self.value = None

    def _copy_of(self, checkpoint: Path) -> Path:
        return checkpoint.with_name(best_checkpoint(self.metric))

    def _keep(self, checkpoint: Path) -> None:
        copy = self._copy_of(checkpoint)
        with open(checkpoint, "rb") as source, atomic_write(copy, "wb") as file:
            shutil.copyfileobj(source, file)

    def _standing(self, checkpoint: Path) -> tuple[float, int]:
        """The metric of the model in a file, and after how many updates it was saved."""
        nothing = (float("-inf"), 0)
        if not checkpoint.exists():
            return nothing
        state = load_state(checkpoint)
        value = state["extra_state"].get(ALSO_BEST, {}).get(self.metric)
        if value is None:
            return nothing
        return float(value), int(state["optimizer_history"][-1]["num_updates"])
