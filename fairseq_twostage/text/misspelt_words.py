"""Words of the domain with slips of the hand: *appointmets*, *adress*."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from fairseq_twostage.text.function_words import FUNCTION_WORDS, zipf
from fairseq_twostage.text.word_forms import DENYING_PREFIXES, base

SHORTEST = 5
"""Letters of a word that may have one slip."""
NO_SLIPS = (*DENYING_PREFIXES, "mis")
"""How words begin that say something else than the word behind it."""
LONG = 8
"""Letters of one that may have two."""


class MisspeltWords:
    """What is meant by a word that is none of the domain and is not common in English.

    Args:
        vocabulary: the domain's words; its own misspelt ones are not meant.
    """

    def __init__(self, vocabulary: Collection[str]) -> None:
        self._vocabulary = vocabulary

    def __call__(self, word: str) -> str | None:
        """The only word of the domain with so few slips and the same first letter, or None."""
        if not (word.isascii() and word.isalpha()) or zipf(word) > 0:
            return None
        if any(word.removeprefix(prefix) in self._vocabulary for prefix in NO_SLIPS):
            return None  # undelivered
        if len(word) < SHORTEST:
            return self._turned(word)
        most = 1 if len(word) < LONG else 2
        near = extract(
            word, self._meant, scorer=OSA.distance, score_cutoff=most, limit=None
        )  # of all, as two may be as near
        found = [(slips, known) for known, slips, _ in near if known[0] == word[0]]
        least = min(found, default=(0, ""))[0]
        nearest = [known for slips, known in found if slips == least]
        if len({*map(base, nearest)}) == 1:  # employes: an employee as well as employees
            nearest.sort(key=lambda known: (known[-1] != word[-1], known))
            return nearest[0]
        return None if nearest else self._turned(word)

    def _turned(self, word: str) -> str | None:
        """The only word of which two neighbouring letters have changed places: *mnay*, *hwo*."""
        turned = {
            f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}" for at in range(len(word) - 1)
        }.intersection(self._vocabulary)
        return turned.pop() if len(turned) == 1 and len(word) > 2 else None

    @cached_property
    def _meant(self) -> list[str]:
        return [
            word
            for word in sorted(self._vocabulary)
            if len(word) >= SHORTEST - 1 and word.isalpha() and zipf(word) > 0
            and word not in FUNCTION_WORDS
        ]  # fmt: skip
