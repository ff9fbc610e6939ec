"""Words of a question that the domain does not have, though they are near something that it has."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from fairseq_twostage.inference.candidates import Search
from fairseq_twostage.inference.known_questions import KnownQuestions
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.text.function_words import FUNCTION_WORDS, said_as_names, word_set
from fairseq_twostage.text.placeholders import is_placeholder
from fairseq_twostage.text.question_words import DULL, TOTAL, asked_kinds, asked_noun, counted_most
from fairseq_twostage.text.unit_words import MEASURES
from fairseq_twostage.text.word_forms import base, has_form

if TYPE_CHECKING:
    from fairseq_twostage.text.utterance import Utterance

SAME_THING = 0.75  # cosine of movies and films, planes and aircraft; cows and farmers have 0.57
_WHAT = re.compile(r"what ([a-z]+(?: [a-z]+)?) (?:does|did|do|has|have) ")
MANY_LEFT = 3  # words at the end, none of which was understood
ANOTHER_ROLE = 0.45  # of producers and directors; filmmakers and directors have 0.56
_ROLE = re.compile(
    r"who ([a-z]+) (?:the )?_(?!number|date|time)|"
    r"(?:(?:who|what) (?:is|was|were|are|'s) )?(?:the )?([a-z]+) (?:of|for) (?:the )?_(?!number)"
)
"""Who somebody is by what they did, "who wrote _book_", or by a noun, "the author of _book_"."""
_PLACED = re.compile(r"\b(?:at|from|in|near) ((?:the )?[^\W\d_]+)(?= (\w+)|$)")
_PERSONS = word_set("people personnel staff")
_QUANTIFIERS = word_set("all both each every everything")
_LEADING = word_set("about at by for from in on through using via with without")
_SAYING_NOTHING = (
    DULL
    | TOTAL
    | MEASURES
    | word_set("average detail either general order particular question record terms")
)


def unknown_thing(
    search: Search,
    reading: Reading,
    utterance: Utterance,
    known: KnownQuestions,
    told: Collection[str],
) -> str | None:
    """The noun that a question asks for, or for the most of, where the domain does not know it and
    nothing that was understood is nearly the same: runways, where there are airports; not the verb
    behind a known thing: which department *runs*; nor a word for which the answer speaks, one of
    ``told``."""
    words = utterance.tokens.split()
    found = _WHAT.match(utterance.tokens)
    what = list(filter(_says, found[1].split())) if found else []
    strange = not {*what}.isdisjoint(utterance.unknown)
    if strange and all(_other(search, word, reading) for word in what):
        return " ".join(what)
    role = _ROLE.match(utterance.tokens)
    word = next(filter(None, role.groups()), "") if role else ""
    named = word in utterance.unknown and word not in _QUANTIFIERS | DULL
    if named and _other(search, word, reading, ANOTHER_ROLE):
        return word
    noun = asked_kinds(utterance.tokens) or asked_noun(utterance.tokens)
    before = words[: words.index(noun)] if noun in words else []
    asked = {noun} if known.things.isdisjoint(before) else set()
    counted, given = (counted_most(said) for said in (utterance.tokens, reading.paraphrase))
    if given and known.people.isdisjoint(given):
        persons = next((word for word in words if word in _PERSONS & {*counted}), None)
        if persons is not None:
            return persons
    asked |= {word for word in words if base(word) != word and base(word) in counted}
    said = _QUANTIFIERS.union(told)
    asked = {word for word in asked if word and word not in said and base(word) not in MEASURES}
    unknown = (word for word in words if word in asked and word in utterance.unknown)
    return next((word for word in unknown if _other(search, word, reading)), None)


def unknown_phrase(
    search: Search, reading: Reading, utterance: Utterance, told: Collection[str]
) -> str | None:
    """What a question says behind its last preposition, or as its last three words or more, where
    nothing that was understood is nearly the same: *credit card* of "paid by credit card"; words
    ``told`` by the answer are understood."""
    words = utterance.tokens.split()
    places = [at for at, word in enumerate(words) if word in _LEADING]
    said = words[places[-1] + 1 :] if places else []
    if said and not any(map(is_placeholder, said)):
        content = [word for word in said if _says(word) and word not in told]
        if content and all(_other(search, word, reading) for word in content):
            return " ".join(content)
    last = list[str]()
    for word in reversed(words):
        if is_placeholder(word) or word in told:
            break
        if _says(word) and not _other(search, word, reading):
            break
        last = [word, *last] if _says(word) else last
    return " ".join(last) if len(last) >= MANY_LEFT else None


def unknown_place(
    search: Search, reading: Reading, utterance: Utterance, told: Collection[str]
) -> str | None:
    """A word that the domain does not have where a question says where, if nothing that was
    understood is nearly the same, and the answer does not speak for it as for those ``told``: flats
    *in Leipzig* above a price."""
    for found in _PLACED.finditer(utterance.tokens):
        word = found[1].removeprefix("the ")
        ends = found[2] is None or found[2] in FUNCTION_WORDS or is_placeholder(found[2])
        if word not in utterance.unknown or not _says(word) or not _other(search, word, reading):
            continue
        named = ends or any(said_as_names(utterance.text, {word}).get(word, ()))
        if named and word not in told:
            return word
    return None


def _says(word: str) -> bool:
    said = word.isascii() and len(word) > 1  # no single character of a text without blanks
    return said and word not in _SAYING_NOTHING and base(word) not in MEASURES


def _other(search: Search, word: str, reading: Reading, same: float = SAME_THING) -> bool:
    """Whether a word has no form in what was understood, and is not nearly the same as any."""
    given = reading.paraphrase.split()
    if has_form(word, given):
        return False
    if same < SAME_THING:
        given = [other for other in given if other not in FUNCTION_WORDS]
    alike = search.alike(word, " ".join(given))
    return alike is not None and alike < same
