"""S-expressions: reading the first form of a line, and writing one.

An atom is a ``str`` (``None`` for the atom that the escape ``\\0`` stands for), a list whatever
``make_list`` makes of its items. Reading never recurses: brackets may nest to any depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from fairseq_twostage.semantics.errors import ExecutionError

_BLANKS = "\\t-\\r\\x1c-\\x20\\u1680\\u2000-\\u2006\\u2008-\\u200a\\u2028\\u2029\\u205f\\u3000"
TOKEN = re.compile(
    rf"[{_BLANKS}]+|#[^\n]*|(?P<bracket>[()])"
    rf'|(?P<atom>(?:[^{_BLANKS}")\\]+|"[^"\\]*(?:\\.[^"\\]*)*"|\\.)+)',
    re.DOTALL,
)
_ESCAPE = re.compile(r'\\(.)|"', re.DOTALL)
_NEEDS_QUOTES = re.compile(rf"[{_BLANKS}()#]")
_NOT_PLAIN = re.compile(r'["\\#\0]|!\)')
_ESCAPED = {"n": "\n", "t": "\t"}

Token = str | tuple[str | None]
"""A bracket or an atom as ``str``; an atom that was quoted or escaped as a 1-tuple."""


def tokens_of_normalised(text: str) -> Iterable[Token]:
    """The same as :func:`tokens`, faster where every bracket stands between blanks."""
    if text.isascii() and not _NOT_PLAIN.search(text):
        return text.split()
    return tokens(text)


def tokens(text: str) -> Iterator[Token]:
    """The tokens of ``text``, lazily: an error behind the first form is never met.

    A token ends at a blank or ``)``; ``#`` where a token could start comments out the rest of
    the line; a NUL character ends the text.
    """
    text = text.partition("\0")[0]
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise ExecutionError("parse", "unclosed quote or unfinished escape")
        position = match.end()
        if match["bracket"]:
            yield match["bracket"]
        elif match["atom"]:
            if text[position : position + 1] in ('"', "\\"):
                raise ExecutionError("parse", "unclosed quote or unfinished escape")
            yield (unescape(match["atom"]),)


def unescape(atom: str) -> str | None:
    """What an atom stands for; None for the null that ``\\0`` stands for."""
    if '"' not in atom and "\\" not in atom:
        return atom
    if any(match[1] == "0" for match in _ESCAPE.finditer(atom)):
        return None
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1] or ""), atom)


def read_first(tokens: Iterable[Token], make_list: Callable[[list[Any], int], Any]) -> Any:
    """The first form of a line; what follows it is ignored.

    Args:
        tokens: the line's tokens.
        make_list: called at every closing bracket, innermost first, with the items and the
            index of the token that opened the list; what it returns is an item of the list
            around it.

    Raises:
        ExecutionError: no form, a missing or a leading ``)``, an unclosed quote.
    """
    around: list[tuple[list[Any], int]] = []
    items: list[Any] = []
    start = -1
    for place, token in enumerate(tokens):
        if token == "(":
            around.append((items, start))
            items = []
            start = place
        elif token == ")":
            if start < 0:
                raise ExecutionError("parse", "the line begins with )")
            made = make_list(items, start)
            items, start = around.pop()
            if start < 0:
                return made
            items.append(made)
        else:
            atom = token if type(token) is str else token[0]
            if start < 0:
                return atom
            items.append(atom)
    raise ExecutionError("parse", "missing )" if start >= 0 else "no form on the line")


def is_plain_text(text: str) -> bool:
    """Whether a line goes on after an atom: an utterance, not a form."""
    try:
        first, *more = islice(tokens(text), 2)
    except (ExecutionError, ValueError):
        return False
    return first not in ("(", ")") and more not in ([], [")"])


def stray(text: str) -> str | None:
    """Why a line is no form alone, though its first form can be read; None: it is one."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        return "no UTF-8 text, of which the part that can be is read"
    if is_plain_text(text):
        return "no logical form but text, of which the first word is read"
    rest = tokens(text.rstrip())
    try:
        read_first(rest, lambda items, _: None)
        more = next(iter(rest), None)
    except (ExecutionError, ValueError):
        return None  # the form itself is damaged, or an open quote follows it
    return "more than a logical form, of which the first is read" if more else None


def read(text: str) -> Any:
    """The first form of ``text`` as atoms and tuples."""
    return read_first(tokens(text), lambda items, _: tuple(items))


def write(form: Any) -> str:
    """The text of atoms and tuples, every bracket between blanks.

    :func:`read` of it gives ``form`` back.
    """
    pieces: list[str] = []
    todo: list[Iterator[Any]] = [iter((form,))]
    while todo:
        for item in todo[-1]:
            if type(item) is tuple:
                pieces.append("(")
                todo.append(iter(item))
                break
            pieces.append(write_atom(item))
        else:
            todo.pop()
            pieces.append(")")
    return " ".join(pieces[:-1])


def write_atom(atom: str | None) -> str:
    """An atom, quoted when it is empty or holds blanks, brackets or ``#``."""
    if atom is None:
        return "\\0"
    quoted = not atom or _NEEDS_QUOTES.search(atom) is not None
    if "\\" in atom or '"' in atom or "\n" in atom or "\t" in atom:
        atom = atom.replace("\\", "\\\\").replace('"', '\\"')
        atom = atom.replace("\n", "\\n").replace("\t", "\\t")
    return f'"{atom}"' if quoted else atom
