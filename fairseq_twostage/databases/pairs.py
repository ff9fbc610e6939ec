"""A property as pairs of columns: those of the rows that have it, and those of its values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.databases.kinds import Kind

Columns = tuple[Any, ...]
ALWAYS = sa.true()


@dataclass(frozen=True)
class Pairs:
    """What a property says, as columns of a table, a link table, or both joined.

    Attributes:
        arguments, values: the columns on either side.
        argument_kind, value_kind: what they hold.
        source: where they are selected from.
        present: holds for the rows that say something: no side is NULL.
        alias: the alias of the arguments' table if each of its rows has at most one value.
        repeats: one pair may stand there several times.
        rows: the alias of a table whose rows, by their key, are the values.
    """

    arguments: Columns
    values: Columns
    argument_kind: Kind
    value_kind: Kind
    source: Any
    present: Any
    alias: Any = None
    repeats: bool = False
    rows: Any = None

    def reversed(self) -> Pairs:
        """The same the other way round."""
        return replace(
            self,
            arguments=self.values,
            values=self.arguments,
            argument_kind=self.value_kind,
            value_kind=self.argument_kind,
            alias=None,
            rows=self.alias,
        )

    def select(self, *columns: Any) -> sa.Select[Any]:
        """A query of some of the columns over all pairs."""
        query = sa.select(*columns).select_from(self.source)
        return query if self.present is ALWAYS else query.where(self.present)
