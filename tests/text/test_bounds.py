"""Values that a question compares with, and when things begin and end: pairs by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.bounds import (
    adds_between,
    adds_end,
    asks_end,
    bounding_words,
    bounds_otherwise,
    denies_value,
    drops_bound,
    starts_unasked,
)


@pytest.mark.parametrize(
    ("asked", "understood", "otherwise", "dropped"),
    [
        ("films older than _date_", "film released after _date_", True, False),
        ("films older than _date_", "film released before _date_", False, False),
        ("dogs older than _number_", "dog whose age is at most _number_", True, False),
        ("_number_ stars and up", "film rated _number_ stars", False, True),
        ("rated at least _number_", "film rated above _number_ stars", False, False),
        ("rated _number_ or less", "film rated above _number_ stars", True, False),
        ("no fewer than _number_ stars", "film rated above _number_ stars", False, False),
        ("bought since _date_", "customer who bought in _date_", False, True),
        ("blocks above block 1", "block that is below block 1", False, False),
        ("more than _number_ and less than _number2_", "film rated above _number2_", False, False),
        ("from _date_ and _number_ or more", "copies of loan _number_ from _date_", False, True),
        ("after _date_ and under _number_", "after _date_ above _number_", True, False),
        ("over _number_ and under _number2_", "between _number_ and _number2_", False, False),
        ("not after _date_", "film released after _date_", True, False),
        ("not _number_ stars or more", "film rated above _number_ stars", False, False),
    ],
)
def test_bounds_of_one_value(asked: str, understood: str, otherwise: bool, dropped: bool) -> None:
    assert bounds_otherwise(asked, understood) == otherwise
    assert drops_bound(asked, understood) == dropped


def test_what_ended_then_is_not_what_was_then() -> None:
    understood = "how many fairs ended since _date_"
    assert adds_end("how many fairs since _date_", understood)
    assert adds_end("how many fairs were closed off by _town_ on _date_", understood) is False
    assert not adds_end("how many fairs were over since _date_", understood)
    assert not adds_end("how many fairs since _date_", "how many fairs started since _date_")
    assert adds_between("_number_ star and _number2_ star", "stars between _number_ and _number2_")
    assert not adds_between(
        "between _number_ star and _number2_ star", "stars between _number_ and _number2_"
    )
    assert drops_bound(
        "tools made before the year of _date_ or after the year of _date2_",
        "which tools have year in _date_ or _date2_",
    )


@pytest.mark.parametrize(
    ("asked", "understood", "other"),
    [
        ("how late can i swim at _pool_", "opening time of _pool_", True),
        ("what time does _course_ end", "starting time of _course_", True),
        ("until when is _pool_ open", "when does _pool_ open", True),
        ("until when is _pool_ open", "closing time of _pool_", False),
        ("what time does _course_ start", "starting time of _course_", False),
        ("when does _pool_ close", "opening and closing time of _pool_", False),
    ],
)
def test_an_end_is_no_beginning(asked: str, understood: str, other: bool) -> None:
    assert asks_end(asked, understood) == other


def test_when_something_was_is_its_date_if_there_is_one() -> None:
    assert starts_unasked("when was the _fair_", "when did _fair_ start")
    assert not starts_unasked("when did _fair_ start", "when did _fair_ start")
    assert not starts_unasked("when was the _fair_", "what is the date of _fair_")


@pytest.mark.parametrize(
    ("asked", "understood", "other"),
    [
        ("goats not above _number_ kilos", "goat with weight not _number_", True),
        ("goats not lighter than _number_", "which goats have weight not _number_", True),
        ("goats not after _date_", "goat born not in _date_", False),
        ("goats whose weight is not _number_", "goat with weight not _number_", False),
        ("goats not above _number_ kilos", "goat with weight at most _number_", False),
    ],
)
def test_not_more_than_a_value_is_not_any_other(asked: str, understood: str, other: bool) -> None:
    assert denies_value(asked, understood) == other


def test_words_that_bound_a_value_play_a_part_in_a_like_bound() -> None:
    asked = "goats that aren't heavier than _number_"
    assert bounding_words(asked, "goat with weight at most _number_") == {"aren't", "heavier"}
    assert bounding_words(asked, "goat with weight below _number_") == set()
    assert bounding_words("goats not brown", "goat with weight below _number_") == set()
