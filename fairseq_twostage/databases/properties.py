"""The properties of a schema: what a logical form may ask of its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairseq_twostage.databases.schema import (
    Dimension,
    Measure,
    Relationship,
    Schema,
    TimeDimension,
)
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.values import UNITLESS

TYPE, TYPES = "type", "!type"
"""The property that every row has, the name of its table; and all rows of a table."""


@dataclass(frozen=True)
class Property:
    """A property of a table's rows.

    Attributes:
        name: its full name in logical forms: ``film.length``, ``directed_by``.
        table: the type of the rows that have it, without the prefix.
        argument_type, value_type: as :attr:`Value.type` says them: ``en.film``,
            ``minute_number``; for a dimension of yes and no ``en.boolean`` counts, too.
        part: what the schema says of it.
    """

    name: str
    table: str
    argument_type: str
    value_type: str
    part: Dimension | TimeDimension | Measure | Relationship


class Properties:
    """All properties of a schema, by every name they may be called by."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.all: dict[str, Property] = {}
        self._short: dict[str, list[str]] = {}
        for table, described in schema.tables.items():
            for name, part in described.columns.items():
                full = f"{table}.{name}"
                self._short.setdefault(name, []).append(full)
                argument = schema.type_name(table)
                self.all[full] = Property(full, table, argument, _type(schema, table, name), part)
        for name, link in schema.relationships.items():
            types = schema.type_name(link.from_table), schema.type_name(link.to)
            self.all[name] = Property(name, link.from_table, *types, link)

    def find(self, name: str) -> Property | None:
        """The property of this name, not an inverse; None for an unknown one.

        Raises:
            ExecutionError: several tables have one of this name.
        """
        if name in self.all:
            return self.all[name]
        full = self._short.get(name, [])
        if len(full) > 1:
            raise ExecutionError("property", f"{name} may be {' or '.join(full)}: say which")
        return self.all[full[0]] if full else None

    def of(self, table: str) -> Mapping[str, Property]:
        """The properties of one table's rows, by full name."""
        return {name: found for name, found in self.all.items() if found.table == table}


def _type(schema: Schema, table: str, name: str) -> str:
    part = schema.tables[table].columns[name]
    if isinstance(part, Measure):
        return f"{part.unit or UNITLESS}_number"
    if isinstance(part, TimeDimension):
        return "en.time" if part.stored_as == "time" else "en.date"
    if part.stored_as == "boolean":
        return "en.boolean"
    return schema.value_type(table, name)
