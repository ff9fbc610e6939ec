"""From a dataset's line to the reader's text."""

from __future__ import annotations

import pytest

from fairseq_twostage.semantics.normalise import LONG_PREFIX, normalise


@pytest.mark.parametrize(
    "line, tokens",
    [
        ("(call SW.reverse(string ! type))", f"( call {LONG_PREFIX}.reverse ( string !type ) )"),
        (f"( call {LONG_PREFIX}.sum )", f"( call {LONG_PREFIX}.sum )"),
        ("  a  ", "a"),
        ("SW", LONG_PREFIX),
    ],
)
def test_tokens(line, tokens):
    assert normalise(line).split() == tokens.split()


def test_the_class_is_written_out_and_names_are_not():
    name = "edu.stanford.nlp.sempre.overnight.SimpleWorld"
    line = "(call SW.listValue en.ship.SWIFT (string SWAN) SW.x)"
    assert normalise(line).split() == [
        *("(", "call", f"{name}.listValue", "en.ship.SWIFT", "(", "string", "SWAN", ")"),
        *(f"{name}.x", ")"),
    ]


def test_blanks_inside_quotes_collapse():
    assert normalise('( string "a  b" )').strip() == '( string "a b" )'


def test_a_comment_runs_to_the_end_of_the_form():
    assert "\n" not in normalise("( a # b\n c )")


def test_only_plain_blanks_are_blanks():
    assert normalise('( string "a\u00a0 b" )', {"a": "b"}).strip() == '( string "a\u00a0 b" )'


def test_variables_replace_whole_tokens_only():
    variables = {"_state_": "fb:en.state.ohio", "_n_": "(number 3)"}
    line = "( f _state_ _state_ area_state_length^2 x_state_ _n_)"
    filled = "( f fb:en.state.ohio fb:en.state.ohio area_state_length^2 x_state_ ( number 3 ) )"
    assert normalise(line, variables).split() == filled.split()
