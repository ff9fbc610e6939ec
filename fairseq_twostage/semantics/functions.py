"""The functions of the language, each under its name in the specification.

Entities, references and restrictors are tuples of values, properties and modes are strings.
The order of the checks matters, because it decides which error comes out, and two errors count
as the empty list. Where all entities have been found fit before, the checks are one set
operation; otherwise they are made one entity at a time, in order.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from itertools import chain, repeat
from typing import Any

from fairseq_twostage.semantics.dates import DATE_COMPARISONS, Keep
from fairseq_twostage.semantics.errors import ExecutionError, null_pointer
from fairseq_twostage.semantics.overloads import LIST, STRING, VALUE, overload
from fairseq_twostage.semantics.values import TRUE, Name, Number, Value
from fairseq_twostage.semantics.world import PropertyIndex, World, extreme
from fairseq_twostage.semantics.world import reverse as inverse_of

Values = tuple[Value, ...]
Property = str | None


# Lists and names of properties


@overload("singleton", VALUE)
def singleton(world: World, value: Value) -> Values:
    """A list of one element."""
    return (value,)


@overload("reverse", STRING)
def reverse(world: World, property: Property) -> str:
    """The name of the inverse property."""
    if property is None:
        raise null_pointer("the property")
    return inverse_of(property)


@overload("domain", STRING)
def domain(world: World, property: Property) -> Values:
    """All entities of the property's argument type, in the order of their creation."""
    return get_property(world, (Name(world.index(property).argument_type),), "!type")


@overload("concat", VALUE, VALUE)
def concat_values(world: World, first: Value, second: Value) -> Values:
    """A list of two values."""
    return concat(world, (first,), (second,))


@overload("concat", LIST, LIST)
def concat(world: World, first: Values, second: Values) -> Values:
    """Both lists, repeats kept; all types must agree and the lists differ."""
    both = concat_rows(world, first, second)
    if first == second:
        raise ExecutionError("argument", f"concat of a list with itself: {describe(first)}")
    return both


def concat_rows(world: World, first: Values, second: Values) -> Values:
    """Both lists, repeats kept; all types must agree."""
    if first is None or second is None:
        raise null_pointer("a list to concatenate")
    if first and second:
        # The first pair that disagrees has the head of one of the lists in it.
        for one, other in chain(zip(repeat(first[0]), second), zip(first, repeat(second[0]))):
            if type_of(one) != type_of(other):
                raise ExecutionError("type", f"concat of {describe((one, other))}")
    return first + second


# Joins


@overload("getProperty", VALUE, STRING)
def get_property_of_value(world: World, value: Value, property: Property) -> Values:
    """The values of one entity's property."""
    return get_property(world, (value,), property)


@overload("getProperty", LIST, STRING)
def get_property(world: World, entities: Values, property: Property) -> Values:
    """The values of the property for all entities, in order, each once; none is an error."""
    if entities is None:
        raise null_pointer("the list to join")
    index = index_if_all_fit(world, entities, property)
    if index is None:
        for entity in entities:
            world.lookup(entity, property)
            world.check_argument(property, entity)  # type: ignore[arg-type]
        if not entities:
            raise ExecutionError("empty", f"nothing to take {property} of")
        index = world.index(property)
    if len(entities) == 1:
        found = index.distinct[entities[0]]
    else:
        lists = map(index.values.__getitem__, entities)
        found = tuple(dict.fromkeys(chain.from_iterable(lists)))
    if not found:
        raise ExecutionError("empty", f"no {property} of {describe(entities)}")
    return found


def get_rows(world: World, entities: Values, property: Property) -> Values:
    """The same with the values of every entity: a value comes as often as entities have it."""
    get_property(world, entities, property)  # its checks
    distinct = world.index(property).distinct
    return tuple(chain.from_iterable(map(distinct.__getitem__, dict.fromkeys(entities))))


OVER_ROWS: dict[Callable[..., Any], Callable[..., Any]] = {
    get_property: get_rows,
    concat: concat_rows,
}
"""What a call that is marked as over rows (:mod:`fairseq_twostage.semantics.rows`) runs."""


# Filters


@overload("filter", LIST, STRING)
def filter_true(world: World, entities: Values, property: Property) -> Values:
    """The entities that have the property."""
    return filter_list(world, entities, property, "=", (TRUE,))


@overload("filter", LIST, STRING, STRING, VALUE)
def filter_value(
    world: World, entities: Values, property: Property, comparison: str | None, reference: Value
) -> Values:
    """The entities whose property compares with one reference value."""
    return filter_list(world, entities, property, comparison, (reference,))


