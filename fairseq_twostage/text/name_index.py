"""An index of many names: by the words that they have, and by letters, with slips of the hand."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

Ids = NDArray[np.int64]
"""Places of texts, in ascending order."""
NONE: Ids = np.empty(0, np.int64)
_Bits = NDArray[np.uint64]
_CLASSES, _LEVELS, _BITS = 42, 3, 128  # of letters; counted up to; of both
_AT_ONCE = 8192  # texts whose letters are counted at once, to bound memory
_FEW = 2000  # texts that are compared faster than left out
_NO_LETTER = re.compile(r"[\W_]+")


class Parts:
    """Which texts have a word.

    Args:
        texts: words between blanks.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._rows: dict[str, int] = {}
        rows, ids = array("q"), array("q")
        for id, text in enumerate(texts):
            for word in dict.fromkeys(text.split()):
                rows.append(self._rows.setdefault(word, len(self._rows)))
                ids.append(id)
        by_word = np.argsort(np.array(rows, np.int64), kind="stable")
        self._ids: Ids = np.array(ids, np.int64)[by_word]
        self._starts = np.append(0, np.bincount(np.array(rows, np.int64))).cumsum()
        self.words = list(self._rows)

    def having(self, word: str) -> Ids:
        """The texts that have a word."""
        row = self._rows.get(word)
        return NONE if row is None else self._ids[self._starts[row] : self._starts[row + 1]]

    def having_any(self, words: Iterable[str]) -> Ids:
        """The texts that have one of the words."""
        found = [self.having(word) for word in words]
        return np.unique(np.concatenate(found)) if found else NONE


def in_all(sets: Iterable[Ids]) -> Ids:
    """What all of the sets have."""
    return reduce(_in_both, sorted(sets, key=len))


def _in_both(small: Ids, large: Ids) -> Ids:
    if not len(small):
        return small
    places = np.minimum(np.searchsorted(large, small), len(large) - 1)
    return small[large[places] == small]


class Spellings:
    """Finds texts of which slips of the hand may have made what was typed.

    Distances are those of optimal string alignment between letters, as RapidFuzz has them. Before
    they are measured, texts are left out that cannot be as near: those whose length, or whose
    letters in whatever order, differ by more. A slip takes away one letter at most and adds one at
    most, so that no text is left out that is near.

    Args:
        texts: blanks and marks in them do not count.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        letters = [letters_of(text) for text in texts]
        lengths = np.fromiter(map(len, letters), np.int64, len(letters))
        self._ids: Ids = np.argsort(lengths, kind="stable")
        self._letters = [letters[id] for id in self._ids]
        self._lengths = lengths[self._ids]
        bags = [
            _bags(self._letters[start : start + _AT_ONCE])
            for start in range(0, len(letters), _AT_ONCE)
        ]
        both = np.concatenate(bags) if bags else np.empty((0, 2), np.uint64)
        self._bags = tuple(np.ascontiguousarray(half) for half in both.T)

    def nearest(self, typed: str, slips: int) -> tuple[int, list[int]] | None:
        """How many slips away the nearest texts are, and their places in ascending order.

        None where there is none within ``slips``.
        """
        first, last = np.searchsorted(self._lengths, [len(typed) - slips, len(typed) + slips + 1])
        if last - first > _FEW:
            own = _bags([typed])[0]
            of_length = [
                self._like(own, len(typed) + more, slips + min(0, -more), slips + min(0, more))
                for more in range(-slips, slips + 1)
            ]
            places = np.concatenate(of_length)
        else:
            places = np.arange(first, last)
        candidates = [self._letters[place] for place in places.tolist()]
        near = extract(typed, candidates, scorer=OSA.distance, score_cutoff=slips, limit=None)
        if not near:
            return None
        least = min(distance for _, distance, _ in near)
        found = (places[at] for _, distance, at in near if distance == least)
        return int(least), sorted(int(self._ids[place]) for place in found)

    def _like(self, own: _Bits, length: int, missing: int, added: int) -> NDArray[np.int64]:
        """Where texts of a length lack and add no more letters than that, in whatever order."""
        first, last = np.searchsorted(self._lengths, [length, length + 1])
        places = np.arange(first, last)
        bags = [half[first:last] for half in self._bags]
        for mine, lacking in sorted([(True, missing), (False, added)], key=lambda item: item[1]):
            for half, letters in enumerate(own):
                bits = letters & ~bags[half] if mine else bags[half] & ~letters
                kept = np.flatnonzero(_at_most(bits, lacking))
                places, bags = places[kept], [each[kept] for each in bags]
        return places


def letters_of(text: str) -> str:
    """What is left without blanks and marks; all but blanks, where that is nothing."""
    text = "".join(text.split())
    return _NO_LETTER.sub("", text) or text


def _bags(texts: Sequence[str]) -> _Bits:
    """The letters of each text as two times 64 bits: a bit says that a letter is there n times."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    rows = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    cells = rows * _CLASSES + codes % _CLASSES
    counts = np.bincount(cells, minlength=len(texts) * _CLASSES).reshape(len(texts), _CLASSES)
    bits = np.zeros((len(texts), _BITS), bool)
    for level in range(_LEVELS):
        bits[:, level * _CLASSES : (level + 1) * _CLASSES] = counts > level
    return np.packbits(bits, axis=1).view(np.uint64)


def _at_most(bits: _Bits, most: int) -> NDArray[np.bool_]:
    """Where no more than ``most`` bits are set."""
    for _ in range(most):
        bits = bits & (bits - np.uint64(1))  # takes away one
    return bits == 0
