"""From text to formulas: what is a form, and what is not."""

from __future__ import annotations

import pytest

from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.formulas import (
    Call,
    Constant,
    Foreign,
    Join,
    Lambda,
    Variable,
    formula_text,
    read_formula,
)
from fairseq_twostage.semantics.values import Date, Name, Number, Tagged, Time


@pytest.mark.parametrize(
    "text, value",
    [
        ("en.person.alice", Name("en.person.alice")),
        ("( name a b )", Name("a")),
        ("( string a b )", "a"),
        ("( string ( a b c ) )", None),
        ("( string \\0 )", None),
        ("( number 3 )", Number(3.0)),
        ("( number 3 en.cm x )", Number(3.0, "en.cm")),
        ("( number 3 ( a b c ) )", Number(3.0, None)),
        ("( date 2004 -1 -1 )", Date(2004, -1, -1)),
        ("( time 25 61 )", Time(25, 61)),
        ("( boolean TRUE )", True),
        ("( boolean maybe )", False),
        ("( list ( string a ) ( list ) )", ("a", ())),
        ("( url x )", Tagged("url", ("x",))),
        ("( context )", Tagged("context", ())),
        ('( "string" a )', "a"),
    ],
)
def test_constants(text, value):
    assert read_formula(text).value == value


@pytest.mark.parametrize(
    "text, kind",
    [
        ("( call f )", Call),
        ("( call ( call f ) ( lambda x y ) )", Call),
        ("( lambda x ( var x ) )", Lambda),
        ("( var x y )", Variable),
        ("( a b )", Join),
        ("( ( a b ) ( c d ) )", Join),
        ("( and a b ( ) )", Foreign),
        ("( not a )", Foreign),
        ("( mark x ( var x ) )", Foreign),
        ("( argmax 1 ( number 1 ) type type )", Foreign),
    ],
)
def test_formulas(text, kind):
    assert type(read_formula(text)) is kind


@pytest.mark.parametrize(
    "text",
    [
        "( )",
        "( a )",
        "( a b c )",
        "( call )",
        "( call f ( ) )",
        "( lambda x )",
        "( var )",
        "( and a )",
        "( count )",
        "( mark x )",
        "( argmax 1 1 type )",
        "( argmax ( a b ) 1 type type )",
        "( string )",
        "( number )",
        "( number abc )",
        "( number ( 3 ) )",
        "( date 2015 1 )",
        "( date 2015 1 1.0 )",
        "( time 9 )",
        "( list foo )",
        "( list ( call f ) )",
        "( list ( number x ) )",
        "( url )",
    ],
)
def test_malformed(text):
    for line in (text, f"( call f {text} )"):
        with pytest.raises(ExecutionError) as error:
            read_formula(line)
        assert error.value.category == "parse"


def test_the_place_of_a_malformed_part():
    with pytest.raises(ExecutionError) as error:
        read_formula("( call f ( call g ( number x ) ) )")
    assert error.value.place == 6


def test_arguments_that_nobody_reads_may_be_anything():
    assert read_formula("( string a ( ) )") == Constant("a")
    assert type(read_formula("( and a b ( number x ) )")) is Foreign


@pytest.mark.parametrize(
    "text",
    [
        "( call f en.a.b ( string p ) ( number 3 en.cm ) ( date 2004 -1 -1 ) )",
        "( ( lambda s ( call f ( var s ) ) ) ( a b ) )",
        "( argmax a b c d )",
    ],
)
def test_text_of_a_formula(text):
    assert formula_text(read_formula(text)) == text


def test_text_of_a_long_formula_is_cut():
    formula = read_formula("( call f " * 1000 + "a" + " )" * 1000)
    assert formula_text(formula, limit=20) == "( call f ( call f ( …"
