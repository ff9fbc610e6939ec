"""Where a question has a number of one thing and a reading of another, by what is known."""

from __future__ import annotations

import re

from fairseq_twostage.inference.known_words import COUNTED, EVERYTHING, EXTREME, KnownWords
from fairseq_twostage.text.function_words import FUNCTION_WORDS
from fairseq_twostage.text.question_words import PEOPLE, asked_thing
from fairseq_twostage.text.synonyms import known_as
from fairseq_twostage.text.unit_words import UNITS
from fairseq_twostage.text.word_forms import base, same_root

_MEASURED = re.compile(
    r"\b([a-z]+) (?:of|above|below|of at least|of at most|between) _number\d*_(?! [a-z])"
)
_LARGER = re.compile(r"\b(?:more [a-z]+|less [a-z]+|[a-z]{3,}er) than _number\d*_(?! [a-z])")
_COUNTED_COMPOUND = re.compile(r"\b_number\d*_ [a-z]+ ([a-z]{3,}s)\b")  # apartment facilities


def other_number(tokens: str, z: str, known: KnownWords) -> str | None:
    """Why z has another number than a question; None: it may not have."""
    return next(filter(None, (rule(tokens, z, known) for rule in _RULES)), None)


def _counts_other(tokens: str, z: str, known: KnownWords) -> str | None:
    """What a question has a number of, where z has a number of something else: reservations,
    of "bookings for more than _number_ people"; teams, of "more than _number_ races", where
    somebody raced for them."""
    given = {
        base(word)
        for word in (*COUNTED.findall(z), *_COUNTED_COMPOUND.findall(z))
        if word.endswith("s") and word not in FUNCTION_WORDS
    }
    said = [word for word in tokens.split() if word not in FUNCTION_WORDS]
    measured = _MEASURED.search(z)
    for counted in COUNTED.findall(tokens):
        if EXTREME.fullmatch(counted) or re.search(rf"_number\d*_ {counted} [a-z]", z):
            continue  # the _number_ largest, _number_ chronic diagnoses
        noun = known_as(base(counted), known.things) or base(counted)
        if noun in known.things - UNITS and not given and _LARGER.search(z):
            return f"it has a number of {noun}, and what was understood is a measure"
        own = measured and f"{noun} {measured[1]}" in z  # student capacity
        if measured and noun in known.types and not (own or same_root(noun, measured[1])):
            return f"it has a number of {noun}, and what was understood has its {measured[1]}"
        others = (word for word in said if base(word) != noun)
        done = any(same_root(one, word) for word in others for one in given)
        there = noun in known.numbered | known.heads | known.properties
        there = there or (done and noun not in FUNCTION_WORDS | {"time", *map(base, z.split())})
        unknown = base(counted) != counted and noun not in UNITS | EVERYTHING | PEOPLE
        there = there or (unknown and not any(same_root(noun, one) for one in given))
        if given and there and not any(one.endswith(noun) for one in given):  # artworks
            return f"it has a number of {noun}, and what was understood of {min(given)}"
    return None


def _counts_lines(tokens: str, z: str, known: KnownWords) -> str | None:
    """Lines of orders that z counts and a question does not speak of: how many *crates* were
    ordered is the sum of what they say."""
    counted = z.removeprefix("how many ")
    if counted == z or "how many times" in tokens or "how often" in tokens:
        return None
    found = (lines for lines in known.lines if f"{counted} ".startswith(f"{lines} "))
    said = {*map(base, tokens.split())}
    unsaid = (lines for lines in found if base(lines.split()[-1]) not in said)
    lines = next(unsaid, None)
    return f"it does not ask how many {lines}, and what was understood does" if lines else None


def _numbered_otherwise(tokens: str, z: str, known: KnownWords) -> str | None:
    """*Flight numbers*, which routes have, where z asks for flights."""
    thing = asked_thing(z)
    if thing not in known.number_of or "number" in z or not z.startswith("which "):
        return None
    asked = re.search(rf"\b{thing} numbers?\b", tokens)
    return f"it asks for “{asked[0]}”, and what was understood does not" if asked else None


_RULES = (_counts_other, _counts_lines, _numbered_otherwise)
