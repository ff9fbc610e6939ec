"""Where the numbers of a question bound one thing, and those of what was understood another.

See :mod:`fairseq_twostage.text.disagreement`, whose rules these are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise, takewhile

from fairseq_twostage.text.comparisons import comparisons
from fairseq_twostage.text.function_words import FUNCTION_WORDS, word_set
from fairseq_twostage.text.placeholders import is_placeholder
from fairseq_twostage.text.question_words import ASKING
from fairseq_twostage.text.unit_words import MEASURES
from fairseq_twostage.text.word_forms import base

COMPARING = word_set(
    "before after since in until than above over under below least most between exactly"
)
_BUT_VALUE = re.compile(r"\bnot (?:exactly |equal to |of )?(_(?:number|date|time)\d*_)")
_NOT_MORE = re.compile(
    r"\b(not|never|[a-z]+n't) (?:any )?(?:[a-z]+ )?"
    r"([a-z]+er|less|more|above|below|over|under|before|after)\b"
)
_COMPARED_WITH_NUMBER = re.compile(
    r"\b(?:more|less|fewer|\w{3,}er) than _number_|\bat (?:least|most) _number_|"
    r"_number_ or (?:more|less|fewer)\b|\b(?:over|above|below|under) _number_"
)
_NUMBERED = re.compile(r"\b([a-z]+) _number_")
BETWEEN = re.compile(r"\bbetween (_\w+_) and (_\w+_)")
_WHEN_WAS = re.compile(r"when (?:was|is|were|will) (?:the )?_[a-z_]+\d*_(?: \?)?$")
_WHEN_STARTS = re.compile(
    r"(?:when|what time) (?:did|does) .* (?:begin|close|end|finish|open|start)$"
)
_ENDS = word_set("and to until till through or but -")
_BOUND = re.compile(
    r"\b(?:below|above|under|over|than|at least|at most|before|after|since|until) (_[a-z]+\d*_)"
)
LIKE_BOUND = word_set(
    "before after since until above over under below between exactly than more less least most "
    "minimum maximum min max up to from or fewer till not no within starting beyond past upwards "
    "plus exceed exceeds exceeded exceeding greater higher lower larger smaller later earlier only "
    "also by during through and at prior following late early high low + < > <= >= ≤ ≥"
)
_OF_TWO = re.compile(r"\b(?:more|fewer|less) (?!than\b)\w.* or (?!more\b|less\b|fewer\b)")
_VALUE = re.compile(r"(?<!\S)_[a-z][a-z_]*\d*_(?!\S)")
_PLAIN_VALUE = re.compile(r"_(?:number|date|time)\d*_")
_WHERE = re.compile(r"(?<!\S)(?:above|below|over|under|beyond|past)(?! _)(?!\S)")
_BEHIND = re.compile(
    r"(?: [a-z]+){0,2} (?:or|and) (?:[a-z]{3,}er|more|less|over|above|below|up|before|after)\b"
    r"(?! (?:than|_|the|year))| (?:onwards?|on|forward|upwards?)\b"
)
_ABOUT = re.compile(
    r"\b(about|around|roughly|nearly|almost|approximately|circa|ca|early|late|mid|spring|summer|"
    r"autumn|winter|beginning|start|middle|end|quarter|half)(?: of| in)? _(?:number|date|time)\d*_"
)
_UNTIL = re.compile(r"\b(?:until|till|by) (?=_)")  # with that day or without
_ENDING = re.compile(r"\b(ends?|ending|finish\w*) (?:[a-z]+ )*?_time")
_LIKE_END = re.compile(r"\b(?:end|finish|clos|until|arriv|to _time)")
_ENDED = re.compile(r"\b(?:ended|finished) (?:after|before|between|in|on|since) _date")
_LIKE_ENDED = re.compile(
    r"\b(?:end|finish|clos|complet|expir|left|leav|over|until|till|through|last|stop|quit|by _date)"
)
_ASKS_END = re.compile(
    r"^(?:at |and )?(?:when|what time|how late)\b.* "
    r"(?:ends?|finish(?:es|ed)?|close[sd]?|over) ?\??$|"
    r"^(?:until|till) (?:when|what time)\b|^how late can\b"
)
_BEGINS = re.compile(r"\b(?:start|open|begin)")
_CLAUSE = re.compile(r"\b(?:and|but|that|who)\b")
_LONGER_TIME = re.compile(r"\b(?:longer|shorter) than _time\d*_")
_MORE, _LESS = {"more", "at least"}, {"less", "at most"}
BEFORE_VALUE, BEHIND_VALUE = 5, 3  # words that may compare with it
MOST_BETWEEN = 5  # words from one end to the other


def adds_between(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood lies between two values that the question does not say as the
    ends of anything: "shorter than _number_ minutes with intensity _number2_"."""
    found = BETWEEN.search(paraphrase)
    words = tokens.split()
    if found is None or found[1] not in words or found[2] not in words:
        return False
    first, second = sorted(words.index(name) for name in found.groups())
    each = words[first + 1 : second]  # 3 star and 4 star
    if len(each) == 2 and each[1] == "and" and words[second + 1 : second + 2] == each[:1]:
        return "between" not in words[:first]
    return second - first > MOST_BETWEEN or _ENDS.isdisjoint(words[first:second])


