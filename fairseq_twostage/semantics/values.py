"""The values that logical forms are about, their types and how they print.

Equality is that of the specification: same kind and all fields. Numbers compare by exact value
and unit, although SEMPRE's print rounds them. There are three prints, which differ in numbers
alone: SEMPRE's (``text``), the one in full (``text_in_full``), and that for reading
(``text_to_read``), which rounds what was computed and nothing else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from fairseq_twostage.semantics.errors import ExecutionError, null_pointer
from fairseq_twostage.semantics.java import format_number
from fairseq_twostage.semantics.numerals import in_full, readable
from fairseq_twostage.semantics.sexp import write_atom

_ISO_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")

UNITLESS = "fb:en.unitless"
ANY_UNIT = "any"
"""Of a number that a question says without one."""


class Value:
    """A value of one of the kinds below."""

    @property
    def text(self) -> str:
        """How the value prints in SEMPRE, for example ``(number 3 en.inch)``."""
        raise NotImplementedError

    def printed(self, number: Callable[[Number], str]) -> str:
        """How it prints if ``number`` writes the numbers in it."""
        return self.text

    @property
    def text_in_full(self) -> str:
        """Its print with all digits of a number."""
        return self.printed(_in_full)

    @property
    def text_to_read(self) -> str:
        """Its print for people: computed numbers are rounded."""
        return self.printed(Number.numeral)

    @property
    def type(self) -> str:
        """The type's name, for example ``en.person`` or ``en.inch_number``.

        Raises:
            ExecutionError: the value has no type.
        """
        raise ExecutionError("type", f"{self.text} has no type")


@dataclass(frozen=True)
class Name(Value):
    """An entity, a type, or the name of a function."""

    id: str

    def __hash__(self) -> int:
        return hash(self.id)

    @cached_property
    def text(self) -> str:
        return f"(name {write_atom(self.id)})"

    @cached_property
    def type(self) -> str:
        """The id up to its last dot; a piece that starts with ``_`` is dropped with its dot."""
        head, dot, tail = self.id.rpartition(".")
        if tail.startswith("_"):
            head, dot, _ = head.rpartition(".") if dot else ("", "", "")
        elif dot and not tail:
            dot = ""
        if not dot:
            date = _ISO_DATE.fullmatch(self.id)
            hint = "; a date is (date {} {} {})".format(*map(int, date.groups())) if date else ""
            raise ExecutionError("index", f"the name {self.id[:80]} has no type before a dot{hint}")
        return head


@dataclass(frozen=True)
class Number(Value):
    """A number with its unit; ``unit`` is None only for a constant with a malformed unit.

    ``computed`` says that it is no fact but a sum, an average or the like; it does not count in
    comparisons.
    """

    value: float
    unit: str | None = UNITLESS
    computed: bool = field(default=False, compare=False, repr=False)

    def __hash__(self) -> int:
        # As in Java, -0.0 equals 0.0 but hashes apart from it: no database lookup finds it.
        return hash((self.value or math.copysign(1.5, self.value), self.unit))

    @cached_property
    def text(self) -> str:
        return self.printed(_as_sempre)

    def printed(self, number: Callable[[Number], str]) -> str:
        if self.unit is None:
            raise null_pointer("the unit of a number")
        if self.unit == UNITLESS:
            return f"(number {number(self)})"
        return f"(number {number(self)} {write_atom(self.unit)})"

    def numeral(self) -> str:
        """The number alone, for people."""
        return readable(self.value) if self.computed else in_full(self.value)

    @property
    def type(self) -> str:
        return f"{'null' if self.unit is None else self.unit}_number"


@dataclass(frozen=True)
class Date(Value):
    """A date; -1 stands for a part that is not specified."""

    year: int
    month: int
    day: int

    @property
    def text(self) -> str:
        return f"(date {self.year} {self.month} {self.day})"

    @property
    def type(self) -> str:
        return "en.date"


@dataclass(frozen=True)
class Time(Value):
    """A time of day."""

    hour: int
    minute: int

    @property
    def text(self) -> str:
        return f"(time {self.hour} {self.minute})"

    @property
    def type(self) -> str:
        return "en.time"


@dataclass(frozen=True)
class Boolean(Value):
    """True or false."""

    value: bool

    @property
    def text(self) -> str:
        return "(boolean true)" if self.value else "(boolean false)"

    @property
    def type(self) -> str:
        return "en.boolean"


@dataclass(frozen=True)
class String(Value):
    """A string as a result; inside a form a string is the name of a property or a mode."""

    value: str

    @property
    def text(self) -> str:
        return f"(string {write_atom(self.value)})"


@dataclass(frozen=True)
class Tagged(Value):
    """A constant that no function looks into: a description, url, table, context or error."""

    kind: str
    arguments: tuple[str | None, ...]

    @property
    def text(self) -> str:
        return f"({' '.join(map(write_atom, (self.kind, *self.arguments)))})"


@dataclass(frozen=True)
class ListValue(Value):
    """A list as a result."""

    values: tuple[Value, ...]

    @cached_property
    def text(self) -> str:
        return list_text([value.text for value in self.values])

    def printed(self, number: Callable[[Number], str]) -> str:
        return list_text([value.printed(number) for value in self.values])

    @property
    def type(self) -> str:
        """The type of the first element."""
        if not self.values:
            raise ExecutionError("index", "an empty list has no type")
        return self.values[0].type


def list_text(members: Iterable[str]) -> str:
    """The print of a list whose members print so."""
    return f"({' '.join(('list', *members))})"


def _as_sempre(number: Number) -> str:
    return format_number(number.value)


def _in_full(number: Number) -> str:
    return in_full(number.value)


TRUE = Boolean(True)
