"""Tests over rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

RESAMPLES = 10_000
SEED = 1


def paired_bootstrap(
    differences: Sequence[np.ndarray], resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[float, float]:
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
        The observed mean difference and its two-sided p.
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
    return observed, (1 + int(far.sum())) / (1 + resamples)


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
    pairs = list(zip(rows, published, strict=True))
    differences = [float(each.mean()) - score for each, score in pairs]
    variances = [(float(each.var()) + score * (100 - score)) / len(each) for each, score in pairs]
    return float(np.mean(differences)), sum(variances) ** 0.5 / len(variances)
