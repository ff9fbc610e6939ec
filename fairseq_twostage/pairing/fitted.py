"""The similarity of a natural and a canonical utterance, its scales fixed over X and Z.

How rare a word is, which anchors count, and the mean and spread of every part are taken from X and
Z once. So the similarity of two utterances depends on these two alone, not on what else is judged.

``s(x, z) = standard(standard(whole) + standard(aligned)) − ANCHOR_WEIGHT · mismatch``, where
``whole`` is the cosine of sentence vectors or the overlap of words, ``aligned`` the soft alignment
of the words' states (:func:`.similarity.soft_alignment` has the formula), and ``mismatch`` how many
numbers and comparisons one of the two has and the other lacks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from fairseq_twostage.pairing.index import ANCHORS, Index, Rarity, Read, make_index, marks_of
from fairseq_twostage.pairing.similarity import Matrix, Rows, Words

ANCHOR_WEIGHT = 0.5
MOST_FITTED = 2_000  # x and z over which the scales are taken where there are many
T = TypeVar("T")
SCALES = ("whole", "aligned", "alike", "total")
TINY = 1e-12


class Resources(Protocol):
    """What similarity is computed from."""

    name: str
    anchors: Collection[str]

    def read(self, sentences: Sequence[Words]) -> list[Read]:
        """States and vectors of utterances; those of one do not depend on the others."""

    def embed(self, phrases: Sequence[str]) -> Matrix:
        """Vectors of length 1, or 0 for a phrase of unknown words, ``(n, dim)``."""


class Parts(NamedTuple):
    """The parts of the similarity of one x and every z, ``(z,)`` each."""

    whole: Matrix
    aligned: Matrix
    mismatch: Matrix


@dataclass
class FittedSimilarity:
    """See the module.

    Attributes:
        resources: what is known of words.
        natural: rarity in X.
        canonical: rarity in Z.
        marks: per anchor the names that X has.
        scales: mean and standard deviation of each of ``SCALES``.
        index: of Z.
    """

    resources: Resources
    natural: Rarity
    canonical: Rarity
    marks: Mapping[str, frozenset[str]]
    index: Index
    scales: dict[str, tuple[float, float]] = field(default_factory=dict)

    @classmethod
    def fit(
        cls,
        resources: Resources,
        natural: Sequence[Words],
        canonical: Sequence[Words],
        most: int | None = None,
    ) -> tuple[FittedSimilarity, Matrix]:
        """Over X and Z.

        Args:
            most: take means and spreads of so many x and z at most, spread over each side.

        Returns:
            the similarity, and what it is for each x and z that were taken before the last
            standardisation, ``(x, z)``.
        """
        marks = {
            name: frozenset().union(*map(ANCHORS[name], natural)) for name in resources.anchors
        }
        rarity = Rarity.fit(natural), Rarity.fit(canonical)
        index = make_index(
            resources.read(canonical), rarity[1], marks_of(resources.anchors, canonical)
        )
        found = cls(resources, *rarity, marks, index)
        natural, taken = _spread(natural, most), index
        if most is not None and len(canonical) > most:
            taken = index.select(np.array(_spread(range(len(canonical)), most)))
        distinct = list(dict.fromkeys(map(tuple, natural)))
        read = dict(zip(distinct, resources.read(distinct)))
        rows = {words: found.parts(read[words], taken) for words in distinct}
        whole, aligned, mismatch = (
            np.stack(part) for part in zip(*(rows[tuple(words)] for words in natural))
        )
        alike = found._fixed("whole", whole) + found._fixed("aligned", aligned)
        total = found._fixed("alike", alike) - ANCHOR_WEIGHT * mismatch
        found._fixed("total", total)
        return found, total

    def _fixed(self, name: str, matrix: Matrix) -> Matrix:
        self.scales[name] = float(matrix.mean()), max(float(matrix.std()), TINY)
        return self._standard(name, matrix)

    def _standard(self, name: str, matrix: Matrix) -> Matrix:
        mean, deviation = self.scales[name]
        return (matrix - mean) / deviation

    def extended(self, lines: Sequence[str]) -> FittedSimilarity:
        """With further canonical utterances; scales and rarities stay."""
        return replace(self, index=self.index_of([*self.index.read(), *self.read(lines)]))

    def read_canonical(self, lines: Sequence[str]) -> list[Read]:
        """Canonical utterances as the resources see them; those of the index are not read anew."""
        known = dict(zip(self.index.lines, self.index.read()))
        others = [line for line in lines if line not in known]
        known |= zip(others, self.read(others))
        return [known[line] for line in lines]

    def read(self, lines: Sequence[str]) -> list[Read]:
        """Natural or canonical utterances as the resources see them."""
        return self.resources.read([line.split() for line in lines])

    def index_of(self, read: Sequence[Read]) -> Index:
        """Further canonical utterances; marks that Z never has do not count."""
        return make_index(
            read, self.canonical, {n: list(c) for n, (c, _) in self.index.marks.items()}
        )

    def scores(self, x: Read, index: Index | None = None, most: int | None = None) -> Matrix:
        """The standardised similarity of one x and every z of the index (Z's own), ``(z,)``.

        Args:
            index: of what x is compared with.
            most: align the words of so many z at most, the best ones by the whole and the marks;
                the others get minus infinity. None: of all.
        """
        index = self.index if index is None else index
        (whole,), (mismatch,) = self.wholes([x], index), self.mismatches([x], index)
        if most is None or most >= len(whole):
            return self.total(Parts(whole, self.aligned(x, index), mismatch))
        first = self.total(Parts(whole, np.full_like(whole, self.scales["aligned"][0]), mismatch))
        kept = np.sort(np.argpartition(-first, most)[:most])
        aligned = self.aligned(x, index, kept)
        found = np.full(len(whole), -np.inf)
        found[kept] = self.total(Parts(whole[kept], aligned, mismatch[kept]))
        return found

    def total(self, parts: Parts) -> Matrix:
        """The standardised similarity by its parts, of their size."""
        alike = self._standard("whole", parts.whole) + self._standard("aligned", parts.aligned)
        total = self._standard("alike", alike) - ANCHOR_WEIGHT * parts.mismatch
        return self._standard("total", total)

    def parts(self, x: Read, index: Index) -> Parts:
        """What the similarity consists of."""
        (whole,), (mismatch,) = self.wholes([x], index), self.mismatches([x], index)
        return Parts(whole, self.aligned(x, index), mismatch)

    def aligned(self, x: Read, index: Index, rows: Rows | None = None) -> Matrix:
        """Weighted mean of each word's largest cosine to a word of the other, both ways, ``(z,)``.

        Args:
            rows: of those z of the index alone, in their order.
        """
        states, starts, of_z = index.states, index.starts, index.weights
        if rows is not None:
            words, starts = index.words_of(rows)
            states, of_z = states[words], of_z[words]
        weights = self.natural.weights(x.words)
        cosines = x.states @ states.T
        there = weights @ np.maximum.reduceat(cosines, starts, axis=1)
        there /= max(float(weights.sum()), TINY)
        back = np.add.reduceat(cosines.max(axis=0) * of_z, starts)
        return (there + back / np.add.reduceat(of_z, starts).clip(TINY)) / 2

    def wholes(self, x: Sequence[Read], index: Index) -> Matrix:
        """Cosines of sentence vectors, or overlap of words, ``(x, z)``."""
        if index.vectors is None:
            return self._overlaps(x, index)
        vectors = np.stack([each.vector for each in x if each.vector is not None])
        return (vectors @ index.vectors.T).astype(np.float64)

    def _overlaps(self, x: Sequence[Read], index: Index) -> Matrix:
        """Shared words weighted by rarity, as a share of both utterances' (Dice), 0 … 1."""
        marks = np.zeros((len(index.columns), len(x)))
        for column, each in enumerate(x):
            for word in set(each.words) & index.columns.keys():
                marks[index.columns[word], column] = self.natural.of.get(
                    word, self.natural.unseen
                ) + self.canonical.of.get(word, self.canonical.unseen)
        totals = np.array([self.natural.total(each.words) for each in x])
        shared: Matrix = (index.overlap @ marks).T
        return shared / np.maximum(totals[:, None] + index.totals, TINY)

    def mismatches(self, x: Sequence[Read], index: Index) -> Matrix:
        """How many marks one of the two has and the other lacks, ``(x, z)``.

        Marks that canonical utterances never have do not count, nor those that neither X nor this
        x has.
        """
        differing = np.zeros((len(x), len(index.lines)))
        for name, (columns, held) in index.marks.items():
            known = [mark in self.marks[name] for mark in columns]
            mine = np.zeros((len(x), len(columns)))
            for row, each in enumerate(x):
                has = ANCHORS[name](each.words) & columns.keys()
                mine[row, [columns[mark] for mark in has]] = 1.0
            counted = np.maximum(mine, known)
            differing += mine.sum(axis=1)[:, None] + (held @ (counted - 2 * mine).T).T
        return differing


def _spread(items: Sequence[T], most: int | None) -> Sequence[T]:
    """At most so many of the items, spread over all of them."""
    if most is None or len(items) <= most:
        return items
    return [items[place * len(items) // most] for place in range(most)]
