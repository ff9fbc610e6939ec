"""Equality, types and print of values."""

from __future__ import annotations

import dataclasses

import pytest

from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.values import (
    Boolean,
    Date,
    ListValue,
    Name,
    Number,
    String,
    Tagged,
    Time,
)


@pytest.mark.parametrize(
    "id, type",
    [
        ("en.person.alice", "en.person"),
        ("en.person", "en"),
        ("fb:en.river.st._francis", "fb:en.river"),
        ("fb:en.lake._st_clair", "fb:en"),
        ("en.person._", "en"),
        (".x", ""),
    ],
)
def test_type_of_a_name(id, type):
    assert Name(id).type == type


@pytest.mark.parametrize("id", ["foo", "", "x.", "...", "en._a", "_a", "._a"])
def test_a_name_without_a_usable_dot_has_no_type(id):
    with pytest.raises(ExecutionError) as error:
        _ = Name(id).type
    assert error.value.category == "index"


def test_types():
    assert Number(3.0, "en.inch").type == "en.inch_number"
    assert Number(3.0).type == "fb:en.unitless_number"
    assert (Date(1, 1, 1).type, Time(1, 1).type, Boolean(True).type) == (
        "en.date",
        "en.time",
        "en.boolean",
    )
    assert ListValue((Time(1, 1), Name("foo"))).type == "en.time"
    for value in (String("a"), ListValue(()), Tagged("url", ("a",))):
        with pytest.raises(ExecutionError):
            _ = value.type


def test_print():
    assert Name("a b").text == '(name "a b")'
    assert Number(3.0).text == "(number 3)"
    assert Number(2.5, "en.cm").text == "(number 2.500 en.cm)"
    assert Date(2004, -1, -1).text == "(date 2004 -1 -1)"
    assert Time(9, 0).text == "(time 9 0)"
    assert Boolean(False).text == "(boolean false)"
    assert String("").text == '(string "")'
    assert String("a\n").text == '(string "a\\n")'
    assert ListValue(()).text == "(list)"
    assert ListValue((Number(1.0), ListValue((String("x"),)))).text == (
        "(list (number 1) (list (string x)))"
    )


def test_equality_is_by_kind_and_all_fields():
    assert Number(3.0, "a") == Number(3.0, "a") != Number(3.0, "b")
    assert Number(1.0000001) != Number(1.0000002)
    assert Number(1.0000001).text == Number(1.0000002).text
    assert Name("a") != String("a")
    assert Date(2004, -1, -1) != Date(2004, 1, 1)
    assert Time(9, 0) != Time(9, 1)


def test_minus_zero_equals_zero_but_no_lookup_finds_it():
    assert Number(-0.0) == Number(0.0)
    assert Number(-0.0) not in {Number(0.0)}


def test_values_are_frozen():
    for value in (Name("a"), Number(1.0), Date(1, 1, 1), Time(1, 1), Boolean(True), String("a")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, dataclasses.fields(value)[0].name, 3)
        assert hash(value) == hash(dataclasses.replace(value))
