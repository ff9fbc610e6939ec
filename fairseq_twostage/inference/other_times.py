"""Where a question says when something is and a reading says another time, by what is known."""

from __future__ import annotations

import re

from fairseq_twostage.inference.known_words import DONE_THEN, KnownWords
from fairseq_twostage.text.asked_for import is_present
from fairseq_twostage.text.synonyms import known_as
from fairseq_twostage.text.word_forms import base, has_form, same_root

_PRESENT = re.compile(
    r"\bcurrent(?:ly)? (?:employ(?:ed|ee|ees)|work\w*|staff|team|members?)\b|"
    r"\bstill \w+ (?:here|for us)\b"
)
_THEN = re.compile(r"\b([a-z]+) (?:in|on|since|before|after|during|from) _date")
_NOW = re.compile(r"\b(?:right now|at the moment|currently)\b")
_OF_DONE = re.compile(
    r"^what (?:is|are) .*\bthat (?:are|were) ([a-z]+ed|born|built|made|sent|sold|paid) "
    r"(?:after|before|between|in|since) _date"
)
_WHEN = r"(?:in|on|since|before|after) _date"
_MADE = re.compile(rf"\b([a-z]+s) (?:that )?(?:(?:were|was|are|have been) )?made {_WHEN}")
_MADE_THEN = re.compile(rf"(?<!^which )(?<!^how many )\b([a-z]+s) made {_WHEN}")
_IS_THEN = re.compile(r"\b(?:from|due [a-z]+) _date")


def other_time(tokens: str, z: str, known: KnownWords) -> str | None:
    """Why z is of another time than a question; None: it may not be."""
    return next(filter(None, (rule(tokens, z, known) for rule in _RULES)), None)


def _done_otherwise(tokens: str, z: str, known: KnownWords) -> str | None:
    """What was done at a time that z says, where the question says another that is known:
    trainers *hired* next week, of those *booked* to teach."""
    if _IS_THEN.search(z):  # a fee *paid* in a year, of those due then
        paid = (done for done in known.done_otherwise if re.search(rf"\b{done}\b.* _date", tokens))
        unsaid = (done for done in paid if not re.search(rf"\b{done} [a-z]+ _date", z))
        if done := min(unsaid, default=None):
            return f"it asks for what is {done} then, and what was understood for another time"
    given, words = {*DONE_THEN.findall(z)}, {*tokens.split()}
    if not given or any(same_root(word, done) for word in words for done in given):
        return None
    others = known.done & words
    made = _MADE.search(tokens)
    if made and f"which {made[1]} are made in _date_" not in known.known:
        others -= {"made"}  # sales are made when they happen
    if not others:
        return None
    return f"it asks for what is {min(others)}, and what was understood for {min(given)}"


def _happens_then(tokens: str, z: str, known: KnownWords) -> str | None:
    """What is then, as a question says, where z says of something else what was done then:
    patients *registered* in a year, of a *visit* in it."""
    given = {*DONE_THEN.findall(z)}
    thing = next((known_as(base(word), known.kinds) for word in _THEN.findall(tokens)), None)
    if thing is None or not given or thing in map(base, z.split()):
        return None
    if thing not in known.said(tokens) or any(has_form(done, tokens.split()) for done in given):
        return None
    return f"it is of the {thing} then, and what was understood of what is {min(given)} then"


def _made_other(tokens: str, z: str, known: KnownWords) -> str | None:
    """*Works* that were made then, of "which sales were made in _date_": these happened then."""
    found = _MADE_THEN.search(z)
    thing = base(found[1]) if found else ""
    if thing not in known.kinds or not _MADE.search(tokens) or has_form(thing, tokens.split()):
        return None
    return f"it does not speak of a {thing}, and what was understood does"


def _done_unsaid(tokens: str, z: str, known: KnownWords) -> str | None:
    """What was done at a time that z says of what a property is of, and the question does not:
    the revenue of products *listed* in 2023, of "revenue for 2023"."""
    found = _OF_DONE.search(z)
    if found is None or has_form(found[1], tokens.split()):
        return None
    return f"it says nothing of what is {found[1]}, and what was understood does"


def _present(tokens: str, z: str, known: KnownWords) -> str | None:
    """Those who work there now, where it is known who left, and z is of all."""
    now = _NOW.search(tokens) and not known.leavers.isdisjoint(map(base, z.split()))
    present = now or ("left" in known.done and _PRESENT.search(tokens))
    if not present or is_present(z):
        return None
    return "it asks for those who are there now, and what was understood for all"


_RULES = (_done_otherwise, _happens_then, _made_other, _done_unsaid, _present)
