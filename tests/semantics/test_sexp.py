"""Reading and writing s-expressions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.sexp import read, read_first, tokens, tokens_of_normalised, write

atoms = st.text(alphabet=st.characters(exclude_characters="\0", codec="utf-8"))
trees = st.recursive(
    st.one_of(atoms, st.none(), st.text('()"\\# \n\t\r\u2028n0', max_size=5)),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
)


@given(trees)
def test_reading_what_was_written_gives_the_form_back(tree):
    assert read(write(tree)) == tree


@given(st.text(alphabet="()ab!. \t", max_size=30))
def test_the_fast_tokens_of_spaced_text_are_the_careful_ones(text):
    spaced = text.replace("(", " ( ").replace(")", " ) ")
    careful = [token if type(token) is str else token[0] for token in tokens(spaced)]
    assert list(tokens_of_normalised(spaced)) == careful


@pytest.mark.parametrize(
    "text, form",
    [
        ("(a (b c) d)", ("a", ("b", "c"), "d")),
        ("a b", "a"),
        ("(a) (b)", ("a",)),
        ('(a)))) "', ("a",)),
        ("()", ()),
        ("foo(bar)", "foo(bar"),
        ('"a b"', "a b"),
        ('x"a b"y', "xa by"),
        ("\\(", "("),
        ("a\\ b", "a b"),
        ("\\n\\t\\x", "\n\tx"),
        ("\\0", None),
        ("# note\n a", "a"),
        ("(a #) \n b)", ("a", "b")),
        ("a#b", "a#b"),
        ("a\0b", "a"),
        ("a\u00a0b", "a\u00a0b"),
        ("a\u2003b", "a"),
        ('""', ""),
    ],
)
def test_read(text, form):
    assert read(text) == form


@pytest.mark.parametrize(
    "text", ["", " ", ")", "(a", "(a # b)", '"a', "a\\", 'a"b', "(\0)", "#", '("a)', "\0a"]
)
def test_read_refuses(text):
    with pytest.raises(ExecutionError) as error:
        read(text)
    assert error.value.category == "parse"


def test_lists_are_made_innermost_first_with_their_place():
    made = []
    words = ["(", "a", "(", "b", ")", "(", "c", "(", "d", ")", ")", ")"]
    read_first(words, lambda items, place: made.append(place) or items)
    assert made == [2, 7, 5, 0]
