"""Whether a question asks where, or says a place, and what was understood does not.

See :mod:`fairseq_twostage.text.disagreement`, whose rules these are.
"""

from __future__ import annotations

import re

from fairseq_twostage.text.function_words import word_set

_PLACES = word_set("second third fourth fifth sixth 2nd 3rd 4th 5th 6th")
_WHERE = re.compile(
    r"address|area|branch|building|city|cities|country|county|department|district|floor|home|"
    r"location|office|place|position|region|room|shop|site|stage|state|station|store|street|town|"
    r"venue|village|warehouse|where|world|zone|\b(?:in|at|near)\b"
)
_PLACES_TO_BE = word_set(
    "airport arena bar cafe campus cinema clinic club court farm field garage garden gym hall "
    "hospital hotel house housing island lake library museum park pharmacy port province "
    "restaurant river school stadium stand street studio table theatre theater track university "
    "workshop zone mountain depot platform aisle shelf"
)


def is_place(noun: str) -> bool:
    """Whether somebody may be told it who asks where."""
    return bool(_WHERE.search(noun)) or noun in _PLACES_TO_BE


def misses_where(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks where, and what was understood when, how long, how it is named or
    another property; or something else, of no place, and what was understood where."""
    where = tokens.startswith("where ")
    elsewhere = tokens.startswith("when ") or not _WHERE.search(tokens)
    other = paraphrase.startswith(("when ", "how ")) or " are named " in paraphrase
    asked, of, rest = paraphrase.removeprefix("what is the ").partition(" of ")
    place = asked if of and asked.split()[-1] not in ("id", "name") else f"{asked} {rest}"
    property = paraphrase.startswith("what is the ") and not _WHERE.search(place)
    return (where and (other or property)) or (elsewhere and paraphrase.startswith("where "))


def misses_place(tokens: str, paraphrase: str) -> str | None:
    """``second`` of "the second longest …" where what was understood has no such word."""
    words = tokens.split()
    for word, following in zip(words, [*words[1:], ""]):
        superlative = following in ("most", "least", "best", "worst") or following.endswith("est")
        if word in _PLACES and superlative and word not in paraphrase.split():
            return word
    return None
