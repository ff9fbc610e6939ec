"""Typed placeholders: entities in an utterance become ``_state_``, and come back.

A lexicon says which phrases name an entity, of which type, and by which logical constant. An
utterance is read from left to right, the longest phrase first; the placeholder of a type is its
name between underscores, and a second entity of one type in one utterance gets ``_state2_``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice, product
from typing import NamedTuple

from fairseq_twostage.text.function_words import FUNCTION_WORDS, zipf
from fairseq_twostage.text.moments import is_month
from fairseq_twostage.text.normalisation import without_accents, written_out
from fairseq_twostage.text.placeholders import placeholder
from fairseq_twostage.text.values import Value, ValueReader

_BETWEEN = re.compile(r"[.&'+-]")  # marks that may be part of a word
COLUMNS = "phrase, type, constant"
MAX_READINGS = 64
NOTHING = "nothing"  # type of phrases that say nothing here: they are left out
KEPT = "kept"  # type of phrases that name nothing, though a part of them would
CALLED = "called"  # type of words for which the domain has others: films, of movies
NAMELESS = (NOTHING, KEPT, CALLED)
MAX_NUMBER = 9
COMMON = 3.75  # as zipf: a word that stands for itself, not for a name with a slip or accents
MAX_MARKS = 8  # in a word that is cut into names
_Piece = tuple[str, "list[Entry | None]"]


class Entry(NamedTuple):
    """A phrase (tokenised), its type (``state``) and its constant (``fb:en.state.texas``)."""

    phrase: str
    type: str
    constant: str


@dataclass(frozen=True)
class Reading:
    """An utterance with its entities replaced.

    Attributes:
        utterance: with placeholders.
        variables: placeholder -> logical constant, for the logical form.
        phrases: placeholder -> the words it stands for, for the canonical utterance.
        values: words that say a number, a date or a time -> what was read, for people.
    """

    utterance: str
    variables: Mapping[str, str]
    phrases: Mapping[str, str]
    values: Mapping[str, str] = field(default_factory=dict)


class Lexicon:
    """Phrases and what they name.

    Args:
        entries: where a phrase names several things, the type that stands beside it in the
            utterance (``new york city``) wins, else the first of them in this order.
        words: how utterances are cut into words, and so the phrases; None: they are already.
        values: finds numbers, dates and times among the words that name nothing.

    Attributes:
        entries: in their order.
        senses: the words of each phrase to its entries.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        words: Callable[[str], str] | None = None,
        values: ValueReader | None = None,
    ) -> None:
        self.entries = tuple(entries)
        self.values = values
        self.senses: dict[tuple[str, ...], list[Entry]] = {}
        for entry in entries:
            phrase = (words(entry.phrase) if words else "") or entry.phrase
            self.senses.setdefault(tuple(phrase.split()), []).append(entry)
        self._plain: dict[tuple[str, ...], list[Entry]] = {}
        for words_of, found in self.senses.items():
            for plain in _in_plain_letters(words_of):
                if plain != words_of and not _says_else(plain):
                    self._plain.setdefault(plain, []).extend(found)
        self._longest = max((len(words) for words in self.senses), default=0)
        self._words = set[str]().union(*self.senses, *self._plain)

    def read(self, utterance: str, meant: Collection[str] = ()) -> Reading:
        """The most likely reading of a tokenised utterance.

        Args:
            utterance: tokenised.
            meant: constants; the readings that name most of them go first.
        """
        readings = self.readings(utterance)
        if not meant:
            return next(readings)
        return max(readings, key=lambda reading: len({*reading.variables.values()} & {*meant}))

    def readings(self, utterance: str) -> Iterator[Reading]:
        """The readings, the most likely one first; at most 64."""
        pieces = list(self._pieces([*self._apart(utterance.split())]))
        values: dict[str, str] = {}
        if self.values is not None:
            pieces = list(self._with_values(_without_months(pieces), self.values, values))
        for choice in islice(product(*(senses for _, senses in pieces)), MAX_READINGS):
            yield _reading([words for words, _ in pieces], choice, values)

    def spans(self, words: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Where phrases stand among words: the first of each, and behind its last."""
        end = 0
        for piece, senses in self._pieces([*words]):
            start, end = end, end + len(piece.split())
            if senses != [None]:
                yield start, end

    def constants(self) -> dict[str, list[str]]:
        """By placeholder, what it may stand for: of a type with n constants there are n, but at
        most nine in one utterance."""
        found: dict[str, dict[str, None]] = {}
        for entry in self.entries:
            found.setdefault(entry.type, {})[entry.constant] = None
        return {
            placeholder(type, number): list(known)
            for type, known in found.items()
            for number in range(1, min(MAX_NUMBER, len(known)) + 1)
        }

    def _apart(self, words: Sequence[str]) -> Iterator[str]:
        """The words; names that marks make one of (``rex&bella``) are each by itself."""
        for word in words:
            joined = word not in self._words and len(_BETWEEN.findall(word)) <= MAX_MARKS
            parts = self._cut(word) if joined else []
            yield from parts if any((part,) in self.senses for part in parts) else [word]

    def _cut(self, word: str) -> list[str]:
        """The word as words of phrases with a mark between; none if it is not so."""
        if word in self._words and not word.isdecimal():
            return [word]
        for mark in _BETWEEN.finditer(word):
            left, right = word[: mark.start()], word[mark.end() :]
            if left in self._words and not left.isdecimal() and (parts := self._cut(right)):
                return [left, *parts]
        return []

    def _pieces(self, words: list[str]) -> Iterator[_Piece]:
        """Words that stay as they are (their only sense None), and phrases with their senses."""
        start = 0
        while start < len(words):
            for length in range(min(self._longest, len(words) - start), 0, -1):
                span = tuple(words[start : start + length])
                lower = tuple(map(str.lower, span))
                senses = self.senses.get(span) or self._named(lower)
                if not senses and not "".join(lower).isascii():  # accents that the name has not
                    plain = (self._named(words) for words in _in_plain_letters(lower))
                    senses = next(filter(None, plain), None)
                if senses:
                    beside = {
                        *words[max(0, start - 2) : start],
                        *words[start + length : start + length + 1],
                    }
                    ranked = sorted(senses, key=lambda entry: entry.type not in beside)
                    yield " ".join(words[start : start + length]), [*ranked]
                    start += length
                    break
            else:
                yield words[start], [None]
                start += 1

    def _named(self, words: tuple[str, ...]) -> list[Entry] | None:
        """What words name as they are, or without the accents of the name."""
        return self.senses.get(words) or self._plain.get(words)

    @staticmethod
    def _with_values(
        pieces: Iterable[_Piece], reader: ValueReader, shown: dict[str, str]
    ) -> Iterator[_Piece]:
        """With the values between the names as pieces; ``shown`` takes what was read."""
        for named, group in groupby(pieces, key=lambda piece: piece[1] != [None]):
            if named:
                yield from group
                continue
            for found in reader([words for words, _ in group]):
                if not isinstance(found, Value):
                    yield found, [None]
                    continue
                found.tell(shown)
                yield found.words, [Entry(found.text, found.kind, found.constant)]
                if found.behind:
                    yield found.behind, [None]


def _without_months(pieces: Sequence[_Piece]) -> Iterator[_Piece]:
    """The pieces; a name that is a month's is none beside a day or a year: 25 August 2024."""
    texts = ["", *(text for text, _ in pieces), ""]
    for before, (text, senses), behind in zip(texts, pieces, texts[2:]):
        dated = is_month(text) and (before[:1].isdigit() or behind[:1].isdigit())
        yield text, [None] if dated else senses


def _in_plain_letters(words: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """Both ways to write words without accents, koln and koeln; one where they are the same."""
    ways = (tuple(map(way, words)) for way in (without_accents, written_out))
    return dict.fromkeys(ways)


def _says_else(words: Sequence[str]) -> bool:
    """Whether a name typed without its accents is a common word: thé, résumé."""
    return len(words) == 1 and (words[0] in FUNCTION_WORDS or zipf(words[0]) >= COMMON)


def _reading(
    pieces: Sequence[str], senses: Sequence[Entry | None], values: Mapping[str, str]
) -> Reading:
    words: list[str] = []
    variables: dict[str, str] = {}
    phrases: dict[str, str] = {}
    numbers: dict[str, list[str]] = {}
    for piece, entry in zip(pieces, senses):
        if entry is None or entry.type == KEPT:
            words.append(piece)
            continue
        if entry.type == CALLED:
            words.append(entry.constant.replace("%20", " "))
            continue
        if entry.type == NOTHING:
            continue
        constants = numbers.setdefault(entry.type, [])
        if entry.constant not in constants:
            constants.append(entry.constant)
        name = placeholder(entry.type, constants.index(entry.constant) + 1)
        words.append(name)
        variables[name] = entry.constant
        phrases.setdefault(name, piece if piece.isupper() else entry.phrase)
    return Reading(" ".join(words) or " ".join(pieces), variables, phrases, values)
