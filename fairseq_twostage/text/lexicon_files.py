"""Lexicon files: read, written, and each entry with where it stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import load_json, read_columns
from fairseq_twostage.text.lexicon import COLUMNS, Entry, Lexicon
from fairseq_twostage.text.normalisation import tokenize_utterance

_TYPE_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_CONSTANT = re.compile(r"\(.*\)|[^\s()\"\\\\#]+")


def read_lexicon(path: Path) -> Lexicon:
    """``phrase TAB type TAB constant`` per line, or GeoGranno's JSON object per line.

    GeoGranno's order means nothing: there a phrase that names several things rather names one
    of the rarer type, New York the state and not the city.

    Raises:
        UserError: with ``file:line`` for a line of another shape; with the file if it is empty.
    """
    entries = [entry for _, entry in located_entries(path)]
    if not entries:
        raise UserError("holds no entry", where=str(path))
    if path.suffix == ".lexicon":
        sizes = Counter(entry.type for entry in entries)
        entries.sort(key=lambda entry: sizes[entry.type])
    return Lexicon(entries)


def located_entries(path: Path) -> Iterator[tuple[str, Entry]]:
    """The entries of such a file in its order, each behind ``FILE:LINE``.

    Raises:
        UserError: as above, but that an empty file has none.
    """
    for where, columns in read_columns(path, 1, 3, names=COLUMNS):
        yield where, _entry(columns, where)


def write_lexicon(lexicon: Lexicon, path: Path) -> None:
    """Write it as :func:`read_lexicon` reads it."""
    lines = ("\t".join(entry) + "\n" for entry in lexicon.entries)
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def _entry(columns: list[str], where: str) -> Entry:
    if len(columns) == 1 and columns[0].startswith("{"):
        columns = list(_json_columns(columns[0], where))
    if len(columns) != 3:
        raise UserError(f"expected 3 tab-separated columns ({COLUMNS}), found 1", where=where)
    phrase, type, constant = tokenize_utterance(columns[0]), columns[1].strip(), columns[2].strip()
    if not phrase or not constant:
        raise UserError("the phrase or the constant is empty", where=where)
    if not _CONSTANT.fullmatch(constant):
        raise UserError(
            f'the constant {constant!r} must be one word without brackets, ", # and \\', where=where
        )
    if not _TYPE_NAME.fullmatch(type):
        raise UserError(f"the type {type!r} must be a word such as state", where=where)
    return Entry(phrase, type, constant)


def _json_columns(line: str, where: str) -> tuple[str, str, str]:
    """GeoGranno's entry; its type ``fb:en.state`` is called ``state``."""
    try:
        values = load_json(line)
        phrase, type, constant = (str(values[key]) for key in ("lexeme", "type", "formula"))
    except (ValueError, KeyError, TypeError):
        raise UserError(
            'want {"lexeme": …, "formula": …, "type": …} or three columns', where=where
        ) from None
    return phrase, type.rpartition(".")[2], constant
