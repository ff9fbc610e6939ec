"""An answer as a table: the values, and what the world says of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fairseq_twostage.semantics.denotation import Answer, Denotation, Failure
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.foreign import Shown
from fairseq_twostage.semantics.loading import read_value
from fairseq_twostage.semantics.sexp import read, write
from fairseq_twostage.semantics.values import (
    UNITLESS,
    Boolean,
    Date,
    ListValue,
    Name,
    Number,
    String,
    Time,
    Value,
)
from fairseq_twostage.semantics.world import TripleStore, World
from fairseq_twostage.text.moments import date_text, time_text

MAX_ROWS = 200
MAX_PROPERTIES = 8
MAX_VALUES = 6  # in one cell
NO_PHRASES: Mapping[str, str] = {}


@dataclass(frozen=True)
class Table:
    """An answer to be read by people.

    Attributes:
        columns: headings; the first column holds the values, the others their properties.
        rows: cells as text.
        total: how many values there are, more than ``rows`` in a long list.
        message: of an error, else empty.
        note: what a number is of, and what it leaves out, where a database says so.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    total: int = 0
    message: str = ""
    note: str = ""

    def record(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "total": self.total,
            "message": self.message,
            "note": self.note,
        }


def answer_table(
    denotation: Denotation, world: World | None = None, phrases: Mapping[str, str] = NO_PHRASES
) -> Table:
    """The table of a denotation; entities come with their properties if a world is given.

    Args:
        phrases: what people call constants, as a lexicon has it; for others see :func:`display`.
    """
    if isinstance(denotation, Failure) and not denotation.counts_as_empty:
        return Table(message=f"{denotation.category} error: {denotation.message}")
    values = answer_values(denotation)
    shown = values[:MAX_ROWS]
    properties = _properties(shown, world)
    columns = (_heading(shown), *(_words(name) for name in properties))
    rows = tuple(
        (display(value, phrases), *(_cell(value, name, world, phrases) for name in properties))
        for value in shown
    )
    return Table(columns, rows, len(values))


