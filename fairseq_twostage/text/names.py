"""Names as people type them: misspelt, or a part of them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from fairseq_twostage.text.function_words import FUNCTION_WORDS, word_set, zipf
from fairseq_twostage.text.lexicon import COMMON, NAMELESS, Entry, Lexicon
from fairseq_twostage.text.misspelt_words import NO_SLIPS
from fairseq_twostage.text.name_index import Ids, Parts, Spellings, in_all, letters_of
from fairseq_twostage.text.placeholders import is_placeholder
from fairseq_twostage.text.word_forms import base

SHORTEST = 3  # letters of a part of a name
NO_PART = 5.5  # how common a word is that is no part of a name either (zipf)
NO_BIT = 4.75  # likewise, of a word that is less than half of a name
MOST_SIMILAR = 3  # names that are offered where several are as near
_PARTICLES = word_set("away back down in off on out over up")  # written, and written off
_DOERS = word_set("we you they he she")
_NEVER = word_set("not never ever")
_HAVING = word_set("have has had")
_ANY = word_set("a all an any every most the")
_SEASONS = word_set("spring summer autumn winter")
_WHEN = word_set("in last next this every each during")
_DIGITS = re.compile(r"\d")
Near = tuple[int, list[int]]
"""How far phrases are from the words that may stand for them, in letters, and which they are."""


class Guess(NamedTuple):
    """Words of an utterance that seem to be a name.

    Attributes:
        start: the first of them.
        end: behind the last of them.
        entries: what they may name, one of each constant and of each phrase,
            ``MOST_SIMILAR`` at most; one: that is it, or all that are called so.
    """

    start: int
    end: int
    entries: tuple[Entry, ...]


class NameGuesser:
    """Finds names among words that the models do not know.

    A span of words is a name if it is a part of its phrase, or as far from it as a slip of the
    hand: one letter from four letters on, two from eight, three from fourteen. Blanks and marks
    between letters do not count. What may be a known word with a slip is no part of a name. A
    common word of English by itself is no slip, and the most common ones are no part of a name
    either, others none of a name of three words or more. Nor is a word behind "a": films "with a
    roof" are none of The Roof Garden, nor "pieces" any of Night Pieces, nor "lyrics of" any of
    Lyrics to Go.

    Args:
        names: the lexicon, its phrases in words as the utterances' are.
        vocabulary: words that are no part of a name unless one that is not known stands beside.
    """

    def __init__(self, names: Lexicon, vocabulary: Collection[str]) -> None:
        self.vocabulary = vocabulary
        self._names = names
        self._phrases = sorted(
            " ".join(words)
            for words, entries in names.senses.items()
            if any(entry.type not in NAMELESS for entry in entries)
        )
        self._parts = Parts(self._phrases)
        self._spellings = Spellings(self._phrases)
        self._word_spellings = Spellings(self._parts.words)
        self._longest = max(map(len, names.senses), default=0)

    def __call__(self, words: Sequence[str]) -> Iterator[Guess]:
        """The names in an utterance, from left to right, the nearest phrase first."""
        return self._search(
            words, lambda start, end: self._near(words[start:end], words[:start], words[end:])
        )

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
        return iter(self._apart(sorted(guesses)))

    @staticmethod
    def _apart(guesses: Sequence[Guess]) -> list[Guess]:
        """Without names of which parts stand side by side: Owen of one and Wiesner of another."""
        beside = {
            each
            for one, other in pairwise(guesses)
            if one.end == other.start
            for each in (one.start, other.start)
        }
        return [guess for guess in guesses if guess.start not in beside]

    def _unknown(self, span: Sequence[str]) -> int:
        return sum(word not in self.vocabulary for word in span)

    def _near(
        self, span: Sequence[str], before: Sequence[str], behind: Sequence[str]
    ) -> Iterator[Near]:
        """What a span may stand for."""
        if any(map(is_placeholder, span)) or not self._unknown(span):
            return
        if len(span) == 1 and not _DOERS.isdisjoint(before[-1:]):  # how often did we brew
            return
        if several := self._with_one(span):
            yield 0, several
            return
        if len(span) == 1 and _is_no_name(span[0], before, behind):
            return
        one_of_many = len(span) == 1 and _one_of_many(span[0], before, behind)
        if not one_of_many and (parts := self._with_parts(span)):
            if self._goes_on(behind):
                said = f"{' '.join(span)} "
                parts = [id for id in parts if not self._phrases[id].startswith(said)]
            if parts:
                yield 0, parts
            return
        typed = letters_of("".join(span))
        if len(span) == 1 and (zipf(span[0]) >= COMMON or _is_form(span[0])):
            return
        if near := _nearest(typed, self._spellings, _slips(typed)):
            distance, phrases = near
            kept = [
                id
                for id in phrases
                if _same_ends(span, self._phrases[id]) and _may_be(typed, self._phrases[id])
            ]
            if kept:
                yield distance, kept
        if len(span) == 1 and (near := _nearest(typed, self._word_spellings, _slips(typed))):
            distance, words = near
            if not any(self._parts.words[word] in self.vocabulary for word in words):
                yield distance, self._with_any(words).tolist()

    def _with_one(self, span: Sequence[str]) -> list[int]:
        """The whole phrase of which a span is the plural: *saturdays*, of a day of the week."""
        for one in singulars(span[-1]):
            phrase = " ".join([*span[:-1], one])
            place = bisect_left(self._phrases, phrase)
            if self._phrases[place : place + 1] == [phrase]:
                return [place]
        return []

    def _goes_on(self, behind: Sequence[str]) -> bool:
        """Whether a word that nobody knows stands behind the beginning of a name: *captain's cup*
        is no Captain's Mug."""
        word = next(iter(behind), "")
        named = word.isalpha() and not is_placeholder(word) and word not in self.vocabulary
        return named and not len(self._parts.having(word)) and word not in FUNCTION_WORDS

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
        slips = _slips(letters_of("".join(beside)))
        typed = letters_of("".join(span))
        near = _nearest(typed, self._spellings, slips)
        if near and not any(
            self._phrases[id] in known or not _may_be(typed, self._phrases[id]) for id in near[1]
        ):
            yield near
        elif (parts := self._with_parts(span, beside)) and max(map(len, beside)) >= SHORTEST:
            yield len(beside), parts

    def _with_parts(self, span: Sequence[str], misspelt: Sequence[str] = ()) -> list[int]:
        """Phrases that have all words of a span, some of them perhaps misspelt."""
        if max(map(len, span)) < SHORTEST or all(zipf(word) >= NO_PART for word in span):
            return []
        if len(span) == 1 and f"{span[0]}s" in self.vocabulary:  # a rating of 3 stars, no Star Wars
            return []
        found: list[int] = in_all(self._with_word(w, w in misspelt) for w in span).tolist()
        found = [id for id in found if not _is_verb_without(self._phrases[id], span)]
        if len(span) == 1 and zipf(span[0]) >= NO_BIT:
            return [id for id in found if len(self._phrases[id].split()) <= 2 * len(span)]
        return found

    def _with_word(self, word: str, misspelt: bool) -> Ids:
        found = self._parts.having(word)
        if not len(found) and word not in self.vocabulary:
            found = self._parts.having_any(singulars(word))
        if len(found) or not misspelt or word in self.vocabulary:
            return found
        _, words = _nearest(word, self._word_spellings, _slips(word)) or (0, [])
        return self._with_any(words)

    def _with_any(self, words: Sequence[int]) -> Ids:
        return self._parts.having_any(self._parts.words[word] for word in words)

    def _senses(self, phrases: Sequence[int]) -> tuple[Entry, ...]:
        found: list[Entry] = []
        seen: set[str] = set()
        for id in phrases:
            entries = self._names.senses[tuple(self._phrases[id].split())]
            found += [entry for entry in entries if entry.constant not in seen][:1]
            seen.update(entry.constant for entry in entries)
            if len(found) == MOST_SIMILAR:
                break
        return tuple(found)


