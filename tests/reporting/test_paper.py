"""The paper's figures as data."""

import pytest

from fairseq_twostage.reporting.paper import (
    ALIASES,
    OVERNIGHT,
    paper_row,
    paper_rows,
    section,
)
from fairseq_twostage.systems.config import load_system
from tests.configurations import ABLATED, configuration


def test_published_averages_are_those_of_the_domains():
    checked = 0
    for row in paper_rows():
        if set(OVERNIGHT) <= set(row.scores):
            mean = sum(row.scores[domain] for domain in OVERNIGHT) / 8
            assert row.average is not None
            assert abs(mean - row.average) < 0.11, row
            checked += 1
    assert checked == 22


def test_known_cells():
    complete = paper_row("complete")
    assert complete is not None
    assert (complete.scores["calendar"], complete.scores["geo"], complete.average) == (
        58.3,
        63.7,
        60.7,
    )
    assert complete.mean(["calendar", "recipes"]) == (58.3 + 68.1) / 2
    assert complete.mean(OVERNIGHT) == 60.7
    labels = paper_row("semi_15")
    assert labels is not None and labels.mean(["calendar", "geo"]) is None


def test_eight_combinations_of_noise_and_seven_of_objectives():
    assert len(section("noise")) == 8
    assert len(section("objectives")) == 7 + 1  # the policy gradient alone is ours
    assert {row.system for row in paper_rows()} > set(ALIASES)
    assert paper_row("noise_all").measured_as == "minus_cycle_learning"
    names = [row.system for row in paper_rows()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name, system", [*ALIASES.items()])
def test_an_alias_is_no_configuration_or_one_of_the_same_system(name: str, system: str):
    if name in ABLATED:
        assert load_system(configuration(name)).system == system
    else:
        assert name in ("reward_all", "added_5_readings")
