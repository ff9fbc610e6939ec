"""From the first form of a line to a formula.

A list whose head names a kind of constant is a constant; ``call``, ``lambda`` and ``var`` are
as expected; a few heads belong to other languages and are never executable; any other list
must have two members and is a join. A list that fits nothing is :class:`Malformed`, which is
a failure only where a formula is wanted: arguments that nobody reads may be anything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.java import parse_double, parse_int
from fairseq_twostage.semantics.sexp import read_first, tokens_of_normalised, write_atom
from fairseq_twostage.semantics.values import UNITLESS, Date, Name, Number, Tagged, Time


class Constant(NamedTuple):
    """A value as functions receive it: strings, booleans and lists are host objects."""

    value: Any
    depth: int = 0
    """How deep lists nest in it."""


class Call(NamedTuple):
    """``(call function argument …)``; ``parts`` holds the function first."""

    parts: tuple[Any, ...]
    place: int
    rows: bool = False
    """Whether it keeps equal values of several entities apart."""


class Lambda(NamedTuple):
    """``(lambda variable body)``."""

    variable: str | None
    body: Any
    place: int


class Variable(NamedTuple):
    """``(var name)``."""

    name: str | None
    place: int


class Join(NamedTuple):
    """``(left right)``: an application when ``left`` reduces to a lambda."""

    parts: tuple[Any, Any]
    place: int


class Foreign(NamedTuple):
    """A formula of another language, for example ``(argmax 1 1 type type)``."""

    head: str
    parts: tuple[Any, ...]
    place: int


class Malformed(NamedTuple):
    """A list that is no formula."""

    reason: str
    place: int


Formula = Constant | Call | Lambda | Variable | Join | Foreign
Item = str | None | Formula | Malformed

MAX_LIST_DEPTH = 100

FORMULAS = (Constant, Call, Lambda, Variable, Join, Foreign)


def read_formula(text: str) -> Formula:
    """The formula of a normalised line.

    Raises:
        ExecutionError: category ``parse``.
    """
    item = read_first(tokens_of_normalised(text), make_formula)
    formula = _formula(item)
    if type(formula) is Malformed:
        error = ExecutionError("parse", formula.reason)
        error.place = formula.place
        raise error
    return formula


def make_formula(items: list[Item], place: int) -> Formula | Malformed:
    """The formula of a list whose members are atoms or have been made already."""
    if not items:
        return Malformed("empty list", place)
    head = items[0]
    build = _BUILDERS.get(head) if type(head) is str else None
    try:
        return _join(items, place) if build is None else build(items, place)
    except _UnfitError as unfit:
        return unfit.malformed
    except IndexError:
        return Malformed(f"too few arguments for {head}", place)
    except ValueError as error:
        return Malformed(f"not a number in {head}: {str(error)[:80]}", place)


class _UnfitError(Exception):
    def __init__(self, malformed: Malformed) -> None:
        self.malformed = malformed


def _formula(item: Item) -> Any:
    """An item where a formula (or nothing) is wanted: an atom is a name."""
    return item if type(item) in _MADE else _name_of_atom(item)


def _formulas(items: list[Item]) -> tuple[Any, ...]:
    parts = tuple([item if type(item) in _MADE else _name_of_atom(item) for item in items])
    for part in parts:
        if type(part) is Malformed:
            raise _UnfitError(part)
    return parts


def _atom(item: Item) -> str | None:
    """An item where an atom is wanted: a list, like the atom ``\\0``, is null."""
    return item if type(item) is str else None


def _name_of_atom(atom: Any) -> Constant:
    if atom is None:
        return Constant(Name("fb:en.null"))
    # Long atoms are garbage: they must not fill the cache.
    return _short_name(atom) if len(atom) < 100 else Constant(Name(atom))


@lru_cache(maxsize=4096)
def _short_name(atom: str) -> Constant:
    return Constant(Name(atom))


@lru_cache(maxsize=4096)
def _short_string(text: str) -> Constant:
    return Constant(text)


def _name(items: list[Item], place: int) -> Formula:
    return _name_of_atom(_atom(items[1]))


def _string(items: list[Item], place: int) -> Formula:
    text = _atom(items[1])
    if text is not None and len(text) < 100:
        return _short_string(text)
    return Constant(text)


def _number(items: list[Item], place: int) -> Formula:
    number = parse_double(_numeral(items[1]))
    return Constant(Number(number, _atom(items[2]) if len(items) > 2 else UNITLESS))


def _date(items: list[Item], place: int) -> Formula:
    year, month, day = (parse_int(_numeral(items[i])) for i in (1, 2, 3))
    return Constant(Date(year, month, day))


def _time(items: list[Item], place: int) -> Formula:
    return Constant(Time(parse_int(_numeral(items[1])), parse_int(_numeral(items[2]))))


def _numeral(item: Item) -> str:
    text = _atom(item)
    if text is None:
        raise ValueError("a list")
    return text


def _boolean(items: list[Item], place: int) -> Formula:
    text = _atom(items[1])
    return Constant(text is not None and text.lower() == "true")


def _list(items: list[Item], place: int) -> Formula:
    for item in items[1:]:
        if type(item) is Malformed:
            raise _UnfitError(item)
        if type(item) is not Constant:
            raise _UnfitError(Malformed("a list constant holds constants only", place))
    members: list[Any] = items[1:]
    depth = 1 + max([item.depth for item in members], default=0)
    if depth > MAX_LIST_DEPTH:
        raise _UnfitError(Malformed("list constants nest too deeply", place))
    return Constant(tuple([item.value for item in members]), depth)


def _tagged(items: list[Item], place: int) -> Formula:
    if items[0] in ("description", "url", "error"):
        return Constant(Tagged(str(items[0]), (_atom(items[1]),)))
    return Constant(Tagged(str(items[0]), tuple(map(_atom, items[1:]))))


def _call(items: list[Item], place: int) -> Formula:
    if len(items) < 2:
        raise IndexError
    return Call(_formulas(items[1:]), place)


def _lambda(items: list[Item], place: int) -> Formula:
    return Lambda(_atom(items[1]), _formulas([items[2]])[0], place)


def _variable(items: list[Item], place: int) -> Formula:
    return Variable(_atom(items[1]), place)


def _join(items: list[Item], place: int) -> Formula:
    if len(items) != 2:
        raise _UnfitError(Malformed(f"a join has 2 members, not {len(items)}", place))
    left, right = _formulas(items)
    return Join((left, right), place)


def _foreign(first: int, count: int) -> Callable[[list[Item], int], Formula]:
    """A builder for formulas with ``count`` sub-formulas from item ``first`` on."""

    def build(items: list[Item], place: int) -> Formula:
        if len(items) < first + count:
            raise IndexError
        return Foreign(str(items[0]), _formulas(items[first : first + count]), place)

    return build


def _ranked(items: list[Item], place: int) -> Formula:
    """``(argmax rank count formula formula)``, whose rank and count are atoms or constants."""
    parts = _formulas([items[i] for i in (1, 2, 3, 4)])
    for part in parts[:2]:
        if type(part) not in (Constant, Variable):
            raise _UnfitError(Malformed(f"rank and count of {items[0]} must be numbers", place))
    return Foreign(str(items[0]), parts, place)


_BUILDERS: dict[str, Callable[[list[Item], int], Formula]] = {
    "name": _name,
    "string": _string,
    "number": _number,
    "date": _date,
    "time": _time,
    "boolean": _boolean,
    "list": _list,
    **dict.fromkeys(("table", "description", "url", "context", "error"), _tagged),
    "call": _call,
    "lambda": _lambda,
    "var": _variable,
    "mark": _foreign(2, 1),
    **dict.fromkeys(("not", "reverse", "count", "sum", "avg", "min", "max"), _foreign(1, 1)),
    **dict.fromkeys(("and", "or", "+", "-", "*", "/"), _foreign(1, 2)),
    **dict.fromkeys(("argmax", "argmin"), _ranked),
}

_MADE = frozenset((*FORMULAS, Malformed))


def children(formula: Any) -> tuple[Any, ...]:
    """The sub-formulas, left to right."""
    kind = type(formula)
    if kind is Lambda:
        return (formula.body,)
    return () if kind is Constant or kind is Variable else formula.parts


def with_children(formula: Any, parts: tuple[Any, ...]) -> Any:
    """``formula`` with other sub-formulas."""
    if type(formula) is Lambda:
        return formula._replace(body=parts[0])
    return formula._replace(parts=parts)


def formula_text(formula: Any, limit: int = 200) -> str:
    """The formula as one line of text, cut behind ``limit`` characters."""
    pieces: list[str] = []
    size = 0
    todo: list[Any] = [formula]
    while todo and size <= limit:
        node = todo.pop()
        if type(node) is str:
            pieces.append(node)
        elif type(node) is Constant:
            pieces.append(_constant_text(node.value, limit))
        elif type(node) is Variable:
            pieces.append(f"( var {write_atom(node.name)} )")
        else:
            pieces.append(_OPENINGS[type(node)](node))
            todo.append(")")
            todo.extend(reversed(children(node)))
        size += len(pieces[-1]) + 1
    text = " ".join(pieces)
    return text if size <= limit + 1 and not todo else f"{text[:limit].rstrip()} …"


_OPENINGS: dict[type, Callable[[Any], str]] = {
    Call: lambda node: "( call",
    Lambda: lambda node: f"( lambda {write_atom(node.variable)}",
    Join: lambda node: "(",
    Foreign: lambda node: f"( {node.head}",
}


def _constant_text(value: Any, limit: int) -> str:
    if type(value) is Name:
        return write_atom(value.id[: limit + 1])
    if type(value) is bool:
        return f"( boolean {str(value).lower()} )"
    if type(value) is tuple:
        return "( list … )" if value else "( list )"
    if value is None or type(value) is str:
        return f"( string {write_atom(value and value[: limit + 1])} )"
    if type(value) is Number and value.unit is None:
        return "( number … )"
    return str(value.text_in_full).replace("(", "( ", 1)[:-1] + " )"
