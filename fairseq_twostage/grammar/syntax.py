"""Syntax of grammar files: bracketed forms that remember the line they start on.

The token rules are those of :mod:`fairseq_twostage.semantics.sexp`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics.sexp import TOKEN, unescape, write_atom

_MAX_NESTING = 200
# Look like a blank, or like nothing, and are part of a word.
_UNSEEN = re.compile("[\u00a0\u00ad\u2007\u200b-\u200f\u202f\u2060\ufeff]")


@dataclass(frozen=True)
class Atom:
    """One token, unquoted and unescaped."""

    text: str
    line: int

    def __str__(self) -> str:
        return write_atom(self.text)


@dataclass(frozen=True)
class Form:
    """A bracketed list of forms and atoms; ``line`` is that of its opening bracket."""

    items: tuple[Sexpr, ...]
    line: int

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.items))})"

    @property
    def head(self) -> str | None:
        """Text of the first item when that is an atom."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Atom) else None


Sexpr: TypeAlias = "Atom | Form"


def parse(text: str, file: str) -> Iterator[Sexpr]:
    """Yield the forms and atoms at the top level of ``text``.

    Raises:
        UserError: with ``file:line``, for a bracket that is never closed or never opened and
            for a quote that is never closed.
    """
    open_forms: list[tuple[int, list[Sexpr]]] = []
    for kind, token, line in _tokens(text, file):
        if kind == "(":
            if len(open_forms) == _MAX_NESTING:
                raise UserError("brackets are nested too deeply", where=f"{file}:{line}")
            open_forms.append((line, []))
            continue
        item: Sexpr
        if kind == ")":
            if not open_forms:
                raise UserError("')' without its '('", where=f"{file}:{line}")
            start, items = open_forms.pop()
            item = Form(tuple(items), start)
        else:
            item = Atom(token, line)
        if open_forms:
            open_forms[-1][1].append(item)
        else:
            yield item
    if open_forms:
        line, items = open_forms[0]
        begun = " ".join(map(str, items))[:60]
        raise UserError(f"'(' is never closed: ({begun} …", where=f"{file}:{line}")


def check_blanks(text: str, file: str) -> None:
    """Refuse what looks like a blank, or like nothing, and would be part of a word.

    Raises:
        UserError: with ``file:line``.
    """
    if not _UNSEEN.search(text):
        return
    for kind, atom, line in _tokens(text, file):
        found = _UNSEEN.search(atom) if kind == "atom" and " " not in atom else None
        if found:
            name = unicodedata.name(found[0]).lower()
            raise UserError(
                f"{name} (U+{ord(found[0]):04X}) in {atom[:60]!r}: type a blank there, or nothing",
                where=f"{file}:{line}",
            )


def _tokens(text: str, file: str) -> Iterator[tuple[str, str, int]]:
    """Yield (kind, text, line); the kind is ``(``, ``)`` or ``atom``."""
    position, line = 0, 1
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            rest = text[position:].split("\n")[0][:40]
            raise UserError(f"quote is never closed: {rest}", where=f"{file}:{line}")
        if match["bracket"]:
            yield match["bracket"], match["bracket"], line
        elif match["atom"]:
            text_of = unescape(match["atom"])
            yield "atom", "\0" if text_of is None else text_of, line
        line += match[0].count("\n")
        position = match.end()
