"""Lists of values as queries, and the conditions under which a form has no value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.databases.kinds import Kind
from fairseq_twostage.semantics.errors import ExecutionError


@dataclass(frozen=True)
class Relation:
    """A list of values that a query gives.

    Attributes:
        query: selects ``columns``; a value may stand in several rows.
        columns: of one value; conditions of the query may name them.
        kind: what they hold.
        alias: of the table whose rows the values are, if each row of the query is one of its
            rows, and the query takes further conditions on it.
        distinct: no value stands there twice.
        fulfilled: guards that cannot fire where the list is not empty.
        null_if_empty: this list being empty, the other one is null.
        owners: the rows whose property the values are, and that property.
    """

    query: sa.Select[Any]
    columns: tuple[Any, ...]
    kind: Kind
    alias: Any = None
    distinct: bool = False
    fulfilled: frozenset[int] = frozenset()
    null_if_empty: Relation | None = None
    owners: tuple[Relation, str] | None = None

    def where(self, *conditions: Any) -> Relation:
        """The values for which the conditions hold."""
        return replace(self, query=self.query.where(*conditions))

    def exists(self) -> Any:
        """A condition: the list is not empty."""
        return self.query.correlate(None).exists()

    def among(self, columns: tuple[Any, ...]) -> Any:
        """A condition: the columns hold one of the values."""
        query = self.query.correlate(None)
        return columns[0].in_(query) if len(columns) == 1 else sa.tuple_(*columns).in_(query)


@dataclass(frozen=True)
class Size:
    """The length of a list: a number that no other function takes."""

    query: sa.Select[Any]
    fulfilled: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Truth:
    """Yes or no."""

    query: sa.Select[Any]


@dataclass(frozen=True)
class Listed:
    """A result as a list, sorted by its print."""

    result: Any


@dataclass(frozen=True)
class Mention:
    """What a form compares, counts or sorts rows of a table by.

    Attributes:
        table: the type of the rows.
        property: its name, as in the form.
        counted: the number of its values, not these.
        mode: ``max`` or ``min``, if the rows are sorted by it.
    """

    table: str
    property: str
    counted: bool = False
    mode: str | None = None


@dataclass(frozen=True)
class Guard:
    """A form has no value where the condition holds; None: it holds always."""

    condition: Any
    error: ExecutionError


class UnsupportedError(ExecutionError):
    """A form that the executor in memory runs and the compiler does not."""

    def __init__(self, message: str) -> None:
        super().__init__("function", f"cannot be said in SQL: {message}")


def subquery_relation(query: Any, width: int, kind: Kind, **options: Any) -> Relation:
    """The relation of the first ``width`` columns of any query."""
    inner = query.subquery()
    columns = tuple(inner.c)[:width]
    return Relation(sa.select(*columns), columns, kind, **options)


def named(columns: tuple[Any, ...], prefix: str) -> list[Any]:
    """The columns under names of their own, so that none is lost beside one of its name."""
    return [column.label(f"{prefix}{number}") for number, column in enumerate(columns)]
