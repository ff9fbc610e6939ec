"""Dates that say a year alone, a month or a day, compared as people mean them.

A date is the time from its first to its last day. *Before 2019* is all that ends before 2019
begins, *after 2019* what begins when it has ended, *in 2019* what lies within it. What is not
certain does not hold: of a film of 2019 nobody knows whether it came out after 1 March 2019.
A date without a year is compared by month and day, in whatever year.
"""

from __future__ import annotations

from collections.abc import Callable

from fairseq_twostage.semantics.values import Date, Name, Value
from fairseq_twostage.semantics.world import PropertyIndex, World

Day = tuple[int, ...]
Values = tuple[Value, ...]
Keep = Callable[[World, PropertyIndex, list[Name], Values], Values]
"""Those of some entities of which a property compares with one of the references."""


def bounds(date: Date, with_year: bool) -> tuple[Day, Day]:
    """The first and the last day, as year, month and day or without the year; every month may have
    31, for none has a day beyond that."""
    months = (1, 12) if date.month == -1 else (date.month, date.month)
    days = (1, 31) if date.day == -1 else (date.day, date.day)
    first, last = ((months[end], days[end]) for end in (0, 1))
    return ((date.year, *first), (date.year, *last)) if with_year else (first, last)


_HOLDS: dict[str, Callable[[Day, Day, Day, Day], bool]] = {
    "=": lambda first, last, start, end: start <= first and last <= end,
    "<": lambda first, last, start, end: last < start,
    "<=": lambda first, last, start, end: last <= end,
    ">": lambda first, last, start, end: first > end,
    ">=": lambda first, last, start, end: first >= start,
}


def date_holds(fact: Date, comparison: str, reference: Date) -> bool:
    """Whether it is certain that a date compares so with another one.

    Args:
        fact: of the world.
        comparison: ``=``, ``<``, ``<=``, ``>`` or ``>=``.
        reference: what it is compared with.
    """
    with_year = reference.year != -1
    if with_year and fact.year == -1:
        return False
    return _HOLDS[comparison](*bounds(fact, with_year), *bounds(reference, with_year))


def _some_date(index: PropertyIndex, name: Name, comparison: str, references: Values) -> bool:
    return any(
        date_holds(fact, comparison, reference)
        for fact in index.values[name]
        for reference in references
        if isinstance(fact, Date) and isinstance(reference, Date)
    )


def _with_dates(comparison: str) -> Keep:
    def keep(world: World, index: PropertyIndex, names: list[Name], references: Values) -> Values:
        return tuple([name for name in names if _some_date(index, name, comparison, references)])

    return keep


def _without_dates(
    world: World, index: PropertyIndex, names: list[Name], references: Values
) -> Values:
    """The entities that have a date, none of which is in a reference."""
    others = [name for name in names if not _some_date(index, name, "=", references)]
    return tuple([name for name in others if index.values[name]])


DATE_COMPARISONS: dict[str, Keep] = {
    **{comparison: _with_dates(comparison) for comparison in _HOLDS},
    "!=": _without_dates,
}
