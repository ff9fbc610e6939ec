"""Seeded sampling from a grammar too large to enumerate.

Where the chart keeps all phrases of a cell, one is drawn. For the other cells a pool of random
phrases is made once, from the phrases or pools of smaller depth; the share that the type check
lets pass estimates the cell's size. Drawing from pools keeps the cost of a sample linear in
depth, where drawing whole derivations and rejecting the ill-typed ones would find none.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Generic, NamedTuple, TypeVar

from fairseq_twostage.grammar.chart import HUGE, Chart, Phrase, Variant
from fairseq_twostage.grammar.rules import ROOT

#: Draws in a row without a new phrase after which sampling ends.
DEFAULT_PATIENCE = 10_000
#: Phrases in the pool of a cell that the chart does not keep.
POOL_SIZE = 1_000

T = TypeVar("T")


def sample(
    chart: Chart, seed: int = 1, patience: int = DEFAULT_PATIENCE, pool_size: int = POOL_SIZE
) -> Iterator[Phrase]:
    """Yield distinct random phrases of ``$ROOT`` until no new ones are found.

    Where the chart keeps everything below ``$ROOT``, every derivation that passes the type
    check is equally likely; with pools this holds approximately. All phrases have derivations
    within the chart's depth, most of them (as of all phrases) close to it.

    Args:
        chart: its cells are built here as far as its memory allows.
        seed: of the random numbers; equal seeds give equal samples.
        patience: stop after so many draws in a row that gave nothing new.
        pool_size: phrases in the pool of a cell that the chart does not keep; fewer where they
            are not found in 20 times as many draws.
    """
    chart.build()
    sampler = _Sampler(chart, random.Random(seed), pool_size)
    roots = _Choices.of(
        [
            ((name, depth), size)
            for depth in range(1, chart.depth + 1)
            for name in chart.names(ROOT)
            for size in [sampler.combinations(name, depth)]
        ]
    )
    seen: set[tuple[str, str]] = set()
    misses = 0
    while misses < patience and roots.items:
        phrase = sampler.draw(*roots.draw(sampler.numbers))
        if phrase is None or phrase.key in seen:
            misses += 1
            continue
        misses = 0
        seen.add(phrase.key)
        yield phrase


@dataclass(frozen=True)
class _Choices(Generic[T]):
    """Items with cumulative weights; the weights are integers of any length."""

    items: Sequence[T]
    bounds: Sequence[int]

    @classmethod
    def of(cls, weighted: Sequence[tuple[T, int]]) -> _Choices[T]:
        present = [(item, weight) for item, weight in weighted if weight]
        bounds = list(accumulate(weight for _, weight in present))
        return cls([item for item, _ in present], bounds)

    @property
    def total(self) -> int:
        return self.bounds[-1] if self.bounds else 0

    def draw(self, numbers: random.Random) -> T:
        return self.items[bisect_right(self.bounds, numbers.randrange(self.total))]


class _Pool(NamedTuple):
    """Phrases of a cell, all or some, and how many there are, counted or estimated."""

    phrases: Sequence[Phrase]
    size: int


class _Sampler:
    """Draws phrases from a chart whose cells are all built."""

    def __init__(self, chart: Chart, numbers: random.Random, pool_size: int) -> None:
        self.chart = chart
        self.numbers = numbers
        self.pool_size = pool_size
        self.pool = cache(self._pool)
        self.cells = cache(self._cells)
        self.rules = cache(self._rules)

    def combinations(self, name: str, depth: int) -> int:
        """How many combinations of parts could make a phrase of a cell."""
        return self.rules(name, depth).total

    def draw(self, name: str, depth: int) -> Phrase | None:
        """Make a random phrase of a cell from its parts; None if the type check refuses it."""
        variant, depths = self.rules(name, depth).draw(self.numbers)
        children = []
        for category, span in zip(variant.categories, depths):
            cell = self.cells(category, *span).draw(self.numbers)
            children.append(self.numbers.choice(self.pool(*cell).phrases))
        return self.chart.make(variant, children)

    def _rules(self, name: str, depth: int) -> _Choices[tuple[Variant, list[tuple[int, int]]]]:
        """The ways to make a phrase of a cell, by the number of combinations of each."""
        weighted = []
        for variant in self.chart.variants(name):
            for levels in self.chart.splits(variant, depth):
                depths = [(span.start, span.stop) for span in levels]
                total = 1
                for category, span in zip(variant.categories, depths):
                    total *= self.cells(category, *span).total if total else 0
                weighted.append(((variant, depths), min(total, HUGE)))
        return _Choices.of(weighted)

    def _cells(self, category: str, first: int, stop: int) -> _Choices[tuple[str, int]]:
        """The cells that hold the phrases of a category, by size."""
        cells = [(n, depth) for depth in range(first, stop) for n in self.chart.names(category)]
        return _Choices.of([(cell, self.pool(*cell).size) for cell in cells])

    def _pool(self, name: str, depth: int) -> _Pool:
        kept = self.chart.kept(name, depth)
        if kept is not None:
            return _Pool(kept, len(kept))
        combinations = self.combinations(name, depth)
        phrases: list[Phrase] = []
        draws = 0
        while combinations and len(phrases) < self.pool_size and draws < 20 * self.pool_size:
            draws += 1
            phrase = self.draw(name, depth)
            if phrase is not None:
                phrases.append(phrase)
        return _Pool(phrases, max(1, combinations * len(phrases) // draws) if phrases else 0)
