"""Case study: chosen rows in full, from the predictions on disk.

It prints sentences of a dataset, so it only ever prints: nothing of it belongs into a report.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fairseq_twostage.errors import UserError
from fairseq_twostage.reporting.predictions import SPLITS, Prediction, read_predictions
from fairseq_twostage.text.rows import Row


def parse_rows(text: str) -> list[int]:
    """Row indices of ``3,17-19``.

    Raises:
        UserError: it is something else.
    """
    rows: list[int] = []
    for piece in text.split(","):
        first, dash, last = piece.partition("-")
        try:
            found = range(int(first), int(last if dash else first) + 1)
        except ValueError:
            found = range(0)
        if not found:
            raise UserError(f"{text!r} is no list of rows such as 3,17-19", "--cases")
        rows += found
    return rows


def find_predictions(
    run: Path, split: str = "test", gold: Sequence[Row] | None = None
) -> tuple[dict[str, Path], list[Path]]:
    """Predictions that lie in a run's folder, by the name they are shown under.

    ``predictions/SYSTEM.tsv`` and ``predictions/SYSTEM.SPLIT.tsv`` under the system's name;
    ``STAGE/predictions.SPLIT.tsv`` under the stage's.

    Args:
        run: the folder.
        split: whose predictions are wanted.
        gold: the split's annotated rows. Where given they decide, not the names: earlier
            versions left the split out of them.

    Returns:
        the files of the split, and those of other rows.
    """
    if not run.is_dir():
        raise UserError("no such run; name predictions with --predictions", str(run))
    found: dict[str, Path] = {}
    others: list[Path] = []
    for path in [*sorted(run.glob("*/predictions*.tsv")), *sorted(run.glob("predictions/*.tsv"))]:
        name, _, told = path.stem.rpartition(".")
        if told not in SPLITS:
            name, told = path.stem, "test"
        if told == split if gold is None else _same_rows(read_predictions(path), gold):
            found[name if path.parent.name == "predictions" else path.parent.name] = path
        else:
            others.append(path)
    return found, others


def named_predictions(pairs: Sequence[str]) -> dict[str, Path]:
    """``NAME=FILE`` options as a mapping."""
    named = {}
    for pair in pairs:
        name, mark, path = pair.partition("=")
        if not (name and mark and path):
            raise UserError(f"{pair!r} is not NAME=FILE", "--predictions")
        named[name] = Path(path)
    return named


def show_cases(
    rows: Sequence[int],
    files: Mapping[str, Path],
    gold: Sequence[Row] | None = None,
    points: Mapping[int, str] | None = None,
) -> Iterator[str]:
    """The lines that show each of ``rows``.

    Args:
        rows: indices into the split.
        files: predictions by system; of the same split.
        gold: the split's annotated rows, shown first where given.
        points: by row, what to look at.

    Raises:
        UserError: no predictions, an index outside the split, or files of different splits; all
            before the first line.
    """
    if not files:
        raise UserError("no predictions found; name them with --predictions NAME=FILE", "--cases")
    systems = {name: read_predictions(path) for name, path in files.items()}
    name, reference = next(iter(systems.items()))
    if gold is not None and not _same_rows(reference, gold):
        raise UserError("the predictions are not of this split", "--data")
    for system, predictions in systems.items():
        if not _same_rows(predictions, reference):
            reason = f"not of the same rows as {files[name]}"
            advice = "" if gold else "; --data DATA-BIN tells which of a run are of --split"
            raise UserError(reason + advice, str(files[system]))
    for index in rows:
        if not 0 <= index < len(reference):
            raise UserError(f"row {index}: {name} has rows 0 to {len(reference) - 1}", "--cases")
    for index in rows:
        yield f"row {index}: {reference[index].utterance}"
        if points and index in points:
            yield f"  ({points[index]})"
        if gold is not None:
            yield "  gold"
            yield f"    z  {gold[index].canonical or '(none)'}"
            yield f"    y  {gold[index].logical_form}"
        for system, predictions in systems.items():
            yield from _predicted(system, predictions[index])
        yield ""


def _same_rows(ours: Sequence[Prediction | Row], theirs: Sequence[Prediction | Row]) -> bool:
    return [row.utterance for row in ours] == [row.utterance for row in theirs]


def _predicted(system: str, prediction: Prediction) -> Iterator[str]:
    yield f"  {system}: {'right' if prediction.correct else 'wrong'}"
    if prediction.canonical:
        yield f"    ẑ  {prediction.canonical}"
    yield f"    ŷ  {prediction.logical_form}"
    yield f"    =  {prediction.denotation}"
