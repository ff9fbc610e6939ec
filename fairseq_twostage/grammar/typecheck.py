"""The type check: a logical form passes when our executor gives it a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from fairseq_twostage.grammar.chart import TypeCheck
from fairseq_twostage.grammar.terms import Term

if TYPE_CHECKING:
    from fairseq_twostage.semantics import World

NO_VARIABLES: Sequence[Mapping[str, str]] = ({},)


def execution_check(
    world: World, cache_size: int = 10_000, examples: Sequence[Mapping[str, str]] = ()
) -> TypeCheck:
    """A type check that executes; the last ``cache_size`` verdicts are remembered.

    A form passes when it has a value with one of the ``examples`` in place of its placeholders.
    """
    from fairseq_twostage.semantics import Answer
    from fairseq_twostage.semantics.executor import execute_uncached

    @lru_cache(maxsize=cache_size)
    def has_value(term: Term) -> bool:
        text = term.text
        return any(
            isinstance(execute_uncached(text, world, variables), Answer)
            for variables in (examples if "_" in text and examples else NO_VARIABLES)
        )

    return has_value
