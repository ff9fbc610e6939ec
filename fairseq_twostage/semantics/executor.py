"""From a line of text to a denotation. Nothing that can be written on a line raises here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fairseq_twostage.semantics import (  # noqa: F401 (register their functions)
    arithmetic,
    own_functions,
    superlatives,
)
from fairseq_twostage.semantics.denotation import Answer, Denotation, Failure
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.foreign import ForeignWorld
from fairseq_twostage.semantics.formulas import Call, Constant, read_formula
from fairseq_twostage.semantics.functions import OVER_ROWS
from fairseq_twostage.semantics.normalise import normalise
from fairseq_twostage.semantics.overloads import resolve
from fairseq_twostage.semantics.reduction import MAX_STEPS, Steps, beta_reduce
from fairseq_twostage.semantics.results import to_value
from fairseq_twostage.semantics.rows import over_rows
from fairseq_twostage.semantics.world import World

_REMEMBERED_FORMS = 20_000
_REMEMBERED_LENGTH = 2_000


def execute(
    logical_form: str, world: World, variables: Mapping[str, str] | None = None
) -> Denotation:
    """The denotation of a logical form; never raises on any text.

    Args:
        logical_form: a line as the dataset or a decoder writes it, not stripped.
        world: the world to run it on.
        variables: values of placeholders such as ``_state_``.
    """
    key = (logical_form, *variables.items()) if variables else logical_form
    denotation = world.denotations.get(key)
    if denotation is None:
        denotation = execute_uncached(logical_form, world, variables)
        if len(logical_form) < _REMEMBERED_LENGTH:
            if len(world.denotations) >= _REMEMBERED_FORMS:
                world.denotations.clear()
            world.denotations[key] = denotation
    return denotation


def execute_uncached(
    logical_form: str, world: World, variables: Mapping[str, str] | None = None
) -> Denotation:
    """The same without remembering whole forms."""
    try:
        if isinstance(world, ForeignWorld):
            return world.denote(logical_form, variables or {})
        text = normalise(logical_form, variables)
    except ExecutionError as error:
        return failure(error)
    return _execute(text, world)


def first_executable(
    forms: Iterable[str], world: World, variables: Mapping[str, str] | None = None
) -> int | None:
    """The rank of the first form of an n-best list that is executable; None if none is."""
    for rank, form in enumerate(forms):
        if execute(form, world, variables).executable:
            return rank
    return None


def _execute(text: str, world: World) -> Denotation:
    try:
        return answer(evaluate(reduced(text, world), world), world)
    except ExecutionError as error:
        return failure(error)


def reduced(text: str, world: World) -> Any:
    """The formula of a normalised line as the world evaluates it, applications carried out.

    Raises:
        ExecutionError: category ``parse`` or ``budget``.
    """
    formula: Any = read_formula(text)
    if "lambda" in text or "\\" in text or '"' in text:
        formula = beta_reduce(formula, Steps(MAX_STEPS))
    return over_rows(formula) if world.rows else formula


def failure(error: ExecutionError) -> Failure:
    """An error as a value, its message in one line."""
    message = " ".join(error.message.split())
    return Failure(error.category, message, error.place, error.counts_as_empty)


def answer(result: Any, world: World) -> Answer:
    """A result in the world's print; here, outside all functions, no error counts as the empty
    list."""
    try:
        value = to_value(result)
        if not world.exact:
            return Answer(value.text, value=value)
        return Answer(value.text_to_read, value.text_in_full, value)
    except ExecutionError as error:
        error.counts_as_empty = False
        raise


def evaluate(formula: Any, world: World) -> Any:
    """The value of a reduced formula: a :class:`Value`, a tuple, a string, a boolean, the size
    of a list, None, or a formula that is no call.

    Functions and arguments are evaluated left to right and the first error wins. Evaluation
    runs over the formula in post-order and does not recurse.

    Raises:
        ExecutionError: with the place of the call that failed.
    """
    results: list[Any] = []
    elements = 0
    for node in post_order(formula):
        if type(node) is Constant:
            results.append(node.value)
        elif type(node) is Call:
            count = len(node.parts)
            result = apply(node, results[-count:], world)
            results[-count:] = [result]
            if type(result) is tuple:
                elements += len(result)
                if elements > world.max_elements:
                    raise ExecutionError("budget", "too many list elements")
        else:
            results.append(node)
    return results[0]


def apply(call: Call, arguments: list[Any], world: World) -> Any:
    """The result of a call; ``arguments`` holds the function's name first.

    Raises:
        ExecutionError: with the place of the call.
    """
    function, *rest = arguments
    try:
        found = resolve(function, rest)
        return (OVER_ROWS.get(found, found) if call.rows else found)(world, *rest)
    except ExecutionError as error:
        error.place = call.place
        raise


def post_order(formula: Any) -> list[Any]:
    """Calls and their parts, parts before the call, left to right; other formulas are leaves."""
    order: list[Any] = []
    todo: list[Any] = [formula]
    while todo:
        node = todo.pop()
        order.append(node)
        if type(node) is Call:
            todo.extend(node.parts)
    order.reverse()
    return order
