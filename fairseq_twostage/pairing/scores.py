"""Scores of pairs (x, z): a matrix of all, or a sparse one of those that are considered.

A sparse one holds every considered pair, a score of 0, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array, issparse

from fairseq_twostage.pairing.similarity import Matrix, Rows

Scores = Any  # Matrix | csr_array, which has no types
Vector = npt.NDArray[np.float64]


def values(scores: Scores) -> Vector:
    """Those of the considered pairs, row by row; of :func:`shifted` scores they may be changed."""
    found: Vector = scores.data if issparse(scores) else scores.reshape(-1)
    return found


def with_values(scores: Scores, new: Vector) -> Scores:
    """The same pairs with other values, in the order of :func:`values`."""
    if not issparse(scores):
        return new.reshape(scores.shape)
    return csr_array((new, scores.indices, scores.indptr), shape=scores.shape)


def shifted(scores: Scores, of_x: Vector, of_z: Vector) -> Scores:
    """Scores plus a number of each x and one of each z, as new values."""
    if not issparse(scores):
        found: Matrix = np.add(scores, of_x[:, None], order="C")
        found += of_z
        return found
    new = np.repeat(of_x, np.diff(scores.indptr))
    new += of_z[scores.indices]
    new += scores.data
    return with_values(scores, new)


def reduced_rows(reduce: np.ufunc, scores: Scores, empty: float = 0.0) -> Vector:
    """``np.maximum`` or ``np.add`` of each row, ``(x,)``; ``empty`` where no z is considered."""
    if not issparse(scores):
        return np.asarray(reduce.reduce(scores, axis=1))
    found = np.full(scores.shape[0], empty)
    filled = np.flatnonzero(np.diff(scores.indptr))
    if len(filled):
        found[filled] = reduce.reduceat(scores.data, scores.indptr[filled])
    return found


def largest_of_columns(scores: Scores) -> Vector:
    """``(z,)``; minus infinity where no x is considered."""
    if not issparse(scores):
        return np.asarray(scores.max(axis=0))
    found = np.full(scores.shape[1], -np.inf)
    np.maximum.at(found, scores.indices, scores.data)
    return found


def softmax_of_rows(scores: Scores) -> Scores:
    """``exp(score)`` over the row's sum of them; a row of no pair stays so."""
    nothing = np.zeros(scores.shape[1])
    found = shifted(scores, -reduced_rows(np.maximum, scores), nothing)
    np.exp(values(found), out=values(found))
    sums = reduced_rows(np.add, found, 1.0)
    values(found)[:] /= np.repeat(sums, row_lengths(found))
    return found


def row_lengths(scores: Scores) -> Rows:
    """How many z each x is considered with, ``(x,)``."""
    if issparse(scores):
        return np.diff(scores.indptr)
    return np.full(scores.shape[0], scores.shape[1])


def places(scores: Scores, rows: Rows) -> tuple[Rows, Rows, Rows]:
    """Of each considered pair of the given rows: where it stands in :func:`values`, its row among
    the given ones, its column."""
    lengths = row_lengths(scores)
    ends = np.cumsum(lengths[rows])
    row = np.repeat(np.arange(len(rows)), lengths[rows])
    starts = (np.cumsum(lengths) - lengths)[rows]
    where = np.arange(len(row)) + np.repeat(starts - ends + lengths[rows], lengths[rows])
    if issparse(scores):
        return where, row, scores.indices[where]
    return where, row, where - rows[row] * scores.shape[1]


def row_of(scores: Scores, row: int) -> tuple[Rows, Vector]:
    """Columns of a row's considered pairs, in their order, and their values."""
    if not issparse(scores):
        return np.arange(scores.shape[1]), scores[row]
    among = slice(scores.indptr[row], scores.indptr[row + 1])
    return scores.indices[among], scores.data[among]


def whole_matrix(scores: Scores) -> Matrix:
    """All pairs, 0 where one is not considered."""
    return np.asarray(scores.toarray()) if issparse(scores) else scores


def part_of(scores: Scores, rows: Rows, columns: Rows) -> Scores:
    """Of the given rows and columns, in their order."""
    return scores[rows][:, columns] if issparse(scores) else scores[np.ix_(rows, columns)]


def of_parts(
    parts: Sequence[Scores], places: Sequence[tuple[Rows, Rows]], shape: tuple[int, int]
) -> Scores:
    """What :func:`part_of` took apart; no pair, or 0, elsewhere."""
    if not all(map(issparse, parts)):
        found = np.zeros(shape)
        for part, (rows, columns) in zip(parts, places):
            found[np.ix_(rows, columns)] = part
        return found
    each = [part.tocoo() for part in parts]
    rows = np.concatenate([rows[part.row] for part, (rows, _) in zip(each, places)])
    columns = np.concatenate([columns[part.col] for part, (_, columns) in zip(each, places)])
    data = np.concatenate([part.data for part in each])
    return coo_array((data, (rows, columns)), shape=shape).tocsr()
