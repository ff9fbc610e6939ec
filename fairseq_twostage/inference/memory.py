"""How ŷ is found: looked up where the grammar says it, else parsed, and remembered."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

from fairseq_twostage.decoding.stage import Hypothesis

Hypotheses = Sequence[Hypothesis]


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
        self.parse = parse
        self.certain = dict(certain or {})
        self.known = dict(known or {})
        self.capacity = capacity
        self._recent: OrderedDict[str, Hypotheses] = OrderedDict()

    def __call__(self, canonicals: Sequence[str]) -> list[Hypotheses]:
        """The logical forms of each canonical utterance, best first; none if nothing reads it."""
        found = {line: self._remembered(line) for line in canonicals}
        new = [line for line, hypotheses in found.items() if hypotheses is None]
        for line, hypotheses in zip(new, self._parse(new)):
            found[line] = self._recent[line] = hypotheses
        while len(self._recent) > self.capacity:
            self._recent.popitem(last=False)
        return [found[line] or () for line in canonicals]

    def learn(self, canonicals: Sequence[str]) -> None:
        """Parse ``canonicals`` and never forget them."""
        new = [line for line in canonicals if line not in self.certain]
        self.known.update(zip(new, self._parse(new)))

    def _parse(self, lines: Sequence[str]) -> Sequence[Hypotheses]:
        if not lines or self.parse is None:
            return [()] * len(lines)
        return self.parse(lines)

    def _remembered(self, line: str) -> Hypotheses | None:
        if line in self.certain:
            return (Hypothesis(self.certain[line], 0.0),)
        if line in self.known:
            return self.known[line]
        if line in self._recent:
            self._recent.move_to_end(line)
        return self._recent.get(line)
