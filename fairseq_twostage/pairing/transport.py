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
