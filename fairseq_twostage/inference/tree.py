"""A logical form as a tree, each call with its value: what --explain and the page draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fairseq_twostage.inference.answer import NO_PHRASES, answer_values, display
from fairseq_twostage.semantics.denotation import Denotation, Failure
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.executor import answer, failure, reduced
from fairseq_twostage.semantics.explain import evaluate_all
from fairseq_twostage.semantics.foreign import ForeignWorld
from fairseq_twostage.semantics.formulas import Call, Constant, formula_text
from fairseq_twostage.semantics.normalise import LONG_PREFIX, fill, normalise
from fairseq_twostage.semantics.sexp import read, write_atom
from fairseq_twostage.semantics.values import Value
from fairseq_twostage.semantics.world import World

MAX_NODES = 500
MAX_DEPTH = 60
MAX_SHOWN = 3


@dataclass
class Node:
    """A call, or a part of one.

    Attributes:
        label: the function's name, or a constant in print.
        parts: arguments, left to right; a leaf has none.
        value: what the call denotes, cut; empty for a leaf and without a world.
        failed: whether it has no value.
    """

    label: str
    parts: list[Node] = field(default_factory=list)
    value: str = ""
    failed: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        parts = [part.to_dict() for part in self.parts]
        return {"label": self.label, "parts": parts, "value": self.value, "failed": self.failed}

    def lines(self, depth: int = 0) -> list[str]:
        """The tree as text: a line per call with its constants, ``·`` where a call follows."""
        indent = "  " * depth
        if not self.parts:
            return [f"{indent}{self.label}"]
        head = " ".join([self.label, *("·" if part.parts else part.label for part in self.parts)])
        lines = [f"{indent}{head}" + (f"   = {self.value}" if self.value else "")]
        for part in self.parts:
            if part.parts:
                lines += part.lines(depth + 1)
        return lines


def form_tree(
    logical_form: str,
    world: World | None = None,
    variables: Mapping[str, str] | None = None,
    phrases: Mapping[str, str] = NO_PHRASES,
) -> Node:
    """The tree of a form after beta reduction; its brackets only without a world of triples.

    Args:
        phrases: what people call constants.
    """
    text = logical_form
    if world is not None and not isinstance(world, ForeignWorld):
        try:
            text = normalise(logical_form, variables)
            formula = reduced(text, world)
        except ExecutionError as error:
            return Node(_short(text.strip()), value=error.message, failed=True)
        return _valued_tree(evaluate_all(formula, world), world, phrases)
    try:
        return _bracket_tree(read(fill(logical_form, variables or {})), 0)
    except ExecutionError as error:
        return Node(_short(text.strip()), value=error.message, failed=True)


def _valued_tree(
    evaluated: list[tuple[Any, int, Any]], world: World, phrases: Mapping[str, str]
) -> Node:
    root = Node("")
    path = [root]
    for formula, depth, result in evaluated[:MAX_NODES]:
        del path[min(depth, MAX_DEPTH) + 1 :]
        node = Node(_label(formula, phrases))
        path[-1].parts.append(node)
        path.append(node)
        if type(formula) is Call:
            node.value, node.failed = _value(result, world, phrases)
    for node in root.parts:
        _name_calls(node)
    return root.parts[0]


def _label(formula: Any, phrases: Mapping[str, str]) -> str:
    if type(formula) is Call:
        return ""
    if type(formula) is Constant and isinstance(formula.value, str):
        return formula.value or '""'
    if type(formula) is Constant and isinstance(formula.value, Value):
        try:
            return display(formula.value, phrases)
        except ExecutionError:  # a number without a unit
            return _short(formula_text(formula, 60))
    return _short(formula_text(formula, 60))


def _name_calls(root: Node) -> None:
    """The first part of a call is its function: it becomes the call's label."""
    todo = [root]
    while todo:
        node = todo.pop()
        if not node.label and node.parts:
            node.label = node.parts[0].label or "call"
            node.label = node.label.rpartition(".")[2] or node.label
            node.parts = node.parts[1:]
        todo += node.parts


def _value(result: Any, world: World, phrases: Mapping[str, str]) -> tuple[str, bool]:
    try:
        if isinstance(result, ExecutionError):
            raise result
        return _denotation_text(answer(result, world), phrases), False
    except ExecutionError as error:
        return _denotation_text(failure(error), phrases), True


def _denotation_text(denotation: Denotation, phrases: Mapping[str, str]) -> str:
    if isinstance(denotation, Failure):
        return f"{denotation.category} error: {denotation.message}"
    values = answer_values(denotation)
    if not values:
        return "nothing"
    shown = ", ".join(display(value, phrases) for value in values[:MAX_SHOWN])
    return _short(shown) if len(values) <= MAX_SHOWN else f"{len(values)}: {_short(shown)}, …"


def _bracket_tree(form: Any, depth: int) -> Node:
    if not isinstance(form, tuple):
        return Node(write_atom(form))
    if depth >= MAX_DEPTH:
        return Node("…")
    if form[:1] == ("call",):
        form = form[1:]
    if not form:
        return Node("( )")
    head, *rest = form
    if isinstance(head, tuple):
        head, rest = "", list(form)
    label = "" if head == "" else write_atom(head).replace(LONG_PREFIX, "SW")
    return Node(label, [_bracket_tree(part, depth + 1) for part in rest])


def _short(text: str, limit: int = 120) -> str:
    text = text.replace(LONG_PREFIX, "SW")
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
