"""Balanced assignment: entropic optimal transport between X and the distinct z."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from fairseq_twostage.pairing.similarity import Matrix

Vector = npt.NDArray[np.float64]


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
