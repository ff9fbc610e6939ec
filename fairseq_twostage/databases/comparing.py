"""Comparisons of a property's values with references, as conditions."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.databases.compiler import Compiler
from fairseq_twostage.databases.kinds import DATED, Dates, Kind, Storage, degree_of, span
from fairseq_twostage.databases.relations import Relation
from fairseq_twostage.semantics.dates import bounds
from fairseq_twostage.semantics.values import Date
from fairseq_twostage.semantics.world import degree

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def equal(c: Compiler, columns: tuple[Any, ...], kind: Kind, references: Any) -> Any:
    """A condition: the columns hold one of the references.

    A date of a person's database equals the year or month that it lies in.
    """
    if not isinstance(kind, Dates) or kind.storages[0] == "time":
        return c.among(columns, kind, references)
    if isinstance(references, Relation):
        if references.kind.storages == kind.storages == ("date",):
            return references.among(columns)
        return degree_of(columns[0], kind.storages[0]).in_(_degrees(references))
    if c.strict:
        return c.among(columns, kind, references)
    bound = c.maker.tables.bound
    ranges = []
    for reference in references:
        if (yearly := _of_any_year(columns[0], kind.storages[0], "=", reference)) is not None:
            ranges.append(yearly)
        elif found := span(reference, kind.storages[0]):
            first, after = (bound(day, kind.storages[0]) for day in found)
            ranges.append((columns[0] >= first) & (columns[0] < after))
    return sa.or_(sa.false(), *ranges)


def ordered(
    c: Compiler, columns: tuple[Any, ...], kind: Kind, comparison: str, references: Any
) -> Any:
    """A condition: the value lies on the right side of some reference.

    In a person's database, after a year is after its last day.
    """
    holds, storage, column = OPERATORS[comparison], kind.storages[0], columns[0]
    most = comparison in ("<", "<=")
    if isinstance(references, Relation):
        (own,) = _degrees(references).selected_columns
        extreme = (sa.func.max if most else sa.func.min)(own)
        query = references.query.with_only_columns(extreme, maintain_column_froms=True)
        return holds(degree_of(column, storage), query.correlate(None).scalar_subquery())
    if c.strict:
        degrees = [x for x in map(degree, references) if x == x]
        if not degrees:
            return sa.false()
        bound = (max if most else min)(degrees)
        return holds(degree_of(column, storage), c.maker.tables.bound(bound, "real"))
    conditions = []
    for reference in references:
        if (yearly := _of_any_year(column, storage, comparison, reference)) is not None:
            conditions.append(yearly)
        elif isinstance(reference, Date):
            if found := span(reference, storage):
                first, after = (c.maker.tables.bound(day, storage) for day in found)
                conditions.append(
                    column < (after if comparison == "<=" else first)
                    if most
                    else column >= (after if comparison == ">" else first)
                )
        elif (bound_row := kind.bind(reference)) is not None:
            conditions.append(holds(column, c.maker.tables.bound(bound_row[0], storage)))
    return sa.or_(sa.false(), *conditions)


def _of_any_year(column: Any, storage: Storage, comparison: str, reference: Any) -> Any | None:
    """A condition on month and day, where a date says no year; None: it says one."""
    if not isinstance(reference, Date) or reference.year != -1:
        return None
    if storage not in DATED:
        return sa.false()
    first, last = (month * 100 + day for month, day in bounds(reference, with_year=False))
    said = sa.extract("month", column) * 100 + sa.extract("day", column)
    if comparison == "=":
        return said.between(first, last)
    return OPERATORS[comparison](said, last if comparison in ("<=", ">") else first)


def _degrees(references: Relation) -> sa.Select[Any]:
    value = degree_of(references.columns[0], references.kind.storages[0])
    return references.query.with_only_columns(value, maintain_column_froms=True).correlate(None)
