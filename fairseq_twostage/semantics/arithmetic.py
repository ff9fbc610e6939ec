"""The functions of the language that compute with numbers.

In a published world they add doubles from left to right, as Java does; in an exact one they
compute in decimals, so that the order of the facts does not matter.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

from fairseq_twostage.semantics import numerals
from fairseq_twostage.semantics.errors import ExecutionError, null_pointer
from fairseq_twostage.semantics.functions import Values, describe
from fairseq_twostage.semantics.overloads import LIST, STRING, VALUE, overload
from fairseq_twostage.semantics.values import UNITLESS, Number, Value
from fairseq_twostage.semantics.world import World

MAX_PRODUCT = 1_000_000
"""Pairs that ``arithOp`` will compute."""


@overload("sum", LIST)
def sum_(world: World, values: Values) -> Values:
    """The unitless sum of numbers; 0 for an empty list."""
    if values is None:
        raise null_pointer("the list")
    return (_computed(_add_up(world, _numbers(values))),)


@overload("aggregate", STRING, LIST)
def aggregate(world: World, mode: str | None, values: Values) -> Values:
    """Mode ``sum`` or ``avg`` of numbers, in the unit of the first; in an exact world ``min`` and
    ``max``, too."""
    if values is None:
        raise null_pointer("the list")
    if not values:
        raise ExecutionError("empty", f"{mode} over an empty list")
    numbers = _numbers(values)
    if mode is None:
        raise null_pointer("the mode")
    first: Any = values[0]
    if world.exact and mode in ("min", "max"):
        return (_computed((max if mode == "max" else min)(numbers), first.unit),)
    if mode not in ("avg", "sum"):
        raise ExecutionError("argument", f"no aggregate {mode[:40]}")
    compute = _mean if mode == "avg" else _add_up
    return (_computed(compute(world, numbers), first.unit),)


def _add_up(world: World, numbers: list[float]) -> float:
    """Plain addition in a published world (``sum`` of Python 3.12 compensates for rounding)."""
    if world.exact:
        return numerals.add_up(numbers)
    return reduce(operator.add, numbers, 0.0)


def _mean(world: World, numbers: list[float]) -> float:
    if world.exact:
        return numerals.mean(numbers)
    return _add_up(world, numbers) / len(numbers)


def _computed(value: float, unit: str | None = UNITLESS) -> Number:
    return Number(value, unit, computed=True)


def _numbers(values: Values) -> list[float]:
    return [_number_in(value) for value in values]


def _number_in(value: Any) -> float:
    if type(value) is Number:
        return value.value
    raise ExecutionError("type", f"{describe((value,))} is no number")


@overload("arithOp", STRING, VALUE, VALUE)
def arith_op(world: World, operation: str | None, first: Value, second: Value) -> Values:
    """``+ - * /`` of two numbers; units are dropped."""
    a, b = _number_in(first), _number_in(second)
    if operation is None:
        raise null_pointer("the operation")
    compute = (numerals.OPERATIONS if world.exact else _OPERATIONS).get(operation)
    if compute is None:
        raise ExecutionError("argument", f"no operation {operation[:40]}")
    return (_computed(compute(a, b)),)


@overload("arithOp", STRING, LIST, LIST)
def arith_op_lists(world: World, operation: str | None, first: Values, second: Values) -> Values:
    """The same for every pair of the cross product."""
    if first is None or (first and second is None):
        raise null_pointer("a list of numbers")
    if first and len(first) * len(second) > MAX_PRODUCT:
        raise ExecutionError("budget", f"a product of {len(first)} and {len(second)} numbers")
    pairs = ((a, b) for a in first for b in second)
    return tuple([arith_op(world, operation, a, b)[0] for a, b in pairs])


def _divide(a: float, b: float) -> float:
    if b:
        return a / b
    if a != a or b != b or not a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
}