def aligned(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table, its columns below one another."""
    lines = [[" ".join(cell.split()) for cell in row] for row in (columns, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in lines
    ]


def shown_table(shown: Shown, phrases: Mapping[str, str] = NO_PHRASES) -> Table:
    """The table of a database's answer."""
    rows = tuple(tuple(display(cell, phrases) for cell in row) for row in shown.rows)
    return Table(shown.columns, rows, shown.total, note=shown.note)


def names_in_answer(denotation: Denotation) -> list[str]:
    """The names among the members of an answer, those that are shown."""
    members = answer_values(denotation)[:MAX_ROWS]
    flat = [part for m in members for part in (m.values if isinstance(m, ListValue) else (m,))]
    return [part.id for part in flat if isinstance(part, Name)]


def answer_values(denotation: Denotation) -> list[Value | str]:
    """The members of a list, or the one value; nothing for an error.

    Of a print alone they are read; a text that is no print of values stays whole.
    """
    value = denotation.value if isinstance(denotation, Answer) else None
    if value is None:
        return _read_values(denotation.shown or "")
    members = value.values if isinstance(value, ListValue) else (value,)
    return [member.value if isinstance(member, String) else member for member in members]


def _read_values(text: str) -> list[Value | str]:
    text = text.strip()
    if not text.startswith("("):
        return [text] if text else []
    try:
        form = read(text)
        members = form[1:] if isinstance(form, tuple) and form[:1] == ("list",) else (form,)
        return [_value(member) for member in members]
    except ExecutionError:
        return [text]


def _value(member: object) -> Value | str:
    if isinstance(member, str):
        return member
    if isinstance(member, tuple) and member[:1] == ("string",) and len(member) == 2:
        return str(member[1])
    text = write(member)
    try:
        return read_value(text)
    except ExecutionError:
        return text


_LARGER = (("minute", 60_000), ("second", 1000))
"""Units for milliseconds, and how many of these they have."""
_IRREGULAR = {"foot": "feet", "inch": "inches", "person": "people"}
_UNCOUNTED = frozenset(("percent", "yen", "feet", "people", "celsius", "fahrenheit", "hertz"))


def display(value: Value | str, phrases: Mapping[str, str] = NO_PHRASES) -> str:
    """A value in print for people: ``alice``, ``3 hours``, ``2 Jan 2015``, ``15:00``; counts bare.

    A constant without a phrase is called by the last piece of its name.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Name):
        return phrases.get(value.id) or _name(value.id)
    if isinstance(value, Number):
        if value.unit is None:
            return value.text  # an error
        if value.unit in (UNITLESS, "count"):
            return value.numeral()
        value, unit = _in_larger_unit(value)
        return f"{value.numeral()} {unit if abs(value.value) == 1 else _many(unit)}"
    if isinstance(value, Date):
        return date_text(value.year, value.month, value.day)
    if isinstance(value, Time):
        return time_text(value.hour, max(value.minute, 0))
    if isinstance(value, Boolean):
        return "yes" if value.value else "no"
    if isinstance(value, ListValue):
        return ": ".join(display(member, phrases) for member in value.values)
    return value.text


def _in_larger_unit(value: Number) -> tuple[Number, str]:
    """The number and its unit in words; many milliseconds as seconds or minutes."""
    unit = _words((value.unit or "").rpartition(".")[2])
    for larger, size in _LARGER if unit == "millisecond" else ():
        if abs(value.value) >= size:
            return replace(value, value=value.value / size, computed=True), larger
    return value, unit


def _many(unit: str) -> str:
    """A unit's plural: kilometers per hour, square feet; those that have none stay."""
    head, per, rest = unit.partition(" per ")
    *before, last = head.split()
    short = len(last) < 3 or set("aeiouy").isdisjoint(last)  # 4 kg, 20 ha
    if short or last.endswith("s") or last in _UNCOUNTED:
        return unit
    many = _IRREGULAR.get(last) or f"{last}s"
    return " ".join((*before, many)) + per + rest


def _name(id: str) -> str:
    """The last piece of ``en.person.alice``; with its type where it is but a number."""
    head, _, tail = id.rpartition(".")
    if tail.isdigit() and head:
        tail = f"{head.rpartition('.')[2]} {tail}"
    return _words(tail or id)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _heading(values: Sequence[Value | str]) -> str:
    """The common type of the values, else ``answer``."""
    types = {_type(value) for value in values}
    kind = types.pop() if len(types) == 1 else None
    if kind is None or kind.endswith(("_number", ".boolean")):
        return "answer"
    return _words(kind.rpartition(".")[2])


def _type(value: Value | str) -> str | None:
    try:
        return None if isinstance(value, str) else value.type
    except ExecutionError:
        return None


def _properties(values: Sequence[Value | str], world: World | None) -> list[str]:
    """Properties of the entities' type that at least one of them has, as the world has them."""
    types = {_type(value) for value in values}
    if world is None or not isinstance(world.database, TripleStore) or len(types) != 1:
        return []
    if not all(isinstance(value, Name) for value in values):
        return []
    wanted = set(values)
    found = (name for entity, name, _ in world.database if entity in wanted)
    return [name for name in dict.fromkeys(found) if name != "type"][:MAX_PROPERTIES]


def _cell(entity: Value | str, name: str, world: World | None, phrases: Mapping[str, str]) -> str:
    if world is None or not isinstance(entity, Value):
        return ""
    try:
        found = list(dict.fromkeys(world.lookup(entity, name)))
    except ExecutionError:
        return ""
    shown = ", ".join(display(value, phrases) for value in found[:MAX_VALUES])
    return shown if len(found) <= MAX_VALUES else f"{shown}, … ({len(found)})"


def answer_line(denotation: Denotation, phrases: Mapping[str, str] = NO_PHRASES) -> str:
    """An answer on one line, for a terminal; see :func:`answer_table`."""
    if denotation.shown is not None:
        values = answer_values(denotation)
        return ", ".join(display(value, phrases) for value in values) or "nothing"
    return f"no answer ({answer_table(denotation).message})"
