"""What a question asks for, and what was understood for another thing: pairs by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.asking_otherwise import (
    does_other,
    gives_property,
    gives_when,
    groups_of_one,
    measures_other,
    most_done_other,
    names_other,
    property_of_another,
)


def test_what_was_done_is_no_other_deed() -> None:
    assert not does_other("who sold goats last", "who was paid last")
    assert does_other("who sold goats last", "who bought goats last")


def test_what_is_named_so_is_not_what_is_of_it() -> None:
    understood = "which fair categories are named _category_"
    assert (
        names_other("what are the names of fairs with category _category_", understood) == "fairs"
    )
    assert not names_other("categories with the name _category_", understood)
    assert not names_other("which fairs are in _town_", "which fairs are of _town_")


@pytest.mark.parametrize(
    ("asked", "understood", "noun"),
    [
        ("what is the cheapest barn by hour", "what is the rate of the cheapest barn", "barn"),
        ("which feed is the most expensive per kilogram",
         "what is the price per kilogram of the most expensive feed", "feed"),
        ("farm with the longest fence", "what is the fence length of the longest farm", "farm"),
        ("what is the longest fence 's length", "what is the length of the longest fence", None),
        ("farm with the longest fence", "what is the farm with the longest fence", None),
        ("which farm has the most goats", "which farm has the most goats", None),
        ("show the farm with the highest rent",
         "what is the rent of the farm with the highest rent", "farm"),
        ("what is the goat farm that has the highest rent",
         "what is the rent of the goat farm with the highest rent", "farm"),
        ("what is the rent of the farm with the highest rent",
         "what is the rent of the farm with the highest rent", None),
    ],
)  # fmt: skip
def test_the_best_one_is_no_property_of_it(asked: str, understood: str, noun: str | None) -> None:
    assert gives_property(asked, understood) == noun


def test_a_property_is_of_what_is_named_and_of_nothing_between() -> None:
    asked = "what is the phone of _farmer_"
    assert property_of_another(asked, "what is the phone of the home barn of _farmer_") == "barn"
    assert property_of_another(asked, "what is the phone of _farmer_") is None
    of_barn = "what is the phone of the barn of _farmer_"
    assert property_of_another(of_barn, of_barn) is None


def test_the_most_sung_song_is_no_singer() -> None:
    assert most_done_other("most recorded song", "who records the most songs") == "song"
    assert most_done_other("who recorded the most songs", "who records the most songs") is None
    assert most_done_other("most recorded song", "which song the most singers record") is None


def test_the_most_recently_done_is_no_date() -> None:
    z = "what is the latest birth date among goats"
    assert gives_property("which goat was born most recently", z) == "goat"
    assert gives_property("which birth date is the latest", z) is None


@pytest.mark.parametrize(
    ("asked", "understood", "other"),
    [
        ("what was on ferry _number_", "when was ferry _number_ built", True),
        ("who sailed on _ferry_", "when was _ferry_ last sailed", True),
        ("what date was _ferry_ built", "when was _ferry_ built", False),
        ("what is the deadline of _order_", "when is _order_ due", False),
        ("when was _ferry_ built", "when was _ferry_ built", False),
        ("what was on ferry _number_", "what was sent by ferry _number_", False),
    ],
)
def test_what_it_was_is_not_when_it_was(asked: str, understood: str, other: bool) -> None:
    assert gives_when(asked, understood) == other


@pytest.mark.parametrize(
    ("asked", "understood", "other"),
    [
        ("how many goats did _farmer_ sell", "how many goats are there for each breed", True),
        ("how many goats did each farmer sell", "how many goats are there for each farmer", False),
        ("how many goats did _farmer_ sell per year", "how many goats per year", False),
        ("how many goats did _farmer_ sell", "how many goats are sold by _farmer_", False),
    ],
)
def test_what_one_does_is_not_what_each_does(asked: str, understood: str, other: bool) -> None:
    assert groups_of_one(asked, understood) == other


@pytest.mark.parametrize(
    ("asked", "understood", "found"),
    [
        ("how deep are the wells", "what is the average length of wells", ("deep", "length")),
        ("how steep is _hill_", "what is the height of _hill_", ("steep", "height")),
        ("how heavy was _goat_", "what is the age of _goat_", ("heavy", "age")),
        ("how deep are the wells", "what is the average depth of wells", None),
        ("how deep are the wells", "how deep are wells of length _number_", None),
        ("how long is _film_", "what is the running time of _film_", None),
        ("how tall is _tower_", "what is the height of _tower_", None),
    ],
)
def test_how_so_a_thing_is(asked: str, understood: str, found: tuple[str, str] | None) -> None:
    assert measures_other(asked, understood) == found
