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
    """

    def __init__(self, sentences: Sequence[Words], at_least: int = 2) -> None:
        containing = Counter(
            phrase for words in sentences for phrase in dict.fromkeys(phrases(words))
        )
        self.phrases = [name for name, count in containing.items() if count >= at_least]
        self.phrases = self.phrases or list(containing)
        self.columns = {name: column for column, name in enumerate(self.phrases)}

    def of(self, sentences: Sequence[Words]) -> Matrix:
        """``(sentences, phrases)``."""
        counts = np.zeros((len(sentences), len(self.phrases)))
        for row, words in enumerate(sentences):
            for phrase in phrases(words):
                if phrase in self.columns:
                    counts[row, self.columns[phrase]] += 1
        return counts


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

    def learn(self, target: Matrix, source: Matrix, pairs: Matrix, steps: int = 3) -> Matrix:
        """The table, its last row that of the empty word, ``(source + 1, target)``.

        Args:
            target: counts of phrases, ``(target sentences, target phrases)``.
            source: the same of the other side.
            pairs: weight of each pair, ``(target sentences, source sentences)``.
            steps: of expectation-maximisation.
        """
        background = target.sum(axis=0) / max(target.sum(), TINY)
        prior = np.vstack([self.prior, background])
        words = with_empty_word(source)
        wanted = pairs.T @ target
        table = prior
        for _ in range(steps):
            expected = table * (words.T @ (wanted / (words @ table + TINY)))
            table = expected + self.strength * prior
            table = table / np.maximum(table.sum(axis=1, keepdims=True), TINY)
        return table


def log_likelihood(target: Matrix, source: Matrix, table: Matrix) -> Matrix:
    """``log P(target sentence | source sentence)``, ``(target sentences, source sentences)``."""
    return target @ np.log(with_empty_word(source) @ table + 1e-9).T


def with_empty_word(counts: Matrix) -> Matrix:
    """Each sentence as a distribution over its phrases and the empty word."""
    words = np.hstack([counts, np.ones((len(counts), 1))])
    return words / words.sum(axis=1, keepdims=True)
