"""What the numbers of a question are of: pairs by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.counted import counts_havers, misses_sign, numbers_itself, values_number


@pytest.mark.parametrize(
    ("asked", "understood", "other"),
    [
        ("what is the load of barn _number_", "which barns have load of _number_", True),
        ("what is the load of barn _number_", "which barns are by the owner of _number_", True),
        ("what is the load of barn _number_", "what is the load of barn _number_", False),
        ("which barns have a load of _number_", "which barns have load of _number_", False),
        ("which barns have a load of _number_ tons", "which barns have load of _number_", False),
    ],
)
def test_the_number_of_a_thing_is_no_value(asked: str, understood: str, other: bool) -> None:
    assert values_number(asked, understood) == (("barn", "load") if other else None)


def test_how_many_there_are_and_how_many_have_some() -> None:
    asked, havers = "how many trees of _kind_ are there", "how many _kind_ rows have a trees"
    assert counts_havers(asked, havers) == "trees"
    assert counts_havers(asked, "how many trees of _kind_ are there") is None
    assert counts_havers("how many rows have trees", havers) is None


def test_the_sign_of_a_number_is_said() -> None:
    understood = "which goats have a balance"
    assert misses_sign("goats with a negative balance", understood) == "negative"
    assert misses_sign("goats with a balance", understood) is None
    assert misses_sign("goats with a negative test", "which goats have a negative test") is None


@pytest.mark.parametrize(
    ("asked", "understood", "other"),
    [
        ("barn _number_", "barn with load _number_", True),
        ("what about barn _number_", "barn with load _number_", True),
        ("barns _number_", "barn with load _number_", False),
        ("load of barn _number_", "barn with load _number_", False),
        ("barn _number_", "owner of _number_", False),
    ],
)
def test_what_is_called_by_a_number_has_not_so_much(
    asked: str, understood: str, other: bool
) -> None:
    assert numbers_itself(asked, understood) == (("barn", "load") if other else None)


def test_a_property_of_what_is_called_by_a_number_is_no_condition() -> None:
    assert values_number("load of barn _number_", "barn with load _number_") == ("barn", "load")
