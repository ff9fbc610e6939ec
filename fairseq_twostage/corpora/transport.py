"""Which sentences of two corpora go together, when each is used as often as it occurs.

The exact optimal transport plan between the two, at the Word Mover's Distance as cost. Where the
nearest sentence is one and the same for many, the plan has to give them different ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fairseq_twostage.corpora.wmd import FloatArray, Sentence, WordMoversDistance

MAX_SIMPLEX_ITERATIONS = 10_000_000


@dataclass(frozen=True)
class Partners:
    """The sentences of the other corpus that take a sentence's mass.

    Attributes:
        sentences: the n of them that take any.
        shares: of the mass, cumulated, the last one 1, shape (n,).
    """

    sentences: tuple[tuple[int, ...], ...]
    shares: FloatArray

    def draw(self, rng: np.random.Generator) -> tuple[int, ...]:
        """One of them, as likely as its share."""
        place = int(np.searchsorted(self.shares, rng.random(), side="right"))
        return self.sentences[min(place, len(self.sentences) - 1)]


Plan = Mapping[tuple[int, ...], Partners]


def transport_plans(
    corpus: Sequence[Sentence], other: Sequence[Sentence], wmd: WordMoversDistance
) -> tuple[Plan, Plan]:
    """The partners of each sentence of a corpus in the other one, and the reverse.

    Every sentence has the mass 1 / len(corpus) for each time that it occurs. One that has no word
    with a vector is as far from the others as any two are.

    Args:
        corpus: the sentences, with repetition.
        other: those of the other side, likewise.
        wmd: the cost of moving one onto another.

    Raises:
        ValueError: a corpus is empty.
    """
    if not corpus or not other:
        raise ValueError("no sentence to transport")
    rows, row_mass = _distinct(corpus)
    columns, column_mass = _distinct(other)
    bags = [wmd.bag(sentence) for sentence in columns]
    costs = np.array([[wmd.bag_distance(wmd.bag(row), bag) for bag in bags] for row in rows])
    finite = np.isfinite(costs)
    costs[~finite] = costs[finite].max(initial=0.0)
    # Imported here because it takes seconds when PyTorch is installed.
    from ot.lp import emd

    plan = emd(row_mass, column_mass, costs, numItermax=MAX_SIMPLEX_ITERATIONS)
    return _partners(rows, columns, plan), _partners(columns, rows, plan.T)


def _distinct(corpus: Sequence[Sentence]) -> tuple[list[tuple[int, ...]], FloatArray]:
    counts = Counter(tuple(sentence) for sentence in corpus)
    sentences = sorted(counts)
    return sentences, np.array([counts[each] for each in sentences]) / len(corpus)


def _partners(
    rows: Sequence[tuple[int, ...]],
    columns: Sequence[tuple[int, ...]],
    plan: npt.NDArray[np.float64],
) -> Plan:
    partners = {}
    for row, masses in zip(rows, plan):
        places = np.flatnonzero(masses > 0)
        shares = np.cumsum(masses[places])
        sentences = tuple(columns[place] for place in places.tolist())
        partners[row] = Partners(sentences, shares / shares[-1])
    return partners
