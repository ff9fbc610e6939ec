"""Word Mover's Distance between sentences, exact, and the nearest of many sentences.

Kusner, Sun, Kolkin and Weinberger, "From Word Embeddings To Document Distances", ICML 2015:
a sentence is its normalised bag of words, moving one unit of mass from one word to another
costs the Euclidean distance of their vectors, and the distance of two sentences is the least
cost of moving one bag onto the other.

Conventions where the paper is silent:

- words without a vector are ignored, unless they are said to match themselves alone: a
  placeholder such as ``_state_`` is then at distance 0 from itself, and from all else as far as
  a vector of its own, √D long and at right angles to every other one;
- a sentence with no word left is infinitely far from every sentence that has one, and at
  distance 0 from another such sentence;
- among equally near candidates the first one is the nearest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist

Sentence = Sequence[int]
FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.intp]

# Above this many words with a vector (128 MB) distances between words are computed as needed.
MAX_TABLE_WORDS = 4096
MAX_SIMPLEX_ITERATIONS = 1_000_000
OPTIMAL = 1  # result code of the network simplex
# A bound is a sum of rounded products; this much lower it stays below the rounded optimum.
ROUNDING = 1 - 1e-9


@dataclass(frozen=True, eq=False)
class Bag:
    """A sentence as the bag of its words that are not ignored.

    Attributes:
        words: distinct words as row numbers of the known vectors, ascending, shape (n,).
        counts: how often each occurs, shape (n,).
        total: the sum of ``counts``; 0 for a sentence with no known word.
    """

    words: IndexArray
    counts: FloatArray
    total: int


class WordMoversDistance:
    """Exact Word Mover's Distance over one table of word vectors.

    Args:
        vectors: one row per word id, shape (V, D).
        known: whether the word has a vector, shape (V,); rows of other words are never read.
            To leave out stop words, as Kusner et al. do, mark them as not known.
        themselves: which of the other words match themselves alone, shape (V,); none by default.

    Raises:
        ValueError: the shapes disagree, or a known word's vector is not finite.
    """

    def __init__(
        self,
        vectors: npt.NDArray[np.floating],
        known: npt.NDArray[np.bool_],
        themselves: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        if vectors.ndim != 2 or known.shape != vectors.shape[:1]:
            raise ValueError(f"vectors {vectors.shape} and known {known.shape} do not go together")
        if themselves is None:
            themselves = np.zeros_like(known)
        if themselves.shape != known.shape:
            raise ValueError(f"known {known.shape}, themselves {themselves.shape}")
        rows, own = np.flatnonzero(known), np.flatnonzero(themselves & ~known)
        width = vectors.shape[1]
        self._vectors: FloatArray = np.zeros((len(rows) + len(own), width + len(own)))
        self._vectors[: len(rows), :width] = vectors[rows]
        self._vectors[len(rows) :, width:] = np.sqrt(width) * np.eye(len(own))
        if not np.isfinite(self._vectors).all():
            raise ValueError("a word vector is not finite")
        row_of = np.full(len(known), -1, dtype=np.intp)
        row_of[np.concatenate([rows, own])] = np.arange(len(self._vectors))
        self._row_of: list[int] = row_of.tolist()
        self._table: FloatArray | None = None
        if 0 < len(self._vectors) <= MAX_TABLE_WORDS:
            self._table = cdist(self._vectors, self._vectors)

    def bag(self, sentence: Sentence) -> Bag:
        """The bag of the sentence's words that are not ignored.

        Raises:
            ValueError: a word id lies outside the table.
        """
        if len(sentence) and not 0 <= min(sentence) <= max(sentence) < len(self._row_of):
            raise ValueError(f"word ids must lie in [0, {len(self._row_of)}): {list(sentence)}")
        counts = Counter(row for row in map(self._row_of.__getitem__, sentence) if row >= 0)
        words = sorted(counts)
        return Bag(
            words=np.array(words, dtype=np.intp),
            counts=np.array([counts[word] for word in words], dtype=np.float64),
            total=sum(counts.values()),
        )

    def word_distances(self, a: IndexArray, b: IndexArray) -> FloatArray:
        """Euclidean distances of known words given by row number, shape (len(a), len(b))."""
        if self._table is None:
            return cdist(self._vectors[a], self._vectors[b])
        return self._table[a[:, None], b]

    def distance(self, a: Sentence, b: Sentence) -> float:
        """The exact distance of two sentences (Kusner et al., Section 4)."""
        return self.bag_distance(self.bag(a), self.bag(b))

    def bag_distance(self, a: Bag, b: Bag) -> float:
        """The exact distance of two bags, by POT's network simplex."""
        if not a.total or not b.total:
            return 0.0 if a.total == b.total else np.inf
        costs = self.word_distances(a.words, b.words)
        if len(a.words) == 1 or len(b.words) == 1:  # there is one plan only
            return float(a.counts @ costs @ b.counts) / (a.total * b.total)
        # Imported here because it takes seconds when PyTorch is installed. The solver itself is
        # called, its wrapper `ot.emd2` takes ten times as long as the problem.
        from ot.lp.emd_wrap import emd_c

        # Whole-numbered masses with one total: the two sides balance without rounding.
        *_, cost, _, _, code = emd_c(
            a.counts * b.total, b.counts * a.total, costs, MAX_SIMPLEX_ITERATIONS, 1
        )
        if code != OPTIMAL:
            raise ArithmeticError(f"optimal transport found no optimum (code {code})")
        return float(cost) / (a.total * b.total)

    def pool(self, candidates: Sequence[Sentence]) -> CandidatePool:
        """The candidates made ready for many searches."""
        return CandidatePool(self, candidates)

    def nearest(self, query: Sentence, candidates: Sequence[Sentence]) -> int:
        """The index of the candidate nearest to the query.

        Raises:
            ValueError: there is no candidate.
        """
        return self.pool(candidates).nearest(query, remember=False)

    def nearest_all(
        self, queries: Sequence[Sentence], candidates: Sequence[Sentence]
    ) -> IndexArray:
        """For each query the index of its nearest candidate, shape (len(queries),).

        Raises:
            ValueError: there is no candidate.
        """
        pool = self.pool(candidates)
        found: dict[tuple[int, ...], int] = {}
        for query in map(tuple, queries):
            if query not in found:
                found[query] = pool.nearest(query, remember=False)
        return np.array([found[tuple(query)] for query in queries], dtype=np.intp)


