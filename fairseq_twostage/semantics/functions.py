"""The functions of the language, each under its name in the specification.

Entities, references and restrictors are tuples of values, properties and modes are strings.
The order of the checks matters, because it decides which error comes out, and two errors count
as the empty list. Where all entities have been found fit before, the checks are one set
operation; otherwise they are made one entity at a time, in order.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, repeat
from typing import Any

from fairseq_twostage.semantics.dates import DATE_COMPARISONS, Keep
from fairseq_twostage.semantics.errors import ExecutionError, null_pointer
from fairseq_twostage.semantics.formulas import Constant, children
from fairseq_twostage.semantics.java import code_units
from fairseq_twostage.semantics.overloads import ANY, LIST, NUMBER, STRING, VALUE, overload
from fairseq_twostage.semantics.values import (
    ANY_UNIT,
    TRUE,
    UNITLESS,
    Boolean,
    ListValue,
    Name,
    Number,
    String,
    Value,
)
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
            if _type_of(one) != _type_of(other):
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
    index = _index_if_all_fit(world, entities, property)
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
        _refuse_host_objects(entities)
    if not names:
        return ()
    index = _index_if_all_fit(world, names, property)
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
    if world.exact and _is_ordered(index.value_type):
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


def _is_ordered(type: str) -> bool:
    return type.endswith("number") or type in ("en.date", "en.time")


@overload("ensureNumericProperty", STRING)
def ensure_numeric_property(world: World, property: Property) -> str:
    """The property itself if its values are ordered; an unknown one counts as the empty list."""
    signature = None if property is None else world.database.signature(property)
    if property is None or signature is None:
        raise null_pointer("the type of an unknown property")
    if _is_ordered(signature[1]):
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
    first_type = _type_of(values[0])
    if _is_ordered(first_type):
        return values
    raise ExecutionError("type", f"{describe(values)} is not numeric")


# Superlatives and counts


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
    index = None if mode is None else _index_if_all_fit(world, entities, property)
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
    index = None if mode is None else _index_if_all_fit(world, entities, property)
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


# Results


@overload("listValue", ANY)
def list_value(world: World, result: Any) -> ListValue:
    """The result as a list, sorted by the printed text of its elements, repeats kept."""
    value = to_value(result, count_unit="count")
    if type(value) is not ListValue:
        return ListValue((value,))
    if len(value.values) < 2:
        return value
    return ListValue(_sorted_by_text(value.values, _TEXT_IN_FULL if world.exact else _TEXT))


_TEXT = operator.attrgetter("text")
_TEXT_IN_FULL = operator.attrgetter("text_in_full")


def _sorted_by_text(values: Values, text: Callable[[Value], str]) -> Values:
    if not "".join(map(text, values)).isascii():
        return tuple(sorted(values, key=lambda value: code_units(text(value))))
    return tuple(sorted(values, key=text))


def to_value(result: Any, count_unit: str | None = None) -> Value:
    """What a function returned, as a value.

    Args:
        result: a value, a list, a string, a boolean or the size of a list.
        count_unit: the unit of sizes; unitless when None.

    Raises:
        ExecutionError: a null, or a formula that is no value.
    """
    if isinstance(result, Value):
        return result
    kind = type(result)
    if kind is tuple:
        return ListValue(tuple([to_value(element, count_unit) for element in result]))
    if kind is str:
        return String(result)
    if kind is bool:
        return Boolean(result)
    if kind is int:
        return Number(float(result)) if count_unit is None else Number(float(result), count_unit)
    if result is None:
        raise null_pointer("the result")
    if _holds_malformed_number(result):
        raise null_pointer("the unit of a number")
    raise ExecutionError("object", f"a {kind.__name__.lower()} is no value")


def _holds_malformed_number(formula: Any) -> bool:
    """Whether a formula cannot be printed in the message of an error."""
    todo = [formula]
    while todo:
        node = todo.pop()
        if type(node) is Constant:
            if type(node.value) is Number and node.value.unit is None:
                return True
        else:
            todo.extend(children(node))
    return False


# Shared checks


def _index_if_all_fit(
    world: World, entities: Iterable[Value], property: Property
) -> PropertyIndex | None:
    """The property's index if all entities are known to pass all checks, else None."""
    if not entities or property is None or world.database.signature(property) is None:
        return None
    index = world.index(property)
    return index if index.fitting.issuperset(entities) else None


def _type_of(value: Any) -> str:
    if isinstance(value, Value):
        return value.type
    raise ExecutionError("type", f"{describe((value,))} has no type")


def _refuse_host_objects(entities: Values) -> None:
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
