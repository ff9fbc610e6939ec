"""Beta reduction: an application of a lambda becomes the body with the argument put in.

Substitution is by name and renames nothing, as in the specification; the argument is evaluated
anew at each use. Nothing here recurses, and every formula looked at costs a step.
"""

from __future__ import annotations

from typing import Any

from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.formulas import (
    Constant,
    Formula,
    Join,
    Lambda,
    Variable,
    children,
    with_children,
)

MAX_STEPS = 300_000
"""Formulas looked at before a reduction is given up; the datasets need less than 200."""

_VISIT, _REBUILD, _APPLY = range(3)


class Steps:
    """A budget of steps."""

    def __init__(self, limit: int) -> None:
        self.left = limit

    def spend(self, count: int = 1) -> None:
        """Take ``count`` steps; past the limit an ExecutionError of category ``budget``."""
        self.left -= count
        if self.left < 0:
            raise ExecutionError("budget", "too many steps")


def beta_reduce(formula: Formula, steps: Steps) -> Any:
    """Reduce all applications of lambdas, outermost first, the left part before the whole.

    Raises:
        ExecutionError: category ``budget`` when the steps are used up.
    """
    tasks: list[tuple[int, Any]] = [(_VISIT, formula)]
    done: list[Any] = []
    while tasks:
        action, node = tasks.pop()
        if action == _REBUILD:
            _rebuild(node, done)
        elif action == _APPLY:
            if type(done[-1]) is Lambda:
                function = done.pop()
                body = substitute(function.body, function.variable, node.parts[1], steps)
                tasks.append((_VISIT, body))
            else:
                tasks += ((_REBUILD, node), (_VISIT, node.parts[1]))
        else:
            steps.spend()
            if type(node) is Join:
                tasks += ((_APPLY, node), (_VISIT, node.parts[0]))
            else:
                _expand(node, tasks, done)
    return done[0]


def substitute(body: Any, variable: str | None, argument: Any, steps: Steps) -> Any:
    """``body`` with ``argument`` for ``variable``, but not inside a lambda that binds it again."""
    tasks: list[tuple[int, Any]] = [(_VISIT, body)]
    done: list[Any] = []
    while tasks:
        action, node = tasks.pop()
        if action == _REBUILD:
            _rebuild(node, done)
            continue
        steps.spend()
        if type(node) is Variable and node.name == variable and variable is not None:
            done.append(argument)
        elif type(node) is Lambda and node.variable == variable:
            done.append(node)
        else:
            _expand(node, tasks, done)
    return done[0]


def _expand(node: Any, tasks: list[tuple[int, Any]], done: list[Any]) -> None:
    """Visit the children of ``node`` left to right, then rebuild it; a leaf is done."""
    parts = () if type(node) is Constant else children(node)
    if not parts:
        done.append(node)
        return
    tasks.append((_REBUILD, node))
    for part in reversed(parts):
        tasks.append((_VISIT, part))


def _rebuild(node: Any, done: list[Any]) -> None:
    """Replace the last children on ``done`` by ``node`` with them; unchanged nodes are shared."""
    old = children(node)
    new = tuple(done[-len(old) :])
    del done[-len(old) :]
    changed = any(a is not b for a, b in zip(old, new))
    done.append(with_children(node, new) if changed else node)
