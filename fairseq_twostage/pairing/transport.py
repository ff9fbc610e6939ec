"""Balanced assignment: entropic optimal transport between X and the distinct z."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from fairseq_twostage.pairing.similarity import Matrix, Words
from fairseq_twostage.text.lexicon import is_placeholder, says_value

Vector = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]


# How far the balance holds where nobody knows how often each z is meant: with even masses the full
# potentials push x to z that nobody asks for.
EVEN_BALANCE = 0.5
LEAST_LOG = -500.0  # of what is left of a z: exp(-745) is 0
LARGEST_SCALE = 1e100  # before scales go into the kernel
CHECKED_EACH = 50  # iterations: whether the balance holds


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


def balanced_in_blocks(scores: Matrix, mass: Vector, balance: float, blocks: Blocks) -> Assignment:
    """The same for each block apart; an x of no block has no z, a z of none the least prior.

    Combined with conditions of every other kind, conditions with a value soon are more z than
    anybody asks for. A block of more z than x is balanced the less, the more they are.
    """
    if not blocks:
        return balanced_assignment(scores, mass, balance=balance)
    posterior, prior = np.zeros_like(scores), np.full(len(mass), np.nan)
    for rows, columns in blocks:
        part, among = scores[np.ix_(rows, columns)], mass[columns]
        asked = min(1.0, len(rows) / len(columns))
        found = balanced_assignment(part, among, balance=balance * asked)
        posterior[np.ix_(rows, columns)] = found.posterior
        prior[columns] = found.prior
    return Assignment(posterior, np.where(np.isnan(prior), np.nanmin(prior), prior))


def balanced_assignment(
    scores: Matrix, mass: Vector, iterations: int = 1000, balance: float = 1.0
) -> Assignment:
    """Sinkhorn's algorithm (Cuturi, NIPS 2013), by POT.

    Rows are scaled so that the best z of each x has 1. Where some z is so far from every x that
    nothing would be left of it, the algorithm runs in the log domain, some ten times as slow.

    Args:
        scores: similarity divided by the temperature, ``(x, z)``.
        mass: of each z, positive, up to a factor; every x has the same.
        iterations: at most.
        balance: share of the potentials that is kept: 1 balances wholly, 0 not at all.
    """
    from ot.bregman import sinkhorn_log, sinkhorn_stabilized

    rows = np.full(len(scores), 1 / len(scores))
    columns = mass / mass.sum()
    scaled = scores - scores.max(axis=1, keepdims=True)
    options = {"reg": 1.0, "numItermax": iterations, "warn": False, "log": True}
    if scaled.max(axis=0).min() > LEAST_LOG:
        _, log = sinkhorn_stabilized(
            rows, columns, -scaled, tau=LARGEST_SCALE, print_period=CHECKED_EACH, **options
        )
        potential = log["logv"]
    else:
        _, log = sinkhorn_log(rows, columns, -scaled, **options)
        potential = log["log_v"]
    prior = balance * potential
    return Assignment(posterior_with(scores, prior), prior - logsumexp(prior))


def posterior_with(scores: Matrix, prior: Vector) -> Matrix:
    """``P(z | x) ∝ exp(score + prior)``, ``(x, z)``."""
    logits = scores + prior
    return np.exp(logits - logsumexp(logits, axis=1, keepdims=True))