@overload("filter", LIST, STRING, STRING, LIST)
def filter_list(
    world: World, entities: Values, property: Property, comparison: str | None, references: Values
) -> Values:
    """The entities for which some value of the property compares with some reference.

    ``!=`` is the complement of ``=``: an entity without values passes, but in an exact world not
    where numbers, dates or times are compared. What is no name is skipped; order and repeats of
    ``entities`` are kept.
    """
    if references is None:
        raise null_pointer("the list of references")
    if world.exact:
        references = tuple([world.fitted(property, reference) for reference in references])
    for reference in references:
        world.check_value(property, reference)
    if entities is None:
        raise null_pointer("the list to filter")
    names = [entity for entity in entities if type(entity) is Name]
    if len(names) < len(entities):
        refuse_host_objects(entities)
    if not names:
        return ()
    index = index_if_all_fit(world, names, property)
    if index is None:
        for name in names:
            world.lookup(name, property)
            world.check_argument(property, name)  # type: ignore[arg-type]
            if comparison is None:
                break
        index = world.index(property)
    if comparison is None:
        raise null_pointer("the comparison")
    by = DATE_COMPARISONS if world.exact and index.value_type == "en.date" else _COMPARISONS
    keep = by.get(comparison)
    if keep is None and world.exact:
        raise ExecutionError("argument", f"values cannot be compared by {comparison[:40]}")
    return () if keep is None else keep(world, index, names, references)


def _equal(world: World, index: PropertyIndex, names: list[Name], references: Values) -> Values:
    holders = _holders(world, index, names, references)
    return tuple([name for name in names if name in holders])


def _not_equal(world: World, index: PropertyIndex, names: list[Name], references: Values) -> Values:
    holders = _holders(world, index, names, references)
    if world.exact and is_ordered(index.value_type):
        return tuple([name for name in names if name not in holders and index.values[name]])
    return tuple([name for name in names if name not in holders])


def _holders(
    world: World, index: PropertyIndex, names: list[Name], references: Values
) -> set[Value]:
    """Those of ``names`` (and maybe others) that have some reference among their values.

    Found from the references when few entities have them, else from the names, so that the
    cost is that of the lists at hand and not of the world.
    """
    references = tuple(chain.from_iterable(map(_equals, references)))
    known = list(filter(world.database.knows, references))
    inverse = inverse_of(index.property)
    lists = [world.database.lookup(reference, inverse) for reference in known]
    if sum(map(len, lists)) <= 4 * len(names):
        return set(chain.from_iterable(lists))
    wanted = set(known)
    values, sets = index.values, index.sets
    return {
        name
        for name in names
        if not wanted.isdisjoint(values[name] if len(values[name]) < 8 else sets[name])
    }


def _equals(value: Value) -> Values:
    """All values equal to ``value`` that a dictionary keeps apart: 0.0 and -0.0."""
    if type(value) is Number and value.value == 0:
        return (Number(0.0, value.unit), Number(-0.0, value.unit))
    return (value,)


def _ordering(
    holds: Callable[[float, float], bool], smallest: bool
) -> Callable[[World, PropertyIndex, list[Name], Values], Values]:
    """A comparison of the smallest (largest) value with the largest (smallest) reference."""

    def keep(world: World, index: PropertyIndex, names: list[Name], references: Values) -> Values:
        degrees = index.smallest if smallest else index.largest
        found = [degrees[name] for name in names]
        bound = extreme(references, "max" if smallest else "min", world.degree)
        return tuple([name for name, degree in zip(names, found) if holds(degree, bound)])

    return keep


_COMPARISONS: dict[str, Keep] = {
    "=": _equal,
    "!=": _not_equal,
    "<": _ordering(operator.lt, smallest=True),
    "<=": _ordering(operator.le, smallest=True),
    ">": _ordering(operator.gt, smallest=False),
    ">=": _ordering(operator.ge, smallest=False),
}


# Numeric properties and entities


def is_ordered(type: str) -> bool:
    """Whether values of a type compare as more and less: numbers, dates, times."""
    return type.endswith("number") or type in ("en.date", "en.time")


# Superlatives and counts


# Results


# Shared checks


def index_if_all_fit(
    world: World, entities: Iterable[Value], property: Property
) -> PropertyIndex | None:
    """The property's index if all entities are known to pass all checks, else None."""
    if not entities or property is None or world.database.signature(property) is None:
        return None
    index = world.index(property)
    return index if index.fitting.issuperset(entities) else None


def type_of(value: Any) -> str:
    """The type of a value; an execution error of what is none."""
    if isinstance(value, Value):
        return value.type
    raise ExecutionError("type", f"{describe((value,))} has no type")


def refuse_host_objects(entities: Values) -> None:
    """An execution error where an entity is no value."""
    for entity in entities:
        if entity is not None and not isinstance(entity, Value):
            raise ExecutionError("type", f"{describe((entity,))} is no value")


def describe(values: tuple[Any, ...]) -> str:
    """The first elements in print; a number with a malformed unit cannot be printed."""
    for value in values:
        if type(value) is Number and value.unit is None:
            raise null_pointer("the unit of a number")
    shown = [
        value.text_in_full if isinstance(value, Value) else repr(value)[:80] for value in values[:3]
    ]
    return " ".join(shown)[:200] + (" …" if len(values) > 3 else "")
