"""The functions that rank and count: superlatives, and comparisons of numbers of things."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence

from fairseq_twostage.semantics.errors import ExecutionError, null_pointer
from fairseq_twostage.semantics.functions import (
    Property,
    Values,
    describe,
    index_if_all_fit,
    is_ordered,
    type_of,
)
from fairseq_twostage.semantics.overloads import LIST, NUMBER, STRING, VALUE, overload
from fairseq_twostage.semantics.values import ANY_UNIT, UNITLESS, Number, Value
from fairseq_twostage.semantics.world import World, extreme


@overload("ensureNumericProperty", STRING)
def ensure_numeric_property(world: World, property: Property) -> str:
    """The property itself if its values are ordered; an unknown one counts as the empty list."""
    signature = None if property is None else world.database.signature(property)
    if property is None or signature is None:
        raise null_pointer("the type of an unknown property")
    if is_ordered(signature[1]):
        return property
    raise ExecutionError("type", f"{property} is not numeric")


@overload("ensureNumericEntity", VALUE)
def ensure_numeric_value(world: World, value: Value) -> Values:
    """A list of one ordered value."""
    return ensure_numeric_entity(world, (value,))


@overload("ensureNumericEntity", LIST)
def ensure_numeric_entity(world: World, values: Values) -> Values:
    """The list itself if its first element is ordered."""
    if values is None:
        raise null_pointer("the list")
    if not values:
        raise ExecutionError("index", "an empty list has no first element")
    first_type = type_of(values[0])
    if is_ordered(first_type):
        return values
    raise ExecutionError("type", f"{describe(values)} is not numeric")


@overload("superlative", LIST, STRING, STRING)
def superlative(
    world: World, entities: Values, mode: str | None, property: Property
) -> Values | None:
    """All entities with the largest (mode ``max``) or else smallest value; null over nothing.

    The first entity stays the best when it has no value, because nothing compares with NaN.
    """
    _check_mode(world, mode)
    if entities is None:
        raise null_pointer("the list")
    degrees: list[float]
    index = None if mode is None else index_if_all_fit(world, entities, property)
    if index is not None:
        column = index.largest if mode == "max" else index.smallest
        degrees = [column[entity] for entity in entities]
    else:
        degrees = []
        for entity in entities:
            degrees.append(_extreme_or_null(world, world.lookup(entity, property), mode))
            world.check_argument(property, entity)  # type: ignore[arg-type]
            if mode is None and len(degrees) > 1:
                raise null_pointer("the mode")
    return _best(entities, degrees, mode)


def _check_mode(world: World, mode: str | None) -> None:
    """A published world takes any mode but ``max`` for ``min``, as SEMPRE does."""
    if world.exact and mode not in ("max", "min", None):
        raise ExecutionError("argument", f"a superlative is max or min, not {str(mode)[:40]}")


def _extreme_or_null(world: World, values: Sequence[Value], mode: str | None) -> float:
    if mode is None and len(values) > 1:
        raise null_pointer("the mode")
    return extreme(values, mode or "min", world.degree)


def _best(entities: Values, degrees: list[float], mode: str | None) -> Values | None:
    if not entities:
        return None
    if degrees[0] != degrees[0]:
        return entities[:1]
    ordered = [degree for degree in degrees if degree == degree]
    best = max(ordered) if mode == "max" else min(ordered)
    return tuple([entity for entity, degree in zip(entities, degrees) if degree == best])


@overload("countSuperlative", LIST, STRING, STRING)
def count_superlative_of_all(
    world: World, entities: Values, mode: str | None, property: Property
) -> Values | None:
    """The entities with the most (mode ``max``) or else fewest values."""
    return count_superlative(world, entities, mode, property, None)


@overload("countSuperlative", LIST, STRING, STRING, LIST)
def count_superlative(
    world: World, entities: Values, mode: str | None, property: Property, restrictors: Values | None
) -> Values | None:
    """The entities with the most or fewest values among ``restrictors``; null over nothing."""
    _check_mode(world, mode)
    counts = counted(world, entities, property, restrictors, mode, "the mode", allowed=1)
    return _best(entities, counts, mode)


def checked_count(world: World, number: Number | None, what: str) -> float:
    """How many a number says; 500 euros say nothing of it, where units are known.

    Raises:
        ExecutionError: it does not.
    """
    if number is None:
        raise ExecutionError("type", f"{what} is no number")
    if world.units and number.unit not in (UNITLESS, ANY_UNIT):
        raise ExecutionError("type", f"{number.text_in_full} counts nothing")
    if world.units and math.isfinite(number.value) and not number.value.is_integer():
        raise ExecutionError("type", f"{number.text_in_full} is no number of things")
    return number.value


@overload("countComparative", LIST, STRING, STRING, NUMBER)
def count_comparative_of_all(
    world: World, entities: Values, property: Property, comparison: str | None, threshold: Number
) -> Values:
    """The entities whose number of values compares with the threshold."""
    return count_comparative(world, entities, property, comparison, threshold, None)


@overload("countComparative", LIST, STRING, STRING, NUMBER, LIST)
def count_comparative(
    world: World,
    entities: Values,
    property: Property,
    comparison: str | None,
    threshold: Number,
    restrictors: Values | None,
) -> Values:
    """The same, counting only values among ``restrictors``; the threshold's unit is ignored,
    unless a question says it that is one of the facts: 120 minutes count nothing."""
    bound = checked_count(world, threshold, "the threshold")
    counts = counted(world, entities, property, restrictors, comparison, "the comparison")
    if not entities:
        return ()
    holds = _COUNT_COMPARISONS.get(comparison or "")
    if holds is None:
        raise ExecutionError("argument", f"counts cannot be compared by {str(comparison)[:40]}")
    return tuple([entity for entity, count in zip(entities, counts) if holds(count, bound)])


_COUNT_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def counted(
    world: World,
    entities: Values,
    property: Property,
    restrictors: Values | None,
    mode: str | None,
    what: str,
    allowed: int = 0,
) -> list[float]:
    """How many entries of its value list (repeats count) each entity has in ``restrictors``.

    A null ``mode`` is an error once more than ``allowed`` entities have been looked at.
    """
    for restrictor in restrictors or ():
        world.check_value(property, restrictor)
    value_type = world.index(property).value_type
    if value_type.endswith("_number") or value_type in ("en.date", "en.time"):
        raise ExecutionError("type", f"{property} is numeric: its values are not counted")
    if entities is None:
        raise null_pointer("the list")
    index = None if mode is None else index_if_all_fit(world, entities, property)
    if index is None:
        index = world.index(property)
        for position, entity in enumerate(entities):
            world.lookup(entity, property)
            world.check_argument(property, entity)  # type: ignore[arg-type]
            if mode is None and position >= allowed:
                raise null_pointer(what)
    values = index.values
    if restrictors is None:
        return [len(values[entity]) for entity in entities]
    wanted = frozenset(restrictors)
    return [sum(map(wanted.__contains__, values[entity])) for entity in entities]
