"""Where what was understood leaves out what a question says: a time, a comparison, a superlative.

See :mod:`fairseq_twostage.text.disagreement`, whose rules these are.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise

from fairseq_twostage.text.function_words import FUNCTION_WORDS, word_set
from fairseq_twostage.text.question_words import (
    ASKING,
    AVERAGE,
    DULL,
    HAVE_ONE,
    MOST_OF,
    TOTAL,
    asked_noun,
    asked_plural,
    says_total,
)
from fairseq_twostage.text.synonyms import known_as
from fairseq_twostage.text.unit_words import EACH, MEASURES
from fairseq_twostage.text.word_forms import base, same_root

_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_TIMES = word_set(f"today yesterday tomorrow tonight weekend ago {_DAYS}")
_SPANS = word_set("year month week quarter weekend")
_WHICH_SPAN = word_set("last this next past previous coming current")
_COMPARES = re.compile(
    r"\b(?:than|above|below|over|under|before|after|since|until|beyond|between|exceed\w*|more|less|"
    r"fewer|least|most|exactly|same|different|equal|during|per|each|not|two|\w{3,}er|\w{3,}est)\b"
)
_THAN = re.compile(r"\b(?<!rather )(?<!other )than\b")
_DEGREES = {
    **dict.fromkeys(("heaviest", "lightest"), "heav light weigh mass"),
    **dict.fromkeys(("oldest", "youngest"), "old young new age born birth date year earl lat foun"),
    **dict.fromkeys(("tallest",), "tall short height high elevation"),
    **dict.fromkeys(("fastest", "slowest"), "fast slow speed quick time duration short long"),
    **dict.fromkeys(
        ("cheapest", "costliest", "dearest", "priciest"),
        "cheap expens pric cost fee rate pay paid rent",
    ),
}
"""Superlatives, and how words begin that say the same; of others any superlative may."""
_SUPERLATIVES = _DEGREES.keys() | word_set(
    "most fewest highest lowest largest smallest biggest longest shortest newest latest earliest"
)
_EXTREME = word_set("first last best worst top minimum maximum average")
_THAN_OWN = re.compile(r"\b(?:than|above|below|over|under|beyond|exceed\w*) (?:its|their) (?!own)")
_COMPARING_WORD = re.compile(r"\b(?:than|above|below|over|under|beyond|exceed\w*)\b")
_BEFORE_EACH = word_set("in for of by at from on does do did is are to")
_ONE_OR_OTHER = re.compile(
    r"\b(?!_number_)[a-z_]+\d* or (?!_number_|more|less|few|lat|earl|high|low|bet|ab|be|ov|un|so|"
    r"no|new|old|long|short|larg|great|small|at|on|in|equal|exact|is|are|has|have|that|after)[a-z_]"
)
_KNOWN = word_set(
    "known available different various current existing registered listed whole entire full "
    "possible single total overall number count names name database system list records record "
    "file books other"
)
"""What adds nothing before a thing of which all are asked for."""
_DULL = (DULL | _KNOWN) - {"living"}
_NARROWING = word_set(
    "with who that which in on of for without from whose have has had were was will"
)
_COMPOUND = re.compile(r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|\d+)-[a-z]{3,}\b")
_IS = word_set("is are was were")
_ALL = re.compile(
    r"(?:which|how many) ([a-z -]+) are there|(?:what are the|number of) ([a-z -]+)|([a-z]+)"
)
_WHO_IS = re.compile(r"(?:who|what)(?: (?:is|was)|s| 's)(?: the| a)? (_[a-z]\w*_) ?\??")
_DATED = re.compile(r"\b(?:date|day|year)\b|^when |_date\d*_")
_HAVING = re.compile(r"\b(?:ha(?:ve|s|d|ving)|with|got|any|known?|there|give|given|own\w*)\b")
_OF_KIND = re.compile(r"^(?:which|how|what) .* (?:of|in|by) ([a-z]+)$")
_BEFORE_ADJECTIVE = word_set("many fewest any no all fewer which")
_NUMERALS = word_set("than of one two three four five six seven eight nine ten")
_AMOUNT = re.compile(
    r"^how much ([a-z]+) (?:did|do|does|have|has|was|is|were|are)\b|"
    r"\b(?:the most|the least|more|less) (?:_\w+_ )?([a-z]+)\b"
)
_BOTH = word_set("and their its with each names name")
_BY = re.compile(r"\bby (?:[a-z]+ )?([a-z]+)$")
_AMOUNTS = word_set("number count average mean amount revenue sales turnover income spending many")
_BEGUN = re.compile(r"\b(?:born|formed|founded|built|established) (?:in|on) _date_")
_LIKE_BEGUN = re.compile(
    r"\b(?:b[io]r|form|found|buil|establish|old|new|young|age|start|creat|made|began|beg[iu]n|"
    r"from|of|vintage|date|year|construct|erect|inaugurat|open|incorporat)"
)
_BORN = re.compile(r"\b(?:birth|born)")


def misses_moment(tokens: str, paraphrase: str) -> str | None:
    """``friday``, or ``last year``, where what was understood has no such word."""
    words, given = tokens.split(), {*map(base, paraphrase.split())}
    for word, following in zip(words, [*words[1:], ""]):
        if base(word) in _TIMES and base(word) not in given:
            return word
        span = word in _WHICH_SPAN and base(following) in _SPANS
        if span and not {word, base(following)} <= given:
            return f"{word} {following}"
    return None


def compares_alone(tokens: str, paraphrase: str) -> bool:
    """Whether a question compares by *than*, and what was understood does nothing like it."""
    return bool(_THAN.search(tokens)) and not _COMPARES.search(paraphrase)


def misses_superlative(tokens: str, paraphrase: str) -> str | None:
    """``heaviest`` where what was understood has no superlative, or one of another thing: the
    highest age."""
    said = _superlative(tokens)
    if said is None:
        return None
    words = paraphrase.split()
    other = _superlative(paraphrase) or next((w for w in words if w in _EXTREME), None)
    if other is None:
        like = (said[:-3], said[:-2])  # high, large: a domain's "high point" is its highest
        says = MOST_OF.search(paraphrase) or not {*like}.isdisjoint(words)
        return None if says else said
    begins = tuple(_DEGREES.get(said, "").split())
    return said if begins and not any(word.startswith(begins) for word in words) else None


def _superlative(tokens: str) -> str | None:
    """The first superlative; no "at most", "most of"."""
    words = ["", *tokens.split(), ""]
    for before, word, following in zip(words, words[1:], words[2:]):
        if word in _SUPERLATIVES and before != "at" and following != "of":
            return word
    return None


def misses_or(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for one thing or another, and what was understood for one; a bound,
    "4 or more", is none."""
    said = "or" in paraphrase.split() or "at least" in paraphrase or "at most" in paraphrase
    return bool(_ONE_OR_OTHER.search(tokens)) and not said


