"""What numbers, dates and names of a question say against a reading: made by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.inference.odd_values import odd_values
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.semantics.executor import Answer
from fairseq_twostage.text.utterance import Utterance

BETWEEN = "goat rated between _number_ and _number2_"


def odd(text: str, tokens: str, z: str, answer: str = "(list)", unknown=(), **values: str) -> bool:
    variables = {f"_{name}_": value for name, value in values.items()}
    utterance = Utterance(text, tokens, variables, {}, unknown=tuple(unknown))
    reading = Reading(z, "", Answer(answer), 0.0, 0.0, z)
    return odd_values(utterance, reading) is not None


@pytest.mark.parametrize(
    ("first", "last", "refused"),
    [
        ("(number 4 any)", "(number 3 any)", True),
        ("(number 3 any)", "(number 4 any)", False),
        ("(number 30 en.gram)", "(number 4 en.kilo)", False),
        ("(time 21 0)", "(time 19 30)", True),
        ("(date 2024 -1 -1)", "(date 2022 -1 -1)", True),
        ("(date 2022 5 -1)", "(date 2022 6 -1)", False),
    ],
)
def test_the_first_value_is_the_lesser(first: str, last: str, refused: bool) -> None:
    asked = "rated between _number_ and _number2_"
    assert odd(asked, asked, BETWEEN, number=first, number2=last) == refused


def test_per_cent_is_no_number_of_stars() -> None:
    assert odd("rated 80 %", "rated _number_", "goat rated _number_ stars")
    assert not odd("rated 80 stars", "rated _number_ stars", "goat rated _number_ stars")
    assert not odd("a discount of 5 %", "a discount of _number_", "discount above _number_")


@pytest.mark.parametrize(
    ("text", "z", "refused"),
    [
        ("over £300", "goats older than _number_", True),
        ("over 300 euros", "goats longer than _number_ hours", True),
        ("over £300", "goats more expensive than _number_", False),
        ("over 300 pounds", "goats heavier than _number_ pounds", False),
    ],
)
def test_money_is_no_length(text: str, z: str, refused: bool) -> None:
    assert odd(text, "over _number_", z) == refused


def test_the_us_is_nobody() -> None:
    assert odd("goats from the US", "goats from the us", "what are the goats")
    assert not odd("give us the goats", "give us the goats", "what are the goats")


def test_the_last_of_a_list_is_a_name() -> None:
    asked = "goats of _farm_ and atlantis"
    assert odd(asked, asked, "goat of _farm_", unknown=["atlantis"])
    assert not odd(asked, asked, "goat of _farm_")


def test_a_question_is_no_answer_to_itself() -> None:
    name = "(list (name en.goat.bo))"
    asked = "who was led by _goat_"
    assert odd(asked, asked, "leader of goat led by _goat_", name, goat="en.goat.bo")
    assert not odd(
        "is _goat_ white", "is _goat_ white", "_goat_ that is white", name, goat="en.goat.bo"
    )
    assert not odd(
        asked, asked, "goats led by _goat_", "(list (name en.goat.cy))", goat="en.goat.bo"
    )


def test_a_sum_of_money_and_less_than_nothing_count_no_things() -> None:
    z, one = "who gives more than _number_ gifts", {"number": "(number 1000 any)"}
    tokens = "who has given more than _number_ in a gift"
    assert odd("who has given more than £1,000 in a gift", tokens, z, **one)
    assert not odd("who has given more than 1,000 gifts", tokens, z, **one)
    assert not odd("gifts of over £1,000", tokens, "gift above _number_", **one)
    frozen = {"number": "(number -80 any)"}
    assert odd(
        "goats kept at -80", "goats at _number_", "goat with exactly _number_ kids", **frozen
    )


@pytest.mark.parametrize(
    ("text", "z", "refused"),
    [
        ("goats that cost more than 300", "goats with more than _number_ milk bars", True),
        ("goats that cost more than $300", "goats with more than _number_ shown ins", True),
        ("goats that cost more than 300", "goats more expensive than _number_", False),
        ("goats that cost more than 300", "goats above _number_ that have bells", False),
    ],
)
def test_what_costs_so_much_is_not_so_many(text: str, z: str, refused: bool) -> None:
    number = "(number 300)"
    assert odd(text, "goats that cost more than _number_", z, number=number) == refused


@pytest.mark.parametrize(
    ("date", "refused"),
    [
        ("(date 2023 2 31)", True),
        ("(date 2023 2 29)", True),
        ("(date 2024 2 29)", False),
        ("(date -1 2 29)", False),
        ("(date -1 4 31)", True),
        ("(date 2023 2 -1)", False),
    ],
)
def test_a_day_that_no_calendar_has(date: str, refused: bool) -> None:
    assert odd("born on a day", "born on _date_", "goat born in _date_", date=date) == refused
