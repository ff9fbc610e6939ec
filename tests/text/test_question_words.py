"""Nouns of questions, and forms of words, by pairs made by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.question_words import asked_noun, counted_most
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