def misses_birth(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for a birthday, and what was understood for another date."""
    other = _BORN.search(tokens) and not _BORN.search(paraphrase)
    return bool(other and _DATED.search(paraphrase))


def adds_beginning(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood began at a time, and the question says nothing of it: artists
    *formed* this year, of headliners this year."""
    return bool(_BEGUN.search(paraphrase)) and not _LIKE_BEGUN.search(tokens)


def lists_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood gives something with each name, and nothing says *and*."""
    return paraphrase.startswith("what are the names and ") and _BOTH.isdisjoint(tokens.split())


def has_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood has something, "have a price", and the question does not ask
    for what has: "free tickets"."""
    return bool(HAVE_ONE.search(paraphrase)) and not _HAVING.search(tokens)


def adds_kind(tokens: str, paraphrase: str) -> str | None:
    """``ibuprofen`` of "prescriptions of ibuprofen", where those of any medications were
    understood."""
    found = _OF_KIND.search(paraphrase)
    if found is None or base(found[1]) == found[1]:
        return None
    words = tokens.split()
    last = words[-1] if words[-1].isalpha() or len(words) < 2 else words[-2]
    there = base(found[1]) in map(base, words) or base(last) in map(base, paraphrase.split())
    return last if not there and last.isalpha() and len(words) > 2 and _says(last) else None


def adds_to_name(tokens: str, paraphrase: str) -> bool:
    """Whether a question is who or what somebody is, and what was understood says more."""
    found = _WHO_IS.fullmatch(tokens)
    return found is not None and bool({*paraphrase.split()} - {*tokens.split()} - ASKING)


def takes_all(tokens: str, paraphrase: str) -> str | None:
    """``young`` of "young volunteers", ``chip`` of "patients with a chip", where all were
    understood; ``nurses``, where all patients were."""
    every = _ALL.fullmatch(paraphrase)
    if every is None:
        return None
    plural = asked_plural(tokens)
    said = (every[1] or every[2] or every[3]).split()
    nouns = {*map(base, said)}
    asked = {noun for noun in (asked_noun(tokens), plural and plural[0]) if noun}
    words = tokens.split()
    places = [at for at, word in enumerate(words) if base(word) in nouns or word in asked]
    if not places or not (FUNCTION_WORDS | ASKING).isdisjoint(said):
        return None
    if not any(known_as(base(word), nouns) for word in asked | {words[places[-1]]}):
        return words[places[-1]]
    behind = places[-1] + 1
    lead = words[behind : behind + 1]
    narrows = not _NARROWING.isdisjoint(lead)
    others = [words[at - 1] for at in places if at] + (words[behind:] if narrows else [])
    if not _IS.isdisjoint(lead):  # flats that are empty
        others += words[behind + 1 : behind + 2]
    return next((word for word in others if _says(word) and base(word) not in nouns), None)


def misses_compound(tokens: str, paraphrase: str) -> str | None:
    """``three-bedroom`` of "three-bedroom flats", where what was understood has no such word."""
    given = {*paraphrase.split()}
    return next((word for word in _COMPOUND.findall(tokens) if word not in given), None)


def misses_adjective(tokens: str, paraphrase: str) -> str | None:
    """``active`` of "more than _number_ active members", where what was understood has members and
    no word before them."""
    given = ["", *paraphrase.split()]
    plain = {word for before, word in pairwise(given) if not _says(before)}
    for before, word, noun in zip(words := tokens.split(), words[1:], words[2:]):
        counted = before in _BEFORE_ADJECTIVE or before == "_number_"
        if not counted or not _says(word) or base(noun) == noun:
            continue
        if noun not in plain and (noun in given or not any(same_root(noun, g) for g in given)):
            continue
        alike = (same_root(word, known) or (len(known) > 3 and known in word) for known in given)
        if base(word) == word and word not in _NUMERALS and not any(alike):
            return word
    return None


def _says(word: str) -> bool:
    return word.replace("-", "").isalpha() and word not in _DULL


def misses_total(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for a total, "how much honey did", "the most honey", and what was
    understood for an average by name."""
    given = paraphrase.split()
    if AVERAGE.isdisjoint(given) or not TOTAL.isdisjoint(given):
        return False
    amounts = (found for pair in _AMOUNT.findall(tokens) for found in pair if found)
    averaged = {word for before, word in pairwise(given) if before in AVERAGE}
    much = AVERAGE.isdisjoint(tokens.split()) and not averaged.isdisjoint(amounts)
    return much or says_total(tokens)


def misses_each(tokens: str, paraphrase: str) -> str | None:
    """``department`` of "per department", "in each department", where what was understood has
    nothing for each; a unit of time or of money behind "per" is none: "earns per year"."""
    if not EACH.isdisjoint(paraphrase.split()):
        return None
    words = tokens.split()
    for before, word, noun in zip(["", *words], words, [*words[1:], ""]):
        if word == "per" and base(noun) not in MEASURES:
            return noun
        if word == "each" and before in _BEFORE_EACH:
            return noun
    return None


def misses_by(tokens: str, paraphrase: str, groups: Collection[str]) -> str | None:
    """``method`` of "total paid by payment method", where what was understood has nothing for each.

    Args:
        tokens: of the question.
        paraphrase: what was understood.
        groups: words by which things are grouped.
    """
    found = _BY.search(tokens)
    if found is None or not EACH.isdisjoint(paraphrase.split()):
        return None
    asks = says_total(tokens) or not _AMOUNTS.isdisjoint(tokens.split())
    return found[1] if asks and base(found[1]) in groups else None


def misses_own(tokens: str, paraphrase: str) -> bool:
    """Whether a question compares with something of its own, "below their minimum", and what was
    understood with nothing or with an average."""
    if not _THAN_OWN.search(tokens):
        return False
    average = "average" in paraphrase.split() and "average" not in tokens.split()
    return average or not _COMPARING_WORD.search(paraphrase)
