"""Results: one line of JSON for each measured run, in a file ending in ``.jsonl``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from fairseq_twostage.durable import alone
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import load_json, read_lines
from fairseq_twostage.schema import checked, strict
from fairseq_twostage.selection import LABEL_FREE
from fairseq_twostage.writing import atomic_write, check_folder, make_folder, written_or_said

BEFORE = "before"
SUFFIX = ".jsonl"
FILE = "results.jsonl"
KEY = ("system", "domain", "setting", "seed")  # one line of a file each


@strict
@dataclass(frozen=True)
class RunResult:
    """One run's score; ``docs/data.md`` shows the line.

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
        command: that made this line.
        config: name of the configuration, as ``cao2020``.
        seconds: of training, all stages.
        peak_mb: the largest resident memory of any stage.
        options: of the evaluation.
        stage_seconds: wall time of training, by stage.
        fingerprints: how each stage was trained (:func:`.systems.commands.fingerprint`), by stage;
            empty where no command was recorded.
        frequency_match: what the split's ẑ and Z have in common (:mod:`.scoring.frequency_match`),
            or None with one stage, and in older results.
        errors: how many of each class (:mod:`.scoring.error_classes`); None: not counted.
        first_release_correct: how many rows the paper's code, as it was first released, counts as
            right (:mod:`.scoring.first_release`), or None where it counts as we do.
        trust: how trusted answers fare (:mod:`.scoring.selective`), with ``confidence``,
            ``in_domain`` and ``given`` (1: not refused) of each row; None: nothing judged them.
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
    errors: dict[str, int] | None = None
    first_release_correct: int | None = None
    trust: dict[str, Any] | None = None

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

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What tells it from all others in a file; see :data:`KEY`."""
        return self.system, self.domain, self.setting, self.seed

    def write(self, path: Path) -> Path:
        """Write the line into a file of results, in place of an earlier one of the same run.

        Args:
            path: the file, or a folder: then :data:`FILE` in it.

        Returns:
            the file, whose lines are sorted by :data:`KEY`.

        Raises:
            UserError: an earlier one is of another split, or the file is none of results.
        """
        file = results_file(path)
        make_folder(file.parent)
        with written_or_said(file), alone(file.parent):
            lines = {key_of(line): line for _, line in read_objects(file)} if file.exists() else {}
            _check_replaceable(lines, self.key, self.split, file)
            lines[self.key] = asdict(self)
            write_lines(file, [lines[key] for key in sorted(lines)])
        return file


def results_file(path: Path) -> Path:
    """``path`` if it is named as a file of results, else :data:`FILE` in that folder."""
    return path if path.suffix == SUFFIX else path / FILE


def check_replaceable(path: Path, key: tuple[str, str, str, int], split: str) -> None:
    """Refuse now what :meth:`RunResult.write` would refuse later.

    Raises:
        UserError: ``path`` is no place for results, or holds one of that run on other rows than
            those of ``split``.
    """
    file = results_file(path)
    check_folder(file.parent)
    if file.exists():
        _check_replaceable({key_of(line): line for _, line in read_objects(file)}, key, split, file)


def _check_replaceable(
    lines: Mapping[tuple[Any, ...], Mapping[str, Any]],
    key: tuple[str, str, str, int],
    split: str,
    file: Path,
) -> None:
    known = {field.name for field in fields(RunResult)}
    if others := {name for line in lines.values() for name in line} - known:
        raise UserError(
            f"has {', '.join(sorted(others))}, which no result has: choose another --results",
            str(file),
        )
    if key in lines and (before := lines[key].get("split")) != split:
        raise UserError(
            f"holds a result of {' '.join(map(str, key))} on {before} rows, which one on {split} "
            "rows would replace: choose another --results",
            str(file),
        )


def key_of(line: Mapping[str, Any]) -> tuple[Any, ...]:
    """:data:`KEY` of a line."""
    return tuple(line.get(name) for name in KEY)


def write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write JSON Lines whose bytes depend on the values alone."""
    with atomic_write(path) as file:
        for line in lines:
            json.dump(line, file, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            file.write("\n")


def read_objects(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """The objects of JSON Lines, each behind ``FILE:LINE``.

    Raises:
        UserError: the file cannot be read, or a line is no object.
    """
    found = []
    for number, text in enumerate(read_lines(path), start=1):
        where = f"{path}:{number}"
        try:
            found.append((where, dict(load_json(text).items())))
        except (ValueError, AttributeError):
            raise UserError("not a line of results, as twostage evaluate writes", where) from None
    return found


def to_result(values: Mapping[str, Any], where: str) -> RunResult:
    """The result that a line holds; fields that this version does not know are left out.

    Raises:
        UserError: a field is missing or cannot be.
    """
    known = [field.name for field in fields(RunResult)]
    said = {name: values[name] for name in known if name in values}
    result = checked(RunResult, said, where, "{}")
    _check(result, where)
    return result


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


def read_results(path: Path) -> list[RunResult]:
    """Every result of a file, in the order of its lines.

    Args:
        path: the file, or a folder: then :data:`FILE` in it.

    Raises:
        UserError: there is none, a line is none, or two are of one run: a copy would count as a
            further seed.
    """
    file = results_file(path)
    if not file.exists():
        earlier = next(path.glob("*/*.*.*.json"), None) if path.is_dir() else None
        move = "python -m research.from_old_layout reads this folder" if earlier else ""
        made = "twostage evaluate --results writes them"
        raise UserError(f"no results; {move or made}", str(file))
    first: dict[tuple[str, str, str, int], str] = {}
    results = []
    for where, line in read_objects(file):
        result = to_result(line, where)
        if first.setdefault(result.key, where) != where:
            raise UserError(f"is of the same run as {first[result.key]}; remove one", where)
        results.append(result)
    return results
