"""The words that X and Z use, and what they ask for: what a foreign text has little of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fairseq_twostage.text.question_words import DULL, asked_thing
from fairseq_twostage.text.word_forms import base


@dataclass(frozen=True)
class Usage:
    """Words by their base, and things asked for: in how many of X each stands; two if in Z.

    Attributes:
        words: none of those of every sentence.
        asked: see :func:`..text.question_words.asked_thing`.
    """

    words: dict[str, int]
    asked: dict[str, int]

    @classmethod
    def of(cls, natural: Sequence[str], canonical: Sequence[str]) -> Usage:
        """Of the tokens of X and of Z."""
        words = Counter(word for line in natural for word in _content(line))
        asked = Counter(thing for line in natural if (thing := asked_thing(line)))
        for line in canonical:
            words.update(dict.fromkeys(_content(line), 2))
            if thing := asked_thing(line):
                asked[thing] += 2
        return cls(*({word: min(count, 2) for word, count in each.items()}
                     for each in (words, asked)))  # fmt: skip

    def features(self, lines: Sequence[str], themselves: bool = False) -> npt.NDArray[np.float64]:
        """For each text whether the domain is asked for such a thing (1, −1; 0 where a text asks
        for none), and minus the share of its words that the domain does not use, ``(n, 2)``.

        Args:
            lines: their tokens.
            themselves: they are of X, each of which is judged by the others.
        """
        needed = 2 if themselves else 1
        return np.array([self._of(line, needed) for line in lines]).reshape(-1, 2)

    def _of(self, line: str, needed: int) -> tuple[float, float]:
        thing, words = asked_thing(line), _content(line)
        unknown = sum(self.words.get(word, 0) < needed for word in words)
        asked = 0.0 if thing is None else 1.0 if self.asked.get(thing, 0) >= needed else -1.0
        return asked, -unknown / max(len(words), 1)


def _content(line: str) -> set[str]:
    """The bases of its words; no placeholder, no word of every sentence."""
    return {base(word) for word in line.split() if word.isalpha()} - DULL