def adds_comparison(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood compares with a value that the question has without comparing:
    "intensity below _number_" of "with intensity _number_"."""
    words = tokens.split()
    for value in _BOUND.findall(paraphrase):
        if value not in words:
            continue
        place = words.index(value)
        before = [*_to_next_value(reversed(words[max(0, place - BEFORE_VALUE) : place]))]
        behind = [*_to_next_value(words[place + 1 : place + 1 + BEHIND_VALUE])]
        near = [*before, *behind]
        graded = any(len(word) > 4 and word.endswith("est") for word in near)
        graded |= any(len(word) > 4 and word.endswith("er") for word in behind)  # or older
        if not graded and LIKE_BOUND.isdisjoint(near):
            return True
    return False


def compares_two(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks which of two has more, "more songs by _artist_ or _artist2_", and
    what was understood compares nothing."""
    return bool(_OF_TWO.search(tokens)) and "more" not in paraphrase.split()


def misses_bound(tokens: str, paraphrase: str) -> bool:
    """Whether a question compares with a number by which something is called in what was
    understood: "rental _number_" in place of rentals that cost more than that."""
    if not _COMPARED_WITH_NUMBER.search(tokens):
        return False
    dull = FUNCTION_WORDS | COMPARING | ASKING
    return any(word not in dull for word in _NUMBERED.findall(paraphrase))


def bounds_otherwise(tokens: str, paraphrase: str) -> bool:
    """Whether a question is of more than a value, and what was understood of less than it, or the
    reverse: "released after _date_" of "older than _date_"."""
    return any(
        said and given and said[0] != given[0] for _, said, given in _bounds(tokens, paraphrase)
    )


def bounds_itself(tokens: str, paraphrase: str) -> bool:
    """Whether a question is of a value and more or less than it, and what was understood leaves the
    value out, or the reverse: "before _date_" of "_date_ or earlier"."""
    tokens = _UNTIL.sub("", tokens)
    if between := BETWEEN.search(paraphrase):
        unit = base("".join(paraphrase[between.end() :].split()[:1]))
        if unit in MEASURES:  # of which hardly anything has the very value
            return False
        bounded = (_one_way(words) for _, words in _bounded(tokens))
        return any(bound and bound[1] for bound in bounded)
    return any(
        said and given and said[0] == given[0] and said[1] != given[1]
        for value, said, given in _bounds(tokens, paraphrase)
        if _PLAIN_VALUE.match(value)
    )


def drops_bound(tokens: str, paraphrase: str) -> bool:
    """Whether a question is of more or less than a value, and what was understood of the value
    itself: "rated _number_ stars" of "_number_ stars and up"."""
    return any(
        said and given == ()
        for value, said, given in _bounds(tokens, paraphrase)
        if _PLAIN_VALUE.match(value)
    )


def bounding_words(tokens: str, paraphrase: str) -> set[str]:
    """``not`` and ``lighter`` of "not lighter than _number_", where what was understood is bounded
    alike: "weight at least _number_"."""
    alike = {value for value, said, given in _bounds(tokens, paraphrase) if said and said == given}
    bounded = (words for value, words in _bounded(tokens) if value in alike)
    return {word for words in bounded for found in _NOT_MORE.findall(words) for word in found}


def denies_value(tokens: str, paraphrase: str) -> bool:
    """Whether a question is of more or less than a value, "not above _number_", and what was
    understood of anything but the value: "price not _number_"."""
    asked = dict(_bounded(tokens))
    denied = [value for value in _BUT_VALUE.findall(paraphrase) if value in asked]
    return any(_one_way(asked[value]) for value in denied)


_Bound = tuple[()] | tuple[str, bool] | None
"""``more`` or ``less``, and whether the value itself is left out; nothing without a comparison;
None where it cannot be told."""


def _bounds(tokens: str, paraphrase: str) -> Iterator[tuple[str, _Bound, _Bound]]:
    """Each value that both have, and how each is bounded by it."""
    asked, understood = (dict(_bounded(each)) for each in (tokens, paraphrase))
    if asked.keys() != understood.keys() or "between" in paraphrase.split():
        return
    for value, words in asked.items():
        yield value, _one_way(words), _one_way(understood[value])


def _bounded(tokens: str) -> Iterator[tuple[str, str]]:
    """Each value, and the words that may compare with it: those before it, as far as the value
    before, and "or more" behind it."""
    done = 0
    for found in _VALUE.finditer(tokens):
        behind = _BEHIND.match(tokens, found.end())
        end = behind.end() if behind else found.end()
        before = _CLAUSE.split(tokens[done : found.start()])[-1]  # no sponsor and began after …
        yield found[0], before + tokens[found.start() : end]
        done = end


def _one_way(tokens: str) -> _Bound:
    found = comparisons(_WHERE.sub("", tokens).split())
    more, less = not found.isdisjoint(_MORE), not found.isdisjoint(_LESS)
    if "not" in found or (more and less):
        return None
    if not more and not less:
        return ()
    return ("more", "at least" not in found) if more else ("less", "at most" not in found)


def about_value(tokens: str, paraphrase: str) -> str | None:
    """``about`` of "about _number_ minutes", where what was understood is exactly that."""
    found = _ABOUT.search(tokens.replace("by the end of", "by"))
    return found[1] if found and not re.search(rf"\b{found[1]}\b", paraphrase) else None


def ends_then(tokens: str, paraphrase: str) -> str | None:
    """``ending`` of "ending before _time_", where what was understood is not of an end."""
    found = _ENDING.search(tokens)
    return found[1] if found and not _LIKE_END.search(paraphrase) else None


def starts_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether a question is when something was, and what was understood when it started: its time
    of day, where it has a date."""
    return bool(_WHEN_WAS.match(tokens) and _WHEN_STARTS.match(paraphrase))


def asks_end(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks when something ends, and what was understood when it begins."""
    begins = bool(_BEGINS.search(paraphrase)) and not _LIKE_END.search(paraphrase)
    return begins and bool(_ASKS_END.search(tokens))


def adds_end(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood ended at a time, and the question says nothing of an end:
    outages since a day."""
    return bool(_ENDED.search(paraphrase)) and not _LIKE_ENDED.search(tokens)


def lasts_moment(tokens: str, paraphrase: str) -> bool:
    """Whether a question compares how long something is with what was read as a time of day."""
    return bool(_LONGER_TIME.search(tokens)) and not _LONGER_TIME.search(paraphrase)


def ranks_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is the first so many of something, and the question compares
    with that number: "the 1700 oldest" of "born before 1700"."""
    if not paraphrase.startswith("what are the _number_"):
        return False
    words = ["", *tokens.split()]
    return any(word == "_number_" and before in COMPARING for before, word in pairwise(words))


def _to_next_value(tokens: Iterable[str]) -> Iterator[str]:
    return takewhile(lambda token: not is_placeholder(token), tokens)
