"""Cells, averages and comparisons of hand-made runs."""

import numpy as np
import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.reporting.matrix import Matrix
from tests.reporting.helpers import run


def test_rows_are_averaged_over_the_seeds():
    matrix = Matrix([run(seed=2, right=[0]), run(seed=1, right=[0, 3])])
    cell = matrix.cell("complete", "calendar")
    assert cell.seeds == [1, 2] and cell.scores == [50.0, 25.0]
    assert cell.rows().tolist() == [100.0, 0.0, 0.0, 50.0]
    assert matrix.cell("cycle_bt+drl", "calendar") is cell
    assert matrix.cell("complete", "calendar", "grammar") is None


def test_scores_are_not_rounded_twice():
    """242 of 399 is 60.652: 60.7 with one decimal, though 60.65 in the file."""
    runs = [run(right=range(242), total=399)]
    assert runs[0].accuracy == 60.65
    (score,) = Matrix(runs).cell("complete", "calendar").scores
    assert f"{score:.1f}" == "60.7"


def test_seeds_of_one_cell_are_trained_alike():
    one, other = {"dae": "a", "cycle": "b"}, {"dae": "a", "cycle": "c"}
    with pytest.raises(UserError, match=r"complete/calendar/paper: seeds trained cycle in diff"):
        Matrix([run(seed=1, fingerprints=one), run(seed=2, fingerprints=other)])
    # Of older files it is not known; and domains may differ.
    Matrix([run(seed=1), run(seed=2, fingerprints=other), run(domain="geo", fingerprints=one)])


def test_average_and_its_deviation_over_common_seeds():
    matrix = Matrix(
        [
            run(seed=1, right=[0]),
            run(seed=2, right=[0, 1]),
            run(seed=3, right=[0, 1, 2]),
            run(domain="geo", seed=1, right=[0, 1]),
            run(domain="geo", seed=2, right=[0, 1, 2, 3]),
        ]
    )
    # Means 50 and 75; seeds 1 and 2 average 37.5 and 75: deviation 37.5 / sqrt(2).
    assert matrix.average("complete", ["calendar", "geo"]) == (
        62.5,
        pytest.approx(37.5 / 2**0.5),
    )


def test_comparison_rests_on_the_domains_that_all_have():
    one = run(system="a", right=[0, 1, 2])
    other = run(system="b", right=[0])
    alone = run(system="a", domain="geo", right=[0])
    development = [run(system=s, domain="recipes", split="valid") for s in "ab"]
    matrix = Matrix([one, other, alone, *development])
    found = matrix.compare(["a"], ["b"], ["calendar", "recipes", "geo"])
    assert (found.difference, found.domains) == (50.0, 1)
    assert matrix.compare(["a"], ["c"], ["calendar"]) is None
    assert matrix.compare(["b"], ["a"], ["calendar"]).difference == -50.0


def test_several_systems_on_a_side_are_averaged():
    runs = [
        run(system=name, right=right) for name, right in (("a", [0]), ("b", [0, 1, 2]), ("c", []))
    ]
    assert Matrix(runs).compare(["a", "b"], ["c"], ["calendar"]).difference == 50.0


def test_different_rows_are_refused():
    with pytest.raises(UserError, match="complete/calendar/paper: seeds were scored on different"):
        Matrix([run(seed=1), run(seed=2, total=5)])
    matrix = Matrix([run(system="a"), run(system="b", total=5)])
    with pytest.raises(UserError, match="calendar: a, b were scored on different rows"):
        matrix.compare(["a"], ["b"], ["calendar"])
    assert np.array_equal(matrix.cell("a", "calendar").rows(), [100, 100, 0, 0])
