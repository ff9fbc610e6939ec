"""Names as people type them: misspelt, or a part of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from fairseq_twostage.text.lexicon import Entry, Lexicon, is_placeholder

SHORTEST = 3  # letters of a part of a name
MOST_SIMILAR = 3  # names that are offered where several are as near


class Guess(NamedTuple):
    """Words of an utterance that seem to be a name.

    Attributes:
        start: the first of them.
        end: behind the last of them.
        entries: what they may name, the nearest of each constant; one: that is it.
    """

    start: int
    end: int
    entries: tuple[Entry, ...]


class NameGuesser:
    """Finds names among words that the models do not know.

    A span of words is a name if it is a part of its phrase, or as far from it as a slip of the
    hand: one letter from four letters on, two from eight, three from fourteen.

    Args:
        names: the lexicon, its phrases in words as the utterances' are.
        vocabulary: words that are no part of a name unless one that is not known stands beside.
    """

    def __init__(self, names: Lexicon, vocabulary: Collection[str]) -> None:
        self.vocabulary = vocabulary
        self._entries = {" ".join(words): entries for words, entries in names.senses.items()}
        self._containing: dict[str, set[str]] = {}
        for phrase in self._entries:
            for word in phrase.split():
                self._containing.setdefault(word, set()).add(phrase)
        self._phrases, self._words = list(self._entries), list(self._containing)
        self._longest = max((len(phrase.split()) for phrase in self._entries), default=0)

    def __call__(self, words: Sequence[str]) -> Iterator[Guess]:
        """The names in an utterance, from left to right, the nearest phrase first."""
        start = 0
        while start < len(words):
            found = [
                (-self._unknown(words[start:end]), distance, end, phrases)
                for end in range(start + 1, min(start + self._longest + 1, len(words)) + 1)
                for distance, phrases in self._near(words[start:end])
            ]
            if not found:
                start += 1
                continue
            *_, end, phrases = min(found)
            yield Guess(start, end, self._senses(phrases))
            start = end

    def _unknown(self, span: Sequence[str]) -> int:
        return sum(word not in self.vocabulary for word in span)

    def _near(self, span: Sequence[str]) -> Iterator[tuple[float, list[str]]]:
        """The phrases that a span may stand for, and how far it is from them, in letters."""
        if any(map(is_placeholder, span)) or not self._unknown(span):
            return
        parts = set.intersection(*(self._containing.get(word, set()) for word in span))
        if parts and max(map(len, span)) >= SHORTEST:
            yield 0, sorted(parts)
            return
        typed = " ".join(span)
        if near := _nearest(typed, self._phrases):
            yield near
        if len(span) == 1 and (near := _nearest(typed, self._words)):
            distance, words = near
            yield distance, sorted(set().union(*(self._containing[word] for word in words)))

    def _senses(self, phrases: Sequence[str]) -> tuple[Entry, ...]:
        found: dict[str, Entry] = {}
        for phrase in phrases:
            for entry in self._entries[phrase]:
                found.setdefault(entry.constant, entry)
        return tuple(found.values())


def _nearest(typed: str, known: Sequence[str]) -> tuple[float, list[str]] | None:
    """Those of ``known`` of which a slip of the hand may have made ``typed``, the nearest."""
    near = extract(typed, known, scorer=OSA.distance, score_cutoff=_slips(typed), limit=None)
    if not near or not _slips(typed):
        return None
    least = min(distance for _, distance, _ in near)
    return least, sorted(text for text, distance, _ in near if distance == least)


def _slips(typed: str) -> int:
    """How many letters may differ, be missing, be too many or have changed places."""
    length = len(typed)
    return 0 if length < 4 else 1 if length < 8 else 2 if length < 14 else 3
