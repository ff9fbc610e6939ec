"""Cells, averages and comparisons of hand-made runs; the bootstrap against enumeration and a
naive implementation."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from fairseq_twostage.errors import UserError
from research.runs import Runs, spearman
from research.statistics import beyond_published, paired_bootstrap
from tests.research.helpers import run


def test_rows_are_averaged_over_the_seeds():
    runs = Runs([run(seed=2, right=[0]), run(seed=1, right=[0, 3])])
    cell = runs.cell("complete", "calendar")
    assert list(cell.seed) == [1, 2] and list(cell.percent) == [50.0, 25.0]
    assert runs.rows("complete", "calendar").tolist() == [100.0, 0.0, 0.0, 50.0]
    assert runs.cell("cycle_bt+drl", "calendar") is cell
    assert runs.cell("complete", "calendar", "grammar") is None


def test_scores_are_not_rounded_twice():
    """242 of 399 is 60.652: 60.7 with one decimal, though 60.65 in the file."""
    one = run(right=range(242), total=399)
    assert one.accuracy == 60.65
    (score,) = Runs([one]).cell("complete", "calendar").percent
    assert f"{score:.1f}" == "60.7"


def test_seeds_of_one_cell_are_trained_alike():
    one, other = {"dae": "a", "cycle": "b"}, {"dae": "a", "cycle": "c"}
    with pytest.raises(UserError, match=r"complete/calendar/paper: seeds trained cycle in diff"):
        Runs([run(seed=1, fingerprints=one), run(seed=2, fingerprints=other)])
    # Of older files it is not known; and domains may differ.
    Runs([run(seed=1), run(seed=2, fingerprints=other), run(domain="geo", fingerprints=one)])


def test_average_and_its_deviation_over_common_seeds():
    runs = Runs(
        [
            run(seed=1, right=[0]),
            run(seed=2, right=[0, 1]),
            run(seed=3, right=[0, 1, 2]),
            run(domain="geo", seed=1, right=[0, 1]),
            run(domain="geo", seed=2, right=[0, 1, 2, 3]),
        ]
    )
    # Means 50 and 75; seeds 1 and 2 average 37.5 and 75: deviation 37.5 / sqrt(2).
    assert runs.average("complete", ["calendar", "geo"]) == (62.5, pytest.approx(37.5 / 2**0.5))


def test_comparison_rests_on_the_domains_that_all_have():
    one = run(system="a", right=[0, 1, 2])
    other = run(system="b", right=[0])
    alone = run(system="a", domain="geo", right=[0])
    development = [run(system=s, domain="recipes", split="valid") for s in "ab"]
    runs = Runs([one, other, alone, *development])
    found = runs.compare(["a"], ["b"], ["calendar", "recipes", "geo"])
    assert (found.difference, found.domains) == (50.0, 1)
    assert runs.compare(["a"], ["c"], ["calendar"]) is None
    assert runs.compare(["b"], ["a"], ["calendar"]).difference == -50.0


def test_several_systems_on_a_side_are_averaged():
    runs = [
        run(system=name, right=right) for name, right in (("a", [0]), ("b", [0, 1, 2]), ("c", []))
    ]
    assert Runs(runs).compare(["a", "b"], ["c"], ["calendar"]).difference == 50.0


def test_different_rows_are_refused():
    with pytest.raises(UserError, match="complete/calendar/paper: seeds were scored on different"):
        Runs([run(seed=1), run(seed=2, total=5)])
    runs = Runs([run(system="a"), run(system="b", total=5)])
    with pytest.raises(UserError, match="calendar: a, b were scored on different rows"):
        runs.compare(["a"], ["b"], ["calendar"])
    assert np.array_equal(runs.rows("a", "calendar"), [100, 100, 0, 0])


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
    assert found == pytest.approx((sum(rows) / len(rows), exact_p(rows)), abs=0.01)


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
    difference, p = paired_bootstrap([np.array(rows) for rows in domains])
    assert difference == pytest.approx(sum(sum(r) / len(r) for r in domains) / 2)
    assert 0.01 < p < 0.99
    assert p == pytest.approx(naive_p(domains, 5_000), abs=0.02)


def test_seeded_and_never_zero():
    rows = [np.full(300, 100.0) * (np.arange(300) % 2)]
    first = paired_bootstrap(rows)
    assert first == paired_bootstrap(rows)
    assert first[1] == pytest.approx(1 / 10_001)
    assert paired_bootstrap([np.zeros(10)])[1] == 1.0


def test_spearman_by_hand():
    # Ranks 1 2 3 4 5 against 2 1 4 3 5: d² = 1+1+1+1+0 = 4; 1 - 6·4 / (5·24) = 0.8.
    assert spearman([1, 2, 3, 4, 5], [0.2, 0.1, 7, 3, 9]) == pytest.approx(0.8)
    assert spearman([1, 2, 3], [9, 5, 1]) == pytest.approx(-1)
    # Ties: ranks 1.5 1.5 3 against 1 2 3; covariance 1.5, variances 1.5 and 2.
    assert spearman([1, 1, 2], [1, 2, 3]) == pytest.approx(1.5 / (1.5 * 2) ** 0.5)
    assert np.isnan(spearman([1, 1, 1], [1, 2, 3]))
    assert np.isnan(spearman([1], [2]))
