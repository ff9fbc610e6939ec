"""What a database says of itself: tables, columns, keys, comments, and a look at the values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairseq_twostage.databases.connecting import reason
from fairseq_twostage.databases.duckdb_tables import reflect_duckdb
from fairseq_twostage.errors import UserError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, Table

MOST_LISTED = 500  # distinct values that are read of a column
_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9]\d{0,17})(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,2})?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_MONTH = re.compile(r"[12]\d{3}-(?:0[1-9]|1[0-2])")
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")
_TEMPORAL = ("date", "timestamp", "time")
_TIME = re.compile(r"\d\d:\d\d(:\d\d)?")


@dataclass
class ColumnFacts:
    """A column and what its values are like.

    Attributes:
        name: as the database has it.
        kind: ``text``, ``number``, ``boolean``, ``date``, ``timestamp``, ``month`` (2026-10),
            ``time``; ``other`` for what cannot be asked about (binary, JSON, arrays).
        stored_as_text: whether a kind other than text is written as text.
        whole: whether the numbers are of a whole type.
        comment: of the database.
        filled: rows in which it is not null.
        distinct: different values.
        values: the distinct values, where they are at most ``MOST_LISTED``, else some of them.
        least, most: of numbers and dates.
    """

    name: str
    kind: str
    stored_as_text: bool = False
    whole: bool = False
    comment: str = ""
    filled: int = 0
    distinct: int = 0
    values: Sequence[Any] = ()
    least: Any = None
    most: Any = None

    @property
    def all_listed(self) -> bool:
        """Whether ``values`` are all there are."""
        return self.distinct <= len(self.values)


@dataclass(frozen=True)
class Reference:
    """Columns of one table that are the key of another.

    Attributes:
        columns: column -> the other's column.
        table: the other table's name.
        guessed: not declared.
        partial: other values are the key of another table.
    """

    columns: dict[str, str]
    table: str
    guessed: bool = False
    partial: bool = False


@dataclass
class TableFacts:
    """A table or a view.

    Attributes:
        name: as the database has it.
        columns: in their order, by name.
        key: of its declared primary key, in order.
        references: its declared foreign keys.
        rows: how many it has.
        view: whether it is one.
        comment: of the database.
    """

    name: str
    columns: dict[str, ColumnFacts]
    key: list[str] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    rows: int = 0
    view: bool = False
    comment: str = ""


class Reflected:
    """A database's tables, and questions about their values.

    Args:
        engine: reads it.

    Raises:
        UserError: it cannot be read, or has no table.
    """

    def __init__(self, engine: Engine) -> None:
        from sqlalchemy import MetaData, inspect
        from sqlalchemy.exc import SQLAlchemyError

        self.engine = engine
        self._metadata = MetaData()
        try:
            if engine.dialect.name == "duckdb":
                views = reflect_duckdb(engine, self._metadata)
            else:
                views = set(inspect(engine).get_view_names())
                self._metadata.reflect(engine, views=True, resolve_fks=False)
            with engine.connect() as connection:
                self.tables = {
                    name: self._table(connection, table, name in views)
                    for name, table in self._metadata.tables.items()
                }
        except SQLAlchemyError as error:
            raise UserError(f"cannot be read: {reason(error, engine.url)}", "database") from None
        if not self.tables:
            raise UserError("the database has no table", "database")

    def _table(self, connection: Connection, table: Table, view: bool) -> TableFacts:
        facts = TableFacts(
            table.name,
            {column.name: _described(column) for column in table.columns},
            [column.name for column in table.primary_key],
            view=view,
            comment=table.comment or "",
        )
        places = {name: place for place, name in enumerate(facts.columns)}
        constraints = table.foreign_key_constraints
        for constraint in sorted(
            constraints, key=lambda each: places[each.elements[0].parent.name]
        ):
            target = self._target(constraint.elements[0].target_fullname)
            pairs = {
                each.parent.name: each.target_fullname[len(target) + 1 :]
                for each in constraint.elements
            }
            facts.references.append(Reference(pairs, target))
        self._count(connection, table, facts)
        return facts

    def _target(self, column: str) -> str:
        """The table of ``TABLE.COLUMN``; there may be dots in the names of both."""
        known = [name for name in self._metadata.tables if column.startswith(f"{name}.")]
        return max(known, key=len, default=column.rpartition(".")[0])

    def _count(self, connection: Connection, table: Table, facts: TableFacts) -> None:
        """One pass over the table for counts, another for some values of each column."""
        from sqlalchemy import distinct, func, select, type_coerce
        from sqlalchemy.types import NullType

        asked = [column for column in table.columns if facts.columns[column.name].kind != "other"]
        counts = [func.count()]
        for column in asked:
            counts += [func.count(column), func.count(distinct(column))]
        facts.rows, *found = connection.execute(select(*counts).select_from(table)).one()
        for place, column in enumerate(asked):
            each = facts.columns[column.name]
            each.filled, each.distinct = found[2 * place], found[2 * place + 1]
            # As stored: SQLite lets dates in that are none.
            plain = type_coerce(column, NullType())
            statement = select(plain).where(column.is_not(None)).distinct().limit(MOST_LISTED)
            each.values = [value for (value,) in connection.execute(statement)]
            _look_at_values(each)
            if each.kind in ("number", "date", "timestamp") and not each.stored_as_text:
                bounds = select(func.min(plain), func.max(plain)).select_from(table)
                each.least, each.most = connection.execute(bounds).one()

    def contained(self, table: str, columns: dict[str, str], other: str) -> bool:
        """Whether every row's values of ``columns`` stand in a row of the other table.

        Args:
            columns: column -> the other table's column; rows with a null do not count.
        """
        from sqlalchemy import and_, select

        one, two = self._metadata.tables[table], self._metadata.tables[other].alias()
        met = and_(*(one.c[here] == two.c[there] for here, there in columns.items()))
        filled = and_(*(one.c[here].is_not(None) for here in columns))
        return not self._finds(select(1).where(filled).where(~select(1).where(met).exists()))

    def share(self, one: tuple[str, str], two: tuple[str, str]) -> bool:
        """Whether two columns, each with its table, have a value in common."""
        from sqlalchemy import select

        keys = [self._metadata.tables[name].alias().c[key] for name, key in (one, two)]
        return self._finds(select(1).where(keys[0] == keys[1]))

    def has_no_other(
        self, table: str, column: str, one: tuple[str, str], two: tuple[str, str]
    ) -> bool:
        """Whether a column has no values but those of two columns.

        Args:
            table, column: where the values stand.
            one, two: a table and its column each.
        """
        from sqlalchemy import select

        here = self._metadata.tables[table].c[column]
        keys = [self._metadata.tables[name].alias().c[key] for name, key in (one, two)]
        there = [select(1).where(key == here).exists() for key in keys]
        strange = select(1).where(here.is_not(None)).where(~there[0]).where(~there[1])
        return not self._finds(strange)

    def _finds(self, statement: Any) -> bool:
        with self.engine.connect() as connection:
            return connection.execute(statement.limit(1)).first() is not None

    def distinct(self, table: str, columns: Sequence[str]) -> int:
        """How many different values the columns have together; rows with a null do not count."""
        from sqlalchemy import and_, func, select

        one = self._metadata.tables[table]
        filled = and_(*(one.c[column].is_not(None) for column in columns))
        values = select(*(one.c[column] for column in columns)).where(filled).distinct()
        with self.engine.connect() as connection:
            return connection.execute(
                select(func.count()).select_from(values.subquery())
            ).scalar_one()


def _described(column: Any) -> ColumnFacts:
    from sqlalchemy import types

    kinds: list[tuple[type, str]] = [
        (types.Boolean, "boolean"),
        (types.Integer, "number"),
        (types.Numeric, "number"),
        (types.DateTime, "timestamp"),
        (types.Date, "date"),
        (types.Time, "time"),
        (types.JSON, "other"),
        (types.ARRAY, "other"),
        (types.LargeBinary, "other"),
        (types.String, "text"),
        (types.Uuid, "text"),
    ]
    kind = next((name for type_, name in kinds if isinstance(column.type, type_)), "other")
    if isinstance(column.type, types.NullType):
        kind = "text"  # a type that the dialect does not know, or none, as SQLite allows
    whole = isinstance(column.type, types.Integer)
    return ColumnFacts(column.name, kind, whole=whole, comment=column.comment or "")


def _look_at_values(facts: ColumnFacts) -> None:
    """Text that is all numbers, dates or times is what it looks like; binary values are nothing."""
    values = [value for value in facts.values if value is not None]
    if not values or facts.kind == "other":
        return
    declared = facts.kind
    if declared != "text" and not (declared in _TEMPORAL and isinstance(values[0], str)):
        return
    if any(isinstance(value, (bytes, memoryview, dict, list)) for value in values):
        facts.kind, facts.values = "other", ()
        return
    texts = [str(value).strip() for value in values]
    for kind, pattern in (
        ("number", _NUMBER),
        ("date", _DATE),
        ("month", _MONTH),
        ("timestamp", _TIMESTAMP),
        ("time", _TIME),
    ):
        if all(text and pattern.fullmatch(text) for text in texts):
            facts.kind, facts.stored_as_text = kind, True
            facts.whole = kind == "number" and all(text.lstrip("+-").isdigit() for text in texts)
            if kind == "number":
                numbers = [float(text) for text in texts]
                facts.least, facts.most = min(numbers), max(numbers)
            elif facts.all_listed:
                facts.least, facts.most = min(texts), max(texts)
            return
    if declared in _TEMPORAL:  # none of those after all
        facts.kind = "text"
