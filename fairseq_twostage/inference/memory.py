"""Parses that are known: canonical utterances repeat, and a grammar's are known beforehand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

from fairseq_twostage.decoding.stage import Hypothesis

Hypotheses = Sequence[Hypothesis]


class ParseMemory:
    """The second stage with a memory.

    Args:
        parse: the second stage.
        known: n-best logical forms of known canonical utterances; never forgotten.
        certain: logical forms that a grammar gives; each goes before what ``parse`` finds, with
            score 0.
        capacity: how many others are remembered; the one that was asked for least recently
            goes first.
    """

    def __init__(
        self,
        parse: Callable[[Sequence[str]], Sequence[Hypotheses]],
        known: Mapping[str, Hypotheses] | None = None,
        capacity: int = 10_000,
        certain: Mapping[str, str] | None = None,
    ) -> None:
        self.parse = parse
        self.certain = certain or {}
        self.known = dict(known or {})
        self.capacity = capacity
        self._recent: OrderedDict[str, Hypotheses] = OrderedDict()

    def __call__(self, canonicals: Sequence[str]) -> list[Hypotheses]:
        """The logical forms of each canonical utterance, best first."""
        found = {line: self._remembered(line) for line in canonicals}
        new = [line for line, hypotheses in found.items() if hypotheses is None]
        for line, hypotheses in zip(new, self._parse(new)):
            found[line] = self._recent[line] = hypotheses
        while len(self._recent) > self.capacity:
            self._recent.popitem(last=False)
        return [found[line] or () for line in canonicals]

    def learn(self, canonicals: Sequence[str]) -> None:
        """Parse ``canonicals`` and never forget them."""
        self.known.update(zip(canonicals, self._parse(canonicals)))

    def _parse(self, lines: Sequence[str]) -> list[Hypotheses]:
        found = self.parse(lines) if lines else ()
        return [self._certain_first(line, nbest) for line, nbest in zip(lines, found)]

    def _certain_first(self, line: str, found: Hypotheses) -> Hypotheses:
        form = self.certain.get(line)
        if form is None:
            return found
        others = [hypothesis for hypothesis in found if hypothesis.text != form]
        return [Hypothesis(form, 0.0), *others]

    def _remembered(self, line: str) -> Hypotheses | None:
        if line in self.known:
            return self.known[line]
        if line in self._recent:
            self._recent.move_to_end(line)
        return self._recent.get(line)
