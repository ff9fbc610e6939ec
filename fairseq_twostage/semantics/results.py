"""The values that formulas come to."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from fairseq_twostage.semantics.errors import ExecutionError, null_pointer
from fairseq_twostage.semantics.formulas import Constant, children
from fairseq_twostage.semantics.functions import Values
from fairseq_twostage.semantics.java import code_units
from fairseq_twostage.semantics.overloads import ANY, overload
from fairseq_twostage.semantics.values import Boolean, ListValue, Number, String, Value
from fairseq_twostage.semantics.world import World


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
