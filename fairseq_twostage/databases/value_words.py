"""How people say the values of a column: in the other number, by first letters, without marks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from fairseq_twostage.databases.inflection import plural, singular
from fairseq_twostage.databases.nationalities import said_of_country
from fairseq_twostage.databases.phrases import PREPOSITIONS
from fairseq_twostage.databases.schema import Dimension
from fairseq_twostage.databases.vocabulary import NOUNS
from fairseq_twostage.databases.words import words_of
from fairseq_twostage.text.function_words import FUNCTION_WORDS
from fairseq_twostage.text.normalisation import tokenize_utterance

_DOUBLED = re.compile(r"(?<=[a-z]{4})ll(ed|ing|er)\b")
_SNAKE = re.compile(r"[a-z]+(?:_[a-z]+)+")


def american(phrase: str) -> str:
    """As it is spelt in America: canceled."""
    return _DOUBLED.sub(r"l\1", phrase)


def are_nouns(called: str) -> bool:
    """Whether values of what is called so have plurals: *mechanics* by their job title."""
    words = words_of(called)
    return words[-1] in NOUNS or words[-2:] == ["job", "title"]


def in_other_number(said: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Plurals and singulars of phrases that are nouns, those that say nothing else."""
    known = {phrase for phrase, _ in said}
    found = dict[str, Any]()
    for phrase, value in said:
        *before, last = phrase.split()
        one = " ".join((*before, singular(last)))
        other = one if one != phrase else plural(phrase)
        if other not in known:
            found.setdefault(other, value)
    return list(found.items())


def in_letters(said: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """The first letters of names, where they are one name's: HR, of Human Resources."""
    known = {phrase for phrase, _ in said}
    found: dict[str, list[Any]] = {}
    for phrase, value in said:
        letters = "".join(word[0] for word in phrase.split() if word not in FUNCTION_WORDS)
        if len(letters) > 1 and letters.isalpha() and letters not in known:
            found.setdefault(letters, []).append(value)
    return [(letters, values[0]) for letters, values in found.items() if len({*values}) == 1]


def said_of(value: object, part: Dimension) -> Iterator[str]:
    """The phrases of a value; of a country what is of it, too, unless the schema says words."""
    if phrase := in_words(value):
        yield phrase
        if _SNAKE.fullmatch(phrase):  # on_display
            yield phrase.replace("_", " ")
        if " & " in phrase:
            yield phrase.replace(" & ", " and ")
        first, _, rest = phrase.partition(" ")
        if rest and first in PREPOSITIONS:  # in workshop
            yield f"{first} the {rest}"
        if value not in part.said:
            yield from said_of_country(phrase)


def in_words(value: object) -> str:
    """A value in words; nothing for one of marks alone."""
    phrase = tokenize_utterance(str(value))
    return phrase if any(map(str.isalnum, phrase)) else ""
