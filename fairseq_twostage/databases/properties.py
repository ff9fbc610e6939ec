"""The properties of a schema: what a logical form may ask of its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

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
CUTS = {"month": len("2022-01"), "year": len("2022")}
"""Parts of dates that rows can be grouped by, and how many characters of a date they have."""


@dataclass(frozen=True)
class Property:
    """A property of a table's rows.

    Attributes:
        name: its full name in logical forms: ``film.length``, ``directed_by``.
        table: the type of the rows that have it, without the prefix.
        argument_type, value_type: as :attr:`Value.type` says them: ``en.film``,
            ``minute_number``; for a dimension of yes and no ``en.boolean`` counts, too.
        part: what the schema says of it.
        via: the relationship behind which it lies: ``order_customer.country``.
        cut: ``month`` or ``year``, of a time dimension: ``order.date.month``.
    """

    name: str
    table: str
    argument_type: str
    value_type: str
    part: Dimension | TimeDimension | Measure | Relationship
    via: str | None = None
    cut: str | None = None


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
        self._behind = {found.name: found for found in self._further()}

    def _further(self) -> Iterator[Property]:
        """What lies one relationship farther; the months and years of dates."""
        for name, link in self.schema.relationships.items():
            for of, part in self.schema.tables[link.to].dimensions.items():
                there = self.all[f"{link.to}.{of}"]
                yield replace(
                    there,
                    name=f"{name}.{of}",
                    table=link.from_table,
                    argument_type=self.schema.type_name(link.from_table),
                    part=part,
                    via=name,
                )
        for table, described in self.schema.tables.items():
            for of in described.time_dimensions:
                whole = self.all[f"{table}.{of}"]
                if whole.value_type == "en.date":
                    for cut in CUTS:
                        yield replace(whole, name=f"{whole.name}.{cut}", cut=cut)

    def find(self, name: str) -> Property | None:
        """The property of this name, not an inverse; None for an unknown one.

        Raises:
            ExecutionError: several tables have one of this name.
        """
        if name in self.all:
            return self.all[name]
        if name in self._behind:
            return self._behind[name]
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
