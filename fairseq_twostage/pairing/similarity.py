"""How much alike natural and canonical utterances are, before anything is learnt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Words = Sequence[str]
Matrix = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]

NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
NUMBERS = {word: str(number) for number, word in enumerate(NUMBER_WORDS)}


def anchors(words: Words) -> set[str]:
    """Numbers, dates' days and times of an utterance, normalised.

    A number written as a word counts as its digits; "one" is left out, it is often a pronoun.
    """
    digits = (NUMBERS.get(word, word) if word != "one" else "" for word in words)
    return {word for word in digits if any(letter.isdigit() for letter in word)}


def standardise(scores: Matrix) -> Matrix:
    """Mean 0 and standard deviation 1 over all entries; constant scores become 0."""
    return (scores - scores.mean()) / max(float(scores.std()), 1e-12)


def unit_rows(vectors: Matrix) -> Matrix:
    """Rows of length 1; zeros stay."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
