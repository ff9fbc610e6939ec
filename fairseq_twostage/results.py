"""The JSON of one measured run, and what is read from a run's folder to fill it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fairseq_twostage.files import atomic_write

TRAIN_LOG = "train.log"
_LOGGED = re.compile(r"\{\"epoch\": .*\}\s*$")


@dataclass(frozen=True)
class RunResult:
    """One run's score; ``docs/data.md`` shows the file.

    Attributes:
        system: row of the paper's tables, as ``complete`` or ``minus_cycle_learning``.
        domain: an Overnight domain or ``geo``.
        setting: where Z comes from, ``paper`` or ``grammar``.
        seed: of the run.
        split: that was scored.
        accuracy: denotation accuracy, percent.
        correct: how many rows were right.
        total: of how many.
        correct_rows: their indices in the split; no sentence of a dataset.
        metric: the label-free metric at the chosen checkpoint, or None.
        history: by stage, the label-free metric after each epoch.
        commit: of the code.
        command: that made this file.
        config: name of the configuration, as ``cao2020``.
        seconds: of training, all stages.
        peak_mb: the largest resident memory of any stage.
        options: of the evaluation.
    """

    system: str
    domain: str
    setting: str
    seed: int
    split: str
    accuracy: float
    correct: int
    total: int
    correct_rows: list[int]
    metric: float | None
    history: dict[str, list[dict[str, float]]]
    commit: str
    command: str
    config: str
    seconds: float | None
    peak_mb: float | None
    options: dict[str, Any] = field(default_factory=dict)

    def write(self, folder: Path) -> Path:
        """Write ``folder/SYSTEM/DOMAIN.SETTING.SEED.json``; returns its path."""
        path = folder / self.system / f"{self.domain}.{self.setting}.{self.seed}.json"
        with atomic_write(path) as file:
            json.dump(asdict(self), file, indent=1, sort_keys=True)
            file.write("\n")
        return path


@dataclass(frozen=True)
class StageLog:
    """What fairseq logged of one training stage with ``--log-file … --log-format json``.

    Attributes:
        epochs: per epoch, every number that validation gave.
        seconds: wall time, earlier pieces of a resumed stage included.
        peak_mb: largest resident memory, if the task logged it.
    """

    epochs: list[dict[str, float]]
    seconds: float
    peak_mb: float | None

    def metric_history(self, name: str = "label_free") -> list[dict[str, float]]:
        """``{"epoch", "metric"}`` of each epoch that has the metric."""
        return [
            {"epoch": epoch["epoch"], "metric": epoch[name]}
            for epoch in self.epochs
            if name in epoch
        ]


def read_stage_log(path: Path) -> StageLog:
    """Read a log; of an epoch logged twice (a resumed run) the later one counts."""
    epochs: dict[float, dict[str, float]] = {}
    seconds, peaks = 0.0, []
    for kind, values in _logged(path):
        if kind == "valid":
            epochs[values["epoch"]] = {
                name.removeprefix("valid_"): value for name, value in values.items()
            }
        else:
            seconds = max(seconds, values.get("train_wall", 0.0))
            peaks.append(values.get("train_peak_mb", 0.0))
    peak = max(peaks, default=0.0)
    return StageLog([epochs[key] for key in sorted(epochs)], seconds, peak or None)


def _logged(path: Path) -> Iterator[tuple[str, dict[str, float]]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        match = _LOGGED.search(line)
        if match:
            values = {name: float(value) for name, value in json.loads(match[0]).items()}
            for kind in ("train", "valid"):  # a record within an epoch is neither
                if f"{kind}_loss" in values:
                    yield kind, values


def current_commit() -> str:
    """The commit of the code, ``-dirty`` if its tracked files have changed since."""
    here = Path(__file__).parent
    try:
        commit = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=here, check=True, capture_output=True, text=True
        ).stdout.strip()
        changed = subprocess.run(
            ["git", "status", "--porcelain", "--untracked-files=no", "--", "."],
            cwd=here,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{commit}-dirty" if changed else commit
