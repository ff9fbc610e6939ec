"""Selections of pairs of argument and value, made of a schema's properties."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.databases.kinds import (
    Booleans,
    Dates,
    Kind,
    Numbers,
    Rows,
    Storage,
    TableNames,
    Texts,
)
from fairseq_twostage.databases.pairs import ALWAYS, Columns, Pairs
from fairseq_twostage.databases.properties import CUTS, TYPE, Properties, Property
from fairseq_twostage.databases.relations import named
from fairseq_twostage.databases.schema import (
    Dimension,
    Measure,
    Relationship,
    Schema,
    TimeDimension,
    path_between,
)
from fairseq_twostage.databases.tables import Tables
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.values import UNITLESS
from fairseq_twostage.semantics.world import reverse


class PairMaker:
    """Makes the pairs of a schema's properties.

    Args:
        schema: what a person wrote.
        tables: of the database.
    """

    def __init__(self, schema: Schema, tables: Tables) -> None:
        self.schema = schema
        self.tables = tables
        self.properties = Properties(schema)
        self._count = 0

    def afresh(self, count: int = 0) -> PairMaker:
        """The same, whose aliases are counted from ``count`` again: one form is always one SQL."""
        made = copy.copy(self)
        made._count = count
        return made

    def alias(self, type_name: str) -> Any:
        """A new alias of a type's table; a row for each key where the table repeats them."""
        self._count += 1
        table, name = self.tables.of(type_name), f"{type_name}_{self._count}"
        if not self.schema.tables[type_name].repeated:
            return table.alias(name)
        key = self.tables.key(type_name)
        others = [
            sa.func.min(column).label(column.name) for column in table.c if column.name not in key
        ]
        columns = [table.c[column] for column in key]
        return sa.select(*columns, *others).group_by(*columns).subquery(name)

    def key(self, type_name: str, alias: Any) -> Columns:
        """The key's columns of an alias.

        Raises:
            ExecutionError: the table has no key.
        """
        key = self.tables.key(type_name)
        if not key:
            raise ExecutionError("property", f"{type_name} has no key; name one in schema.yaml")
        return tuple(alias.c[column] for column in key)

    def rows_kind(self, type_name: str) -> Rows:
        """What the key's columns hold."""
        table = self.tables.of(type_name)
        key = self.tables.key(type_name)
        storages = tuple(self.tables.storage(table, column) for column in key)
        return Rows(self.schema.type_name(type_name), storages, type_name)

    def signature(self, name: str) -> tuple[str, str] | None:
        """Types of a property's arguments and values; of its inverse with a ``!``."""
        if name.startswith("!"):
            types = self.signature(reverse(name))
            return types and (types[1], types[0])
        if name == TYPE:
            # As the published worlds have it: the type of what was made last.
            return self.schema.type_name(list(self.schema.tables)[-1]), self.schema.prefix
        found = self.properties.find(name)
        return None if found is None else (found.argument_type, found.value_type)

    def pairs(self, name: str, alias: Any = None, table: str | None = None) -> Pairs:
        """The pairs of a known property.

        Args:
            name: of the property, or of its inverse.
            alias: of the arguments' table, where it stands in a query already.
            table: whose names the property ``type`` gives.
        """
        if name.startswith("!"):
            return self.pairs(reverse(name), None, table).reversed()
        if name == TYPE:
            return self._type(str(table), alias)
        found = self.properties.find(name)
        assert found is not None, name
        if isinstance(found.part, Relationship):
            return self._relationship(found, found.part, alias)
        if found.via is not None:
            target = self.schema.relationships[found.via].to
            return self.chained([found.via, f"{target}.{found.name.split('.', 1)[1]}"])
        if found.cut is not None:
            return self._cut(self.pairs(found.name.rpartition(".")[0], alias), found.cut)
        return self._column(found, found.part, alias)

    def value_kind(self, name: str) -> Kind:
        """What a property's values are."""
        return self.pairs(name).value_kind

    def _type(self, table: str, alias: Any) -> Pairs:
        alias = self.alias(table) if alias is None else alias
        value = sa.literal(self.schema.type_name(table), sa.String())
        names = TableNames(self.schema.prefix, ("text",))
        key = self.key(table, alias)
        return Pairs(key, (value,), self.rows_kind(table), names, alias, ALWAYS, alias)

    def _column(
        self, found: Property, part: Dimension | TimeDimension | Measure, alias: Any
    ) -> Pairs:
        name = part.column or found.name.split(".", 1)[1]
        rows = self.rows_kind(found.table)
        if isinstance(part, Measure) and part.gathered is not None:
            return self._gathered(found, part, *part.gathered)
        if isinstance(part, Measure) and part.expression is not None:
            alias = self.alias(found.table) if alias is None else alias
            number = self.tables.computed(alias.c, self.tables.of(found.table), part.expression)
            numbers = Numbers(found.value_type, ("real",), part.unit or UNITLESS, rounded=True)
            key = self.key(found.table, alias)
            return Pairs(key, (number,), rows, numbers, alias, number.is_not(None), alias)
        if part.through is None:
            alias = self.alias(found.table) if alias is None else alias
            table, columns, source = self.tables.of(found.table), alias.c, alias
            arguments = self.key(found.table, alias)
        else:
            table = self.tables.link(part.through, found.table)
            link = self._link(table)
            columns = link.c
            arguments, source = self._side(link, part.from_columns or {}, found.table)
            alias = None
        value: Any
        storage: Storage = "text"
        if isinstance(part, Dimension) and part.members:
            return self._members(found, part, arguments, columns[name], source)
        if isinstance(part, Dimension) and part.columns:
            value = self.tables.joined(columns, part.columns)
        else:
            value = self.tables.expression(columns, table, name, part)
            storage = self.tables.part_storage(table, name, part)
        holds = value.is_(True) if storage == "boolean" and self.strict else value.is_not(None)
        kind: Kind
        if isinstance(part, Measure):
            kind = Numbers(found.value_type, (storage,), part.unit or UNITLESS)
        elif isinstance(part, TimeDimension):
            kind = Dates(found.value_type, (storage,))
        elif storage == "boolean":
            kind = Booleans(found.value_type, (storage,))
        else:
            kind = Texts(found.value_type, (storage,))
        return Pairs(arguments, (value,), rows, kind, source, holds, alias, alias is None)

    def _members(
        self, found: Property, part: Dimension, arguments: Columns, text: Any, source: Any
    ) -> Pairs:
        """Each row with each of the values that its text holds, with commas between."""
        comma = sa.literal(",")
        held = comma + sa.func.replace(sa.cast(text, sa.String()), ", ", ",") + comma
        having = (
            sa.select(*named(arguments, "k"), sa.literal(member, sa.String()).label("member"))
            .select_from(source)
            .where(held.contains(f",{member},", autoescape=True))
            for member in part.members
        )
        made = sa.union_all(*having).subquery()
        keys, value = tuple(made.c)[:-1], tuple(made.c)[-1]
        kind = Texts(found.value_type, ("text",))
        return Pairs(keys, (value,), self.rows_kind(found.table), kind, made, ALWAYS, repeats=True)

    def _cut(self, dates: Pairs, part: str) -> Pairs:
        """The months or years of dates."""
        text = sa.cast(dates.values[0], sa.String())
        value = sa.func.substr(text, 1, CUTS[part], type_=sa.String())
        return replace(dates, values=(value,), value_kind=Dates("en.date", ("text",)))

    def chained(self, path: Sequence[str]) -> Pairs:
        """The pairs of several relationships, one after the other; a pair may stand there often."""
        first, *rest = (self.pairs(step) for step in path)
        source, present, last = first.source, first.present, first
        for each in rest:
            on = sa.and_(*(own == other for own, other in zip(last.values, each.arguments)))
            source, present, last = source.join(each.source, on), present & each.present, each
        kinds = first.argument_kind, last.value_kind
        return Pairs(first.arguments, last.values, *kinds, source, present, repeats=True)

    def _gathered(
        self, found: Property, part: Measure, mode: str, table: str, measure: str
    ) -> Pairs:
        """What all rows that refer to one have together; a row without any has no sum, and 0."""
        way = self.chained(path_between(self.schema, table, found.table) or [])
        columns = named(way.values, "k")
        storage: Storage = "integer"
        if mode == "count":
            each, amount = way.select(*columns), sa.func.count()
        else:
            numbers = self.pairs(f"{table}.{measure}")
            on = sa.and_(*(own == to for own, to in zip(way.arguments, numbers.arguments)))
            number: Any = sa.cast(numbers.values[0], sa.Double())
            source = way.source.join(numbers.source, on)
            each = sa.select(*columns).select_from(source).where(way.present, numbers.present)
            amount, storage = getattr(sa.func, mode)(number), "real"
        made = each.add_columns(amount.label("amount")).group_by(*way.values).subquery()
        kind = Numbers(found.value_type, (storage,), part.unit or UNITLESS, rounded=True)
        keys, value = tuple(made.c)[:-1], tuple(made.c)[-1]
        if mode != "count":
            return Pairs(keys, (value,), way.value_kind, kind, made, ALWAYS)
        alias = self.alias(found.table)
        key = self.key(found.table, alias)
        source = alias.outerjoin(made, sa.and_(*(own == to for own, to in zip(key, keys))))
        some = sa.func.coalesce(value, 0)
        return Pairs(key, (some,), way.value_kind, kind, source, ALWAYS)

    @property
    def strict(self) -> bool:
        """Whether the rules of the published worlds hold."""
        return self.schema.aggregates == "values"

    def _relationship(self, found: Property, part: Relationship, alias: Any) -> Pairs:
        kinds = self.rows_kind(part.from_table), self.rows_kind(part.to)
        if part.path is not None:
            return self.chained(part.path)
        if part.columns is not None:
            alias = self.alias(part.from_table) if alias is None else alias
            arguments = self.key(part.from_table, alias)
            values, source = self._side(alias, part.columns, part.to, partial=part.partial)
            single = alias if source is alias else None
            present = sa.and_(*(column.is_not(None) for column in values))
            return Pairs(arguments, values, *kinds, source, present, single)
        table = self.tables.link(str(part.through), part.from_table)
        link = self._link(table)
        if self._repeated(table):
            used = [
                table.c[column] for column in (*(part.from_columns or ()), *(part.to_columns or ()))
            ]
            link = sa.select(*used).distinct().subquery(link.name)
        arguments, source = self._side(
            link, part.from_columns or {}, part.from_table, partial=part.partial
        )
        values, source = self._side(link, part.to_columns or {}, part.to, source, part.partial)
        sides = [column.is_not(None) for column in (*arguments, *values)]
        return Pairs(arguments, values, *kinds, source, sa.and_(*sides), repeats=True)

    def _repeated(self, table: sa.TableClause) -> bool:
        """Whether it is the table of a type that repeats its rows."""
        return any(
            each.repeated and (each.table or name) == table.name
            for name, each in self.schema.tables.items()
        )

    def _link(self, table: sa.TableClause) -> Any:
        self._count += 1
        return table.alias(f"{table.name}_{self._count}")

    def _side(
        self,
        link: Any,
        columns: Mapping[str, str],
        type_name: str,
        source: Any = None,
        partial: bool = False,
    ) -> tuple[Columns, Any]:
        """The key of a type's rows that ``columns`` of a table point at; the table is joined
        where they point at other columns than its key, or at rows of other tables, too."""
        source = link if source is None else source
        by_key = {target: link.c[own] for own, target in columns.items()}
        key = self.tables.key(type_name)
        if key and set(by_key) == set(key) and not partial:
            return tuple(by_key[column] for column in key), source
        alias = self.alias(type_name)
        on = sa.and_(*(own == alias.c[target] for target, own in by_key.items()))
        return self.key(type_name, alias), source.join(alias, on)
