"""Pre-trained word vectors, cut to a vocabulary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import iterate_lines
from fairseq_twostage.text.vocabulary import by_frequency

LARGEST = float(np.finfo(np.float32).max)
LENGTH = 5.0  # mean Euclidean length of GloVe's 100-dimensional vectors of common words


class VectorSource(Protocol):
    """What makes word vectors, where no file holds them."""

    @property
    def name(self) -> str:
        """Recorded in the manifest."""

    def vectors(self, words: Sequence[str], dim: int) -> dict[str, str]:
        """The vectors of those words that have one, as text."""


class NoVectors:
    """Every word starts at random."""

    name = "none"

    def vectors(self, words: Sequence[str], dim: int) -> dict[str, str]:
        """None."""
        return {}


@dataclass(frozen=True)
class EmbeddedWords:
    """Each word embedded as if it were a sentence, cut to ``dim`` principal components.

    Args:
        name: of the encoder.
        embed: texts to vectors, ``(n, width)``.
    """

    name: str
    embed: Callable[[Sequence[str]], NDArray[np.floating]]

    def vectors(self, words: Sequence[str], dim: int) -> dict[str, str]:
        """The vectors of all words, their mean length that of GloVe's (:data:`LENGTH`)."""
        texts = [word.replace("_", " ").replace("\u2581", "").strip() or word for word in words]
        table = np.asarray(self.embed(texts), dtype=np.float64)
        rows = principal_components(table, dim)
        rows *= LENGTH / max(float(np.linalg.norm(rows, axis=1).mean()), 1e-9)
        return {word: " ".join(f"{x:.5f}" for x in row) for word, row in zip(words, rows)}


def principal_components(table: NDArray[np.float64], dim: int) -> NDArray[np.float64]:
    """The ``dim`` directions of most variance; zeros where there are fewer.

    Args:
        table: ``(n, width)``.

    Returns:
        ``(n, dim)``, centred. The sign of a component makes its largest value positive.
    """
    centred = table - table.mean(axis=0)
    left, scales, _ = np.linalg.svd(centred, full_matrices=False)
    scores = (left * scales)[:, :dim]
    largest = np.abs(scores).argmax(axis=0)
    signs = np.sign(scores[largest, np.arange(scores.shape[1])])
    scores = scores * np.where(signs == 0, 1, signs)
    return np.pad(scores, ((0, 0), (0, dim - scores.shape[1])))


@dataclass(frozen=True)
class Coverage:
    """How much of a vocabulary, and of the text it was counted on, has a vector."""

    types_covered: int
    types: int
    tokens_covered: int
    tokens: int

    def __str__(self) -> str:
        types = f"{self.types_covered} of {self.types} words"
        share = _percent(self.types_covered, self.types)
        return f"{types} ({share}), {_percent(self.tokens_covered, self.tokens)} of the tokens"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"


def read_vectors(path: Path, words: set[str], dim: int) -> dict[str, str]:
    """Find the vectors of ``words`` in a text file of ``word v1 … v_dim`` lines.

    A word may have blanks. A first line of two integers (word2vec's and fastText's header) is
    accepted. Values stay
    text, so nothing is lost by rounding. The first of several rows of a word counts.

    Raises:
        UserError: with ``file:line`` for a row whose number of values is not ``dim`` or
            that holds something other than numbers; with the file if it has no rows.
    """
    found: dict[str, str] = {}
    rows = 0
    for number, line in enumerate(iterate_lines(path), start=1):
        line = line.rstrip()
        if number == 1 and _is_header(line, dim, path):
            continue
        rows += 1
        word, *values = line.rsplit(" ", dim)
        # A word may have blanks (GloVe 840B's ". . ."), but no part that is a number.
        width = line.count(" ")
        if len(values) != dim or (width > dim and is_number(word.rpartition(" ")[2])):
            raise UserError(
                f"expected {dim} values, found {width}{_advice(line, width, rows)}",
                where=f"{path}:{number}",
            )
        if word in words and word not in found:
            found[word] = " ".join(values)
            check_numbers(found[word], f"{path}:{number}")
    if not rows:
        raise UserError("holds no word vector", where=str(path))
    return found


def _advice(line: str, width: int, rows: int) -> str:
    """What may be meant by a row of another width."""
    if "\t" in line:
        return ": write blanks between them, not tabs"
    return f" (--embedding-dim {width}, if that is meant)" if rows == 1 and width else ""


def write_vectors(path: Path, vectors: dict[str, str], counts: Counter[str], dim: int) -> Coverage:
    """Write ``N dim`` and the rows, most frequent word first (fairseq's ``parse_embedding``)."""
    rows = [f"{word} {vectors[word]}" for word, _ in by_frequency(counts) if word in vectors]
    path.write_text("\n".join([f"{len(rows)} {dim}", *rows, ""]), encoding="utf-8", newline="\n")
    return Coverage(
        types_covered=len(rows),
        types=len(counts),
        tokens_covered=sum(count for word, count in counts.items() if word in vectors),
        tokens=sum(counts.values()),
    )


def _is_header(line: str, dim: int, path: Path) -> bool:
    columns = line.split(" ")
    if dim == 1 or len(columns) != 2 or not all(column.isdecimal() for column in columns):
        return False
    if int(columns[1]) != dim:
        raise UserError(
            f"expected vectors of {dim} values, the header says {columns[1]} "
            f"(--embedding-dim {columns[1]}, if that is meant)",
            where=f"{path}:1",
        )
    return True


def is_number(text: str) -> bool:
    """Whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def check_numbers(values: str, where: str) -> None:
    """Raise :class:`UserError` unless these are numbers of 32 bits, with blanks between."""
    try:
        for value in values.split(" "):
            if not abs(float(value)) <= LARGEST:
                raise ValueError
    except ValueError:
        raise UserError(f"{value!r} is not a number", where=where) from None
