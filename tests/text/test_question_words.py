"""Nouns of questions, and forms of words, by pairs made by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.question_words import (
    asked_noun,
    asked_nouns,
    asks_for_total,
    counted_most,
)
from fairseq_twostage.text.word_forms import base, has_form, same_root


@pytest.mark.parametrize(
    ("word", "one"),
    [
        ("diagnosis", "diagnosis"),
        ("diagnoses", "diagnosis"),
        ("doses", "dose"),
        ("classes", "class"),
        ("cities", "city"),
        ("crises", "crisis"),
    ],
)
def test_bases_of_words_in_s(word: str, one: str) -> None:
    assert base(word) == one


def test_a_verb_and_its_participle_are_forms_of_one() -> None:
    for verb, done in (("teach", "taught"), ("write", "written"), ("sell", "sold")):
        assert same_root(verb, done) and same_root(done, verb)
    assert has_form("teaches", ["course", "taught", "by"])
    assert not same_root("teach", "caught")


def test_what_there_is_most_of() -> None:
    assert counted_most("which town do most of our members come from") == []
    assert counted_most("which town has the most members") == ["member"]
    assert counted_most("the largest number of ships") == ["ship"]


def test_a_verb_behind_a_name_is_no_noun() -> None:
    assert asked_noun("which _category_ hold a licence") is None
    assert asked_noun("which _category_ members hold a licence") == "members"
    assert asked_noun("which pump does _name_ have") == "pump"


def test_what_a_value_says_of_a_plural_is_not_counted() -> None:
    assert counted_most("which team has the most _status_ jobs") == ["job"]
    assert counted_most("which artist has the most _genre_") == ["_genre_"]


def test_a_noun_before_its_own_name_is_not_asked_for() -> None:
    things = {"team", "foreman"}
    assert asked_nouns("who is the foreman of team _team_", things) == ["foreman"]
    assert asked_nouns("which team _team_ jobs", things) == []
    assert asked_nouns("which team has _foreman_", things) == ["team"]


@pytest.mark.parametrize(
    ("tokens", "asks"),
    [
        ("total value of quotes in _date_", True),
        ("what is the total order value for _customer_", True),
        ("what is the total number of quotes", False),
        ("which quotes have a total of _number_", False),
    ],
)
def test_a_question_begins_with_a_total(tokens: str, asks: bool) -> None:
    assert asks_for_total(tokens) is asks
