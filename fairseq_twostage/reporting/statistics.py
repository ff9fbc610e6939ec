"""Statistics over runs and rows, in NumPy alone."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 10_000
SEED = 1


@dataclass(frozen=True)
class Comparison:
    """A paired comparison of two systems.

    Attributes:
        difference: first minus second, in points of accuracy.
        p: two-sided p-value.
        domains: how many domains it rests on.
        alike: whether both sides answer by the same rule (``options.pick``) in each of them.
        one_version: whether what both sides trained was trained in one way, as far as is known.
    """

    difference: float
    p: float
    domains: int = 1
    alike: bool = True
    one_version: bool = True


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float | None]:
    """The mean, and the sample standard deviation (None of a single value)."""
    return statistics.mean(values), statistics.stdev(values) if len(values) > 1 else None


def paired_bootstrap(
    differences: Sequence[np.ndarray], resamples: int = RESAMPLES, seed: int = SEED
) -> Comparison:
    """Paired bootstrap test that the mean difference is zero.

    Rows are drawn with replacement within each domain; the statistic is the mean over the
    domains of the mean over the rows. ``p`` is the share of resamples that lie at least as far
    from the observed value as that lies from zero (the observed sample counts as one of them):
    Efron and Tibshirani (1993), section 16.4; Berg-Kirkpatrick et al. (2012), made two-sided.

    Args:
        differences: for each domain the per-row difference of the two systems, (n,), in points.
        resamples: how many.
        seed: of the resampling.

    Returns:
        The observed mean difference and its p-value.
    """
    # Not default_rng: only RandomState draws the same numbers in every version of NumPy.
    generator = np.random.RandomState(seed)
    observed = 0.0
    drawn = np.zeros(resamples)
    for rows in differences:
        # Rows with equal differences are interchangeable: their numbers are multinomial.
        values, counts = np.unique(rows, return_counts=True)
        draws = generator.multinomial(len(rows), counts / len(rows), size=resamples)
        drawn += draws @ values / len(rows) / len(differences)
        observed += float(counts @ values) / len(rows) / len(differences)
    far = np.abs(drawn - observed) >= abs(observed) - 1e-9
    return Comparison(observed, (1 + int(far.sum())) / (1 + resamples), len(differences))


def beyond_published(rows: Sequence[np.ndarray], published: Sequence[float]) -> tuple[float, float]:
    """How far measured accuracies lie above published ones, and the standard error of that.

    Which rows the published system had right is not known, so its score is binomial and
    independent of ours. Two systems find the same rows hard: the error is too large rather than
    too small.

    Args:
        rows: for each domain the accuracy of each row, percent, (n,).
        published: for each domain accuracy on as many rows, percent.

    Returns:
        The mean difference over the domains, and one standard error from the choice of rows.
    """
    differences = [float(each.mean()) - score for each, score in zip(rows, published, strict=True)]
    variances = [
        (float(each.var()) + score * (100 - score)) / len(each)
        for each, score in zip(rows, published, strict=True)
    ]
    return statistics.mean(differences), sum(variances) ** 0.5 / len(variances)


def ranks(values: Sequence[float]) -> np.ndarray:
    """Ranks from 1; equal values share the mean of theirs. Shape (n,)."""
    _, group, counts = np.unique(
        np.asarray(values, dtype=float), return_inverse=True, return_counts=True
    )
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[group]


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's rank correlation; None where it is undefined (a constant, fewer than two)."""
    if len(first) < 2:
        return None
    x, y = (each - each.mean() for each in (ranks(first), ranks(second)))
    norm = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / norm if norm else None
