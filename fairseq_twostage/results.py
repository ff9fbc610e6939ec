"""The JSON of one measured run, and what is read from a run's folder to fill it."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_text, write_json
from fairseq_twostage.selection import LABEL_FREE

TRAIN_LOG = "train.log"
BEFORE = "before"
SUFFIX = ".json"
ERRORS_SUFFIX = ".errors.json"
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
        accuracy: denotation accuracy, percent, two decimals.
        correct: how many rows were right.
        total: of how many.
        correct_rows: their indices in the split; no sentence of a dataset.
        metric: the label-free metric at the chosen checkpoint, or None if another one chose.
        history: by stage, :attr:`history_metric` after each epoch, and the accuracy where
            ``twostage evaluate --history`` measured it.
        commit: of the code.
        command: that made this file.
        config: name of the configuration, as ``cao2020``.
        seconds: of training, all stages.
        peak_mb: the largest resident memory of any stage.
        options: of the evaluation.
        stage_seconds: wall time of training, by stage.
        fingerprints: how each stage was trained (:func:`.systems.commands.fingerprint`), by stage;
            empty where no command was recorded.
        frequency_match: what the split's ẑ and Z have in common (:mod:`.scoring.frequency_match`),
            or None with one stage, and in older files.
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
    stage_seconds: dict[str, float] = field(default_factory=dict)
    fingerprints: dict[str, str] = field(default_factory=dict)
    frequency_match: float | None = None

    @property
    def percent(self) -> float:
        """Accuracy in percent, not rounded: what tables round."""
        return 100 * self.correct / self.total

    @property
    def path_of_reading(self) -> str:
        """``inference``, the one path that is also served; ``before``: scored before there was."""
        return str(self.options.get("path", BEFORE))

    @property
    def history_metric(self) -> str:
        """Name of the metric in ``history``: the label-free one, but where training logged none."""
        if "history_metric" in self.options:
            return str(self.options["history_metric"])
        choice = self.options.get("selection", {}).get("paraphraser", {})
        metric = str(choice.get("metric"))
        return metric if metric.startswith(LABEL_FREE) else LABEL_FREE

    def path(self, folder: Path) -> Path:
        """``folder/SYSTEM/DOMAIN.SETTING.SEED.json``."""
        return result_path(folder, self.system, self.domain, self.setting, self.seed)

    def write(self, folder: Path) -> Path:
        """Write the results file into ``folder``; returns its path.

        Raises:
            UserError: one of another split is there.
        """
        check_replaceable(self.path(folder), self.split)
        return write_json(self.path(folder), asdict(self))

    def write_errors(
        self, folder: Path, errors: dict[str, int], others: Mapping[str, int] | None = None
    ) -> Path:
        """Write how many errors of each class were made, beside the results file in ``folder``."""
        return self.write_errors_beside(self.path(folder), errors, others)

    def write_errors_beside(
        self, path: Path, errors: dict[str, int], others: Mapping[str, int] | None = None
    ) -> Path:
        """Write how many errors of each class were made.

        Args:
            path: the results file, whatever its name.
            errors: by class.
            others: further counts, by name.
        """
        content = {"errors": errors, "split": self.split, "total": self.total, **(others or {})}
        return write_json(path.with_name(path.name.removesuffix(SUFFIX) + ERRORS_SUFFIX), content)


def result_path(folder: Path, system: str, domain: str, setting: str, seed: int) -> Path:
    """``folder/SYSTEM/DOMAIN.SETTING.SEED.json``."""
    return folder / system / f"{domain}.{setting}.{seed}{SUFFIX}"


def check_replaceable(path: Path, split: str) -> None:
    """Refuse to replace what was counted on other rows than those of ``split``.

    Raises:
        UserError: the file in ``path`` is of another split.
    """
    if not path.is_file():
        return
    try:
        before = json.loads(path.read_text(encoding="utf-8")).get("split", split)
    except (ValueError, AttributeError):
        return  # no results file
    if before != split:
        raise UserError(
            f"holds a result on {before} rows, which one on {split} rows would replace: choose "
            "another --results folder",
            str(path),
        )


def portable_command(arguments: Sequence[str]) -> str:
    """The command without this machine's folders: runs and data by their variables.

    Of any other absolute path the last part is left.
    """
    places = {os.getcwd(): ""}
    for name in ("TWOSTAGE_RUNS", "TWOSTAGE_DATA"):
        if os.environ.get(name):
            places[os.environ[name].rstrip("/")] = f"${name}/"
    known = tuple(f"{place}/" for place in places)
    words = [
        f".../{Path(word).name}" if word.startswith("/") and not word.startswith(known) else word
        for word in arguments
    ]
    shown = shlex.join(["twostage", *words])
    for place in sorted(places, key=len, reverse=True):
        shown = shown.replace(f"{place}/", places[place])
    return shown


def read_result(path: Path) -> RunResult:
    """Read a results file; fields that this version does not know are left out.

    Raises:
        UserError: it cannot be read or is none, or a field is missing or cannot be.
    """
    text = read_text(path)
    try:
        values = dict(json.loads(text).items())
    except (ValueError, AttributeError):
        raise UserError("not a results file of twostage evaluate", str(path)) from None
    known = {field.name: field for field in fields(RunResult)}
    missing = {
        name
        for name, each in known.items()
        if each.default is MISSING and each.default_factory is MISSING
    } - set(values)
    if missing:
        raise UserError(f"lacks {', '.join(sorted(missing))}", str(path))
    for name, wanted in get_type_hints(RunResult).items():
        if name in values and not fits(values[name], wanted):
            raise UserError(f"{name} must be {known[name].type}", str(path))
    result = RunResult(**{name: values[name] for name in known if name in values})
    _check(result, str(path))
    return result


def fits(value: Any, wanted: Any) -> bool:
    """Whether what JSON held is of the type of a field; a whole number is a float, too."""
    inner = get_args(wanted)
    if wanted is Any:
        return True
    if get_origin(wanted) is UnionType:
        return any(fits(value, each) for each in inner)
    if get_origin(wanted) is list:
        return isinstance(value, list) and all(fits(item, inner[0]) for item in value)
    if get_origin(wanted) is dict:
        return isinstance(value, dict) and all(fits(item, inner[1]) for item in value.values())
    return type(value) in ((int, float) if wanted is float else (wanted,))  # a bool is no int


def _check(result: RunResult, where: str) -> None:
    """Refuse numbers that cannot be of one run."""
    rows, total = result.correct_rows, result.total
    if total < 1:
        raise UserError(f"total must be at least 1, not {total}", where)
    if rows != sorted(set(rows)) or (rows and not 0 <= rows[0] <= rows[-1] < total):
        raise UserError(f"correct_rows must ascend, within 0 to {total - 1}", where)
    if len(rows) != result.correct:
        raise UserError(f"{len(rows)} correct_rows, but correct is {result.correct}", where)
    if any(not {"epoch", "metric"} <= set(e) for epochs in result.history.values() for e in epochs):
        raise UserError("history must have epoch and metric of each epoch", where)


def read_results(folder: Path) -> list[RunResult]:
    """Every results file under ``folder``, in the order of their paths.

    Raises:
        UserError: there is none, one cannot be read, or lies where another run's belongs: a
            copy would count as a further seed.
    """
    paths = [path for path in folder.glob(f"*/*{SUFFIX}") if not path.name.endswith(ERRORS_SUFFIX)]
    if not paths:
        raise UserError("no results files; twostage evaluate --results writes them", str(folder))
    results = []
    for path in sorted(paths):
        result = read_result(path)
        if result.path(folder) != path:
            raise UserError(f"belongs at {result.path(folder)}; move or remove it", str(path))
        results.append(result)
    return results


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
