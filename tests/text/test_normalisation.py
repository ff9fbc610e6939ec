from pathlib import Path

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_lines, read_text
from fairseq_twostage.text.normalisation import (
    check_brackets,
    normalize_logical_form,
    tokenize_utterance,
)


@pytest.mark.parametrize(
    ("raw", "tokens"),
    [
        ("steals (over a season) of Ann", "steals ( over a season ) of ann"),
        ("  two   blanks\tand a tab ", "two blanks and a tab"),
        ("who borders _state_ ?", "who borders _state_ ?"),
        ("a\u2028b\x85c\u00a0d", "a b c d"),
        ("", ""),
    ],
)
def test_tokenize_utterance(raw: str, tokens: str) -> None:
    assert tokenize_utterance(raw) == tokens


@pytest.mark.parametrize(
    ("raw", "normal"),
    [
        (
            "(call edu.stanford.nlp.sempre.overnight.SimpleWorld.size (string !type))",
            "( call SW.size ( string !type ) )",
        ),
        ("( string ! type )", "( string !type )"),
        ("( string != )", "( string != )"),
        ("( string ! )", "( string ! )"),
        ("((lambda s (var s)) x)", "( ( lambda s ( var s ) ) x )"),
    ],
)
def test_normalize_logical_form(raw: str, normal: str) -> None:
    assert normalize_logical_form(raw) == normal
    assert normalize_logical_form(normal) == normal


@pytest.mark.parametrize("form", ["( a", "a )", ") (", "( ( a )"])
def test_check_brackets_names_the_place(form: str) -> None:
    with pytest.raises(UserError, match=r"^rows\.tsv:7: broken logical form"):
        check_brackets(form, "rows.tsv:7")


def test_read_text_drops_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\xef\xbb\xbfabc")
    assert read_text(path) == "abc"


def test_a_line_feed_alone_ends_a_line(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for text, lines in (
        ("", []),
        ("a\n\nb\n", ["a", "", "b"]),
        ("a\r\nb", ["a", "b"]),
        ("a\u2028b\x0cc\n", ["a\u2028b\x0cc"]),
    ):
        path.write_bytes(text.encode())
        assert read_lines(path) == lines


def test_read_text_of_latin_1_is_a_user_error(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes("café".encode("latin-1"))
    with pytest.raises(UserError, match="not UTF-8"):
        read_text(path)


def test_read_text_of_a_folder_is_a_user_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        read_text(tmp_path)
