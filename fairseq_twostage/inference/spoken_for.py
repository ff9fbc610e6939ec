"""Words of a question for which its answer speaks, though nothing that was understood has them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairseq_twostage.domains.measures import CURRENCIES, spec_of
from fairseq_twostage.inference.answer import answer_values
from fairseq_twostage.inference.known_words import NAMING
from fairseq_twostage.inference.other_doers import denied_to_everybody
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.semantics.values import Name, Number, Time, Value
from fairseq_twostage.text.bounds import bounding_words
from fairseq_twostage.text.function_words import word_set
from fairseq_twostage.text.implied_words import implied_words
from fairseq_twostage.text.money import MONEY, asks_one_sum
from fairseq_twostage.text.question_words import AVERAGE, DULL, TOTAL, negations, says_total
from fairseq_twostage.text.word_forms import PARTICIPLES, base

_CODE = re.compile(r".*\.[A-Z0-9]{1,5}")
_MADE_THEN = re.compile(
    r"\b(created|held|introduced|launched|made|manufactured|organi[sz]ed|produced|published) "
    r"(?:after|before|between|from|in|since) (?:the )?(?:years? (?:of )?)?_date"
)
_PAYING = word_set(
    "charge charged collect collected come came cash earn earned get got make made money pay paid "
    "raise raised receive received spend spent take taken took"
)
_IN_UNIT = re.compile(r"\b(?:in|how many) ([a-z]+)\b")
_NUMBERS_OF = re.compile(r"\bnumbers of (?:(?:all|the|our|these|those) )*([a-z]+s)\b")
_HOLDS = re.compile(r"\b(?:does|do) (_(?!number|date|time)\w+_) (hold|own|possess)\b")
_MARKED = re.compile(r"\b(?:is|are|were|was) (?:_\w+_ )?(flagged|labell?ed|marked|tagged)\b")
_MOVING = re.compile(r"\b(going|gone|went|sent|shipped|travell?ing|travell?ed) (?:from|to) _")
_LED_TO = re.compile(r"\b(?:from|to) _")
_DRAWING = re.compile(r"\b(attract\w*|draw|drew|drawn|pull\w*) the (?:most|fewest|least) ([a-z]+)")
_NAMED = re.compile(r"\b((?:named|called|titled|entitled)) _")
_NUMBER_OF = re.compile(r"\b(number|amount|count) of (?:the )?([a-z]{3,})\b")
_NOUN_COUNT = re.compile(r"\b([a-z]{3,}) (counts?|numbers?|codes?)\b")
_PRICED = MONEY | {"expensive", "cheap", "cheaper", "cheapest"}
_CURRENCIES = {word for said, _ in CURRENCIES.values() for word in said.split()}
_WITHOUT = re.compile(r"\bwithout (?:any )?([a-z]+)\b")
_BOTH = re.compile(r"\b_([a-z_]+?)\d*_ (?:[a-z]+ )?and _\1\d*_")


def _unit_words(values: Sequence[Value | str]) -> set[str]:
    """What people call the unit of numbers: *km* and *kilometres*."""
    units = {value.unit for value in values if isinstance(value, Number) and value.unit}
    return {word for unit in units for word in spec_of(unit, None).words}


def spoken_for(tokens: str, reading: Reading) -> set[str]:
    """*time* of "what time …", where the answer is one; *names*, of those of things; *numbers*,
    of things named by them; *altogether*, where all are counted; *both*, of two names; *produced*
    in a year; what somebody *holds*, of what is of them; *went*, to a name; *drew*, the most
    visitors; *teaches*, of what is taught; *prescribed*, of prescriptions; *in km*, of an answer in
    kilometers; *in euros*, of prices; *nobody*, of no person; *marked* as something; *spent*, of a
    total."""
    values = list(answer_values(reading.answer))
    timed = bool(values) and all(isinstance(value, Time) for value in values)
    names = [value for value in values if isinstance(value, Name)]
    named = bool(values) and len(names) == len(values)
    counts = reading.paraphrase.startswith("how many ") or says_total(reading.paraphrase)
    found = {*tokens.split()[:1]} & {"show"}  # none of a radio's
    if timed and "what time" in tokens:
        found |= {"time"}
    if counts:
        found |= {*TOTAL, "different"}  # things are counted once
    if named:
        codes = all(_CODE.fullmatch(name.id) for name in names)
        called = (*NAMING, *(("code",) if codes else ()))
        found |= {word for noun in called for word in (noun, f"{noun}s")}
        numbers = _NUMBERS_OF.search(tokens)
        if numbers and base(numbers[1]) in map(base, reading.paraphrase.split()):
            found |= {"numbers"}
    if asks_one_sum(tokens) and reading.paraphrase.startswith("what is the total "):
        found |= _PAYING
    if (held := _HOLDS.search(tokens)) and f"of {held[1]}" in reading.paraphrase:
        found |= {held[2]}
    if (marked := _MARKED.search(tokens)) and reading.paraphrase.startswith(("is ", "which ")):
        found |= {marked[1]}
    if _LED_TO.search(reading.paraphrase):
        found |= {*_MOVING.findall(tokens)}
    for verb, noun in _DRAWING.findall(tokens):
        found |= {verb} if noun in reading.paraphrase.split() else set()
    if _BOTH.search(reading.paraphrase):
        found |= {"both"}
    if in_unit := _IN_UNIT.findall(tokens):
        found |= _unit_words(values).intersection(in_unit)
    given = {*reading.paraphrase.split()}
    if not _PRICED.isdisjoint(given):
        found |= _CURRENCIES.intersection(in_unit)
    if denied_to_everybody(tokens, reading.paraphrase) is not None:
        found |= {"nobody", "noone", "one", "assigned"}
    found |= {word for word in tokens.split() if PARTICIPLES.get(base(word)) in given}
    found |= {*_NAMED.findall(tokens)}
    forms = {*map(base, given)}
    found |= {word for word, noun in _NUMBER_OF.findall(tokens) if base(noun) in forms}
    forms -= DULL | AVERAGE | TOTAL
    found |= {word for noun, word in _NOUN_COUNT.findall(tokens) if base(noun) in forms}
    found |= implied_words(tokens, reading.paraphrase)
    found |= bounding_words(tokens, reading.paraphrase)
    if any(f"{thing} free" in reading.paraphrase for thing in _WITHOUT.findall(tokens)):
        found |= {"without"}
    if negations(reading.paraphrase):
        found |= {"anything", "ever", "never"}
    if "year" in given:
        found |= {*_MADE_THEN.findall(tokens)}
    return found
