"""The type check: a logical form passes when our executor gives it a value."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from fairseq_twostage.grammar.chart import TypeCheck
from fairseq_twostage.grammar.terms import Term

if TYPE_CHECKING:
    from fairseq_twostage.semantics import World


def execution_check(
    world: World, cache_size: int = 10_000, variables: Mapping[str, str] | None = None
) -> TypeCheck:
    """A type check that executes; the last ``cache_size`` verdicts are remembered.

    ``variables`` are filled in for placeholders that stand in a form.
    """
    from fairseq_twostage.semantics import Answer
    from fairseq_twostage.semantics.executor import execute_uncached

    @lru_cache(maxsize=cache_size)
    def has_value(term: Term) -> bool:
        return isinstance(execute_uncached(term.text, world, variables), Answer)

    return has_value
