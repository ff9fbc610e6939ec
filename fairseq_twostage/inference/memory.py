"""How ŷ is found: looked up where the grammar says it, else parsed, and remembered."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from fairseq_twostage.decoding.stage import Hypothesis

Hypotheses = Sequence[Hypothesis]
V = TypeVar("V")


class BatchMemory(Generic[V]):
    """A function of lines, computed for those at once that are not remembered.

    Args:
        compute: lines, all different, to a value of each.
        capacity: how many are remembered; the one that was asked for least recently goes first.
    """

    def __init__(
        self, compute: Callable[[Sequence[str]], Sequence[V]], capacity: float = math.inf
    ) -> None:
        self.compute = compute
        self.capacity = capacity
        self._known: OrderedDict[str, V] = OrderedDict()

    def __call__(self, lines: Sequence[str]) -> list[V]:
        """The value of each line."""
        found = {line: self._known[line] for line in lines if line in self._known}
        new = [line for line in dict.fromkeys(lines) if line not in found]
        if new:
            found.update(zip(new, self.compute(new)))
        for line in found:
            self._known[line] = found[line]
            self._known.move_to_end(line)
        while len(self._known) > self.capacity:
            self._known.popitem(last=False)
        return [found[line] for line in lines]


class ParseMemory:
    """The second stage with a memory.

    Args:
        parse: the second stage; None where every ẑ is looked up.
        known: n-best logical forms of known canonical utterances; never forgotten.
        certain: the logical form of canonical utterances that the domain's pairs have: it is the
            only one of these, with score 0.
        capacity: how many others are remembered; the one that was asked for least recently
            goes first.
    """

    def __init__(
        self,
        parse: Callable[[Sequence[str]], Sequence[Hypotheses]] | None,
        known: Mapping[str, Hypotheses] | None = None,
        capacity: int = 10_000,
        certain: Mapping[str, str] | None = None,
    ) -> None:
        self.certain = dict(certain or {})
        self.known = dict(known or {})
        self.parse = BatchMemory(parse or (lambda lines: [()] * len(lines)), capacity)

    def __call__(self, canonicals: Sequence[str]) -> list[Hypotheses]:
        """The logical forms of each canonical utterance, best first; none if nothing reads it."""
        found = {line: self._given(line) for line in dict.fromkeys(canonicals)}
        new = [line for line, hypotheses in found.items() if hypotheses is None]
        found.update(zip(new, self.parse(new)))
        return [found[line] or () for line in canonicals]

    def learn(self, canonicals: Sequence[str]) -> None:
        """Parse ``canonicals`` and never forget them."""
        new = [line for line in canonicals if line not in self.certain]
        self.known.update(zip(new, self.parse.compute(new) if new else ()))

    def _given(self, line: str) -> Hypotheses | None:
        if line in self.certain:
            return (Hypothesis(self.certain[line], 0.0),)
        return self.known.get(line)
