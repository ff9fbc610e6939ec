"""Why a logical form has no value."""

from __future__ import annotations

from typing import Literal

Category = Literal[
    "parse",  # not a form: brackets, quotes, constants or joins that cannot be read
    "type",  # a value of another type than the property or function wants
    "entity",  # an entity that the world does not know
    "property",  # a property that the world does not know
    "null",  # a missing value (superlative over nothing) used as if it were one
    "empty",  # a join or an aggregate over nothing
    "function",  # no such function
    "arity",  # no overload takes this number and these kinds of arguments
    "argument",  # a mode or operator that the function does not have
    "index",  # the first element of an empty list, the type of a name without a dot
    "object",  # a leftover lambda, variable or join where a value is wanted
    "budget",  # too many steps: a reduction that does not end, or a product of long lists
]


class ExecutionError(Exception):
    """Raised while a form is read or evaluated; never leaves ``execute``.

    Args:
        category: one of :data:`Category`.
        message: what is wrong, for people.
        counts_as_empty: the two run-time errors that the papers' metric reads as ``(list)``.
    """

    def __init__(self, category: Category, message: str, counts_as_empty: bool = False) -> None:
        super().__init__(message)
        self.category = category
        self.message = message
        self.counts_as_empty = counts_as_empty
        self.place = -1


def null_pointer(what: str) -> ExecutionError:
    """A missing value met inside a function: the metric reads it as the empty list."""
    return ExecutionError("null", f"{what} is missing (null)", counts_as_empty=True)
