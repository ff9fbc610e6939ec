"""The bootstrap against enumeration and a naive implementation; ranks by hand."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from fairseq_twostage.reporting.statistics import (
    beyond_published,
    mean_and_deviation,
    paired_bootstrap,
    ranks,
    spearman,
)


def test_deviation_is_that_of_a_sample():
    assert mean_and_deviation([50.0, 56.0]) == (53.0, pytest.approx(18**0.5))
    assert mean_and_deviation([7.0]) == (7.0, None)


def test_the_error_of_a_difference_is_the_spread_over_other_rows():
    rows = [np.repeat([100.0, 50.0, 0.0], [30, 20, 50]), np.repeat([100.0, 0.0], [10, 30])]
    published = [30.0, 50.0]
    difference, error = beyond_published(rows, published)
    assert difference == pytest.approx(((40 - 30) + (25 - 50)) / 2)
    generator = np.random.default_rng(3)
    drawn = [
        sum(
            generator.choice(each, len(each)).mean()
            - 100 * generator.binomial(len(each), score / 100) / len(each)
            for each, score in zip(rows, published)
        )
        / 2
        for _ in range(4000)
    ]
    assert error == pytest.approx(np.std(drawn), rel=0.05)


def exact_p(rows: list[float]) -> float:
    """The limit of infinitely many resamples, over every resample of few rows."""
    observed = sum(rows) / len(rows)
    means = [sum(chosen) / len(rows) for chosen in itertools.product(rows, repeat=len(rows))]
    far = [abs(mean - observed) >= abs(observed) - 1e-9 for mean in means]
    return sum(far) / len(far)


@pytest.mark.parametrize(
    "rows", [[100.0, 0.0, 0.0], [100.0, 100.0, -100.0, 0.0, 0.0], [50.0, 100.0, 0.0, -50.0, 0.0]]
)
def test_p_is_the_share_of_resamples_as_far_away(rows):
    found = paired_bootstrap([np.array(rows)], resamples=50_000)
    assert found.difference == pytest.approx(sum(rows) / len(rows))
    assert found.p == pytest.approx(exact_p(rows), abs=0.01)


def naive_p(domains: list[list[float]], resamples: int) -> float:
    generator = random.Random(5)

    def mean_of_means(samples: list[list[float]]) -> float:
        return sum(sum(rows) / len(rows) for rows in samples) / len(samples)

    observed = mean_of_means(domains)
    far = 0
    for _ in range(resamples):
        drawn = mean_of_means([generator.choices(rows, k=len(rows)) for rows in domains])
        far += abs(drawn - observed) >= abs(observed) - 1e-9
    return far / resamples


def test_over_domains_of_different_sizes_as_a_naive_implementation():
    generator = random.Random(3)
    domains = [
        [float(generator.choice((-100, -100, 0, 0, 100, 100, 100))) for _ in range(size)]
        for size in (20, 47)
    ]
    found = paired_bootstrap([np.array(rows) for rows in domains])
    assert found.domains == 2
    assert found.difference == pytest.approx(sum(sum(r) / len(r) for r in domains) / 2)
    assert 0.01 < found.p < 0.99
    assert found.p == pytest.approx(naive_p(domains, 5_000), abs=0.02)


def test_seeded_and_never_zero():
    rows = [np.full(300, 100.0) * (np.arange(300) % 2)]
    first = paired_bootstrap(rows)
    assert first == paired_bootstrap(rows)
    assert first.p == pytest.approx(1 / 10_001)
    assert paired_bootstrap([np.zeros(10)]).p == 1.0


def test_equal_values_share_a_rank():
    assert ranks([3.0, 1.0, 3.0, 2.0]).tolist() == [3.5, 1.0, 3.5, 2.0]


def test_spearman_by_hand():
    # Ranks 1 2 3 4 5 against 2 1 4 3 5: d² = 1+1+1+1+0 = 4; 1 - 6·4 / (5·24) = 0.8.
    assert spearman([1, 2, 3, 4, 5], [0.2, 0.1, 7, 3, 9]) == pytest.approx(0.8)
    assert spearman([1, 2, 3], [9, 5, 1]) == pytest.approx(-1)
    # Ties: ranks 1.5 1.5 3 against 1 2 3; covariance 1.5, variances 1.5 and 2.
    assert spearman([1, 1, 2], [1, 2, 3]) == pytest.approx(1.5 / (1.5 * 2) ** 0.5)
    assert spearman([1, 1, 1], [1, 2, 3]) is None
    assert spearman([1], [2]) is None
