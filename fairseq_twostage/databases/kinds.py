"""Values and the columns that hold them: how they are bound, decoded and ordered."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from fairseq_twostage.databases.names import constant, is_of, parts_of
from fairseq_twostage.semantics.values import (
    UNITLESS,
    Boolean,
    Date,
    ListValue,
    Name,
    Number,
    Time,
    Value,
)

Storage = Literal[
    "integer", "real", "text", "boolean", "date", "timestamp", "time", "month", "year"
]
DATED: tuple[Storage, ...] = ("date", "timestamp", "month")
"""Held as dates; a ``month`` is text, 2026-10, and read as its first day."""
Row = Sequence[Any]
_EVEN_LENGTH = 14  # of a number that comes out even


@dataclass(frozen=True)
class Kind:
    """Values of one type, each held by one or more columns.

    Attributes:
        type: as :attr:`Value.type` says it.
        storages: how each of the columns is held.
    """

    type: str
    storages: tuple[Storage, ...]

    @property
    def orderable(self) -> bool:
        """Whether one such value can be more than another."""
        return False

    def decode(self, row: Row) -> Value:
        """The value that a row of the columns holds."""
        raise NotImplementedError

    def bind(self, value: Value) -> tuple[Any, ...] | None:
        """What the columns hold where they hold the value; None: they cannot."""
        raise NotImplementedError


@dataclass(frozen=True)
class Rows(Kind):
    """Rows of a table, by its key."""

    table: str

    def decode(self, row: Row) -> Value:
        return Name(constant(self.type, *row))

    def bind(self, value: Value) -> tuple[Any, ...] | None:
        if not isinstance(value, Name) or not is_of(value.id, self.type):
            return None
        parts = parts_of(value.id, self.type)
        if len(parts) != len(self.storages):
            return None
        made = tuple(map(_from_text, parts, self.storages))
        return None if None in made else made


@dataclass(frozen=True)
class Texts(Kind):
    """Values of a dimension."""

    def decode(self, row: Row) -> Value:
        return Name(constant(self.type, row[0]))

    def bind(self, value: Value) -> tuple[Any, ...] | None:
        if not isinstance(value, Name) or not is_of(value.id, self.type):
            return None
        made = _from_text(",".join(parts_of(value.id, self.type)), self.storages[0])
        return None if made is None else (made,)


@dataclass(frozen=True)
class TableNames(Kind):
    """Names of tables, the values of the property ``type``."""

    def decode(self, row: Row) -> Value:
        return Name(row[0])

    def bind(self, value: Value) -> tuple[Any, ...] | None:
        return (value.id,) if isinstance(value, Name) else None


@dataclass(frozen=True)
class Booleans(Kind):
    """Yes and no."""

    def decode(self, row: Row) -> Value:
        return Boolean(bool(row[0]))

    def bind(self, value: Value) -> tuple[Any, ...] | None:
        return (value.value,) if isinstance(value, Boolean) else None


@dataclass(frozen=True)
class Numbers(Kind):
    """Numbers of one unit; ``computed`` ones are sums, averages and the like, ``rounded`` where
    they would come out even but for the last digits of doubles: 0.1 and 0.2 make 0.3."""

    unit: str = UNITLESS
    computed: bool = False
    rounded: bool = False

    @property
    def orderable(self) -> bool:
        return True

    def decode(self, row: Row) -> Value:
        number = float(row[0])
        if self.rounded and len(repr(even := float(f"{number:.15g}"))) <= _EVEN_LENGTH:
            number = even
        return Number(number, self.unit, computed=self.computed)

    def bind(self, value: Value) -> tuple[Any, ...] | None:
        if not isinstance(value, Number) or value.value != value.value:
            return None
        number = value.value
        return (int(number) if number.is_integer() and abs(number) < 2**53 else number,)


@dataclass(frozen=True)
class Dates(Kind):
    """Dates and times of day."""

    @property
    def orderable(self) -> bool:
        return True

    def decode(self, row: Row) -> Value:
        held, storage = row[0], self.storages[0]
        if storage == "year":
            return Date(int(held), -1, -1)
        if storage == "time":
            time = held if isinstance(held, datetime.time) else _time_of_text(str(held))
            return Time(time.hour, time.minute)
        if isinstance(held, (datetime.date, datetime.datetime)):
            year, month, day = held.year, held.month, held.day
        else:
            numbers = [int(part) for part in str(held).strip()[:10].split("-") if part.isdigit()]
            year, month, day = (*numbers, -1, -1, -1)[:3]
        return Date(year, month, -1 if storage == "month" else day)

    def clock(self, row: Row) -> Time | None:
        """The time of day of a timestamp, which a date of a logical form has not; None at 0:00."""
        if self.storages[0] != "timestamp":
            return None
        held = row[0]
        if isinstance(held, datetime.datetime):
            found = held.time()
        elif (text := str(held).strip()[11:16])[2:3] == ":" and text.replace(":", "").isdigit():
            found = _time_of_text(text)
        else:
            return None
        return Time(found.hour, found.minute) if found.hour or found.minute else None

    def bind(self, value: Value) -> tuple[Any, ...] | None:
        storage = self.storages[0]
        if isinstance(value, Time) and storage == "time":
            try:
                return (datetime.time(value.hour, value.minute),)
            except ValueError:
                return None
        if not isinstance(value, Date) or storage == "time":
            return None
        if storage == "year":
            return (value.year,) if (value.month, value.day) == (-1, -1) else None
        try:
            if storage == "month" and value.day == -1:
                return (datetime.date(value.year, value.month, 1),)
            return (datetime.date(value.year, value.month, value.day),)
        except ValueError:
            return None


@dataclass(frozen=True)
class Groups(Kind):
    """A value beside an amount; of these what people call them: the property, the aggregate."""

    value: Kind
    amount: Kind
    property: str
    aggregate: tuple[str, str] | None = None

    def decode(self, row: Row) -> Value:
        split = len(self.value.storages)
        return ListValue((self.value.decode(row[:split]), self.amount.decode(row[split:])))

    def bind(self, value: Value) -> tuple[Any, ...] | None:
        return None


def span(value: Date, storage: Storage) -> tuple[Any, Any] | None:
    """The first day of a date that may be a month or a year, and the first one after it.

    Returns:
        Both as the column holds them; None where there is no such date.
    """
    try:
        month, day = max(value.month, 1), max(value.day, 1)
        first = datetime.date(value.year, month, day)
        if value.month == -1:
            after = datetime.date(value.year + 1, 1, 1)
        elif value.day == -1:
            after = datetime.date(value.year + value.month // 12, value.month % 12 + 1, 1)
        else:
            after = first + datetime.timedelta(days=1)
    except (ValueError, OverflowError):
        return None
    if storage == "year":
        return (first.year, first.year + 1) if value.month == -1 else None
    return first, after


def degree_of(column: sa.ColumnElement[Any], storage: Storage) -> sa.ColumnElement[Any]:
    """The number by which the published worlds order a date (yyyymmdd) or time (its hour)."""
    if storage == "time":
        return sa.extract("hour", column)
    if storage == "year":
        return column * 10000
    if storage in DATED:
        year, month, day = (sa.extract(part, column) for part in ("year", "month", "day"))
        return year * 10000 + month * 100 + day
    return column


def _from_text(text: str, storage: Storage) -> Any:
    """A key or value that a name spells, as the column holds it; None: it cannot."""
    try:
        if storage in ("integer", "year"):
            # int() also reads 007, 1_000 and +1, which are other names.
            return int(text) if str(int(text)) == text and abs(int(text)) < 2**63 else None
        if storage == "real":
            whole = text.lstrip("-").isdigit() and str(int(text)) == text  # a key of NUMBER(9, 0)
            return float(text) if whole or str(float(text)) == text else None
        if storage == "date":
            return datetime.date.fromisoformat(text)
        if storage == "timestamp":
            return datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    # No database holds a NUL in a text, and no driver binds a lone surrogate.
    return None if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text) else text


def _time_of_text(text: str) -> datetime.time:
    hour, _, rest = text.partition(":")
    return datetime.time(int(hour), int(rest[:2] or 0))
