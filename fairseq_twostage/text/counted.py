"""What the numbers of a question are of, and those of what was understood: so many things, a
property's value, what a thing is called by.

See :mod:`fairseq_twostage.text.disagreement`, whose rules these are.
"""

from __future__ import annotations

import re
from itertools import pairwise

from fairseq_twostage.text.bounds import COMPARING, LIKE_BOUND
from fairseq_twostage.text.function_words import FUNCTION_WORDS, word_set
from fairseq_twostage.text.implied_words import implied_words
from fairseq_twostage.text.placeholders import is_placeholder
from fairseq_twostage.text.question_words import ASKING, TOTAL
from fairseq_twostage.text.unit_words import MEASURES, UNITS
from fairseq_twostage.text.word_forms import base, has_form

_CALLED_BY = re.compile(r"\b([a-z]{3,}) (?:id|number|code)s? (?:is |of |equals |= )?(_number\d*_)")
_THE_NUMBERED = re.compile(r"\b([a-z]+) (_number\d*_)(?! [a-z]+s\b)")
_OF_NUMBERED = re.compile(r"\b([a-z]{3,}) of (?:the )?([a-z]{3,}) (_number\d*_)(?! [a-z])")
_WHAT_IS = re.compile(r"what (?:is|are|was) the ")
_OF_NUMBER = re.compile(r"\b(?:have ([a-z]+) of|with ([a-z]+)) (_number\d*_)")
_THING_OF_NUMBER = re.compile(r"(?:.* )?([a-z]{3,}) (_number\d*_)(?: \?)?$")
_HOW_MANY = re.compile(r"how many ([a-z]+s) ")
_HAVE_SOME = re.compile(r"\bhave an? ([a-z]+s)$")
_SIGN = re.compile(r"\b(negative|positive)\b(?= (?:[a-z]+ ){0,2}[a-z]+)")
_COUNTED = re.compile(
    r"\b(?:(?:more|fewer|less) than|at least|at most|exactly|over|under) (_number\d*_) "
    r"([a-z]{3,}s)\b"
)
_SUMS = re.compile(
    r"\b(?:pa(?:y|ys|id)|spen[dt]s?|earn\w*|g[ai]ven?|gives|donat\w+|rais\w+|invoiced?|ow(?:es?|ed)|"
    r"costs?|altogether|overall|total)\b"
)
_HAVING = frozenset(("with", "has", "have", "having", "many", "most", "number of", "count of"))
_NUMBER = re.compile(r"_number\d*_")
_WITH_PROPERTY = re.compile(
    r"\b(?:have|has|with) (?:[a-z]+ )?(?!of\b)([a-z]+) (?:of )?"
    r"(?:above|below|of|at least|at most|exactly) (_number\d*_)"
)
_MARK = re.compile(r"\b(an a|a [b-df]|an [ef]) (?:in|on|for) _")
_PRICES = word_set("price cost fee fare rate amount rent salary value total")
_MONEY_SAID = word_set(
    "cost costs costing priced pay pays paid paying worth spend spent charge charged earn earns "
    "earning euro euros dollar dollars pound pounds money cheap expensive"
)
_BESIDE_VALUE = FUNCTION_WORDS | LIKE_BOUND | {"about", "around", "roughly", "nearly"}


def counts_measured(tokens: str, paraphrase: str) -> tuple[str, str] | None:
    """``euros`` and ``rentals`` where a question compares with so many euros, and what was
    understood with so many rentals."""
    behind = (word for before, word in pairwise(tokens.split()) if before == "_number_")
    measured = [word for word in behind if base(word) in UNITS]
    for before, word in pairwise(paraphrase.split()):
        counted = word.isalpha() and base(word) != word and base(word) not in MEASURES
        if before == "_number_" and counted and measured:
            return min(measured), word
    return None


def counts_unsaid(tokens: str, paraphrase: str) -> str | None:
    """``payments`` of "with more than _number_ payments", where the question has the number alone:
    "have paid more than _number_ altogether", "payments above _number_"."""
    words = [*tokens.split(), ""]
    sums = _SUMS.search(tokens) is not None  # not a cast of over _number_
    for value, noun in _COUNTED.findall(paraphrase):
        if not sums:
            if _compares_thing(tokens, noun, value):
                return str(noun)
            continue
        if value not in words or base(noun) in MEASURES or noun in words or base(noun) in words:
            continue
        behind = words[words.index(value) + 1]
        if behind in FUNCTION_WORDS | TOTAL | {""} and behind != "of":
            return str(noun)
    return None


def _compares_thing(tokens: str, noun: str, value: str) -> bool:
    """Whether what the things themselves have is compared, not their number: "singers above age
    _number_", "businesses rated below _number_"."""
    found = re.search(
        rf"(?:\b([a-z]+(?: of)?) )?(?<!\S)(?:{noun}|{base(noun)}) (?:[a-z]+ed )?"
        rf"(?:above|over|below|under|older than|younger than) (?:[a-z]+ )?{value}(?! [a-z]*s\b)",
        tokens,
    )
    return found is not None and found[1] not in _HAVING


