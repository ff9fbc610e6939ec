"""Where a question and what was understood ask for different things.

See :mod:`fairseq_twostage.text.disagreement`, whose rules these are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from fairseq_twostage.text.function_words import FUNCTION_WORDS, word_set
from fairseq_twostage.text.question_words import (
    ASKING,
    MOST_IN_EST,
    MOST_OF,
    asked_noun,
    asked_plural,
    asked_thing,
    asks_who_does,
)
from fairseq_twostage.text.unit_words import EACH, MEASURES
from fairseq_twostage.text.word_forms import base, has_form

_SUPERLATIVE = re.compile(r"\b(?:(?:most|least) \w+|\w{2,}est)\b")
_HOW = re.compile(r"\bhow (?:long|old|tall|heavy|far|big|large|wide|deep|high|fast|late)\b")
_OR = word_set("or either any and all between to")
_EITHER = re.compile(r"(_\w+_) or (_\w+_)")
_ARE_NAMED = re.compile(r"(?:which|how many) ([a-z ]+?) are named _")
_THINGS_ASKED = re.compile(
    r"(?:(?:what are|show|list|find|which|how many|all|the|[a-z]+s of) )*([a-z]{3,}s) "
    r"(?:are |that |which )*(?:with|in|of|from|by|for|at|on)\b"
)
_WHO_DOES = re.compile(r"who ([a-z]{3,}) ")
_BEST = (
    r"most|least|fewest|\w{2,}est|top|best|worst|first|last|maxim\w+|minim\w+|max|min|record|"
    r"favou?rite"
)
_LIKE_BEST = re.compile(rf"\b(?:{_BEST})\b")
_LIKE_MOST = re.compile(
    rf"\b(?:{_BEST}|peak|ever|extreme\w*|recent\w*|more|less|fewer|only|"
    r"mainly|\w+er|often|popular|lead\w*|very|rare\w*|lately|many|alot|lot|few|current\w*|now|next|new)\b"
)
_PROPERTY_OF_SUCH = re.compile(r"what (?:is|are) the ([a-z]+) of [a-z ]+ that ")
_BEST_ONE = re.compile(
    rf"(?:what|which) (?:is|was) the (?:(?:most|least) \w+|{MOST_IN_EST}) ([a-z]+)\b|"
    r"which ([a-z]+) (?:is|was|has|had) (?:the |(?:[a-z]+ )*(?:most|least) [a-z]+$)|"
    r"(?:show |(?:what|which) (?:is|was) )?(?:the )?(?:(?!of )[a-z]+ ){0,2}?([a-z]+) "
    r"(?:with|that has) "
    rf"the (?:most|least|fewest|{MOST_IN_EST}) "
)
_WHAT_BUYS = re.compile(
    r"what (?:do|does|did|have|has) (?:we|they|you|i|_\w+_) "
    r"(?:buy|bought|borrow\w*|get|got|hire\w*|offer\w*|order\w*|rent\w*|sell|sold|stock\w*|"
    r"suppl\w+)\b"
)
_HOW_MANY_DOES_ONE = re.compile(
    r"how many (?:[a-z]+ ){1,3}(?:did|do|does|has|have|had) (?:the )?_(?!number|date|time)"
)
_DEGREES = {
    "deep": word_set("depth"),
    "heavy": word_set("weight mass"),
    "high": word_set("height elevation altitude"),
    "long": word_set("length duration time days hours minutes weeks months years"),
    "old": word_set("age"),
    "steep": word_set("gradient slope steepness"),
    "tall": word_set("height"),
    "thick": word_set("thickness"),
    "wide": word_set("width breadth beam"),
}
"""What is measured, of things that are so."""
_HOW_IS = re.compile(rf"\bhow ({'|'.join(_DEGREES)}) (?:is|are|was|were|does|do|did|has|have)\b")
_WHAT_NOT_WHEN = re.compile(r"(?:what|which|who|how many|how much)\b")
_LIKE_WHEN = re.compile(
    r"\b(?:when|date|day|time|year|month|week|birthday|deadline|due|start\w*|beg[aiu]n\w*|end\w*|"
    r"finish\w*|open\w*|clos\w+|expir\w+|arriv\w+|leav\w+|depart\w+|hour)s?\b"
)
_OF_NAMED = re.compile(r"what (?:is|was) the ([a-z ]+) of (?:the )?_\w+_$")
_OF_ANOTHER = re.compile(
    r"what (?:is|was) the (?!total |average |highest |lowest )[a-z ]+? of the ([a-z ]+) of "
    r"(?:the )?(_\w+_)$"
)
_PROPERTY_OF = re.compile(r"(?:what (?:is|was) the|how many \w+ is the) ([a-z ]+?) (?:of|among) ")
_NAMES = re.compile(r"\b(?:first|last) names?\b")
_OF = re.compile(r"\bof (?:the )?$")
_COMMON = re.compile(r"\bmost (?:common|frequent|popular|usual) ([a-z]+(?: [a-z]+)?)")
_MOST_DONE = re.compile(r"\bmost [a-z]+(?:ed|ught|old|ead|ent) ([a-z]+)\b")
_LATE = re.compile(r"\b(?:overdue|late|before)\b")
_ORDINAL = re.compile(
    r"\b(?:first|1st|second|2nd|third|3rd|fourth|4th|fifth|5th) "
    r"(?:class|deck|floor|form|grade|level|storey|story|year)\b"
)
_BY_KIND = re.compile(r"\bby (?!_)")
"""Groups are by a kind, by whatever machine; what was picked *by machine* is not."""
_EDGE = re.compile(r"\b(?:earliest|first|highest|latest|lowest|most|oldest|smallest)\b")


def asks_for_other(tokens: str, paraphrase: str) -> str | None:
    """``film`` where a question asks who did something to a film, and what was understood asks
    for films, else None."""
    if not asks_who_does(tokens):
        return None
    words = tokens.split()
    asked = asked_thing(paraphrase)
    return asked if asked and {f"_{asked}_", asked} & {*words, *map(base, words)} else None


def most_done_other(tokens: str, paraphrase: str) -> str | None:
    """``title`` of "the most borrowed title", where what was understood is who borrows the most."""
    found = _MOST_DONE.search(tokens)
    doer = paraphrase.startswith("who ") and not tokens.startswith("who ")
    return found[1] if found and doer else None


def most_common_other(tokens: str, paraphrase: str) -> str | None:
    """``language`` of "the most common language", where what was understood asks for none."""
    found = _COMMON.search(tokens)
    behind = found[1].split() if found else []
    said = list(takewhile(lambda word: word not in FUNCTION_WORDS, behind))
    asked, _, most = paraphrase.partition(" has the ")
    head = {*map(base, asked.split())} if most else {*map(base, paraphrase.split())}
    return said[-1] if said and base(said[-1]) not in head else None


def misses_overdue(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for what is overdue, and what was understood is due then."""
    late = _LATE.search(paraphrase)
    return "overdue" in tokens.split() and not late and "due" in paraphrase.split()


