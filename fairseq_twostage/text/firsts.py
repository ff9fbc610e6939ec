"""Whether a question and what was understood are of the first, the last, the most of some.

See :mod:`fairseq_twostage.text.disagreement`, whose rules these are.
"""

from __future__ import annotations

import re

from fairseq_twostage.text.function_words import FUNCTION_WORDS
from fairseq_twostage.text.question_words import MOST_IN_EST, MOST_OF
from fairseq_twostage.text.word_forms import base, has_form, same_root

_TWO_EXTREMES = re.compile(
    rf"\b(?:{MOST_IN_EST}|(?:most|least) \w+) (?:and|or|&) (?:the )?"
    rf"(?:{MOST_IN_EST}|(?:most|least) \w+)\b"
)
_EXTREMES = re.compile(
    rf"\b(?:most|least|fewest|{MOST_IN_EST}|top|best|worst|first|last|maxim\w+|minim\w+|max|min|"
    r"peak|record|recently|favou?rite|lead\w*|only|ever)\b"
)
_RECENT = re.compile(r"\bmost recent(?:ly)?\b|\b(?:latest|newest)\b")
_LIKE_RECENT = re.compile(
    r"\b(?:recent\w*|la(?:te|ter|test|tely|st)|new\w*|young\w*|just|now|current\w*|fresh\w*|"
    r"modern|near\w*|close\w*|end\w*|furthest|farthest|today|date|ago|final\w*|upcoming|next)\b"
)
_DONE_FIRST = re.compile(
    r"\b(?:was \w+|left) (?:first|most recently)$|\bha(?:s|ve) the (?:first|last) [a-z]+$"
)
_FIRST_NAME = re.compile(r"\b(?:first|last|second|middle) names?\b")
_THE_FIRST = re.compile(r"\b(?:first|last|earliest|latest|oldest|newest)\b")
_LIKE_FIRST = re.compile(
    r"\b(?:first|earl\w+|old\w*|original\w*|initial\w*|long\w*|recent\w*|la\w*st?|new\w*)\b"
)
_LASTS = re.compile(r"\b(?:do|does|did) .*\blast(?: \?)?$")
_ENDS_FIRST = re.compile(
    r"\b(?:first|last) ?\??$|\b(?:the|my|our) next (?!to\b|_(?:number|date|time))"
)
_LIKE_EXTREME = re.compile(
    rf"\b(?:first|last|next|most|least|fewest|{MOST_IN_EST}|top|recent\w*|upcoming|after)\b"
)
_TOP = re.compile(
    r"\b(?:top|best|the|which|our|first|what) _number_ (?!of\b|and\b|or\b)(?:[\w-]+ ){0,4}"
    rf"(?:by|with the|(?:most|least|fewest|{MOST_IN_EST}))\b|\btop _number_\b"
)
_WHICH_IS_MOST = re.compile(r"(?:(?:show|list|find|give|name) )?which ([a-z]+)\b")
_DEGREE_AMONG = re.compile(rf"what is the (?:{MOST_IN_EST}|most|least|average) ([a-z ]+) among ")
_DOES_MOST = re.compile(r"who ([a-z]+) (?:the )?(?:most|least)(?: \?)?$")
_OF_HIGHEST = re.compile(r"([a-z]+) (?:of|with) .*\b(?:highest|lowest) ([a-z]+)$")
_WHOSE = re.compile(r"whose ([a-z]+) (?:is|are|was|were|has|have|had)\b")


def gives_degree(tokens: str, paraphrase: str) -> str | None:
    """``supplier`` of "which supplier is the slowest", where what was understood is the degree
    itself: "what is the lowest lead time among suppliers"."""
    asked, degree = _WHICH_IS_MOST.match(tokens), _DEGREE_AMONG.match(paraphrase)
    if asked is None or degree is None or asked[1] in FUNCTION_WORDS:
        return None
    return None if base(asked[1]) in map(base, degree[1].split()) else asked[1]


def gives_owned(tokens: str, paraphrase: str) -> str | None:
    """``collection`` of "whose collection is the largest", where what was understood is that
    collection, and not whose it is."""
    asked = _WHOSE.match(tokens)
    if asked is None:
        return None
    given = rf"(?:what (?:is|are) the|which) {re.escape(base(asked[1]))}s?\b(?! (?:of|in|from)\b)"
    return asked[1] if re.match(given, paraphrase) else None


def done_most_other(tokens: str, paraphrase: str) -> tuple[str, str] | None:
    """``bakes`` and ``weight`` of "who bakes the most", where what was understood is the baker of
    what has the highest weight."""
    asked, given = _DOES_MOST.match(tokens), _OF_HIGHEST.match(paraphrase)
    if asked is None or given is None or not same_root(base(asked[1]), given[1]):
        return None
    return (asked[1], given[2]) if not has_form(given[2], tokens.split()) else None


def misses_extreme(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for both ends, "the cheapest and the dearest", and what was
    understood for one."""
    return bool(_TWO_EXTREMES.search(tokens)) and " and " not in paraphrase


def adds_extreme(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood takes the most of two things, and the question of one: the
    longest of those with the largest …, of "the longest list of …"."""
    given = len(MOST_OF.findall(paraphrase))
    return given > 1 and 0 < len(_EXTREMES.findall(tokens)) < given


def latest_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is the latest, and the question asks for the most of something
    else: "most often"."""
    return bool(_RECENT.search(paraphrase)) and not _LIKE_RECENT.search(tokens)


def first_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is what was done first or last, and the question says nothing
    like it."""
    return bool(_DONE_FIRST.search(paraphrase)) and not _LIKE_FIRST.search(tokens)


def adds_first(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is of the first of something, and the question says *first* of
    names alone: "the first names of"."""
    named = _FIRST_NAME.sub("", tokens)
    added = named != tokens and bool(_THE_FIRST.search(_FIRST_NAME.sub("", paraphrase)))
    return added and not _LIKE_FIRST.search(named)


def misses_first(tokens: str, paraphrase: str) -> bool:
    """Whether a question ends by *first* or *last*, or is of *the next*, and what was understood
    has no extreme."""
    lasts = tokens.startswith("how long ") or _LASTS.search(tokens)  # how long does it last
    return bool(_ENDS_FIRST.search(tokens)) and not lasts and not _LIKE_EXTREME.search(paraphrase)


def misses_top(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for the first so many, "the top _number_ farms by …", and what was
    understood does something else with that number."""
    return bool(_TOP.search(tokens)) and not paraphrase.startswith("what are the _number")
