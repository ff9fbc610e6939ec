"""Names as people type them: misspelt, or a part of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from fairseq_twostage.text.lexicon import Entry, Lexicon, is_placeholder

SHORTEST = 3  # letters of a part of a name
MOST_SIMILAR = 3  # names that are offered where several are as near
_NO_LETTER = re.compile(r"[\W_]+")
Near = tuple[float, list[str]]
"""Phrases that words may stand for, and how far they are from them, in letters."""


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
    hand: one letter from four letters on, two from eight, three from fourteen. Blanks and marks
    between letters do not count.

    Args:
        names: the lexicon, its phrases in words as the utterances' are.
        vocabulary: words that are no part of a name unless one that is not known stands beside.
    """

    def __init__(self, names: Lexicon, vocabulary: Collection[str]) -> None:
        self.vocabulary = vocabulary
        self._names = names
        self._entries = {" ".join(words): entries for words, entries in names.senses.items()}
        self._containing: dict[str, set[str]] = {}
        for phrase in self._entries:
            for word in phrase.split():
                self._containing.setdefault(word, set()).add(phrase)
        self._phrases = _by_letters(self._entries)
        self._words = _by_letters(self._containing)
        self._longest = max((len(phrase.split()) for phrase in self._entries), default=0)

    def __call__(self, words: Sequence[str]) -> Iterator[Guess]:
        """The names in an utterance, from left to right, the nearest phrase first."""
        return self._search(words, lambda start, end: self._near(words[start:end]))

    def around(self, words: Sequence[str]) -> Iterator[Guess]:
        """Misspelt names in which a shorter one is written as it is listed.

        ``mr obriens rex`` is no ``rex`` where ``mr o'brien's rex`` is listed, too. The words
        beside the listed name must be as near as others, and one of them unknown.
        """
        listed = list(self._names.spans(words))
        if not listed:
            return iter(())
        return self._search(words, lambda start, end: self._near_around(words, start, end, listed))

    def _search(
        self, words: Sequence[str], near: Callable[[int, int], Iterator[Near]]
    ) -> Iterator[Guess]:
        """Guesses that do not overlap: most unknown words first, then the nearest, the longest."""
        found = [
            (-self._unknown(words[start:end]), distance, start - end, start, phrases)
            for start in range(len(words))
            for end in range(start + 1, min(start + self._longest + 1, len(words)) + 1)
            for distance, phrases in near(start, end)
        ]
        guesses: list[Guess] = []
        for *_, shorter, start, phrases in sorted(found):
            end = start - shorter
            if all(start >= guess.end or end <= guess.start for guess in guesses):
                guesses.append(Guess(start, end, self._senses(phrases)))
        return iter(sorted(guesses))

    def _unknown(self, span: Sequence[str]) -> int:
        return sum(word not in self.vocabulary for word in span)

    def _near(self, span: Sequence[str]) -> Iterator[Near]:
        """What a span may stand for."""
        if any(map(is_placeholder, span)) or not self._unknown(span):
            return
        if parts := self._with_parts(span):
            yield 0, parts
            return
        typed = _letters(span)
        if near := _nearest(typed, self._phrases, _slips(typed)):
            yield near
        if len(span) == 1 and (near := _nearest(typed, self._words, _slips(typed))):
            distance, words = near
            yield distance, sorted(set().union(*(self._containing[word] for word in words)))

    def _near_around(
        self, words: Sequence[str], start: int, end: int, listed: Sequence[tuple[int, int]]
    ) -> Iterator[Near]:
        """Longer phrases than those listed in a span, if it has any and cuts none in two."""
        inside = [span for span in listed if span[0] < end and start < span[1]]
        if not inside or inside[0][0] < start or inside[-1][1] > end:
            return
        named = {place for span in inside for place in range(*span)}
        beside = [words[place] for place in range(start, end) if place not in named]
        if not self._unknown(beside):
            return
        known = {" ".join(words[first:last]) for first, last in inside}
        span = words[start:end]
        near = _nearest(_letters(span), self._phrases, _slips(_letters(beside)))
        if near and not known & set(near[1]):
            yield near
        elif (parts := self._with_parts(span, beside)) and max(map(len, beside)) >= SHORTEST:
            yield len(beside), parts

    def _with_parts(self, span: Sequence[str], misspelt: Sequence[str] = ()) -> list[str]:
        """Phrases that have all words of a span, some of them perhaps misspelt."""
        if max(map(len, span)) < SHORTEST:
            return []
        return sorted(set.intersection(*(self._with_word(w, w in misspelt) for w in span)))

    def _with_word(self, word: str, misspelt: bool) -> set[str]:
        found = self._containing.get(word, set())
        if found or not misspelt or word in self.vocabulary:
            return found
        _, words = _nearest(word, self._words, _slips(word)) or (0, [])
        return set().union(*(self._containing[each] for each in words))

    def _senses(self, phrases: Sequence[str]) -> tuple[Entry, ...]:
        found: dict[str, Entry] = {}
        for phrase in phrases:
            for entry in self._entries[phrase]:
                found.setdefault(entry.constant, entry)
        return tuple(found.values())


def _letters(words: Sequence[str]) -> str:
    """What is left without blanks and marks; all, where that is nothing."""
    text = "".join(words)
    return _NO_LETTER.sub("", text) or text


def _by_letters(texts: Collection[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text in texts:
        found.setdefault(_letters(text.split()), []).append(text)
    return found


def _nearest(typed: str, known: Mapping[str, list[str]], slips: int) -> Near | None:
    """Those of ``known`` of which slips of the hand may have made ``typed``, the nearest."""
    if not _slips(typed):
        return None
    near = extract(typed, known.keys(), scorer=OSA.distance, score_cutoff=slips, limit=None)
    if not near:
        return None
    least = min(distance for _, distance, _ in near)
    letters = (letters for letters, distance, _ in near if distance == least)
    return least, sorted(text for each in letters for text in known[each])


def _slips(typed: str) -> int:
    """How many letters may differ, be missing, be too many or have changed places."""
    length = len(typed)
    return 0 if length < 4 else 1 if length < 8 else 2 if length < 14 else 3
