"""Sums of money that a question asks for, and amounts of all together.

See :mod:`fairseq_twostage.text.disagreement`, whose rules these are.
"""

from __future__ import annotations

import re

from fairseq_twostage.text.function_words import word_set
from fairseq_twostage.text.question_words import AVERAGE
from fairseq_twostage.text.unit_words import EACH, UNITS
from fairseq_twostage.text.word_forms import base

PROPERTY = re.compile(r"what is the ([a-z ]+?) of ")
MONEY = word_set(
    "amount balance budget cost deposit expense expenses fare fee income pay price profit rent "
    "revenue salary sales spending spent tax tip total turnover value wage worth"
)
"""Measures that are sums of money, whether their unit is told or not."""
_PAID = re.compile(
    r"\bhow much (?:money )?(?:did|do|does|have|has|had|was|is|will) .*"
    r"\b(?:spend|spent|pay|paid|earn|earned|owe|owed|invoiced?|charged?|cost|bring|brought)\b"
)
_MUCH_MONEY = re.compile(r"\bhow much (?:money|cash)\b|^how much (?:is|are|was|were) (?:an?|one) ")
_ONE_SUM = re.compile(
    r"\bhow much (?:money\b|cash\b|in [a-z]+s\b|(?:did|have|has|had|was|do) .*"
    r"\b(?:spend|spent|collect\w*|earn\w*|raised?|paid|owed?|take in|taken in)\b|"
    r"(?:have|has|had) .*\bcost(?: (?:us|me))?\b)"
)
_OF_EACH = EACH | {"respectively"}
_BY_SOMEBODY = re.compile(
    r"\bhow much (?:money )?(?:did|do|have|has|had) (?:we|i|they|_\w+_)\b.*"
    r"\b(?:spend|spent|pay|paid|earn|earned|owe|owed|invoiced?)\b"
)
_PAID_FOR = re.compile(
    r"\b(?:pay|paid|spend|spent) (?:[a-z]+ )?for (?:the |our |an? )?(_(?!number|date|time)\w+_)"
)
_MOST_MONEY = re.compile(r"\b(?:most|least|highest|lowest) (?:money|revenue|income|turnover)\b")
_COST_MOST = re.compile(r"\bcost\w*(?: us| me)? the (?:most|least)(?: money)? (?:in|on|for) ")
_WITH_SUM = re.compile(
    r"\b(?:incl\w*(?: of)?|excl\w*(?: of)?|ex|plus|before|net of|after) (?:any |the )?([a-z]+)\b"
)
_SUM = re.compile(r"what is the (?:total|average|highest|lowest) ([a-z ]+?) of ")
_LARGEST_OF = re.compile(
    r"\b(?:with|have|has|of) the (?:_\w+_ )?([a-z]+) (?:\S+ )*?"
    r"with the (?:highest|largest|lowest|smallest) ([a-z]+)"
)


def misses_money(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks how much was paid, and what was understood a measure that is no
    money; or its average, where somebody pays."""
    if _MUCH_MONEY.search(tokens) and paraphrase.startswith(("what is the ", "how ", "which ")):
        given = {*paraphrase.split(), *map(base, paraphrase.split())}
        if paraphrase.startswith("how many ") or (MONEY - {"total"}).isdisjoint(given):
            return True
    if not _PAID.search(tokens) or not paraphrase.startswith(("what is the ", "how many ")):
        return False
    words, given = {*tokens.split()}, {*paraphrase.split()}
    averages = not AVERAGE.isdisjoint(given) and (AVERAGE | {"per", "each"}).isdisjoint(words)
    if averages and _BY_SOMEBODY.search(tokens):
        return True
    if " total of " in paraphrase:
        return False
    return (MONEY - {"total"}).isdisjoint({*given, *map(base, given)})


def asks_one_sum(tokens: str) -> bool:
    """Whether a question asks for money of all together: "how much did we spend on …"."""
    return bool(_ONE_SUM.search(tokens)) and _OF_EACH.isdisjoint(tokens.split())


def pays_for(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks what was paid *for* something, and what was understood by whom."""
    found = _PAID_FOR.search(tokens)
    by = found is not None and re.search(rf"\b(?:paid|spent) by .*{found[1]}", paraphrase)
    return bool(by) and " for " not in paraphrase


def counts_money(tokens: str, paraphrase: str) -> str | None:
    """``price`` of "what is the ticket price of …", where a question asks how many tickets."""
    found = PROPERTY.match(paraphrase)
    if found is None or not tokens.startswith("how many "):
        return None
    last, words = found[1].split()[-1], {*map(base, tokens.split())}
    asked = MONEY | UNITS
    return (
        last if last in MONEY - {"amount", "total", "value"} and asked.isdisjoint(words) else None
    )


def misses_most_money(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for the most money, and what was understood has no sum."""
    given = {*map(base, paraphrase.split())}
    if _COST_MOST.search(tokens) and "total" not in given:  # the most expensive one is another
        return True
    return bool(_MOST_MONEY.search(tokens)) and MONEY.isdisjoint(given)


def sums_included(tokens: str, paraphrase: str) -> str | None:
    """``vat`` of "what is the total vat of …", where a question says *incl. vat* alone."""
    found = _SUM.match(paraphrase)
    noun = found[1].split()[-1] if found is not None else ""
    said = _WITH_SUM.findall(tokens)
    return noun if noun in said and tokens.split().count(noun) == said.count(noun) else None


def takes_single(tokens: str, paraphrase: str) -> str | None:
    """``harvest`` of "the harvest with the highest honey", where a question asks for the most
    honey and says nothing of harvests: all of them together are meant."""
    words = {*map(base, tokens.split())}
    single = _LARGEST_OF.search(paraphrase)
    if single is None or base(single[1]) in words:
        return None
    money = _MOST_MONEY.search(tokens) is not None
    most = re.search(rf"\b(?:most|least) (?:\S+ )?{single[2]}\b", tokens) is not None
    return single[1] if money or most else None
