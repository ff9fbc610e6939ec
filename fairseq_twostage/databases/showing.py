"""Answers as tables: beside the answer proper the columns that a person expects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.databases.kinds import Groups, Numbers, Rows
from fairseq_twostage.databases.names import parts_of
from fairseq_twostage.databases.pair_making import PairMaker
from fairseq_twostage.databases.plans import Plan
from fairseq_twostage.databases.relations import Listed, Mention, Relation
from fairseq_twostage.databases.shown_columns import Columns, cells
from fairseq_twostage.semantics.foreign import Shown
from fairseq_twostage.semantics.values import Name, Value

MAX_MENTIONS = 4
_AGGREGATES = {"sum": "total", "avg": "average", "min": "lowest", "max": "highest"}
_PLAN_ALIASES = 1000  # a plan has fewer
_CODE = re.compile(r"(?=.*\d)\S+")
_AT_ONCE = 500  # names asked for in one query


class Shower:
    """Makes tables of plans.

    Args:
        maker: of the pairs of a schema's properties.
    """

    def __init__(self, maker: PairMaker) -> None:
        self.maker = maker
        self.schema = maker.schema
        self.columns = Columns(maker)

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
        """Rows of a table by name, with what was mentioned of them; ``needed``: those with it.

        What tells a row is shown, too, where its name does not.
        """
        table = _table(relation)
        alias = maker.alias(table)
        key = maker.key(table, alias)
        columns = [self.columns.name(maker, table, alias, key)]
        order: list[Any] = []
        conditions = [relation.among(key)]
        said = [mention for mention in mentions if mention.table == table][-MAX_MENTIONS:]
        mentioned = {mention.property for mention in said if not mention.counted}
        named = self.schema.tables[table].name is not None
        for name in () if named and needed else self.columns.telling(table):
            told = self.columns.mentioned(maker, Mention(table, name), alias, key)
            if told is not None and name not in mentioned:
                columns.append(told)
        telling = len(columns)
        for mention in said:
            column = self.columns.mentioned(maker, mention, alias, key)
            if column is None:
                continue
            columns.append(column)
            if mention.mode is not None:
                by = column.expressions[0]
                order.insert(0, by.desc() if mention.mode == "max" else by.asc())
            if needed:
                conditions.append(column.expressions[0].is_not(None))
        if needed and len(columns) == telling:
            return None
        total = connection.execute(
            sa.select(sa.func.count()).select_from(alias).where(*conditions)
        ).scalar_one()
        parts = [part for column in columns for part in column.expressions]
        query = sa.select(*(part.label(f"c{n}") for n, part in enumerate(parts)))
        query = query.select_from(alias).where(*conditions)
        query = query.order_by(*order, *columns[0].expressions, *key).limit(rows).offset(skip)
        found = [cells(columns, row) for row in connection.execute(query)]
        if named and not all(_is_code(row[0]) for row in found):  # a name says what a row is
            del columns[1:telling]
            found = [(row[0], *row[telling:]) for row in found]
        headings = tuple(column.heading for column in columns)
        return Shown(headings, self._called(found, connection), total)

    def _called(
        self, rows: Iterable[tuple[Value | str, ...]], connection: sa.Connection
    ) -> tuple[tuple[Value | str, ...], ...]:
        """Rows of cells, with names as people say them."""
        kept = [*rows]
        names = {cell.id for row in kept for cell in row if isinstance(cell, Name)}
        called = self.phrases(names, connection)
        return tuple(
            tuple(called.get(cell.id, cell) if isinstance(cell, Name) else cell for cell in row)
            for row in kept
        )

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
        heading = self.columns.heading(kind.property)
        amount = "number"
        if kind.aggregate is not None:
            mode, property = kind.aggregate
            amount = f"{_AGGREGATES[mode]} {self.columns.heading(property)}"
        return Shown((heading, amount), self._called(listed, connection), total)

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
        heading = self.columns.heading(property)
        missing = f"; {all_ - of} without {heading} left out" if all_ > of else ""
        plural = self.columns.plural(_table(relation))
        note = f"of {of} {plural}{missing}"
        return Shown((heading,), ((found.kind.decode(row),),), 1, note)

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


def _is_code(name: Value | str) -> bool:
    """Whether a name says nothing to people: HL-AC4628, of a booking."""
    return isinstance(name, str) and bool(_CODE.fullmatch(name))


def _table(relation: Relation) -> str:
    assert isinstance(relation.kind, Rows)
    return relation.kind.table


def _count(query: sa.Select[Any]) -> sa.Select[Any]:
    return sa.select(sa.func.count()).select_from(query.subquery())
