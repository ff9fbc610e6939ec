"""Canonical utterances that are too many to be compared with every question.

Of a large schema's questions the simple ones are candidates always. Of the others those are that
have the names of what is asked, and of these the few whose words are nearest.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from fairseq_twostage.inference.candidates import Query, names_in, words_in
from fairseq_twostage.inference.memory import BatchMemory
from fairseq_twostage.pairing.fitted import FittedSimilarity
from fairseq_twostage.pairing.index import Read
from fairseq_twostage.pairing.similarity import Matrix

MOST_NEAR = 32  # further candidates of one question
MOST_REMEMBERED = 4_096  # words of questions, and further candidates as the encoder reads them


class Further:
    """Finds further candidates by their words, each taken by itself.

    Args:
        lines: canonical utterances.
        similarity: knows how near words are, and how rare.
    """

    def __init__(self, lines: Sequence[str], similarity: FittedSimilarity) -> None:
        self.similarity = similarity
        self.lines: dict[frozenset[str], list[str]] = {}
        for line in lines:
            self.lines.setdefault(names_in(line), []).append(line)
        self._places: dict[frozenset[str], np.ndarray] = {}
        self._vectors = BatchMemory(
            lambda words: [*similarity.resources.embed(words)], MOST_REMEMBERED
        )
        self._reads = BatchMemory(similarity.read, MOST_REMEMBERED)

    def near(self, query: Query, most: int = MOST_NEAR) -> list[str]:
        """The nearest candidates with just the names of a query, best first.

        ``s(x, z) = Σ_w r(w) max_v cos(w, v) / Σ_w r(w) + Σ_v r(v) max_w cos(w, v) / Σ_v r(v)`` with
        w of x and v of z, and r the rarity of a word in X or Z.
        """
        lines = self.lines.get(query.names, ())
        words = list(dict.fromkeys(words_in(query.tokens)))
        if not lines or not words:
            return []
        cosines = np.stack(self._vectors(words)) @ self._table.T
        of_x = self.similarity.natural.weights(words)
        # Of the last column, which pads lines to one length, nothing is near and nothing is rare.
        cosines = np.pad(cosines, ((0, 0), (0, 1)), constant_values=-1.0)
        of_z = np.append(self.similarity.canonical.weights(self._vocabulary), 0.0)
        places = self._rows(query.names)
        there = (
            sum(weight * row[places].max(axis=1) for weight, row in zip(of_x.tolist(), cosines))
            / of_x.sum()
        )
        rare = of_z[places]
        back = (rare * cosines.max(axis=0)[places]).sum(axis=1) / rare.sum(axis=1)
        order = np.argsort(-(there + back), kind="stable")[:most]
        return [lines[place] for place in order]

    def warm_up(self) -> None:
        """Compute what depends on no question."""
        for names in self.lines:
            self._rows(names)
        _ = self._table

    def read(self, lines: Sequence[str]) -> list[Read]:
        """Candidates as the similarity sees them; the last ones are remembered."""
        return self._reads(lines)

    @cached_property
    def _vocabulary(self) -> list[str]:
        return sorted(
            {word for lines in self.lines.values() for z in lines for word in words_in(z)}
        )

    @cached_property
    def _table(self) -> Matrix:
        return self.similarity.resources.embed(self._vocabulary)

    def _rows(self, names: frozenset[str]) -> np.ndarray:
        """The words of each line with these names, ``(lines, longest)``."""
        if names not in self._places:
            place_of = {word: place for place, word in enumerate(self._vocabulary)}
            rows = [[place_of[word] for word in words_in(line)] for line in self.lines[names]]
            found = np.full((len(rows), max(map(len, rows))), len(place_of))
            for row, places in zip(found, rows):
                row[: len(places)] = places
            self._places[names] = found
        return self._places[names]