def numbers_otherwise(tokens: str, paraphrase: str) -> str | None:
    """``first floor`` where what was understood takes the lowest, or the first of all."""
    found = _ORDINAL.search(tokens)
    edge = found is not None and found[0] not in paraphrase and _EDGE.search(paraphrase)
    return found[0] if found and edge else None


def groups_of_one(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood says how many there are of each, and the question asks how many
    one does: "how many finds did _person_ make"."""
    asked = _HOW_MANY_DOES_ONE.match(tokens)
    return asked is not None and groups_unasked(tokens, paraphrase)


def gives_when(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is when something was, and the question asks what or who it
    was."""
    what = _WHAT_NOT_WHEN.match(tokens) is not None and _LIKE_WHEN.search(tokens) is None
    return what and paraphrase.startswith("when ")


def groups_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood says something of each, and the question nothing like it."""
    each = not {"each", "per"}.isdisjoint(paraphrase.split())
    said = not (EACH | {"all", "respectively"}).isdisjoint(tokens.split())
    return each and not said and _BY_KIND.search(tokens) is None


def asks_how(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks how old, long or much something is, and what was understood when or
    how many."""
    words = tokens.split()
    if paraphrase.startswith("when "):
        return words[:1] == ["how"] and words[1:2] not in (["many"], ["do"], ["can"])
    how, many, counted, *_ = [*paraphrase.split(), "", "", ""]
    counts = (how, many) == ("how", "many") and base(counted) not in MEASURES
    return counts and bool(_HOW.search(tokens)) and "how many" not in tokens


def measures_other(tokens: str, paraphrase: str) -> tuple[str, str] | None:
    """``deep`` and ``length``, where a question asks how deep something is, and what was understood
    has that measure and no depth."""
    asked = _HOW_IS.search(tokens)
    if asked is None:
        return None
    given = paraphrase.replace("_", " ").split()
    mine = _DEGREES[asked[1]]
    others = frozenset[str]().union(*_DEGREES.values()) - mine
    other = next((word for word in given if word in others), None)
    stem = asked[1][:4]
    if other is None or any(word in mine or word.startswith(stem) for word in given):
        return None
    return asked[1], other


def adds_or(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is of one name or another, and the question, with both, says
    nothing like it: who of *Gate* does *First Aid*; or of *both*."""
    either, words = _EITHER.search(paraphrase), tokens.split()
    said = "both" not in words and not _OR.isdisjoint(words)
    return either is not None and {*either.groups()} <= {*words} and not said


def says_how(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is how long the longest is, and the question asks which is."""
    how, degree, *_ = [*paraphrase.split(), "", ""]
    best = _SUPERLATIVE.search(tokens)
    if how != "how" or degree in ("many", "much") or "how" in tokens.split() or best is None:
        return False
    of = _OF.search(tokens[: best.start()])
    return of is None and (degree in best[0].split() or best[0].startswith(degree[:3]))


def asks_for_head(tokens: str, paraphrase: str, given: Sequence[str]) -> str | None:
    """``works`` of "works that were in six exhibitions", where what was understood asks for
    exhibitions and has no works: the noun that a question begins with is what it asks for."""
    plural = asked_plural(tokens)
    head = asked_noun(tokens) or (plural[0] if plural else None)
    if head is None or not given or base(head) == given[-1]:
        return None
    words = tokens.split()
    rest = words[words.index(head) + 1 :]
    there = list(map(base, rest))
    if given[-1] not in there or base(head) in {*map(base, paraphrase.split())}:
        return None
    between = rest[: there.index(given[-1])]
    return head if any(word in FUNCTION_WORDS for word in between) else None


def adds_superlative(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood takes the most of something, and the question does not."""
    said = _NAMES.sub("", tokens)
    if paraphrase.startswith("which of the "):
        return not _LIKE_BEST.search(said)
    return bool(MOST_OF.search(paraphrase)) and not _LIKE_MOST.search(said)


def gives_property(tokens: str, paraphrase: str) -> str | None:
    """``airport`` of "airport with the longest runway", where what was understood is the length of
    one: a property that the question does not name."""
    found = _BEST_ONE.match(tokens)
    given = _PROPERTY_OF.match(paraphrase)
    if found is None or given is None:
        return None
    property = given[1].partition(" per ")[0].split()[-1]
    asked = next(filter(None, found.groups()))
    words = tokens.split() if found[1] else [asked]  # which river is no length
    return None if has_form(property, words) else asked


def asks_things(tokens: str, paraphrase: str) -> str | None:
    """``delivery`` of what was understood, where a question asks what somebody buys, sells or
    has."""
    found = _OF_NAMED.match(paraphrase) if _WHAT_BUYS.match(tokens) else None
    property = found[1].split()[-1] if found else None
    return None if property is None or has_form(property, tokens.split()) else property


def property_of_another(tokens: str, paraphrase: str) -> str | None:
    """``airport`` where what was understood is of the base airport of somebody, and the question,
    what *their* phone number is, speaks of none."""
    found = _OF_ANOTHER.match(paraphrase)
    if found is None or found[2] not in tokens.split():
        return None
    other = found[1].split()[-1]
    return None if f"_{other}" in tokens or has_form(other, tokens.split()) else other


def asks_property(tokens: str, paraphrase: str) -> bool:
    """Whether a question begins with the things that it asks for, and what was understood asks for
    a property of things that it does not name: the *weight*, of "things that weigh less"."""
    found = _PROPERTY_OF_SUCH.match(paraphrase)
    words = {*map(base, tokens.split())}
    return found is not None and asked_plural(tokens) is not None and base(found[1]) not in words


def does_other(tokens: str, paraphrase: str) -> bool:
    """Whether both ask who does something, and not the same: who *prescribed*, who *makes*."""
    asked, given = _WHO_DOES.match(tokens), _WHO_DOES.match(paraphrase)
    if asked is None or given is None or not FUNCTION_WORDS.isdisjoint((asked[1], given[1])):
        return False
    return asked[1][0] != given[1][0]  # bought, buys


def names_other(tokens: str, paraphrase: str) -> str | None:
    """``products`` of "names of products with category _category_", where what was understood is
    which categories are named so."""
    named, asked = _ARE_NAMED.match(paraphrase), _THINGS_ASKED.match(tokens)
    if named is None or asked is None or base(asked[1]) == asked[1]:
        return None
    return None if base(asked[1]) == base(named[1].split()[-1]) else asked[1]


def says_twice(tokens: str, paraphrase: str) -> bool:
    """Whether a word is said more often than in the question: "led by those led by"."""
    if not paraphrase.startswith(("which ", "how many ")):
        return False
    asked, given, dull = (
        *map(Counter, (tokens.split(), paraphrase.split())),
        FUNCTION_WORDS | ASKING,
    )
    return any(
        count > asked[word] > 0 and word not in dull and not word.startswith("_")
        for word, count in given.items()
        if base(word) == word  # volunteers may lead volunteers
    )
