"""Case study: chosen rows in full, from the predictions on disk.

It prints sentences of a dataset, so it only ever prints: nothing of it belongs into a report.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fairseq_twostage.corpora.rows import Row
from fairseq_twostage.errors import UserError
from fairseq_twostage.reporting.predictions import Prediction, read_predictions


def parse_rows(text: str) -> list[int]:
    """Row indices of ``3,17-19``.

    Raises:
        UserError: it is something else.
    """
    rows: list[int] = []
    for piece in text.split(","):
        first, _, last = piece.partition("-")
        try:
            rows += range(int(first), int(last or first) + 1)
        except ValueError:
            raise UserError(f"{text!r} is no list of rows such as 3,17-19", "--cases") from None
    return rows


def find_predictions(run: Path) -> dict[str, Path]:
    """Predictions that lie in a run's folder, by the name they are shown under.

    ``predictions/SYSTEM.tsv`` under the system's name; ``STAGE/predictions.SPLIT.tsv`` under
    the stage's.
    """
    if not run.is_dir():
        raise UserError("no such run; name predictions with --predictions", str(run))
    found = {path.parent.name: path for path in sorted(run.glob("*/predictions*.tsv"))}
    return found | {path.stem: path for path in sorted(run.glob("predictions/*.tsv"))}


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
    rows: Sequence[int], files: Mapping[str, Path], gold: Sequence[Row] | None = None
) -> Iterator[str]:
    """The lines that show each of ``rows``.

    Args:
        rows: indices into the split.
        files: predictions by system; of the same split.
        gold: the split's annotated rows, shown first where given.

    Raises:
        UserError: no predictions, an index outside the split, or files of different splits.
    """
    if not files:
        raise UserError("no predictions found; name them with --predictions NAME=FILE", "--cases")
    systems = {name: read_predictions(path) for name, path in files.items()}
    name, reference = next(iter(systems.items()))
    for index in rows:
        if not 0 <= index < len(reference):
            raise UserError(f"row {index}: {name} has rows 0 to {len(reference) - 1}", "--cases")
        yield f"row {index}: {reference[index].utterance}"
        if gold is not None:
            yield from _gold(gold, index, reference[index])
        for system, predictions in systems.items():
            if len(predictions) != len(reference) or (
                predictions[index].utterance != reference[index].utterance
            ):
                raise UserError(f"not of the same rows as {files[name]}", str(files[system]))
            yield from _predicted(system, predictions[index])
        yield ""


def _gold(gold: Sequence[Row], index: int, shown: Prediction) -> Iterator[str]:
    if index >= len(gold) or gold[index].utterance != shown.utterance:
        raise UserError("the predictions are not of this split", "--data")
    yield "  gold"
    yield f"    z  {gold[index].canonical or '(none)'}"
    yield f"    y  {gold[index].logical_form}"


def _predicted(system: str, prediction: Prediction) -> Iterator[str]:
    yield f"  {system}: {'right' if prediction.correct else 'wrong'}"
    if prediction.canonical:
        yield f"    ẑ  {prediction.canonical}"
    yield f"    ŷ  {prediction.logical_form}"
    yield f"    =  {prediction.denotation}"
