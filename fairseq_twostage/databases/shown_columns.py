"""The columns of an answer's table: names of rows, what tells those without one, and headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.databases.kinds import Dates, Kind, Numbers
from fairseq_twostage.databases.pair_making import PairMaker
from fairseq_twostage.databases.properties import TYPE
from fairseq_twostage.databases.relations import Mention
from fairseq_twostage.databases.schema import Relationship
from fairseq_twostage.semantics.values import Date, Value
from fairseq_twostage.text.moments import date_text, time_text

MAX_TELLING = 5
_PREPOSITIONS = ("of", "in", "with", "from", "for", "to", "at", "on")


@dataclass(frozen=True)
class Column:
    """A column of a table to be shown: its heading, its expressions, and how they are read."""

    heading: str
    expressions: tuple[Any, ...]
    kind: Kind | None

    def cell(self, row: Sequence[Any]) -> Value | str:
        """The cell of a row that has this column's expressions; empty where one is missing."""
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


class Columns:
    """Makes the columns of tables.

    Args:
        maker: of the pairs of a schema's properties.
    """

    def __init__(self, maker: PairMaker) -> None:
        self.properties = maker.properties
        self.schema = maker.schema

    def name(self, maker: PairMaker, table: str, alias: Any, key: tuple[Any, ...]) -> Column:
        """By what people call a row: its name, or its key."""
        described = self.schema.tables[table]
        noun = self.noun(table)
        if described.name is None:
            return Column(noun, key, maker.rows_kind(table))
        pairs = maker.pairs(f"{table}.{described.name}", alias)
        return Column(noun, pairs.values, None)

    def telling(self, table: str) -> list[str]:
        """Properties that tell a row whose name is a number or a code: whose it is, its text, its
        date, its amount."""
        described = self.schema.tables[table]
        whose = (
            name
            for name, found in self.properties.of(table).items()
            if isinstance(found.part, Relationship) and found.part.columns
        )
        known = {*filter(None, [described.name]), *described.key}
        texts = (
            (name, part)
            for name, part in described.dimensions.items()
            if part.stored_as != "boolean"
            and not part.aside
            and known.isdisjoint((name, part.column))
        )
        said = (name for name, _ in sorted(texts, key=lambda text: text[1].values != "none"))
        others = (
            next((f"{table}.{name}" for name, part in columns.items() if not part.aside), None)
            for columns in (described.time_dimensions, described.measures)
        )
        names = [
            *islice(whose, 2),
            *(f"{table}.{name}" for name in islice(said, 2)),
            *filter(None, others),
        ]
        return names[:MAX_TELLING]

    def mentioned(
        self, maker: PairMaker, mention: Mention, alias: Any, key: tuple[Any, ...]
    ) -> Column | None:
        """A property of a row, or how many values it has; None where it is no column of one."""
        if mention.property.lstrip("!") == TYPE:
            return None
        heading = self.heading(mention.property)
        if not mention.counted:
            pairs = maker.pairs(mention.property, alias)
            if pairs.alias is not alias:
                return None
            return Column(heading, pairs.values, pairs.value_kind)
        pairs = maker.pairs(mention.property)
        values = sa.func.count(pairs.values[0].distinct() if pairs.repeats else sa.text("*"))
        mine = sa.and_(*(own == other for own, other in zip(pairs.arguments, key)))
        query = pairs.select(values).where(mine).correlate(alias)
        kind = Numbers("count_number", ("integer",), "count")
        return Column(f"number of {heading}", (query.scalar_subquery(),), kind)

    def heading(self, property: str) -> str:
        """What people call a property."""
        found = self.properties.find(property.lstrip("!"))
        if found is None:
            return property
        if property.startswith("!"):
            return self.plural(found.table)
        if isinstance(found.part, Relationship):
            return self._role(found.name, found.part)
        return found.part.phrase or found.name.split(".", 1)[-1].replace("_", " ")

    def _role(self, name: str, relation: Relationship) -> str:
        """What the rows at the end of a relationship are called: of *with director*, director."""
        words = (relation.phrase or name.replace("_", " ")).split()
        if words[0] in _PREPOSITIONS:
            words = words[1:]
        return " ".join(words) or self.noun(relation.to)

    def noun(self, table: str) -> str:
        """What people call one row."""
        return self.schema.tables[table].noun or table.replace("_", " ")

    def plural(self, table: str) -> str:
        """What people call several rows."""
        return self.schema.tables[table].plural or f"{self.noun(table)}s"


def cells(columns: Sequence[Column], row: Sequence[Any]) -> tuple[Value | str, ...]:
    """The cells of one row of a result that has the columns' expressions in turn."""
    made, start = [], 0
    for column in columns:
        end = start + len(column.expressions)
        made.append(column.cell(row[start:end]))
        start = end
    return tuple(made)
