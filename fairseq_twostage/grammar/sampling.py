"""Seeded sampling from a grammar too large to enumerate."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import TypeVar

from fairseq_twostage.grammar.chart import Chart, Phrase, Variant
from fairseq_twostage.grammar.rules import ROOT

#: Draws in a row without a new pair after which sampling ends.
DEFAULT_PATIENCE = 10_000

T = TypeVar("T")


def sample(chart: Chart, seed: int = 1, patience: int = DEFAULT_PATIENCE) -> Iterator[Phrase]:
    """Yield distinct random phrases of ``$ROOT`` until no new ones are found.

    A derivation is drawn uniformly from all combinations of the phrases that the chart keeps
    and, where it keeps none, of the rules' parts; one that the type check refuses is drawn
    again from the start. So every derivation that passes is equally likely (several
    derivations of one kept phrase count once).

    Args:
        chart: its ``depth`` bounds the derivations; built here as far as its memory allows.
        seed: of the random numbers; equal seeds give equal samples.
        patience: stop after so many draws in a row that gave nothing new.
    """
    chart.build()
    sampler = _Sampler(chart, random.Random(seed))
    seen: set[tuple[str, str]] = set()
    misses = 0
    while misses < patience and not sampler.is_empty:
        phrase = sampler.draw()
        if phrase is None or phrase.key in seen:
            misses += 1
            continue
        misses = 0
        seen.add(phrase.key)
        yield phrase


class _Choices(tuple[Sequence[T], Sequence[int]]):
    """Items with cumulative weights; the weights are integers of any length."""

    @classmethod
    def of(cls, weighted: Sequence[tuple[T, int]]) -> _Choices[T]:
        present = [(item, weight) for item, weight in weighted if weight]
        bounds = list(accumulate(weight for _, weight in present))
        return cls(([item for item, _ in present], bounds))

    def draw(self, numbers: random.Random) -> T:
        items, bounds = self
        return items[bisect_right(bounds, numbers.randrange(bounds[-1]))]


class _Sampler:
    """Draws derivations top-down from a chart whose cells are all built."""

    def __init__(self, chart: Chart, numbers: random.Random) -> None:
        self.chart = chart
        self.numbers = numbers
        self.levels = range(1, chart.depth + 1)
        self.cells = cache(self._cells)
        self.rules = cache(self._rules)

    @property
    def is_empty(self) -> bool:
        """Whether the grammar has no phrase at all."""
        return not any(self.chart.size(ROOT, depth) for depth in self.levels)

    def draw(self) -> Phrase | None:
        """One phrase of ``$ROOT``; None when the type check refused what was drawn."""
        return self._phrase(ROOT, self.levels)

    def _phrase(self, category: str, levels: range) -> Phrase | None:
        name, depth = self.cells(category, levels).draw(self.numbers)
        phrases = self.chart.kept(name, depth)
        if phrases is not None:
            return self.numbers.choice(phrases)
        variant, depths = self.rules(name, depth).draw(self.numbers)
        children = []
        for part, part_levels in zip(variant.categories, depths):
            child = self._phrase(part, part_levels)
            if child is None:
                return None
            children.append(child)
        return self.chart.make(variant, children)

    def _cells(self, category: str, levels: range) -> _Choices[tuple[str, int]]:
        """The cells that hold phrases of a category, by size."""
        cells = [(name, depth) for depth in levels for name in self.chart.names(category)]
        return _Choices.of([(cell, self.chart.own_size(*cell)) for cell in cells])

    def _rules(self, name: str, depth: int) -> _Choices[tuple[Variant, list[range]]]:
        """The ways to make a phrase of a cell, by the number of combinations of each."""
        return _Choices.of(
            [
                ((variant, depths), self.chart.combinations(variant, depths))
                for variant in self.chart.variants(name)
                for depths in self.chart.splits(variant, depth)
            ]
        )
