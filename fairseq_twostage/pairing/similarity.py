"""How much alike natural and canonical utterances are, before anything is learnt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Words = Sequence[str]
Matrix = npt.NDArray[np.float64]

NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
NUMBERS = {word: str(number) for number, word in enumerate(NUMBER_WORDS)}


def rarity(sentences: Sequence[Words]) -> dict[str, float]:
    """``log((1 + n) / sentences with the word)`` of each word: high for rare ones."""
    containing = Counter(word for words in sentences for word in set(words))
    return {word: np.log((1 + len(sentences)) / count) for word, count in containing.items()}


def soft_alignment(
    left: Sequence[Matrix],
    right: Sequence[Matrix],
    left_weights: Sequence[npt.NDArray[np.float64]],
    right_weights: Sequence[npt.NDArray[np.float64]],
) -> Matrix:
    """Weighted mean of each word's largest cosine to a word of the other sentence.

    The mean of both directions, as in BERTScore (Zhang et al., ICLR 2020) with importance
    weights; word vectors in place of contextual states are as welcome.

    Args:
        left: one matrix per sentence, ``(words, dim)``; a row of zeros is a word without a
            vector, whose cosine to anything is 0.
        right: the same of the other side.
        left_weights: weight of each word; all zero counts as alignment 0.
        right_weights: the same of the other side.

    Returns:
        ``(left sentences, right sentences)``.
    """
    lengths = [len(words) for words in right]
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(int)
    every = _unit_rows(np.concatenate(right))
    right_weight = np.concatenate(right_weights)
    right_total = np.maximum(np.add.reduceat(right_weight, starts), 1e-12)
    result = np.zeros((len(left), len(right)))
    for row, (words, weights) in enumerate(zip(left, left_weights)):
        cosines = _unit_rows(words) @ every.T
        there = np.maximum.reduceat(cosines, starts, axis=1)
        there = weights @ there / max(float(weights.sum()), 1e-12)
        back = np.add.reduceat(cosines.max(axis=0) * right_weight, starts) / right_total
        result[row] = (there + back) / 2
    return result


def word_overlap(left: Sequence[Words], right: Sequence[Words]) -> Matrix:
    """Shared words weighted by rarity, as a share of both sentences' (Dice), 0 … 1."""
    rarities = rarity(left), rarity(right)
    shared = sorted(set(rarities[0]) & set(rarities[1]))
    columns = {word: column for column, word in enumerate(shared)}
    weights = np.array([rarities[0][word] + rarities[1][word] for word in shared])
    marks, totals = [], []
    for sentences, rare in zip((left, right), rarities):
        mark = np.zeros((len(sentences), len(shared)))
        for row, words in enumerate(sentences):
            mark[row, [columns[word] for word in set(words) if word in columns]] = 1.0
        marks.append(mark)
        totals.append(np.array([sum(rare[word] for word in set(words)) for words in sentences]))
    both = np.maximum(totals[0][:, None] + totals[1][None, :], 1e-12)
    return (marks[0] * weights) @ marks[1].T / both


def anchor_mismatch(left: Sequence[Words], right: Sequence[Words]) -> Matrix:
    """How many numbers and times stand in one of two utterances but not in the other.

    A number written as a word counts as its digits; "one" is left out, it is often a pronoun.
    """
    return marks_mismatch(*([anchors(words) for words in side] for side in (left, right)))


def marks_mismatch(left: Sequence[set[str]], right: Sequence[set[str]]) -> Matrix:
    """How many marks one of two sets holds and the other does not, for every two.

    Marks that never occur on the other side at all are left out.

    Returns:
        ``(left, right)``.
    """
    known = sorted(set().union(*left) & set().union(*right))
    marks = [
        np.array([[name in held for name in known] for held in side], dtype=float).reshape(
            len(side), len(known)
        )
        for side in (left, right)
    ]
    shared = marks[0] @ marks[1].T
    return marks[0].sum(axis=1)[:, None] + marks[1].sum(axis=1)[None, :] - 2 * shared


def anchors(words: Words) -> set[str]:
    """Numbers, dates' days and times of an utterance, normalised."""
    digits = (NUMBERS.get(word, word) if word != "one" else "" for word in words)
    return {word for word in digits if any(letter.isdigit() for letter in word)}


def standardise(scores: Matrix) -> Matrix:
    """Mean 0 and standard deviation 1 over all entries; constant scores become 0."""
    return (scores - scores.mean()) / max(float(scores.std()), 1e-12)


def _unit_rows(vectors: Matrix) -> Matrix:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
