"""Utterances made ready to be compared: states, rarity of words, numbers and comparisons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fairseq_twostage.pairing.similarity import Rows, Words, anchors
from fairseq_twostage.text.comparisons import comparisons

Array = npt.NDArray[np.float32]
# What two utterances of one meaning share whatever their words.
ANCHORS: Mapping[str, Callable[[Words], set[str]]] = {
    "numbers": anchors,
    "comparisons": comparisons,
}


class Read(NamedTuple):
    """An utterance as a resource sees it.

    Attributes:
        words: its words.
        states: of each word, length 1 or 0, ``(words, dim)``.
        vector: of the whole, length 1, ``(dim,)``; None: wholes are compared by their words.
    """

    words: Words
    states: Array
    vector: Array | None


class Rarity(NamedTuple):
    """``log((1 + n) / utterances with the word)``: high for rare words.

    Attributes:
        of: by word.
        unseen: of a word that none has, as if one had it.
    """

    of: Mapping[str, float]
    unseen: float

    @classmethod
    def fit(cls, sentences: Sequence[Words]) -> Rarity:
        """Over a side's utterances."""
        containing = Counter(word for words in sentences for word in set(words))
        size = 1 + len(sentences)
        return cls(
            {word: float(np.log(size / count)) for word, count in containing.items()},
            float(np.log(size)),
        )

    def weights(self, words: Words) -> npt.NDArray[np.float64]:
        """Of each word, ``(words,)``."""
        return np.array([self.of.get(word, self.unseen) for word in words])

    def total(self, words: Words) -> float:
        """Of the distinct words together."""
        return sum(self.of.get(word, self.unseen) for word in set(words))


@dataclass(frozen=True)
class Index:
    """Canonical utterances made ready to be compared with.

    Attributes:
        lines: the utterances.
        states: of their words, one after the other, ``(words, dim)``.
        starts: of each utterance's words, ``(n,)``.
        vectors: of the wholes, ``(n, dim)``, or None.
        weights: rarity of each word, ``(words,)``.
        columns: of :attr:`overlap` by word.
        overlap: whether an utterance has a word, ``(n, distinct words)``; empty with vectors.
        totals: rarity of an utterance's distinct words, ``(n,)``.
        marks: per anchor the columns by name, and who has it, ``(n, names)``.
    """

    lines: Sequence[str]
    states: Array
    starts: npt.NDArray[np.int64]
    vectors: Array | None
    weights: npt.NDArray[np.float64]
    columns: Mapping[str, int]
    overlap: Array
    totals: npt.NDArray[np.float64]
    marks: Mapping[str, tuple[Mapping[str, int], Array]]

    def select(self, rows: Rows) -> Index:
        """Of the given utterances, in their order."""
        words, starts = self.words_of(rows)
        return replace(
            self,
            lines=[self.lines[row] for row in rows],
            states=self.states[words],
            starts=starts,
            vectors=None if self.vectors is None else self.vectors[rows],
            weights=self.weights[words],
            overlap=self.overlap[rows] if self.columns else self.overlap,
            totals=self.totals[rows],
            marks={name: (places, held[rows]) for name, (places, held) in self.marks.items()},
        )

    def read(self) -> list[Read]:
        """The utterances as they were read."""
        ends = [*self.starts[1:].tolist(), len(self.weights)]
        return [
            Read(
                line.split(),
                self.states[start:end],
                None if self.vectors is None else self.vectors[row],
            )
            for row, (line, start, end) in enumerate(zip(self.lines, self.starts.tolist(), ends))
        ]

    def words_of(self, rows: Rows) -> tuple[Rows, Rows]:
        """Where the words of the given utterances stand, ``(words,)``, and where among those each
        utterance begins, ``(rows,)``."""
        ends = np.append(self.starts[1:], len(self.weights))
        lengths = (ends - self.starts)[rows]
        starts = np.cumsum(lengths) - lengths
        return np.arange(lengths.sum()) - np.repeat(starts - self.starts[rows], lengths), starts


def marks_of(names: Collection[str], canonical: Sequence[Words]) -> dict[str, list[str]]:
    """Per anchor the marks that Z has."""
    return {name: sorted(set().union(*map(ANCHORS[name], canonical))) for name in names}


def make_index(read: Sequence[Read], rarity: Rarity, marks: Mapping[str, Sequence[str]]) -> Index:
    """Canonical utterances made ready.

    Args:
        read: at least one, none of it without words.
        rarity: of words in Z.
        marks: per anchor the names that count.
    """
    words = [each.words for each in read]
    vectors = None
    columns: dict[str, int] = {}
    overlap: Array = np.zeros((0, 0), dtype=np.float32)
    if read[0].vector is not None:
        vectors = np.stack([each.vector for each in read if each.vector is not None])
    else:
        columns = {word: n for n, word in enumerate(sorted(set().union(*words)))}
        overlap = _held(words, columns)
    held = {}
    for name, names in marks.items():
        places = {mark: n for n, mark in enumerate(names)}
        held[name] = places, _held([ANCHORS[name](each) & places.keys() for each in words], places)
    return Index(
        [" ".join(each) for each in words],
        np.concatenate([each.states for each in read]),
        np.cumsum([0, *(len(each) for each in words[:-1])]),
        vectors,
        np.concatenate([rarity.weights(each) for each in words]),
        columns,
        overlap,
        np.array([rarity.total(each) for each in words]),
        held,
    )


def _held(sets: Sequence[Collection[str]], columns: Mapping[str, int]) -> Array:
    held = np.zeros((len(sets), len(columns)), dtype=np.float32)
    for row, names in enumerate(sets):
        held[row, [columns[name] for name in set(names)]] = 1.0
    return held