def _is_verb_without(phrase: str, span: Sequence[str]) -> bool:
    """Whether a span is the verb alone of *written off*."""
    verb, _, particle = phrase.partition(" ")
    return particle in _PARTICLES and [*span] == [verb]


def _nearest(typed: str, known: Spellings, slips: int) -> Near | None:
    """Those of ``known`` of which slips of the hand may have made ``typed``, the nearest."""
    return known.nearest(typed, slips) if _slips(typed) else None


def _same_ends(span: Sequence[str], phrase: str) -> bool:
    """Whether a phrase begins and ends with the words of every sentence that a longer span does:
    "in dublin" is no *insulin*."""
    words = phrase.replace("-", " ").split()  # no shows: a no-show
    ends = ((span[0], words[0]), (span[-1], words[-1]))
    return len(span) == 1 or all(typed not in FUNCTION_WORDS or typed == w for typed, w in ends)


def _may_be(typed: str, phrase: str) -> bool:
    """Whether both have the same digits, a cable of 20 m is none of 10 m, and what was typed does
    not deny the phrase: *undelivered*."""
    denied = any(typed == f"{prefix}{letters_of(phrase)}" for prefix in NO_SLIPS)
    return not denied and _DIGITS.findall(typed) == _DIGITS.findall(phrase)


def _one_of_many(word: str, before: Sequence[str], behind: Sequence[str]) -> bool:
    """Whether a word says a kind of things: behind "a", before "of" where it is common, or in the
    plural where it is and no "the" precedes it."""
    common = zipf(word) >= COMMON
    several = next(singulars(word), word) != word and common
    whose = common and behind[:1] == ["of"]
    return before[-1:] in (["a"], ["an"]) or whose or (several and before[-1:] != ["the"])


def singulars(word: str) -> Iterator[str]:
    """What an English plural may be of: "glasses", glass; one word at least of four letters."""
    if len(word) > SHORTEST:
        for ending, instead in (("ies", "y"), ("es", ""), ("s", "")):
            if word.endswith(ending) and not word.endswith("ss"):
                yield word.removesuffix(ending) + instead


def _is_form(word: str) -> bool:
    """Whether a word is a form of one that people say, with no slip: *electricians*, *thickest*."""
    degree = word.removesuffix("est")
    most = len(degree) > SHORTEST and degree != word and max(map(zipf, (degree, f"{degree}e"))) > 0
    return most or any(zipf(one) > 0 and base(word) == one for one in singulars(word))


def _is_no_name(word: str, before: Sequence[str], behind: Sequence[str]) -> bool:
    """Whether a common word is a verb, of those who have not *run* any race, or a season."""
    last = {*before[-1:]}
    if word in _SEASONS:
        return not _WHEN.isdisjoint(last)
    done = bool(last & _HAVING) and not _ANY.isdisjoint(behind[:1])
    return zipf(word) >= COMMON and (done or not _NEVER.isdisjoint(last))


def _slips(typed: str) -> int:
    """How many letters may differ, be missing, be too many or have changed places."""
    length = len(typed)
    return 0 if length < 4 else 1 if length < 8 else 2 if length < 14 else 3
