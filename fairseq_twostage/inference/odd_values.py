"""What the values and names of a question say against a reading, whatever its words are."""

from __future__ import annotations

import calendar
import re

from fairseq_twostage.inference.answer import answer_values
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.loading import read_value
from fairseq_twostage.semantics.values import Date, Name, Number, Time, Value
from fairseq_twostage.text.bounds import BETWEEN
from fairseq_twostage.text.placeholders import is_placeholder
from fairseq_twostage.text.utterance import Utterance

_PERCENT = re.compile(r"\d\s*(?:%|percent\b|per cent\b)", re.IGNORECASE)
_COUNTED = re.compile(r"_number\d*_ [a-z]{3,}s\b")
_COUNTS = re.compile(
    r"\b(?:exactly|more than|fewer than|at least|at most) (_number\d*_) "
    r"(?!euros?\b|pounds?\b|dollars?\b|francs?\b)"
    r"(?:(?!(?:that|which|who|whose|of|in|are|have|by|with|and|or)\b)[a-z]+ ){0,2}[a-z]{2,}s\b"
)
_COSTING = re.compile(r"\b(?:costs?|costing|priced)\b")
_MONEY = re.compile(
    r"[£$€]\s?\d|\d\s?(?:[£$€]|k\b)?(?:euros?|dollars?|quid|gbp|usd|eur)\b", re.IGNORECASE
)
_MEASURED = re.compile(
    r"\b(?:longer|shorter|older|younger|heavier|lighter|higher|taller|lower|wider|narrower|deeper|"
    r"larger|smaller|faster|slower) than _number\d*_"
)
_LEAP_YEAR = 2024
_US = re.compile(r"\b(?:in|from|to|of|the) (?:US|U\.S\.?)(?!\w)")
_LISTED = re.compile(r"(_[a-z]\w*_) (?:and|or) ([^\W\d_]+)\b")


def odd_values(utterance: Utterance, reading: Reading) -> str | None:
    """Why a reading cannot be meant, by what it does with numbers, dates and names."""
    if day := _no_such_day(utterance):
        return f"there is no such day: “{day}”"
    z = reading.paraphrase
    if _PERCENT.search(utterance.text) and _COUNTED.search(z):
        return "it is of per cent, and what was understood is not"
    money = _MONEY.search(utterance.text) is not None
    priced = money or _COSTING.search(utterance.tokens) is not None
    if priced and _counts_money(z, utterance):
        return "it is of a sum of money, and what was understood of a number of things"
    if any(_is_negative(utterance.variables.get(name, "")) for name in _COUNTS.findall(z)):
        return "it has a number below zero, and what was understood counts"
    if money and _MEASURED.search(z):
        return "it compares with a sum of money, and what was understood with something else"
    if between := BETWEEN.search(z):
        first, last = (utterance.variables.get(name, "") for name in between.groups())
        if _is_more(first, last):
            return "what was understood lies between two values of which the first is the greater"
    if _US.search(utterance.text) and "us" in utterance.tokens.split():
        return "no such name is known: “US”"
    for found in _LISTED.finditer(utterance.tokens):
        if found[2] in utterance.unknown:
            return f"no such name is known: “{found[2]}”"
    names = [name for name in z.split() if is_placeholder(name)]
    answers = list(answer_values(reading.answer))
    asked = utterance.variables.get(names[0]) if len(names) == len(answers) == 1 else None
    wanted = utterance.tokens.startswith(("who ", "which ", "what ", "whose "))  # no yes or no
    itself = wanted and any(isinstance(value, Name) and value.id == asked for value in answers)
    return "its answer would be what the question itself names" if itself else None


def _counts_money(z: str, utterance: Utterance) -> bool:
    """Whether the only number of a question, a sum of money, is how many there are in z."""
    numbers = [name for name in utterance.variables if name.startswith("_number")]
    return len(numbers) == 1 and numbers[0] in _COUNTS.findall(z)


def _no_such_day(utterance: Utterance) -> str | None:
    """A date of a question that no calendar has: 29 February 2023."""
    for name, constant in utterance.variables.items():
        date = _read(constant) if name.startswith("_date") else None
        if isinstance(date, Date) and date.month > 0 and date.day > 0:
            year = date.year if date.year > 0 else _LEAP_YEAR
            if date.day > calendar.monthrange(year, date.month)[1]:
                return utterance.phrases.get(name, name)
    return None


def _is_negative(value: str) -> bool:
    number = _read(value)
    return isinstance(number, Number) and number.value < 0


def _is_more(first: str, last: str) -> bool:
    """Whether one value is greater than another of its kind."""
    one, other = _read(first), _read(last)
    if isinstance(one, Number) and isinstance(other, Number):
        return one.unit == other.unit and one.value > other.value
    if isinstance(one, Time) and isinstance(other, Time):
        return (one.hour, one.minute) > (other.hour, other.minute)
    if isinstance(one, Date) and isinstance(other, Date):
        ends = [(each.year, each.month, each.day) for each in (one, other)]
        return all(part > 0 for end in ends for part in end[:1]) and ends[0] > ends[1]
    return False


def _read(value: str) -> Value | None:
    """A value of a question; None of what is none."""
    try:
        return read_value(value)
    except ExecutionError:
        return None
