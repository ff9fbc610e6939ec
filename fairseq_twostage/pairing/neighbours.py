"""The pairs (x, z) worth considering where there are too many to compare the words of them all.

Every x is compared with every z in blocks, by what a matrix product tells: wholes, marks, and the
mean of the words' states. Of those :data:`NEAREST` of each x and of each z the words are aligned.
That is exact search over a score that no index of vectors knows; nothing is approximated but by
leaving pairs out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array

from fairseq_twostage.pairing.fitted import FittedSimilarity, Parts
from fairseq_twostage.pairing.index import Array, Index, Read
from fairseq_twostage.pairing.scores import Vector, of_parts
from fairseq_twostage.pairing.similarity import Matrix, Words, unit_rows
from fairseq_twostage.pairing.transport import Blocks

NEAREST = 256  # z of an x and x of a z that are considered
BLOCK = 256  # x at once
SAMPLE = 256  # z, and x, of which is learnt what means of states tell of the words


def nearest_pairs(
    fitted: FittedSimilarity, natural: Sequence[Words], blocks: Blocks, nearest: int = NEAREST
) -> csr_array:
    """The standardised similarity of each x and its nearest z, each z and its nearest x.

    Args:
        fitted: over X and Z.
        natural: X.
        blocks: of pairs that may belong together; none: all may.
        nearest: so many are considered.

    Returns:
        ``(x, z)``.
    """
    size = len(natural), len(fitted.index.lines)
    if not blocks:
        return _nearest(fitted, natural, fitted.index, nearest)
    parts = [
        _nearest(fitted, [natural[row] for row in rows], fitted.index.select(columns), nearest)
        for rows, columns in blocks
    ]
    return of_parts(parts, blocks, size)


def _nearest(
    fitted: FittedSimilarity, natural: Sequence[Words], index: Index, nearest: int
) -> csr_array:
    """Those of one block; equal x are compared once, and are one neighbour of a z."""
    index = replace(  # each z has few of the words and marks
        index,
        overlap=csr_array(index.overlap),
        marks={name: (places, csr_array(held)) for name, (places, held) in index.marks.items()},
    )
    distinct = {words: row for row, words in enumerate(dict.fromkeys(map(tuple, natural)))}
    lines = list(distinct)
    rough: _Rough | None = None
    near = _Near(nearest, len(index.lines))
    columns, data = [], []
    for start in range(0, len(lines), BLOCK):
        read = fitted.resources.read(lines[start : start + BLOCK])
        rough = rough or _Rough.learnt(fitted, index, read)
        parts = rough.parts(read)
        for x, kept, whole, mismatch in zip(
            read, near(fitted.total(parts)), parts.whole, parts.mismatch
        ):
            found = np.flatnonzero(kept)
            aligned = fitted.aligned(x, index, found)
            columns.append(found.astype(np.int32))
            data.append(fitted.total(Parts(whole[found], aligned, mismatch[found])))
    ends = np.cumsum([0, *map(len, columns)])
    shape = len(lines), len(index.lines)
    scores = csr_array((np.concatenate(data), np.concatenate(columns), ends), shape=shape)
    return scores[[distinct[tuple(words)] for words in natural]]


class _Near:
    """Which pairs of a block of x are among the nearest of the x, or so far of the z."""

    def __init__(self, nearest: int, width: int) -> None:
        self.nearest = nearest
        self.of_z: Matrix = np.full((nearest, width), -np.inf)

    def __call__(self, scores: Matrix) -> np.ndarray:
        """``(x, z)``, at least one of each x."""
        least = self.of_z.min(axis=0)
        both = np.vstack([self.of_z, scores])
        self.of_z = np.partition(both, -self.nearest, axis=0)[-self.nearest :]
        # No score equal to one that is kept: there may be many, of x that share no word with z.
        taken = (scores > least) & (scores >= self.of_z.min(axis=0))
        if scores.shape[1] <= self.nearest:
            return np.ones_like(taken)
        best = np.argpartition(-scores, self.nearest - 1, axis=1)[:, : self.nearest]
        np.put_along_axis(taken, best, True, axis=1)
        return taken


@dataclass(frozen=True)
class _Rough:
    """What the parts of the similarity are, the words' alignment guessed.

    Attributes:
        fitted: over X and Z.
        index: of z.
        means: of their words' states, by rarity, ``(z, dim)``.
        weights: of a constant, the whole and the means' cosine, by least squares.
    """

    fitted: FittedSimilarity
    index: Index
    means: Array
    weights: Vector

    @classmethod
    def learnt(cls, fitted: FittedSimilarity, index: Index, read: Sequence[Read]) -> _Rough:
        """From some x and z."""
        sums = np.add.reduceat(
            index.states * index.weights.astype(np.float32)[:, None], index.starts, axis=0
        )
        found = cls(fitted, index, unit_rows(sums).astype(np.float32), np.zeros(3))
        some = np.unique(np.linspace(0, len(index.lines) - 1, SAMPLE).astype(np.int64))
        read = read[:SAMPLE]
        aligned = np.stack([fitted.aligned(x, index, some) for x in read])
        told = found._told(read, fitted.wholes(read, index))[:, :, some].reshape(3, -1)
        weights = np.linalg.lstsq(told.T, aligned.reshape(-1), rcond=None)[0]
        return replace(found, weights=np.asarray(weights, dtype=np.float64))

    def parts(self, read: Sequence[Read]) -> Parts:
        """Of some x and each z, ``(x, z)`` each."""
        whole = self.fitted.wholes(read, self.index)
        aligned = np.tensordot(self.weights, self._told(read, whole), axes=1)
        return Parts(whole, aligned, self.fitted.mismatches(read, self.index))

    def _told(self, read: Sequence[Read], whole: Matrix) -> Matrix:
        """A constant, the whole and the means' cosine, ``(3, x, z)``."""
        weights = [self.fitted.natural.weights(x.words).astype(np.float32) for x in read]
        means = unit_rows(np.stack([by @ x.states for by, x in zip(weights, read)]))
        return np.stack([np.ones_like(whole), whole, means @ self.means.T])
