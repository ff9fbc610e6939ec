"""Reader of Overnight's ``.examples`` files (Wang et al., 2015).

Each example is an s-expression over several lines::

    (example
      (utterance "...")
      (original "...")
      (targetFormula (call ...)))

``original`` is the canonical utterance. Other fields are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_text
from fairseq_twostage.text.normalisation import normalize_logical_form, tokenize_utterance
from fairseq_twostage.text.rows import Row

_TOKEN = re.compile(r'[()]|"(?:[^"\\\n]|\\.)*"|"|#.*|[^\s()"]+')


class _List(NamedTuple):
    line: int
    items: list[str | _List]


def read_overnight(path: Path) -> list[Row]:
    """Rows of one ``.examples`` file, in file order.

    Raises:
        UserError: with ``file:line`` for brackets or quotes that do not match, a field that
            is missing or has the wrong shape; with the file if it holds no example.
    """
    rows = [_row(form, path) for form in _top_level_forms(read_text(path), path)]
    if not rows:
        raise UserError("holds no example", where=str(path))
    return rows


def _tokens(text: str, path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        for match in _TOKEN.finditer(line):
            if match[0] == '"':
                raise UserError("a quotation mark is not closed", where=f"{path}:{number}")
            if not match[0].startswith("#"):  # a comment, up to the end of the line
                yield number, match[0]


def _top_level_forms(text: str, path: Path) -> Iterator[_List]:
    open_lists: list[_List] = []
    for number, token in _tokens(text, path):
        where = f"{path}:{number}"
        if token == "(":
            open_lists.append(_List(number, []))
        elif token == ")":
            if not open_lists:
                raise UserError("broken bracket: ')' without '('", where=where)
            closed = open_lists.pop()
            if open_lists:
                open_lists[-1].items.append(closed)
            else:
                yield closed
        elif not open_lists:
            raise UserError(f"expected '(example', found {token!r}", where=where)
        else:
            # A bracket lost inside an example would otherwise show only at the file's end.
            starts_example = token == "example" and not open_lists[-1].items
            if starts_example and len(open_lists) > 1:
                raise UserError(
                    "broken bracket: a new example begins before the one of line "
                    f"{open_lists[0].line} is closed",
                    where=where,
                )
            open_lists[-1].items.append(token)
    if open_lists:
        raise UserError(
            "broken bracket: the '(' of this line is never closed",
            where=f"{path}:{open_lists[0].line}",
        )


def _row(form: _List, path: Path) -> Row:
    where = f"{path}:{form.line}"
    if not form.items or form.items[0] != "example":
        raise UserError("expected '(example'", where=where)
    fields: dict[str, _List] = {}
    for item in form.items[1:]:
        if isinstance(item, _List) and item.items and isinstance(item.items[0], str):
            fields[item.items[0]] = item

    def field(name: str) -> str | _List:
        if name not in fields:
            raise UserError(f"the example has no field ({name} …)", where=where)
        if len(fields[name].items) != 2:
            raise UserError(f"({name} …) needs one value", where=f"{path}:{fields[name].line}")
        return fields[name].items[1]

    def utterance(name: str) -> str:
        value = field(name)
        if not (isinstance(value, str) and value.startswith('"')):
            raise UserError(
                f'({name} …) needs a text in quotation marks: ({name} "…")',
                where=f"{path}:{fields[name].line}",
            )
        tokens = tokenize_utterance(re.sub(r"\\(.)", r"\1", value[1:-1]))
        if not tokens:
            raise UserError(f"({name} …) is empty", where=f"{path}:{fields[name].line}")
        return tokens

    return Row(
        utterance=utterance("utterance"),
        canonical=utterance("original"),
        logical_form=normalize_logical_form(_spelled(field("targetFormula"))),
        where=where,
    )


def _spelled(form: str | _List) -> str:
    if isinstance(form, str):
        return form
    return f"( {' '.join(_spelled(item) for item in form.items)} )"
