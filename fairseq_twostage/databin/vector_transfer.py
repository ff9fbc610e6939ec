"""Vectors of words that one file of word vectors lacks, carried over from another."""

from __future__ import annotations

from itertools import islice, takewhile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairseq_twostage.databin.embeddings import check_numbers, is_number, read_vectors
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import iterate_lines

FITTED_WORDS = 20_000  # the first ones of the target file: GloVe's most frequent
NEIGHBOURS = 20
RIDGE = 1.0
DAMPING = 0.1

Matrix = NDArray[np.float64]


class VectorTransfer:
    """A map from one space of word vectors to another, learnt on the words of both.

    A ridge regression carries the whole; what it leaves over at the nearest words of the
    source space is added by the weights that rebuild the word from them (locally linear
    embedding, Roweis & Saul 2000). From GloVe's 50 to its 100 dimensions this brings held-out
    words nearer to their true vectors than the regression alone.

    Args:
        source: vectors of the shared words, ``(words, source dim)``.
        target: their vectors in the other space, ``(words, target dim)``.
    """

    def __init__(self, source: Matrix, target: Matrix) -> None:
        self.source = source
        inputs = _with_constant(source)
        gram = inputs.T @ inputs + RIDGE * np.eye(inputs.shape[1])
        self.weights = np.linalg.solve(gram, inputs.T @ target)
        self.residuals = target - inputs @ self.weights

    def __call__(self, vector: Matrix) -> Matrix:
        """The vector ``(source dim,)`` in the target space, ``(target dim,)``."""
        distances = np.linalg.norm(self.source - vector, axis=1)
        nearest = np.argsort(distances, kind="stable")[:NEIGHBOURS]
        offsets = self.source[nearest] - vector
        gram = offsets @ offsets.T
        gram += DAMPING * np.trace(gram) / len(nearest) * np.eye(len(nearest))
        shares = np.linalg.solve(gram, np.ones(len(nearest)))
        carried: Matrix = _with_constant(vector[None])[0] @ self.weights
        return carried + shares / shares.sum() @ self.residuals[nearest]


def transfer_vectors(words: set[str], target: Path, dim: int, source: Path) -> dict[str, str]:
    """Vectors for those of ``words`` that the file ``source`` has, in the space of ``target``.

    Args:
        words: missing in ``target``.
        target: word vectors of ``dim`` values.
        source: other word vectors, of any width.

    Returns:
        word -> values as text, five decimals.

    Raises:
        UserError: as :func:`read_vectors`, and if the files share too few words to learn from.
    """
    width = _width(source)
    found = read_vectors(source, words, width)
    if not found:
        return {}
    common = read_vectors(target, _first_words(target), dim)
    shared = read_vectors(source, set(common), width)
    if len(shared) < 10 * width:
        raise UserError(
            f"shares {len(shared)} words with {target.name}; to learn how one becomes the other "
            f"takes {10 * width}",
            where=str(source),
        )
    transfer = VectorTransfer(_matrix(shared, shared), _matrix(common, shared))
    return {
        word: " ".join(f"{value:.5f}" for value in transfer(_vector(found[word])))
        for word in sorted(found)
    }


def _with_constant(rows: Matrix) -> Matrix:
    return np.concatenate([rows, np.ones((len(rows), 1))], axis=1)


def _vector(values: str) -> Matrix:
    return np.array(values.split(" "), dtype=np.float64)


def _matrix(vectors: dict[str, str], words: dict[str, str]) -> Matrix:
    return np.stack([_vector(vectors[word]) for word in sorted(words)])


def _first_words(path: Path) -> set[str]:
    return {line.partition(" ")[0] for line in islice(iterate_lines(path), FITTED_WORDS)}


def _width(path: Path) -> int:
    """Values per word, by the second line: the first may be a header."""
    lines = [line.rstrip() for line in islice(iterate_lines(path), 2)]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise UserError("holds no word vector", where=str(path))
    _, *fields = lines[-1].split(" ")
    width = sum(1 for _ in takewhile(is_number, reversed(fields)))  # a word may have blanks
    check_numbers(" ".join(fields[-width:]), f"{path}:{len(lines)}")
    return width