@dataclass(frozen=True, eq=False)
class _Row:
    """What is known of one query's distances to the distinct candidates of a pool.

    ``values[j]`` is the distance where ``exact[j]``, elsewhere a lower bound of it.
    """

    bag: Bag
    values: FloatArray
    exact: npt.NDArray[np.bool_]


class CandidatePool:
    """Sentences among which nearest ones are searched again and again.

    Candidates with the same bag of words are one. Lower bounds to all of them are computed at
    once when a query is first seen, exact distances only for candidates that a search could
    not rule out. Both are remembered per distinct query sentence: 9 bytes for each pair of a
    distinct query and a distinct candidate.

    Args:
        wmd: the distance.
        candidates: sentences of word ids.
    """

    def __init__(self, wmd: WordMoversDistance, candidates: Sequence[Sentence]) -> None:
        self._wmd = wmd
        self._bags: list[Bag] = []
        slot_of_bag: dict[tuple[bytes, bytes], int] = {}
        slots = []
        self._first: list[int] = []  # the first candidate of each distinct bag
        for index, candidate in enumerate(candidates):
            bag = wmd.bag(candidate)
            key = (bag.words.tobytes(), bag.counts.tobytes())
            if key not in slot_of_bag:
                slot_of_bag[key] = len(self._bags)
                self._bags.append(bag)
                self._first.append(index)
            slots.append(slot_of_bag[key])
        self._slot_of = np.array(slots, dtype=np.intp)
        self._lay_out_words()
        self._rows: dict[tuple[int, ...], _Row] = {}

    def _lay_out_words(self) -> None:
        """Put the words of the bags into columns, so that bounds are gathers and column sums.

        Short columns are filled up with a word that they have, at mass 0: it changes neither
        a minimum over the words nor a sum over the masses.
        """
        shape = max((len(bag.words) for bag in self._bags), default=0), len(self._bags)
        words, self._masses = np.zeros(shape, dtype=np.intp), np.zeros(shape)
        for slot, bag in enumerate(self._bags):
            if bag.total:
                words[:, slot] = bag.words[0]
                words[: len(bag.words), slot] = bag.words
                self._masses[: len(bag.words), slot] = bag.counts / bag.total
        self._filled = np.array([bag.total > 0 for bag in self._bags], dtype=np.bool_)
        self._vocabulary, places = np.unique(words, return_inverse=True)
        self._places = places.reshape(shape)

    def __len__(self) -> int:
        return len(self._slot_of)

    def lower_bounds(self, query: Bag, slots: IndexArray) -> FloatArray:
        """Relaxed WMD of the query to distinct candidates, shape (len(slots),).

        It is never above the distance. With one of the two marginals dropped all mass goes to the
        nearest word (Kusner et al., Section 4, "Relaxed word moving distance"); of the two
        directions the larger counts.

        Args:
            query: the bag of the query.
            slots: distinct candidates, by number in order of first occurrence.
        """
        filled = self._filled[slots]
        if not query.total:
            return np.where(filled, np.inf, 0.0)
        if not filled.any():
            return np.full(len(slots), np.inf)
        costs = self._wmd.word_distances(query.words, self._vocabulary)
        places = self._places.take(slots, axis=1)  # (words of a candidate, candidates)
        out = query.counts / query.total @ costs.take(places, axis=1).min(axis=1)
        back = (costs.min(axis=0).take(places) * self._masses.take(slots, axis=1)).sum(axis=0)
        return np.where(filled, np.maximum(out, back) * ROUNDING, np.inf)

    def nearest(
        self, query: Sentence, among: IndexArray | None = None, remember: bool = True
    ) -> int:
        """The index of the candidate nearest to the query.

        The candidate with the least bound is computed exactly until the least value is an exact
        one; every other candidate's bound is then above it.

        Args:
            query: word ids.
            among: indices of the candidates to choose from, in the order in which ties are
                broken, shape (n,); all by default.
            remember: keep what was found out for the next search with this query.

        Raises:
            ValueError: there is no candidate.
        """
        slots = np.arange(len(self._bags)) if among is None else self._slot_of[among]
        if not len(slots):
            raise ValueError("no candidate sentence to choose the nearest from")
        row = self._row(tuple(query), slots, remember)
        values = row.values[slots]
        while True:
            place = int(values.argmin())
            slot = int(slots[place])
            if row.exact[slot]:
                return self._first[slot] if among is None else int(among[place])
            row.values[slot] = self._wmd.bag_distance(row.bag, self._bags[slot])
            row.exact[slot] = True
            values[slots == slot] = row.values[slot]

    def _row(self, query: tuple[int, ...], slots: IndexArray, remember: bool) -> _Row:
        """What is known of the query's distances, at least at ``slots``."""
        row = self._rows.get(query)
        if row is None:
            bag = self._wmd.bag(query)
            values = np.full(len(self._bags), np.inf)
            if remember:
                slots = np.arange(len(self._bags))
            values[slots] = self.lower_bounds(bag, slots)
            row = _Row(bag, values, np.isinf(values))
            if remember:
                self._rows[query] = row
        return row
