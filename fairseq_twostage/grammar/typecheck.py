"""The type check: a logical form passes when our executor gives it a value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from fairseq_twostage.grammar.terms import Term

if TYPE_CHECKING:
    from fairseq_twostage.semantics import World

MAX_TRIALS = 1_000  # combinations of names that are tried of a form
ENOUGH = 100  # of them, where each is of a wrong type
_WHATEVER_IS_NAMED = frozenset({"parse", "property", "function", "arity", "argument"})
_WRONG_TYPE = frozenset({"type", "object", "index"})


class ExecutionCheck:
    """A type check that executes; the last verdicts are remembered.

    A form with placeholders passes when it has a value with some names of the lexicon, and is
    refused when it has none with any. The order of the names does not count: of at most 1,000
    combinations all are tried. Of more, 1,000 are tried, and a form that is of the right types
    passes unproven.

    Args:
        world: where forms run.
        names: by placeholder, the constants that it may stand for.
        cache_size: how many verdicts are remembered.

    Attributes:
        unproven: forms that passed so.
    """

    def __init__(
        self,
        world: World,
        names: Mapping[str, Sequence[str]] | None = None,
        cache_size: int = 10_000,
    ) -> None:
        self.world = world
        self.names = names or {}
        self.unproven: dict[Term, None] = {}
        self._verdict = lru_cache(maxsize=cache_size)(self._decide)

    def __call__(self, term: Term) -> bool:
        """Whether a form passes."""
        return self._verdict(term)

    def _decide(self, term: Term) -> bool:
        from fairseq_twostage.semantics import Answer, Failure
        from fairseq_twostage.semantics.executor import execute_uncached

        text = term.text
        used = [word for word in dict.fromkeys(text.split()) if word in self.names]
        wrong_types = 0
        for trial, chosen in enumerate(combinations([self.names[word] for word in used])):
            if trial == MAX_TRIALS:
                self.unproven[term] = None
                return True
            found = execute_uncached(text, self.world, dict(zip(used, chosen)))
            if isinstance(found, Answer):
                return True
            category = found.category if isinstance(found, Failure) else "object"
            wrong_types += category in _WRONG_TYPE
            if category in _WHATEVER_IS_NAMED or wrong_types == trial + 1 == ENOUGH:
                return False
        return False


def combinations(choices: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Every combination of one of each in which no two are the same.

    They are far from their neighbours, so that the first ones hold many of each.
    """
    total = math.prod(map(len, choices))
    step = max(1, round(0.618 * total))
    while math.gcd(step, total) != 1:  # so that steps around the circle meet every place
        step += 1
    for place in range(total):
        number, chosen = place * step % total, list[str]()
        for choice in choices:
            number, at = divmod(number, len(choice))
            chosen.append(choice[at])
        if len({*chosen}) == len(chosen):
            yield tuple(chosen)
