"""Balanced assignment: entropic optimal transport between X and the distinct z."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from fairseq_twostage.pairing.similarity import Matrix, Words
from fairseq_twostage.text.lexicon import is_placeholder, parts_of
from fairseq_twostage.text.value_settings import KINDS

Vector = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]


# How far the balance holds where nobody knows how often each z is meant: with even masses the full
# potentials push x to z that nobody asks for.
EVEN_BALANCE = 0.5


@dataclass(frozen=True)
class Assignment:
    """A transport plan as what it says about each x.

    Attributes:
        posterior: ``P(z | x)``, rows sum to 1, ``(x, z)``.
        prior: log-potential of each z, ``(z,)``: what to add to the scores of a new x so that
            favourites of everything step back.
    """

    posterior: Matrix
    prior: Vector


Blocks = Sequence[tuple[Rows, Rows]]
"""Rows of x and of z that may belong together, and no others."""


def value_blocks(natural: Sequence[Words], canonical: Sequence[Words]) -> Blocks:
    """X and Z by the numbers, dates and times that they say; none where no z says any.

    A z with a number is never what a question without one means.
    """
    sides = [[_values(words) for words in side] for side in (natural, canonical)]
    if not any(sides[1]):
        return ()
    return [
        (_rows_with(kind, sides[0]), _rows_with(kind, sides[1]))
        for kind in sorted({*sides[0]} & {*sides[1]})
    ]


def _rows_with(kind: tuple[str, ...], side: Sequence[tuple[str, ...]]) -> Rows:
    return np.array([row for row, each in enumerate(side) if each == kind], dtype=np.int64)


def _values(words: Words) -> tuple[str, ...]:
    said = {word for word in words if is_placeholder(word) and parts_of(word)[0] in KINDS}
    return tuple(sorted(said))


def balanced_in_blocks(scores: Matrix, mass: Vector, balance: float, blocks: Blocks) -> Assignment:
    """The same for each block apart; an x of no block has no z, a z of none the least prior."""
    if not blocks:
        return balanced_assignment(scores, mass, balance=balance)
    posterior, prior = np.zeros_like(scores), np.full(len(mass), np.nan)
    for rows, columns in blocks:
        found = balanced_assignment(scores[np.ix_(rows, columns)], mass[columns], balance=balance)
        posterior[np.ix_(rows, columns)] = found.posterior
        prior[columns] = found.prior
    return Assignment(posterior, np.where(np.isnan(prior), np.nanmin(prior), prior))


def balanced_assignment(
    scores: Matrix, mass: Vector, iterations: int = 1000, balance: float = 1.0
) -> Assignment:
    """Sinkhorn's algorithm (Cuturi, NIPS 2013) in the log domain, by POT.

    Args:
        scores: similarity divided by the temperature, ``(x, z)``.
        mass: of each z, positive, up to a factor; every x has the same.
        iterations: at most.
        balance: share of the potentials that is kept: 1 balances wholly, 0 not at all.
    """
    from ot.bregman import sinkhorn_log

    rows = np.full(len(scores), 1 / len(scores))
    columns = mass / mass.sum()
    _, log = sinkhorn_log(
        rows, columns, -scores, reg=1.0, numItermax=iterations, warn=False, log=True
    )
    prior = balance * log["log_v"]
    return Assignment(posterior_with(scores, prior), prior - logsumexp(prior))


def posterior_with(scores: Matrix, prior: Vector) -> Matrix:
    """``P(z | x) ∝ exp(score + prior)``, ``(x, z)``."""
    logits = scores + prior
    return np.exp(logits - logsumexp(logits, axis=1, keepdims=True))
