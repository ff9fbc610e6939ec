"""What kind of answer a question wants, by pairs made by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.asked_for import (
    asks_nobody,
    asks_whether,
    misses_money,
    misses_number,
    per_year_twice,
)


def test_yes_or_no_is_no_answer_to_who() -> None:
    assert asks_whether("who has tractor _tractor_", "is _tractor_ red")
    assert not asks_whether("is _tractor_ red", "is _tractor_ red")
    assert not asks_whether("tractor _tractor_ red", "is _tractor_ red")
    assert not asks_whether("who has _tractor_", "who owns _tractor_")
    assert not asks_whether("", "")


@pytest.mark.parametrize(
    ("asked", "understood", "property"),
    [
        ("who grows _plant_", "what is the city of the farm that grows _plant_", "city"),
        ("who grows _plant_", "what is the phone number of farms with _plant_", "number"),
        ("who grows _plant_", "what is the owner of the farm that grows _plant_", None),
        ("who is _farmer_", "what is the city of _farmer_", None),
        ("who grows _plant_ in which city", "what is the city of farms with _plant_", None),
        ("what grows in _city_", "what is the city of _plant_", None),
    ],
)
def test_nobody_is_a_city(asked: str, understood: str, property: str | None) -> None:
    assert asks_nobody(asked, understood) == property


@pytest.mark.parametrize(
    ("asked", "understood", "missed"),
    [
        ("how much did we spend on hay", "what is the total weight of hay", True),
        ("how much did we spend on hay", "what is the average price of hay", True),
        ("how much did we spend on hay per cow", "what is the average price of hay", False),
        ("how much did we spend on hay", "what is the total cost of hay", False),
        ("how much does hay cost", "what is the average price of hay", False),
        ("how much does hay cost", "what is the weight of hay", True),
        ("how much hay is there", "what is the total weight of hay", False),
        ("how much has _farmer_ paid", "which farms are of _farmer_", False),  # told elsewhere
    ],
)
def test_what_was_spent_is_money(asked: str, understood: str, missed: bool) -> None:
    assert misses_money(asked, understood) is missed


def test_a_number_of_things_is_none_of_theirs() -> None:
    named = "what is the stall number of stalls of _farm_"
    assert misses_number("number of stalls at _farm_", named)
    assert misses_number("give me the number of stalls at _farm_", named)
    assert not misses_number("number of stall at _farm_", named)
    assert not misses_number("number of stalls at _farm_", "how many stalls are of _farm_")


def test_an_annual_cost_is_per_year() -> None:
    twice = "what is the total annual cost of farms per year"
    assert per_year_twice("what do farms cost per year", twice)
    assert not per_year_twice("annual cost of farms per year", twice)
    assert not per_year_twice("total cost of farms", twice)  # told elsewhere
    assert not per_year_twice("what do farms cost per year", "what is the annual cost of farms")
    assert not per_year_twice("farms per month", "what is the annual cost of farms per month")
