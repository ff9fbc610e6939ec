"""Balanced assignment: entropic optimal transport between X and the distinct z."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import issparse
from scipy.special import logsumexp

from fairseq_twostage.pairing.scores import (
    Rows,
    Scores,
    Vector,
    largest_of_columns,
    of_parts,
    part_of,
    reduced_rows,
    row_lengths,
    shifted,
    softmax_of_rows,
    values,
)
from fairseq_twostage.pairing.similarity import Words
from fairseq_twostage.text.placeholders import is_placeholder, says_value

# How far the balance holds where nobody knows how often each z is meant: with even masses the full
# potentials push x to z that nobody asks for.
EVEN_BALANCE = 0.5
ABSORBED_EACH = 50  # iterations: scales go into the kernel, and whether the balance holds
TOLERANCE = 1e-9  # of the masses of Z, which sum to 1


@dataclass(frozen=True)
class Assignment:
    """A transport plan as what it says about each x.

    Attributes:
        posterior: ``P(z | x)``, rows sum to 1, ``(x, z)``.
        prior: log-potential of each z, ``(z,)``: what to add to the scores of a new x so that
            favourites of everything step back.
    """

    posterior: Scores
    prior: Vector


Blocks = Sequence[tuple[Rows, Rows]]
"""Rows of x and of z that may belong together, and no others."""


def value_blocks(natural: Sequence[Words], canonical: Sequence[Words]) -> Blocks:
    """X and Z by the numbers, dates and times that they say; none where no z says any.

    A z with a number is never what a question without one means. Those with one also name the
    same kinds of things.
    """
    sides = [[_places(words) for words in side] for side in (natural, canonical)]
    if not any(sides[1]):
        return ()
    return [
        (_rows_with(kind, sides[0]), _rows_with(kind, sides[1]))
        for kind in sorted({*sides[0]} & {*sides[1]})
    ]


def _rows_with(kind: tuple[str, ...], side: Sequence[tuple[str, ...]]) -> Rows:
    return np.array([row for row, each in enumerate(side) if each == kind], dtype=np.int64)


def _places(words: Words) -> tuple[str, ...]:
    """All placeholders of an utterance that says a value, else none."""
    return tuple(sorted({*filter(is_placeholder, words)})) if says_value(words) else ()


def balanced_in_blocks(scores: Scores, mass: Vector, balance: float, blocks: Blocks) -> Assignment:
    """The same for each block apart; an x of no block has no z, a z of none the least prior.

    Combined with conditions of every other kind, conditions with a value soon are more z than
    anybody asks for. A block of more z than x is balanced the less, the more they are.
    """
    if not blocks:
        return balanced_assignment(scores, mass, balance=balance)
    parts, prior = [], np.full(len(mass), np.nan)
    for rows, columns in blocks:
        asked = min(1.0, len(rows) / len(columns))
        part, among = part_of(scores, rows, columns), mass[columns]
        found = balanced_assignment(part, among, balance=balance * asked)
        parts.append(found.posterior)
        prior[columns] = found.prior
    prior = np.where(np.isnan(prior), np.nanmin(prior), prior)
    return Assignment(of_parts(parts, blocks, scores.shape), prior)


def balanced_assignment(
    scores: Scores, mass: Vector, iterations: int = 1000, balance: float = 1.0
) -> Assignment:
    """Sinkhorn's algorithm (Cuturi, NIPS 2013), stabilised: from time to time the scales go into
    the kernel (Schmitzer, SIAM Journal on Scientific Computing, 2019).

    POT has it for matrices of all pairs. Of sparse scores the pairs that are not considered count
    as the worst one that is, so that X can spread over Z whatever those are. They get no
    probability.

    Args:
        scores: similarity divided by the temperature, ``(x, z)``; at least one of each x and z.
        mass: of each z, positive, up to a factor; every x has the same.
        iterations: at most.
        balance: share of the potentials that is kept: 1 balances wholly, 0 not at all.
    """
    scores = scores.astype(np.float64, copy=False)  # of a model they may be shorter
    prior = balance * _potential(scores, mass / mass.sum(), iterations)
    return Assignment(posterior_with(scores, prior), prior - logsumexp(prior))


def _potential(scores: Scores, mass: Vector, iterations: int) -> Vector:
    """What to add to each z's scores so that it gets its mass, ``(z,)``."""
    rows, columns = scores.shape
    of_x, of_z = -reduced_rows(np.maximum, scores), np.zeros(columns)
    of_z = -largest_of_columns(shifted(scores, of_x, of_z))  # a 1 in each row and column
    for _ in range(0, iterations, ABSORBED_EACH):
        kernel = Kernel.of(scores, of_x, of_z)
        u = np.ones(rows)
        for _ in range(ABSORBED_EACH):
            v = mass / kernel.of_columns(u)
            u = 1 / (rows * kernel.of_rows(v))
        of_x, of_z = of_x + np.log(u), of_z + np.log(v)
        if np.linalg.norm(v * kernel.of_columns(u) - mass) <= TOLERANCE:
            break
    return of_z


@dataclass(frozen=True)
class Kernel:
    """``exp(scores + of_x + of_z)`` as what it does to scales of x and of z.

    Attributes:
        pairs: those that are considered, less what they would be if they were not.
        rows, columns: their outer product is that of the pairs that are not considered.
    """

    pairs: Scores
    rows: Vector
    columns: Vector

    @classmethod
    def of(cls, scores: Scores, of_x: Vector, of_z: Vector) -> Kernel:
        """Of potentials ``(x,)`` and ``(z,)``."""
        pairs = shifted(scores, of_x, of_z)
        np.exp(values(pairs), out=values(pairs))
        if not issparse(scores):
            return cls(pairs, np.zeros(len(of_x)), np.zeros(len(of_z)))
        largest = of_z.max()
        rows = np.exp(values(scores).min() + of_x + largest)
        columns = np.exp(of_z - largest)
        pairs.data -= np.repeat(rows, row_lengths(pairs)) * columns[pairs.indices]
        np.maximum(pairs.data, 0.0, out=pairs.data)  # the worst one, by rounding
        return cls(pairs, rows, columns)

    def of_rows(self, v: Vector) -> Vector:
        """``K v``, ``(x,)``."""
        return np.asarray(self.pairs @ v + self.rows * (self.columns @ v))

    def of_columns(self, u: Vector) -> Vector:
        """``Kᵀ u``, ``(z,)``."""
        return np.asarray(self.pairs.T @ u + self.columns * (self.rows @ u))


def posterior_with(scores: Scores, prior: Vector) -> Scores:
    """``P(z | x) ∝ exp(score + prior)``, ``(x, z)``."""
    return softmax_of_rows(shifted(scores, np.zeros(scores.shape[0]), prior))
