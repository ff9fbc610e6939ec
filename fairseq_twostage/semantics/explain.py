"""The value of every sub-form, for people who debug a grammar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fairseq_twostage.semantics.denotation import Denotation
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.executor import answer, apply, execute, failure, reduced
from fairseq_twostage.semantics.foreign import ForeignWorld
from fairseq_twostage.semantics.formulas import Call, Constant, formula_text
from fairseq_twostage.semantics.normalise import LONG_PREFIX, normalise
from fairseq_twostage.semantics.world import World


class Step(NamedTuple):
    """A sub-form: how deep it lies, its text (maybe cut), what it denotes, its list's length."""

    depth: int
    form: str
    denotation: Denotation
    length: int | None


def explain(
    logical_form: str, world: World, variables: Mapping[str, str] | None = None
) -> list[Step]:
    """All calls of the form after beta reduction, outermost first, each with its value.

    Unlike in execution, a call whose argument fails does not keep its other arguments from
    being shown; it fails with the first error among them. Constants are not listed.
    """
    if isinstance(world, ForeignWorld):
        return [Step(0, logical_form.strip(), execute(logical_form, world, variables), None)]
    text = logical_form
    try:
        text = normalise(logical_form, variables)
        formula = reduced(text, world)
    except ExecutionError as error:
        return [Step(0, text.strip()[:200], failure(error), None)]
    return [
        Step(depth, _short_text(node), *_shown(result, world))
        for node, depth, result in evaluate_all(formula, world)
        if type(node) is not Constant or depth == 0
    ]


def evaluate_all(formula: Any, world: World) -> list[tuple[Any, int, Any]]:
    """Every node of a reduced formula, parents first: node, depth, result (maybe an error)."""
    order: list[tuple[Any, int]] = []
    todo: list[tuple[Any, int]] = [(formula, 0)]
    while todo:
        node, depth = todo.pop()
        order.append((node, depth))
        if type(node) is Call:
            todo.extend((part, depth + 1) for part in reversed(node.parts))
    evaluated: list[tuple[Any, int, Any]] = []
    results: list[Any] = []
    for node, depth in reversed(order):
        result = node.value if type(node) is Constant else node
        if type(node) is Call:
            arguments = [results.pop() for _ in node.parts]
            errors = [item for item in arguments if isinstance(item, ExecutionError)]
            result = errors[0] if errors else _apply_or_error(node, arguments, world)
        results.append(result)
        evaluated.append((node, depth, result))
    evaluated.reverse()
    return evaluated


def _apply_or_error(node: Call, arguments: list[Any], world: World) -> Any:
    try:
        return apply(node, arguments, world)
    except ExecutionError as error:
        return error


def _shown(result: Any, world: World) -> tuple[Denotation, int | None]:
    length = len(result) if type(result) is tuple else None
    try:
        if isinstance(result, ExecutionError):
            raise result
        return answer(result, world), length
    except ExecutionError as error:
        return failure(error), length


def _short_text(node: Any) -> str:
    return formula_text(node, limit=400).replace(LONG_PREFIX, "SW")
