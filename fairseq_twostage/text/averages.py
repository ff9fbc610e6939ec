"""Where a question or what was understood has an average or a share, and the other does not so.

See :mod:`fairseq_twostage.text.disagreement`, whose rules these are.
"""

from __future__ import annotations

import re

from fairseq_twostage.text.function_words import word_set
from fairseq_twostage.text.money import MONEY
from fairseq_twostage.text.placeholders import is_placeholder
from fairseq_twostage.text.question_words import AVERAGE, TOTAL
from fairseq_twostage.text.unit_words import UNITS
from fairseq_twostage.text.word_forms import base, has_form

_AVERAGED = word_set("rating ratings rated score scores grade grades")
_THAN_AVERAGE = re.compile(r"\b(?:than|above|below|over|under|exceed\w*)(?: \w+){0,3} average\b")
_USUAL = AVERAGE | word_set("mean median typical usual normal others norm")
_THAN_MOST = re.compile(r"\b(?:than|like|as) most\b")
_AVERAGE_NUMBER = re.compile(r"\b(?:average|mean|avg) (?:number|count) of\b")
_ON_AVERAGE = re.compile(r"\b(?:on|in) (?:the )?average\b|\bon the mean\b|\btypically\b")
_SHARE_OF = re.compile(r"\bpercentage of (?:the |our |all |total )*([a-z]+)\b")
_OURS = re.compile(r"how much (?:[a-z]+ )?(?:did|have|had) (?:we|i|they)\b")
_AVERAGE_NUMBER_OF = re.compile(r"\baverage number of ([a-z]{3,})")
_BEGINS_AVERAGE = re.compile(r"(?:what is the )?(?:average|mean|avg) ")
_ADDS_UP = re.compile(r"what is the total ([a-z ]+?) of ")
_ADDED = TOTAL | word_set("much many all add adding sums totals")
_SHARE = re.compile(r"\b(?:share|proportion|fraction|ratio) of\b|(?<!_number_ )\bpercentage\b")
_LIKE_SHARE = re.compile(
    r"\b(?:(?<!_number_ )percent\w*|share|proportion|fraction|ratio|part)\b|(?<!_number_ )%"
)
_OF_THESE = re.compile(r"\b(?:their average|the average of )")


def misses_average(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for an average, and what was understood has none by name."""
    given = AVERAGE | _AVERAGED
    return not AVERAGE.isdisjoint(tokens.split()) and given.isdisjoint(paraphrase.split())


def misses_comparison(tokens: str, paraphrase: str) -> bool:
    """Whether a question compares with an average, and what was understood with nothing."""
    return bool(_THAN_AVERAGE.search(tokens)) and not _THAN_AVERAGE.search(paraphrase)


def adds_average(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood compares with an average, and the question with something
    else: "longer than three hours"."""
    usual = not _USUAL.isdisjoint(tokens.split()) or _THAN_MOST.search(tokens) is not None
    return bool(_THAN_AVERAGE.search(paraphrase)) and not usual


def totals_average(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood adds up what are averages, and the question asks for one."""
    return "total average" in paraphrase and TOTAL.isdisjoint(tokens.split())


def averages_number(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for an average number of things, and what was understood for the
    average of something else, or for a number."""
    said = _AVERAGE_NUMBER.search(tokens) or ("how many " in tokens and _ON_AVERAGE.search(tokens))
    number = "number of" in paraphrase or "how many" in paraphrase
    for noun in _AVERAGE_NUMBER_OF.findall(tokens):  # of rooms, which each thing has
        number |= re.search(rf"\baverage (?:[a-z]+ )?{noun}\b", paraphrase) is not None
    return bool(said) and not (number and not AVERAGE.isdisjoint(paraphrase.split()))


def shares_other(tokens: str, paraphrase: str) -> str | None:
    """``revenue`` of "percentage of revenue", where what was understood is a share of things."""
    found = _SHARE_OF.search(tokens)
    if found is None or not _SHARE.search(paraphrase):
        return None
    return None if has_form(found[1], paraphrase.split()) else found[1]


def averages_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is an average, and the question neither says so nor asks how
    long, much or old, but for how much we did so: that is a sum."""
    how = "how" in tokens.split() and _OURS.match(tokens) is None
    said = how or not (_USUAL | _AVERAGED).isdisjoint(tokens.split()) or "on the whole" in tokens
    return not said and bool(_BEGINS_AVERAGE.match(paraphrase))


def totals_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood adds up something that the question does not say: the total age,
    of "members per town"; the total capacity, of "total open venues", which are counted."""
    found = _ADDS_UP.match(paraphrase)
    if found is None:
        return False
    words, measure = tokens.split(), found[1].split()
    if any(has_form(word, words) for word in measure) or any(base(word) in UNITS for word in words):
        return False
    if words[0] == "total":
        return MONEY.isdisjoint(measure)
    return " per " in paraphrase and (_ADDED | MONEY).isdisjoint(words)


def averages_others(tokens: str, paraphrase: str) -> bool:
    """Whether a question compares with the average of some, "than the average _genre_ film", and
    what was understood with that of all, and asks for those; or asks for some, which what was
    understood does not."""
    said, given = _THAN_AVERAGE.search(tokens), _THAN_AVERAGE.search(paraphrase)
    if said is None or given is None:
        return False
    asked = filter(is_placeholder, tokens[: said.start()].split())
    if any(name not in paraphrase[: given.start()].split() for name in asked):
        return True
    if _OF_THESE.search(paraphrase):
        return False
    names = filter(is_placeholder, tokens[said.end() :].split())
    return any(name in paraphrase[: given.end()].split() for name in names)


def misses_share(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for a share of something, and what was understood does not."""
    return bool(_SHARE.search(tokens)) and not _SHARE.search(paraphrase)


def adds_share(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is a share of something, and the question asks for none."""
    return paraphrase.startswith("what percentage of ") and not _LIKE_SHARE.search(tokens)
