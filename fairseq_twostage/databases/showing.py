"""Answers as tables: beside the answer proper the columns that a person expects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.databases.kinds import Dates, Groups, Kind, Numbers, Rows
from fairseq_twostage.databases.names import parts_of
from fairseq_twostage.databases.pairs import PairMaker
from fairseq_twostage.databases.plans import Plan
from fairseq_twostage.databases.properties import TYPE
from fairseq_twostage.databases.relations import Listed, Mention, Relation
from fairseq_twostage.databases.schema import Relationship
from fairseq_twostage.semantics.foreign import Shown
from fairseq_twostage.semantics.values import Date, Name, Value
from fairseq_twostage.text.moments import date_text, time_text

MAX_MENTIONS = 4
_AGGREGATES = {"sum": "total", "avg": "average", "min": "lowest", "max": "highest"}
_PLAN_ALIASES = 1000  # a plan has fewer
_PREPOSITIONS = ("of", "in", "with", "from", "for", "to", "at", "on")
_AT_ONCE = 500  # names asked for in one query


@dataclass(frozen=True)
class _Column:
    """A column of a table to be shown: its heading, its expressions, and how they are read."""

    heading: str
    expressions: tuple[Any, ...]
    kind: Kind | None

    def cell(self, row: Sequence[Any]) -> Value | str:
        if None in row:
            return ""
        if self.kind is None:
            return str(row[0])
        value = self.kind.decode(row)
        clock = self.kind.clock(row) if isinstance(self.kind, Dates) else None
        if clock is None or not isinstance(value, Date):
            return value
        day = date_text(value.year, value.month, value.day)
        return f"{day}, {time_text(clock.hour, clock.minute)}"


class Shower:
    """Makes tables of plans.

    Args:
        maker: of the pairs of a schema's properties.
    """

    def __init__(self, maker: PairMaker) -> None:
        self.maker = maker
        self.schema = maker.schema

    def show(self, plan: Plan, connection: sa.Connection, rows: int, skip: int) -> Shown | None:
        """The table of a plan's result; None where that is no list from the database."""
        maker = self.maker.afresh(_PLAN_ALIASES)
        found = plan.result.result if isinstance(plan.result, Listed) else plan.result
        if not isinstance(found, Relation):
            return None
        if isinstance(found.kind, Rows):
            return self._rows(maker, found, plan.mentions, connection, rows, skip)
        if isinstance(found.kind, Groups):
            return self._groups(found, found.kind, connection, rows, skip)
        if found.owners is None:
            return None
        relation, property = found.owners
        if isinstance(found.kind, Numbers) and found.kind.computed:
            return self._aggregate(maker, found, relation, property, connection)
        mention = Mention(_table(relation), property)
        return self._rows(maker, relation, (mention,), connection, rows, skip, needed=True)

    def _rows(
        self,
        maker: PairMaker,
        relation: Relation,
        mentions: Iterable[Mention],
        connection: sa.Connection,
        rows: int,
        skip: int,
        needed: bool = False,
    ) -> Shown | None:
        """Rows of a table by name, with what was mentioned of them; ``needed``: those with it."""
        table = _table(relation)
        alias = maker.alias(table)
        key = maker.key(table, alias)
        columns = [self._name(maker, table, alias, key)]
        order: list[Any] = []
        conditions = [relation.among(key)]
        said = [mention for mention in mentions if mention.table == table][-MAX_MENTIONS:]
        for mention in [*self._telling(table), *said]:
            column = self._mentioned(maker, mention, alias, key)
            if column is None:
                continue
            columns.append(column)
            if mention.mode is not None:
                by = column.expressions[0]
                order.insert(0, by.desc() if mention.mode == "max" else by.asc())
            if needed:
                conditions.append(column.expressions[0].is_not(None))
        if needed and len(columns) == 1:
            return None
        total = connection.execute(
            sa.select(sa.func.count()).select_from(alias).where(*conditions)
        ).scalar_one()
        parts = [part for column in columns for part in column.expressions]
        query = sa.select(*(part.label(f"c{n}") for n, part in enumerate(parts)))
        query = query.select_from(alias).where(*conditions)
        query = query.order_by(*order, *columns[0].expressions, *key).limit(rows).offset(skip)
        found = connection.execute(query).fetchall()
        headings = tuple(column.heading for column in columns)
        return Shown(headings, tuple(_cells(columns, row) for row in found), total)

    def _telling(self, table: str) -> list[Mention]:
        """What a row without a name says: the text of a review."""
        described = self.schema.tables[table]
        texts = (
            Mention(table, f"{table}.{name}")
            for name, part in described.dimensions.items()
            if part.values == "none" and part.stored_as != "boolean" and not part.aside
        )
        return [*islice(texts, 1)] if described.name is None else []

    def _groups(
        self, found: Relation, kind: Groups, connection: sa.Connection, rows: int, skip: int
    ) -> Shown:
        """Groups by name, the largest amount first."""
        total = connection.execute(_count(found.query)).scalar_one()
        columns = found.query.selected_columns
        query = found.query.order_by(list(columns)[-1].desc(), *columns)
        split = len(kind.value.storages)
        listed = [
            (kind.value.decode(row[:split]), kind.amount.decode(row[split:]))
            for row in connection.execute(query.limit(rows).offset(skip))
        ]
        names = [value.id for value, _ in listed if isinstance(value, Name)]
        called = self.phrases(names, connection)
        heading = self._heading(kind.property)
        amount = "number"
        if kind.aggregate is not None:
            mode, property = kind.aggregate
            amount = f"{_AGGREGATES[mode]} {self._heading(property)}"
        return Shown(
            (heading, amount),
            tuple(
                (called.get(value.id, value) if isinstance(value, Name) else value, number)
                for value, number in listed
            ),
            total,
        )

    def _aggregate(
        self,
        maker: PairMaker,
        found: Relation,
        relation: Relation,
        property: str,
        connection: sa.Connection,
    ) -> Shown | None:
        """One number, and how many rows it is of; nothing is said where none lacks a value."""
        row = connection.execute(found.query).one()
        if None in row:
            return None
        pairs = maker.pairs(property)
        valued = pairs.select(*pairs.arguments).where(relation.among(pairs.arguments)).distinct()
        of = connection.execute(_count(valued)).scalar_one()
        all_ = connection.execute(_count(relation.query)).scalar_one()
        heading = self._heading(property)
        missing = f"; {all_ - of} without {heading} left out" if all_ > of else ""
        plural = self._plural(_table(relation))
        note = f"of {of} {plural}{missing}"
        return Shown((heading,), ((found.kind.decode(row),),), 1, note)

    def _name(self, maker: PairMaker, table: str, alias: Any, key: tuple[Any, ...]) -> _Column:
        described = self.schema.tables[table]
        noun = self._noun(table)
        if described.name is None:
            return _Column(noun, key, maker.rows_kind(table))
        pairs = maker.pairs(f"{table}.{described.name}", alias)
        return _Column(noun, pairs.values, None)

    def _mentioned(
        self, maker: PairMaker, mention: Mention, alias: Any, key: tuple[Any, ...]
    ) -> _Column | None:
        if mention.property.lstrip("!") == TYPE:
            return None
        heading = self._heading(mention.property)
        if not mention.counted:
            pairs = maker.pairs(mention.property, alias)
            if pairs.alias is not alias:
                return None
            return _Column(heading, pairs.values, pairs.value_kind)
        pairs = maker.pairs(mention.property)
        values = sa.func.count(pairs.values[0].distinct() if pairs.repeats else sa.text("*"))
        mine = sa.and_(*(own == other for own, other in zip(pairs.arguments, key)))
        query = pairs.select(values).where(mine).correlate(alias)
        kind = Numbers("count_number", ("integer",), "count")
        return _Column(f"number of {heading}", (query.scalar_subquery(),), kind)

    def _heading(self, property: str) -> str:
        found = self.maker.properties.find(property.lstrip("!"))
        if found is None:
            return property
        if property.startswith("!"):
            return self._plural(found.table)
        if isinstance(found.part, Relationship):
            return self._role(found.name, found.part)
        return found.part.phrase or found.name.split(".", 1)[-1].replace("_", " ")

    def _role(self, name: str, relation: Relationship) -> str:
        """What the rows at the end of a relationship are called: of *with director*, director."""
        words = (relation.phrase or name.replace("_", " ")).split()
        if words[0] in _PREPOSITIONS:
            words = words[1:]
        return " ".join(words) or self._noun(relation.to)

    def _noun(self, table: str) -> str:
        return self.schema.tables[table].noun or table.replace("_", " ")

    def _plural(self, table: str) -> str:
        return self.schema.tables[table].plural or f"{self._noun(table)}s"

    def proper(self, relation: Relation) -> sa.Select[Any]:
        """The query of an answer by which people call it: rows by their name."""
        if not isinstance(relation.kind, Rows):
            return relation.query
        table = relation.kind.table
        name = self.schema.tables[table].name
        if name is None or f"{table}.{name}" not in self.maker.properties.all:
            return relation.query
        maker = self.maker.afresh(_PLAN_ALIASES)
        if relation.alias is not None:
            values = maker.pairs(f"{table}.{name}", relation.alias).values
            return relation.query.with_only_columns(*values, maintain_column_froms=True)
        alias = maker.alias(table)
        values = maker.pairs(f"{table}.{name}", alias).values
        return sa.select(*values).where(relation.among(maker.key(table, alias)))

    def phrases(self, names: Iterable[str], connection: sa.Connection) -> Mapping[str, str]:
        """What people call rows, by the dimension that names them, and values, as they are."""
        maker = self.maker.afresh()
        by_kind: dict[str, list[str]] = {}
        for name in names:
            by_kind.setdefault(Name(name).type, []).append(name)
        found: dict[str, str] = {}
        types = {self.schema.type_name(table): table for table in self.schema.tables}
        for type_name, listed in by_kind.items():
            if type_name not in types:
                found.update((name, parts_of(name, type_name)[0]) for name in listed)
                continue
            table = types[type_name]
            for start in range(0, len(listed), _AT_ONCE):
                some = listed[start : start + _AT_ONCE]
                found.update(self._row_names(maker, table, some, connection))
        return found

    def _row_names(
        self, maker: PairMaker, table: str, names: Sequence[str], connection: sa.Connection
    ) -> Iterable[tuple[str, str]]:
        described = self.schema.tables[table]
        if described.name is None:  # by their keys
            type_name = self.schema.type_name(table)
            yield from ((name, " ".join(parts_of(name, type_name))) for name in names)
            return
        alias = maker.alias(table)
        key, kind = maker.key(table, alias), maker.rows_kind(table)
        pairs = maker.pairs(f"{table}.{described.name}", alias)
        wanted = maker.tables.holds(key, kind, [Name(name) for name in names])
        for row in connection.execute(pairs.select(*key, *pairs.values).where(wanted)):
            yield kind.decode(row[:-1]).id, str(row[-1])  # type: ignore[attr-defined]


def _cells(columns: Sequence[_Column], row: Sequence[Any]) -> tuple[Value | str, ...]:
    cells, start = [], 0
    for column in columns:
        end = start + len(column.expressions)
        cells.append(column.cell(row[start:end]))
        start = end
    return tuple(cells)


def _table(relation: Relation) -> str:
    assert isinstance(relation.kind, Rows)
    return relation.kind.table


def _count(query: sa.Select[Any]) -> sa.Select[Any]:
    return sa.select(sa.func.count()).select_from(query.subquery())
