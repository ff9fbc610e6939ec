"""Sums and averages over rows: which joins of a formula must keep equal values apart.

In SEMPRE a join keeps each value once, so the average of 4, 5 and 5 is 4.5. Where a world says
``rows``, the joins whose values are added up or averaged are marked before evaluation
(``Call.rows``) and give every entity's own values: 4.67.
"""

from __future__ import annotations

from typing import Any

from fairseq_twostage.semantics.formulas import Call, Constant
from fairseq_twostage.semantics.normalise import LONG_PREFIX
from fairseq_twostage.semantics.values import Name

_AGGREGATES = frozenset(f"{LONG_PREFIX}.{name}" for name in ("aggregate", "sum"))
_HANDED_ON = frozenset(f"{LONG_PREFIX}.{name}" for name in ("ensureNumericEntity", "concat"))
_JOINS = frozenset(f"{LONG_PREFIX}.{name}" for name in ("getProperty", "concat"))


def over_rows(formula: Any) -> Any:
    """A reduced formula, its joins under an aggregate marked; nothing here recurses."""
    order: list[tuple[Any, bool]] = []
    todo: list[tuple[Any, bool]] = [(formula, False)]
    while todo:
        node, rows = todo.pop()
        order.append((node, rows))
        if type(node) is Call:
            name = _name(node)
            below = name in _AGGREGATES or (rows and name in _HANDED_ON)
            todo.extend((part, below) for part in node.parts)
    made: list[Any] = []
    for node, rows in reversed(order):
        if type(node) is Call:
            count = len(node.parts)
            parts = tuple(made[-count:])
            node = Call(parts, node.place, rows and _name(node) in _JOINS)
            del made[-count:]
        made.append(node)
    return made[0]


def _name(call: Call) -> str:
    function = call.parts[0]
    named = type(function) is Constant and type(function.value) is Name
    return function.value.id if named else ""
