"""Functions that SEMPRE does not have, for worlds of one's own: groups, ranks, yes or no.

Published worlds do not know them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fairseq_twostage.semantics import numerals
from fairseq_twostage.semantics.errors import ExecutionError, null_pointer
from fairseq_twostage.semantics.functions import Property, Values, describe, filter_list
from fairseq_twostage.semantics.overloads import LIST, NUMBER, STRING, overload
from fairseq_twostage.semantics.superlatives import checked_count, counted
from fairseq_twostage.semantics.values import Boolean, ListValue, Number, Value
from fairseq_twostage.semantics.world import World, degree

COUNT_UNIT = "count"
PERCENT = "percent"
AGGREGATES = ("sum", "avg", "min", "max")


@overload("top", LIST, STRING, STRING, NUMBER)
def top(
    world: World, entities: Values, mode: str | None, property: Property, number: Number
) -> Values:
    """The ``number`` entities with the largest (mode ``max``) or else smallest values, and those
    tied with the last; entities without a value are none of them."""
    _check_own(world, "top")
    most = checked_count(world, number, "how many")
    _check_lists(entities)
    degrees = {entity: _extreme(world, entity, property, mode) for entity in entities}
    return _first({entity: x for entity, x in degrees.items() if x is not None}, mode, most)


@overload("countTop", LIST, STRING, STRING, NUMBER)
def count_top(
    world: World, entities: Values, mode: str | None, property: Property, number: Number
) -> Values:
    """The ``number`` entities with the most (mode ``max``) or else fewest values, and those tied
    with the last; entities without a value have not the most."""
    _check_own(world, "countTop")
    most = checked_count(world, number, "how many")
    _check_lists(entities)
    counts = dict(zip(entities, counted(world, entities, property, None, mode, "the mode", 1)))
    return _first({entity: x for entity, x in counts.items() if x or mode != "max"}, mode, most)


def _first(amounts: dict[Value, float], mode: str | None, most: float) -> Values:
    """Those with the ``most`` largest (mode ``max``) or else smallest amounts, and ties."""
    ordered = sorted(amounts.values(), reverse=mode == "max")
    wanted = ordered[: max(0, int(most))]
    if not wanted:
        return ()
    last = wanted[-1]
    return tuple(e for e, x in amounts.items() if (x >= last if mode == "max" else x <= last))


def _extreme(world: World, entity: Value, property: Property, mode: str | None) -> float | None:
    found = [degree(value) for value in _values(world, entity, property)]
    return (max if mode == "max" else min)(found, default=None)


@overload("group", LIST, STRING)
def group_count(world: World, entities: Values, by: Property) -> Values:
    """Each value of a property with the number of entities that have it."""
    groups = _groups(world, entities, by)
    return _pairs({value: _count(members) for value, members in groups.items()})


@overload("group", LIST, STRING, STRING, STRING)
def group(
    world: World, entities: Values, by: Property, mode: str | None, property: Property
) -> Values:
    """Each value of a property with the ``sum``, ``avg``, ``min`` or ``max`` of another property
    of the entities that have it; what is missing is skipped, and so is a group without numbers."""
    return _pairs(_amounts(world, entities, by, mode, property))


@overload("groupSuperlative", LIST, STRING, STRING, STRING, STRING)
def group_superlative(
    world: World,
    entities: Values,
    best: str | None,
    by: Property,
    mode: str | None,
    property: Property,
) -> Values:
    """The values of a property for which :func:`group` gives the largest or else smallest."""
    return group_top(world, entities, best, by, mode, property, Number(1.0, COUNT_UNIT))


@overload("groupTop", LIST, STRING, STRING, STRING, STRING, NUMBER)
def group_top(
    world: World,
    entities: Values,
    best: str | None,
    by: Property,
    mode: str | None,
    property: Property,
    number: Number,
) -> Values:
    """The ``number`` values of a property for which :func:`group` gives the largest or else
    smallest, and those tied with the last."""
    most = checked_count(world, number, "how many")
    amounts = _amounts(world, entities, by, mode, property)
    return _first({value: amount.value for value, amount in amounts.items()}, best, most)


@overload("filter", LIST, STRING, STRING, bool)
def filter_truth(
    world: World, entities: Values, property: Property, comparison: str | None, truth: bool
) -> Values:
    """The entities of which the property says yes, or no."""
    if not world.exact:
        raise ExecutionError("arity", "no filter by a boolean in a published world")
    return filter_list(world, entities, property, comparison, (Boolean(truth),))


@overload("any", LIST)
def any_(world: World, entities: Values) -> bool:
    """Whether a list has members: yes or no."""
    _check_own(world, "any")
    _check_lists(entities)
    return bool(entities)


@overload("share", LIST, LIST)
def share(world: World, some: Values, entities: Values) -> Values:
    """How many of the entities are among ``some``, in percent of them."""
    _check_own(world, "share")
    _check_lists(some, entities)
    every = {*entities}
    if not every:
        raise ExecutionError("empty", "a share of an empty list")
    return (Number(100 * len(every & {*some}) / len(every), PERCENT, computed=True),)


@overload("without", LIST, LIST)
def without(world: World, entities: Values, others: Values) -> Values:
    """The members of one list that are not in another."""
    _check_own(world, "without")
    _check_lists(entities, others)
    gone = set(others)
    return tuple(entity for entity in entities if entity not in gone)


def _amounts(
    world: World, entities: Values, by: Property, mode: str | None, property: Property
) -> dict[Value, Number]:
    if mode not in AGGREGATES:
        raise ExecutionError("argument", f"no aggregate {str(mode)[:40]}")
    amounts: dict[Value, Number] = {}
    for value, members in _groups(world, entities, by).items():
        numbers = [number for entity in members for number in _values(world, entity, property)]
        for number in numbers:
            if not isinstance(number, Number):
                raise ExecutionError("type", f"{describe((number,))} is no number")
        if numbers:
            plain = [number.value for number in numbers if isinstance(number, Number)]
            unit = world.index(property).value_type.removesuffix("_number")
            amounts[value] = Number(_aggregate(mode, plain), unit, computed=True)
    return amounts


def _aggregate(mode: str, numbers: list[float]) -> float:
    if mode == "avg":
        return numerals.mean(numbers)
    return numerals.add_up(numbers) if mode == "sum" else (max if mode == "max" else min)(numbers)


def _groups(world: World, entities: Values, by: Property) -> dict[Value, list[Value]]:
    _check_own(world, "group")
    _check_lists(entities)
    groups: dict[Value, list[Value]] = {}
    for entity in dict.fromkeys(entities):
        for value in _values(world, entity, by):
            groups.setdefault(value, []).append(entity)
    return groups


def _values(world: World, entity: Value, property: Property) -> Iterable[Value]:
    found = world.lookup(entity, property)
    world.check_argument(property, entity)  # type: ignore[arg-type]
    return dict.fromkeys(found)


def _count(members: list[Value]) -> Number:
    return Number(float(len(members)), COUNT_UNIT)


def _pairs(amounts: dict[Value, Number]) -> Values:
    return tuple(ListValue((value, amount)) for value, amount in amounts.items())


def _check_own(world: World, name: str) -> None:
    if not world.exact:
        raise ExecutionError("function", f"a published world has no function {name}")


def _check_lists(*lists: Any) -> None:
    if None in lists:
        raise null_pointer("the list")
