"""The tables of a schema as SQL knows them, checked against the database."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import NoSuchTableError

from fairseq_twostage.databases.expressions import arithmetic
from fairseq_twostage.databases.kinds import DATED, Kind, Storage
from fairseq_twostage.databases.numbers_in_text import number_in_text
from fairseq_twostage.databases.schema import (
    Column,
    Dimension,
    Measure,
    Relationship,
    Schema,
    TimeDimension,
)
from fairseq_twostage.databases.schema_file import line_of
from fairseq_twostage.databases.vocabulary import TRUTHS
from fairseq_twostage.errors import UserError, nearest
from fairseq_twostage.semantics.values import Value

_TYPES: dict[Storage, Any] = {
    "integer": sa.BigInteger(),
    "year": sa.BigInteger(),
    "real": sa.Double(),
    "text": sa.String(),
    "boolean": sa.Boolean(),
    "date": sa.Date(),
    "timestamp": sa.DateTime(),
    "month": sa.Date(),
    "time": sa.Time(),
}


ROW = "rowid"
"""What tells the rows of a table apart that has no key."""
NUMBERED = ("sqlite", "duckdb")  # databases that number rows so
TODAY = "today"  # in a span: years(BIRTH_DATE, today)
_DATE = "[0-9][0-9][0-9][0-9]-[0-9][0-9]*"  # as SQLite's texts of dates begin


class Tables:
    """The tables that a schema names.

    Args:
        schema: what a person wrote.
        engine: of the database.
        where: the schema's file, for messages.

    Raises:
        UserError: a table or column that the database does not have.
    """

    def __init__(self, schema: Schema, engine: sa.Engine, where: str) -> None:
        self.schema = schema
        self.dialect = engine.dialect.name
        self.where = where
        self._inspector = sa.inspect(engine)
        self._made: dict[tuple[str, str | None], sa.TableClause] = {}
        self._storages: dict[tuple[str, str | None], dict[str, Storage]] = {}
        for type_name in schema.tables:
            self._check(type_name)
        for name, relationship in schema.relationships.items():
            self._check_relationship(name, relationship)

    def of(self, type_name: str) -> sa.TableClause:
        """The table of a type."""
        described = self.schema.tables[type_name]
        return self.named(described.table or type_name, described.db_schema)

    def named(self, name: str, db_schema: str | None = None) -> sa.TableClause:
        """A table by its name in the database."""
        key = (name, db_schema)
        if key not in self._made:
            self._reflect(*key)
        return self._made[key]

    def link(self, name: str, type_name: str) -> sa.TableClause:
        """A link table, which lies where the table of a type does."""
        return self.named(name, self.schema.tables[type_name].db_schema)

    def storage(self, table: sa.TableClause, column: str) -> Storage:
        """How a column is held."""
        found = self._storages[table.name, table.schema]
        if column not in found:
            hint = nearest(column, list(found))
            raise UserError(f"the table {table.name} has no column {column!r}{hint}", self.where)
        return found[column]

    def part_storage(self, table: sa.TableClause, column: str, part: Column) -> Storage:
        """How the column of a property is held: as the schema says, else as its type does."""
        held = self.storage(table, column)
        if isinstance(part, Measure):
            return "real" if held in ("text", "real") or part.stored_as == "text" else "integer"
        if part.stored_as in ("year", "month", "date", "timestamp", "time", "boolean"):
            return part.stored_as
        if isinstance(part, TimeDimension) and held not in ("date", "timestamp", "time"):
            return "year" if held in ("integer", "real") else "date"
        return held

    def expression(self, columns: Any, table: sa.TableClause, name: str, part: Column) -> Any:
        """The column of a property, of an alias's ``columns``, as its storage says."""
        storage = self.part_storage(table, name, part)
        column = columns[name]
        if isinstance(part, Measure) and self.storage(table, name) == "text":
            return number_in_text(column)
        if self.dialect == "sqlite" and storage == "time":
            return sa.func.time(column)  # 9:30 is written in many ways
        if storage == "month":
            column = sa.cast(column, sa.String()) + "-01"
        if self.dialect == "sqlite" and storage in DATED:
            if self.storage(table, name) != "text":
                return column
            return sa.case((column.op("glob")(_DATE), column))  # "n/a" is no date, but missing
        if storage == "boolean" and self.storage(table, name) == "text":
            said = sa.func.lower(sa.func.trim(column))
            yes, no = zip(*TRUTHS)
            return sa.case((said.in_(yes), sa.true()), (said.in_(no), sa.false()))
        if storage != self.storage(table, name):
            may_fail = self.dialect == "duckdb" and self.storage(table, name) == "text"
            return (sa.try_cast if may_fail else sa.cast)(column, _TYPES[storage])
        return column

    def joined(self, columns: Any, names: Sequence[str]) -> Any:
        """Texts of columns with blanks between; what is missing is left out."""
        parts = (sa.func.coalesce(" " + sa.cast(columns[name], sa.String()), "") for name in names)
        return sa.func.nullif(sa.func.ltrim(reduce(add, parts)), "", type_=sa.String())

    def computed(self, columns: Any, table: sa.TableClause, expression: str) -> Any:
        """The value of an expression of columns, of an alias's ``columns``, as a double."""
        return arithmetic(
            expression,
            lambda name: self.expression(columns, table, name, Measure(column=name)),
            lambda name: self._date_text(columns, table, name),
            self.dialect,
            self.where,
        )

    def _date_text(self, columns: Any, table: sa.TableClause, name: str) -> Any:
        """A date, or today's, as text."""
        if name == TODAY:
            return sa.cast(sa.func.current_date(), sa.String())
        part = next(
            (
                moment
                for type_name, described in self.schema.tables.items()
                for own, moment in described.time_dimensions.items()
                if (described.table or type_name, described.db_schema) == (table.name, table.schema)
                and (moment.column or own) == name
                and moment.through is None
            ),
            TimeDimension(column=name),
        )
        return sa.cast(self.expression(columns, table, name, part), sa.String())

    def bound(self, value: Any, storage: Storage) -> Any:
        """A value as a parameter, of the type that the column has."""
        if self.dialect == "sqlite" and isinstance(value, (datetime.date, datetime.time)):
            text = value.isoformat(" ") if isinstance(value, datetime.datetime) else str(value)
            return sa.literal(text, sa.String())
        if isinstance(value, float) or storage == "real":
            return sa.literal(float(value), sa.Double())
        return sa.literal(value, _TYPES[storage])

    def holds(self, columns: Sequence[Any], kind: Kind, values: Iterable[Value]) -> Any:
        """A condition: the columns, of that kind, hold one of the constants."""
        bound = [found for found in map(kind.bind, values) if found is not None]
        if not bound:
            return sa.false()
        made = [tuple(map(self.bound, row, kind.storages)) for row in bound]
        if len(columns) == 1:
            first = [row[0] for row in made]
            return columns[0] == first[0] if len(first) == 1 else columns[0].in_(first)
        rows = [sa.and_(*(column == part for column, part in zip(columns, row))) for row in made]
        return sa.or_(*rows)

    def key(self, type_name: str) -> list[str]:
        """The columns of a type's key."""
        return self.schema.tables[type_name].key

    @contextmanager
    def _told_of(self, *at: str) -> Iterator[None]:
        """Errors with the line of a part of the schema's file."""
        try:
            yield
        except UserError as error:
            path = Path(self.where)
            where = f"{path}:{line_of(path, at)}" if path.is_file() else self.where
            raise UserError(error.message, where) from None

    def _check(self, type_name: str) -> None:
        described = self.schema.tables[type_name]
        at = ("tables", type_name)
        with self._told_of(*at, "table"):
            table = self.of(type_name)
        with self._told_of(*at, "key"):
            for column in described.key:
                self.storage(table, column)
        for kind in ("dimensions", "time_dimensions", "measures"):
            for name, part in getattr(described, kind).items():
                self._check_column(type_name, table, name, part, (*at, kind, name))

    def _check_column(
        self, type_name: str, table: sa.TableClause, name: str, part: Column, at: tuple[str, ...]
    ) -> None:
        if isinstance(part, Measure) and part.gathered is not None:
            return
        if isinstance(part, Measure) and part.expression is not None:
            with self._told_of(*at, "expression"):
                self.computed(table.c, table, part.expression)
            return
        with self._told_of(*at, "through"):
            place = table if part.through is None else self.link(part.through, type_name)
        joined = part.columns if isinstance(part, Dimension) else []
        with self._told_of(*at, "columns" if joined else "column"):
            for column in joined or [part.column or name]:
                self.storage(place, column)
        with self._told_of(*at, "from_columns"):
            for own, target in (part.from_columns or {}).items():
                self.storage(place, own)
                self.storage(table, target)

    def _check_relationship(self, name: str, relationship: Relationship) -> None:
        at = ("relationships", name)
        first, second = self.of(relationship.from_table), self.of(relationship.to)
        link = first
        if relationship.through is not None:
            with self._told_of(*at, "through"):
                link = self.link(relationship.through, relationship.from_table)
        for key, target in (("columns", second), ("from_columns", first), ("to_columns", second)):
            with self._told_of(*at, key):
                for own, other in (getattr(relationship, key) or {}).items():
                    self.storage(link, own)
                    self.storage(target, other)

    def _reflect(self, name: str, db_schema: str | None) -> None:
        try:
            found = self._inspector.get_columns(name, db_schema)
        except NoSuchTableError:
            known = [
                *self._inspector.get_table_names(db_schema),
                *self._inspector.get_view_names(db_schema),
            ]
            message = f"the database has no table {name!r}{nearest(name, known)}"
            raise UserError(message, self.where) from None
        storages = {str(column["name"]): self._storage(column["type"]) for column in found}
        columns = [
            self._column(str(column["name"]), column["type"], storages[str(column["name"])])
            for column in found
        ]
        views = self._inspector.get_view_names(db_schema) if self.dialect in NUMBERED else [name]
        if name not in views and ROW not in map(str.lower, storages):
            storages[ROW] = "integer"
            columns.append(self._column(ROW, sa.BigInteger(), "integer"))
        self._storages[name, db_schema] = storages
        self._made[name, db_schema] = sa.table(name, *columns, schema=db_schema)

    def _storage(self, type_: Any) -> Storage:
        if isinstance(type_, sa.Boolean):
            return "boolean"
        if isinstance(type_, sa.Integer):
            return "integer"
        if isinstance(type_, sa.Numeric):
            return "real"
        if isinstance(type_, sa.DateTime):
            return "timestamp"
        if isinstance(type_, sa.Date):
            return "date"
        if isinstance(type_, sa.Time):
            return "time"
        return "text"

    def _column(self, name: str, type_: Any, storage: Storage) -> sa.ColumnClause[Any]:
        if self.dialect == "sqlite" and storage in (*DATED, "time"):
            return sa.column(name, sa.String())
        return sa.column(name, _TYPES[storage])