def called_otherwise(tokens: str, paraphrase: str) -> tuple[str, str] | None:
    """``product`` and ``order``, where a question says by what number a product is called, "whose
    product id is _number_", and what was understood takes it for an order's."""
    said = _CALLED_BY.search(tokens)
    if said is None or is_placeholder(said[1]):
        return None
    for noun, value in _THE_NUMBERED.findall(paraphrase):
        if (
            value == said[2]
            and base(noun) != base(said[1])
            and noun not in FUNCTION_WORDS | COMPARING
        ):
            return said[1], noun
    counted = re.search(rf"\b{said[2]} (?:[a-z]+ )?([a-z]{{3,}}s)\b", paraphrase)
    return (said[1], counted[1]) if counted else None


def values_number(tokens: str, paraphrase: str) -> tuple[str, str] | None:
    """``plot`` and ``rent``, where a question is of a property of the thing of a number, "the rent
    of plot _number_", and what was understood of those with such a rent, or of plots."""
    said, given = _OF_NUMBERED.search(tokens), _OF_NUMBER.search(paraphrase)
    if said is None or said[1] == said[2]:
        return None
    property, thing, number = said.groups()
    other = given is not None and (given[1] or given[2], given[3]) == (property, number)
    things = _WHAT_IS.match(tokens) and paraphrase.startswith(f"which {thing}s ")
    return (thing, property) if other or things else None


def numbers_itself(tokens: str, paraphrase: str) -> tuple[str, str] | None:
    """``order`` and ``pieces`` where a question is of a thing by its number, "order _number_", and
    what was understood of those with so many pieces, of which the question says nothing."""
    said, given = _THING_OF_NUMBER.match(tokens), _OF_NUMBER.search(paraphrase)
    if said is None or given is None or base(said[1]) != said[1] or given[3] != said[2]:
        return None
    property = given[1] or given[2]
    itself = said[1] in paraphrase.split()[:3] and not has_form(property, tokens.split())
    return (said[1], property) if itself else None


def counts_havers(tokens: str, paraphrase: str) -> str | None:
    """``trees`` of "how many trees of _variety_ are there", where what was understood are so many
    that have some."""
    asked, having = _HOW_MANY.match(tokens), _HAVE_SOME.search(paraphrase)
    counts = paraphrase.startswith("how many ") and not paraphrase.startswith(
        f"how many {asked[1] if asked else ''} "
    )
    return asked[1] if asked and having and counts and having[1] == asked[1] else None


def misses_sign(tokens: str, paraphrase: str) -> str | None:
    """``negative`` of "with a negative balance", where what was understood does not say it."""
    sign = _SIGN.search(tokens)
    return sign[1] if sign is not None and sign[1] not in paraphrase.split() else None


def measures_unsaid(tokens: str, paraphrase: str) -> str | None:
    """``stars`` of "rated _number_ stars", where the question has the number alone and says neither
    that it is of stars nor of a rating: "around _number_"."""
    words, given = tokens.split(), paraphrase.split()
    for at, (value, unit) in enumerate(pairwise(given)):
        place = words.index(value) if _NUMBER.fullmatch(value) and value in words else -1
        following = "".join(words[place + 1 : place + 2])
        if place < 0 or base(unit) == unit or (following and following not in FUNCTION_WORDS):
            continue
        lead = [word for word in words[:place] if word not in _BESIDE_VALUE][-1:]
        if lead and base(lead[0]) == lead[0] and not lead[0].endswith(("ing", "ed")):
            continue  # of length _number_
        things = {*map(base, given[: 1 + (given[0] in ASKING)])}
        before = (base(word) for word in given[max(0, at - 6) : at] if word not in _BESIDE_VALUE)
        known = [word for word in before if word not in things][-2:]
        said = {word[:3] for word in words if len(word) > 3}  # rating, rated
        if not any(one[:3] in said for one in (*known, base(unit))):
            return unit
    return None


def misses_mark(tokens: str, paraphrase: str) -> str | None:
    """``an a`` of "who got an a in _subject_", where what was understood has no grade."""
    found = _MARK.search(tokens)
    return found[1] if found and "grade" not in paraphrase else None


def property_unsaid(tokens: str, paraphrase: str) -> str | None:
    """``price`` of "have price below _number_", where the question does not say what is below."""
    for name, value in _WITH_PROPERTY.findall(paraphrase):
        words = tokens.split()
        place = words.index(value) if value in words else -1
        if place < 0 or any(len(word) > 3 and word[:3] == name[:3] for word in words):
            continue
        following = "".join(words[place + 1 : place + 2])
        graded = any(len(word) > 4 and word.endswith("er") for word in words[:place])
        money = name in _PRICES and not _MONEY_SAID.isdisjoint(words)
        money |= bool(implied_words(tokens, name))
        said = money or (following and following not in FUNCTION_WORDS)
        if not graded and (not said or following == "in"):  # less than _number_ in stock
            return str(name)
    return None
