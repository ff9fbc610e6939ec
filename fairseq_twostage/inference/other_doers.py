"""Who does or is something, where what was understood gives somebody or something else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fairseq_twostage.databases.vocabulary import BUYERS, VERBS
from fairseq_twostage.text.question_words import MOST_IN_EST, asked_kinds
from fairseq_twostage.text.word_forms import base

if TYPE_CHECKING:
    from fairseq_twostage.inference.known_words import KnownWords

_WHO_IS_BEST = re.compile(
    rf"who (?:is|are|was|were|'s) (?:the |our )(?:.* )?(?:{MOST_IN_EST}|most [a-z]+) "
    r"(?:[a-z]+ )?([a-z_]+\d*)(?: \?)?$"
)
_ROLE_NAME = re.compile(r"what (?:is|are) the ([a-z]+) names? of ")
_WHO_IS_ROLE = re.compile(r"who (?:is|was) (?:the|our) ([a-z ]+?) (?:of|for|at|in) ")
_HAS_NO = re.compile(r"\b(?:has|have|with) no ([a-z]+)")
_NOBODY = re.compile(r"\b(?:nobody|no one|noone)\b")
_DEALT = re.compile(
    r"who (?:(?:has|have|had|all) )?(?:book|bought|buy|charter|hire|order|purchase|rent|reserve)"
)


_PAST = {
    "drive": "drove", "give": "gave", "lead": "led", "make": "made", "run": "ran", "sing": "sang",
    "teach": "taught", "win": "won", "write": "wrote",
}  # fmt: skip
_DEEDS = {
    form: deed
    for deeds in VERBS.values()
    for deed in deeds.split()
    for form in (deed, f"{deed}s", _PAST.get(deed, f"{deed.removesuffix('e')}ed"))
}
_ALIKE = {"write": {"compose"}, "compose": {"write"}, "make": {"produce", "create", "design"}}
_WHO_DID = re.compile(r"who ([a-z]+) (?:the )?_(?!number|date|time)")
_ITS_ROLE = re.compile(r"what is the (?:[a-z]+ )?([a-z]+) of (?:the )?_")


def asks_who_is_best(tokens: str) -> bool:
    """Whether a question asks who is the most so of some: "who is the heaviest dog"."""
    return _WHO_IS_BEST.match(tokens) is not None


def is_called(tokens: str, z: str, thing: str) -> bool:
    """Whether who is the most so is one of the things that z gives, by their noun or by a value of
    theirs: the heaviest *_species_*, an animal."""
    best = _WHO_IS_BEST.match(tokens)
    if best is None:
        return False
    return base(best[1]) == thing or re.search(rf"{re.escape(best[1])} {thing}s?\b", z) is not None


def names_role(tokens: str, z: str) -> bool:
    """Whether z asks how somebody is called by whose role a question asks: the *contact name*, of
    "who is our contact", or the *secretary*, of "who is the secretary of _club_"."""
    role, asked = _ROLE_NAME.match(z), _WHO_IS_ROLE.match(tokens)
    same = asked is not None and z.startswith(f"what is the {asked[1]} of ")
    return same or (role is not None and role[1] in tokens.split())


def denied_to_everybody(tokens: str, z: str) -> str | None:
    """``volunteer`` of "which shifts have no volunteer", where a question says that there is
    nobody."""
    none = _HAS_NO.search(z) if _NOBODY.search(tokens) else None
    return none[1] if none is not None else None


def other_doer(tokens: str, z: str, known: KnownWords) -> str | None:
    """Why z is not about those of whom a question asks, or denies, that they do something.

    Args:
        tokens: of the question.
        z: what was understood.
        known: what the known questions ask for.
    """
    did, role = _WHO_DID.match(tokens), _ITS_ROLE.match(z)
    deed = _DEEDS.get(did[1]) if did is not None else None
    theirs = VERBS.get(role[1], "").split() if role is not None else []
    if did and role and deed and theirs and {deed, *_ALIKE.get(deed, ())}.isdisjoint(theirs):
        return f"it asks who {did[1]} it, and what was understood for its {role[1]}"
    none = denied_to_everybody(tokens, z)
    if none is not None and base(none) not in known.people:
        return f"it is of nobody, and what was understood of no {none}"
    given = asked_kinds(z)
    dealt = _DEALT.match(tokens) and not known.people.isdisjoint(BUYERS)
    if dealt and given is not None and base(given) in known.people - BUYERS:
        return f"it asks who did it for themselves, and what was understood which {given}"
    return None
