"""Word translation between the two sides, learnt from uncertain pairs (IBM Model 1).

Brown et al., "The Mathematics of Statistical Machine Translation", CL 1993: a sentence's
words are drawn independently, each from a word of the other sentence chosen at random, or
from the empty word. Pairs are weighted by their probability, and the similarity of words is
the prior of the translation table, so that a few sentences suffice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array, csr_array, hstack, issparse

from fairseq_twostage.pairing.scores import Scores
from fairseq_twostage.pairing.similarity import Matrix, Words

TINY = 1e-12


def phrases(words: Words) -> list[str]:
    """The words and the pairs of neighbouring words, sentence boundaries included."""
    padded = ["<s>", *words, "</s>"]
    return [*words, *(f"{one} {two}" for one, two in pairwise(padded))]


class PhraseCounts:
    """Which phrases there are on a side, and how often each stands in a sentence.

    Args:
        sentences: of the side; phrases in fewer than ``at_least`` of them are left out, unless
            that leaves none.
        most: so many phrases at most, those in most sentences.
    """

    def __init__(
        self, sentences: Sequence[Words], at_least: int = 2, most: int | None = None
    ) -> None:
        containing = Counter(
            phrase for words in sentences for phrase in dict.fromkeys(phrases(words))
        )
        self.phrases = [name for name, count in containing.items() if count >= at_least]
        self.phrases = self.phrases or list(containing)
        if most is not None and len(self.phrases) > most:
            self.phrases = [name for name, _ in containing.most_common(most)]
        self.columns = {name: column for column, name in enumerate(self.phrases)}

    def of(self, sentences: Sequence[Words]) -> csr_array:
        """``(sentences, phrases)``, nearly all 0."""
        places = [
            (row, self.columns[phrase])
            for row, words in enumerate(sentences)
            for phrase in phrases(words)
            if phrase in self.columns
        ]
        rows, columns = np.array(places, dtype=np.int64).reshape(-1, 2).T
        size = len(sentences), len(self.phrases)
        return coo_array((np.ones(len(places)), (rows, columns)), shape=size).tocsr()


class TranslationTable:
    """``t(target phrase | source phrase)`` and what it makes of pairs of sentences.

    Args:
        prior: similarity of source and target phrases as probabilities, rows sum to 1,
            ``(source, target)``.
        strength: of the prior, in counts per source phrase.
    """

    def __init__(self, prior: Matrix, strength: float = 1.0) -> None:
        self.prior = prior
        self.strength = strength

    def learn(self, target: csr_array, source: csr_array, pairs: Scores, steps: int = 3) -> Matrix:
        """The table, its last row that of the empty word, ``(source + 1, target)``.

        Args:
            target: counts of phrases, ``(target sentences, target phrases)``.
            source: the same of the other side.
            pairs: weight of each pair, ``(target sentences, source sentences)``.
            steps: of expectation-maximisation.
        """
        background = np.asarray(target.sum(axis=0)) / max(float(target.sum()), TINY)
        prior = np.vstack([self.prior, background])
        words = with_empty_word(source)
        wanted = (target.T @ pairs).T
        if issparse(wanted):
            wanted = wanted.toarray()
        backwards = words.T.tocsr()
        table = prior
        for _ in range(steps):
            expected = backwards @ (wanted / (words @ table + TINY))
            expected *= table
            expected += self.strength * prior
            expected /= np.maximum(expected.sum(axis=1, keepdims=True), TINY)
            table = expected
        return table


def log_probabilities(source: csr_array, table: Matrix) -> Matrix:
    """``log P(target phrase | source sentence)``, ``(target phrases, source sentences)``."""
    return np.ascontiguousarray(np.log(with_empty_word(source) @ table + 1e-9).T)


def with_empty_word(counts: csr_array) -> csr_array:
    """Each sentence as a distribution over its phrases and the empty word."""
    words = hstack([counts, csr_array(np.ones((counts.shape[0], 1)))], format="csr")
    return words.multiply(1 / np.asarray(words.sum(axis=1)).reshape(-1, 1)).tocsr()
