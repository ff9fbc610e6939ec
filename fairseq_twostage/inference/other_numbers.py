"""Where a question has a number of one thing and a reading of another, by what is known."""

from __future__ import annotations

import re

from fairseq_twostage.inference.known_words import COUNTED, EVERYTHING, EXTREME, KnownWords
from fairseq_twostage.text.function_words import FUNCTION_WORDS
from fairseq_twostage.text.question_words import PEOPLE, asked_noun, asked_thing
from fairseq_twostage.text.synonyms import known_as
from fairseq_twostage.text.unit_words import UNITS
from fairseq_twostage.text.word_forms import base, has_form, same_root

_MEASURED = re.compile(
    r"\b([a-z]+) (?:of|above|below|of at least|of at most|between) _number\d*_(?! [a-z])"
)
_LARGER = re.compile(r"\b(?:more [a-z]+|less [a-z]+|[a-z]{3,}er) than _number\d*_(?! [a-z])")
_COUNTED_COMPOUND = re.compile(r"\b_number\d*_ [a-z]+ ([a-z]{3,}s)\b")  # apartment facilities
_HOW_OFTEN = re.compile(r"\bhow (?:often|many times)\b")
_HOW_OFTEN_DONE = re.compile(
    r"\bhow (?:often|many times) (?:did|do|have|had) (?:we|they|you|i) (?:ever )?([a-z]{4,})"
)
_DOERS = ("er", "or")  # a brewer is nothing that is brewed
_HOW_MANY_ONE = re.compile(r"(?:[a-z]+ )*?how many _(?!number|date|time)([a-z_]+?)\d*_ ")
_OF_ONE = re.compile(r"^how many [a-z]+ (?:are (?:there )?)?of (?:the )?_[a-z_]+\d*_")
_HOW_MANY_NAMED = re.compile(
    r"\bhow many (_(?!number|date|time)[a-z_]+?)\d*_ "
    r"(?:did|do|have|had|were|are) (?:we|they|you|there|i)\b"
)


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


def _counts_for_deed(tokens: str, z: str, known: KnownWords) -> str | None:
    """*Rehearsals*, of "how often did we rehearse", where z has a number of something else; and
    anything that is done, where z has a number of persons."""
    done, counted = _HOW_OFTEN_DONE.search(tokens), asked_noun(z)
    if counted is None or not z.startswith("how many "):
        return None
    if _HOW_OFTEN.search(tokens) and base(counted) in known.people - {*map(base, tokens.split())}:
        return f"it asks how often, and what was understood how many {counted}"
    if done is None:
        return None
    deed = done[1]
    alike = sorted(thing for thing in known.things if same_root(deed, thing))
    deeds = [thing for thing in alike if thing == deed or not thing.endswith(_DOERS)]
    if not deeds or base(counted) in deeds:
        return None
    return f"it has a number of {deeds[0]}, and what was understood of {base(counted)}"


def _counts_for_value(tokens: str, z: str, known: KnownWords) -> str | None:
    """The faults of which *paper jams* is a kind, where z has a number of machines."""
    named, counted = _HOW_MANY_NAMED.search(tokens), asked_noun(z)
    if named is None or counted is None or not z.startswith("how many "):
        return None
    here = re.search(rf"\b([a-z]+) with (?:[a-z]+ ){{1,3}}{named[1]}\d*_", z)
    owners = {base(here[1])} if here else known.valued.get(named[1], set())
    if len(owners) != 1:
        return None
    other = base(counted)
    if other in owners or other in map(base, tokens.split()):
        return None
    return f"it has a number of {min(owners)}, and what was understood of {other}"


def _counts_itself(tokens: str, z: str, known: KnownWords) -> str | None:
    """*Baguettes* that were ordered, where z counts products, or what the question does not speak
    of, that have to do with that one; copies of it may be meant."""
    named, counted = _HOW_MANY_ONE.match(tokens), asked_thing(z)
    if named is None or counted is None or not z.startswith("how many "):
        return None
    itself = counted == named[1]
    said = has_form(counted, tokens.split()) or _OF_ONE.search(z) is not None
    if named[1] not in known.kinds or (said and not itself):
        return None
    return (
        f"it asks for the number of that {named[1]}, and what was understood counts each {counted}"
    )


_RULES = (
    *(_counts_other, _counts_lines, _numbered_otherwise),
    *(_counts_for_deed, _counts_for_value, _counts_itself),
)
