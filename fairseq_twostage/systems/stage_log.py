"""What fairseq logged of a training stage."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

TRAIN_LOG = "train.log"
_LOGGED = re.compile(r"\{\"epoch\": .*\}\s*$")


@dataclass(frozen=True)
class StageLog:
    """What fairseq logged of one training stage with ``--log-file … --log-format json``.

    Attributes:
        epochs: per epoch, every number that validation gave.
        seconds: wall time, with all pieces of a stage that went on at the end of an epoch.
        peak_mb: largest resident memory, if the task logged it.
    """

    epochs: list[dict[str, float]]
    seconds: float
    peak_mb: float | None

    def metric_history(
        self, name: str, accuracies: Mapping[int, float] | None = None
    ) -> list[dict[str, float]]:
        """``{"epoch", "metric", "accuracy"}`` of each epoch that has the metric.

        Args:
            name: of the metric in the log.
            accuracies: by epoch, where it was measured; elsewhere the field is left out.
        """
        measured = accuracies or {}
        return [
            {"epoch": epoch["epoch"], "metric": epoch[name]}
            | (
                {"accuracy": measured[number]}
                if (number := int(epoch["epoch"])) in measured
                else {}
            )
            for epoch in self.epochs
            if name in epoch
        ]


def read_stage_log(path: Path) -> StageLog:
    """Read a log; of an epoch logged twice (a resumed run) the later one counts."""
    epochs: dict[float, dict[str, float]] = {}
    walls, peaks = [0.0], []  # fairseq's clock starts anew in each piece
    for kind, values in _logged(path):
        if kind == "valid":
            epochs[values["epoch"]] = {
                name.removeprefix("valid_"): value for name, value in values.items()
            }
        else:
            wall = values.get("train_wall", 0.0)
            if wall < walls[-1]:
                walls.append(0.0)
            walls[-1] = wall
            peaks.append(values.get("train_peak_mb", 0.0))
    peak = max(peaks, default=0.0)
    return StageLog([epochs[key] for key in sorted(epochs)], sum(walls), peak or None)


def _logged(path: Path) -> Iterator[tuple[str, dict[str, float]]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        match = _LOGGED.search(line)
        if match:
            values = {name: float(value) for name, value in json.loads(match[0]).items()}
            for kind in ("train", "valid"):  # a record within an epoch is neither
                if f"{kind}_loss" in values:
                    yield kind, values
