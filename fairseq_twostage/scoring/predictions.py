"""The predictions of a run, as ``twostage evaluate --predictions`` writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_lines
from fairseq_twostage.writing import atomic_write, to_disk

COLUMNS = ("utterance", "canonical", "logical_form", "denotation", "correct")


@dataclass(frozen=True)
class Prediction:
    """One row: x, ẑ (empty with one stage), ŷ, its denotation, and whether that is right."""

    utterance: str
    canonical: str
    logical_form: str
    denotation: str
    correct: bool


def predictions_name(system: str, split: str) -> str:
    """The file in a run's ``predictions``: ``SYSTEM.tsv``, or ``SYSTEM.SPLIT.tsv`` but for test."""
    return f"{system}.tsv" if split == "test" else f"{system}.{split}.tsv"


@contextmanager
def written_predictions(
    path: Path | None, rows: Iterable[tuple[str, str, str, str, int]]
) -> Iterator[None]:
    """Write the rows, their :data:`COLUMNS` in the first line; the last is 1 where it is right.

    The file has its name after the block, and only if what is written in the block could be.

    Args:
        path: None: no file is wanted.
        rows: see :class:`Prediction`.
    """
    if path is None:
        yield
        return
    with atomic_write(path) as file:
        for row in (COLUMNS, *rows):
            print(*row, sep="\t", file=file)
        to_disk(file)
        yield


def read_predictions(path: Path) -> list[Prediction]:
    """Read a TSV of predictions.

    Raises:
        UserError: it cannot be read, or is none.
    """
    rows = (line.split("\t") for line in read_lines(path))
    if tuple(next(rows, ())) != COLUMNS:
        raise UserError("not predictions of twostage evaluate", f"{path}:1")
    predictions = []
    for number, fields in enumerate(rows, start=2):
        if len(fields) != len(COLUMNS) or fields[-1] not in ("0", "1"):
            raise UserError("damaged row", f"{path}:{number}")
        utterance, canonical, form, denotation, correct = fields
        predictions.append(Prediction(utterance, canonical, form, denotation, correct == "1"))
    return predictions
