"""How near words are to each other, each read by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from fairseq_twostage.pairing.similarity import Matrix

MOST_KEPT = 20_000  # words whose vectors are remembered


class LoneWords:
    """Vectors of words by themselves, each asked for once, as questions share most of them.

    Args:
        embed: the vectors of words, of length 1, ``(n, dim)``.
    """

    def __init__(self, embed: Callable[[Sequence[str]], Matrix]) -> None:
        self.embed = embed
        self._known: dict[str, Matrix] = {}

    def nearest(self, word: str, others: Sequence[str]) -> float:
        """The largest cosine of a word to one of others, of which there is one."""
        one, *rest = self._vectors([word, *others])
        return float(max(np.dot(each, one) for each in rest))

    def _vectors(self, words: Sequence[str]) -> list[Matrix]:
        if len(self._known) > MOST_KEPT:
            self._known = {}
        known = self._known
        if new := [word for word in dict.fromkeys(words) if word not in known]:
            known.update(zip(new, self.embed(new)))
        return [known[word] for word in words]
