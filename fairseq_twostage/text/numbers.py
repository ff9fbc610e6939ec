"""Numbers among words: digits, decimals, and numbers that are spelled out.

``text2num`` reads what is spelled out. What stands in one word with something else (``6pm``,
``90-minute``, ``5-10``) is cut first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from fairseq_twostage.errors import UserError

WEAK_ONE = "one"  # a number, or what stands for a noun: "the longest one"
_NO_NUMBERS = frozenset(("ones", "o", "oh", "nil", "second", "seconds"))
LONGEST = 18
_NUMBER = r"\d+(?:[.,]\d+)?"
_THOUSANDS = re.compile(r"(\d{1,3}(?:,\d{3})+)(\.\d+)?")
_NUMERAL = re.compile(rf"-?{_NUMBER}")
_SCALES = {100, 1_000, 1_000_000, 1_000_000_000}
_CUTS = (
    re.compile(rf"({_NUMBER})(h)(\d\d)(m|min)?"),  # 1h30
    re.compile(r"([$€£¥])(\d.*)"),
    re.compile(rf"({_NUMBER})(-)({_NUMBER})([^\W\d_]*)"),  # 5-10, 7-9pm
)
_THOUSAND = re.compile(rf"([$€£¥])?({_NUMBER})k", re.IGNORECASE)
_NUMBER_AND_WORD = re.compile(rf"(-?{_NUMBER})([^\W\d_]+)")
_HYPHENATED = re.compile(r"([^\W_]+)-([^\W\d_]+)(?:-([^\W\d_]+))?")


class Piece(NamedTuple):
    """A word, or the words of a number.

    Attributes:
        text: the word; of a number its digits (``95``), of an ordinal ``1st``.
        start, end: which of the cut words it is.
    """

    text: str
    start: int
    end: int


class _Token:
    """A word as ``text2num`` takes it; what has digits is not for it to read."""

    def __init__(self, word: str) -> None:
        self._word = word

    def text(self) -> str:
        return self._word

    def nt_separated(self, previous: _Token) -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return self._word in _NO_NUMBERS or any(map(str.isdigit, self._word))


def cut(word: str, known: Callable[[str], bool], thousands: bool = True) -> list[str]:
    """The parts of a word that holds a number and something else; else the word alone.

    Args:
        word: one word.
        known: whether letters behind a number are a unit or the like: ``3kg`` is cut, ``3d`` is
            not where nothing is measured in days.
        thousands: whether ``80k`` is so many, and no way in kilometers.
    """
    found = _THOUSAND.fullmatch(word)
    if found and (found[1] or thousands):
        return [*filter(None, [found[1]]), written(Fraction(found[2].replace(",", ".")) * 1000)]
    for pattern in _CUTS:
        if found := pattern.fullmatch(word):
            return [part for part in found.groups() if part]
    found = _NUMBER_AND_WORD.fullmatch(word)
    if found and known(found[2]):
        return [found[1], found[2]]
    found = _HYPHENATED.fullmatch(word)
    if found and known(found[2]) and (found[1].isdigit() or _spelled_out([found[1]])):
        return [part for part in found.groups() if part]
    return [word]


def value_of(numeral: str) -> Fraction | None:
    """``3.7``, ``1,5`` (a decimal comma), ``1,200`` (thousands), ``-4``; None for another word.

    One of more than eighteen characters is none: no double tells it from its neighbours.
    """
    if len(numeral) > LONGEST:
        return None
    if found := _THOUSANDS.fullmatch(numeral):
        return Fraction(found[1].replace(",", "") + (found[2] or ""))
    if _NUMERAL.fullmatch(numeral):
        return Fraction(numeral.replace(",", "."))
    return None


def written(value: Fraction) -> str:
    """A number in digits; of one without end as many as a double has."""
    if value.denominator == 1:
        return str(value.numerator)
    return format(float(value), ".15g")


def pieces(words: Sequence[str]) -> list[Piece]:
    """Words with numbers in digits; "one" stays, since it rather stands for a noun."""
    found: list[Piece] = []
    spelled = {occurrence.start: occurrence for occurrence in _spelled_out(words)}
    place = 0
    while place < len(words):
        number = spelled.get(place)
        end = place + 1
        text = words[place]
        if number is not None and words[place : number.end] != [WEAK_ONE]:
            end = number.end
            text = number.text if number.is_ordinal else written(Fraction(number.text))
        elif (value := value_of(text)) is not None:
            text = written(value)
        found.append(Piece(text, place, end))
        place = end
    return list(_scaled(found, words))


def _scaled(found: Sequence[Piece], words: Sequence[str]) -> Iterator[Piece]:
    """With "1.2 million", "a hundred" and "two dozen" as one number."""
    before: Piece | None = None
    for piece in found:
        scale = _scale(piece, words)
        if scale and before is not None and before.text in ("a", WEAK_ONE):
            before = Piece(str(scale), before.start, piece.end)
            continue
        if scale and before is not None and (value := value_of(before.text)) is not None:
            before = Piece(written(value * scale), before.start, piece.end)
            continue
        if before is not None:
            yield before
        before = Piece("12", piece.start, piece.end) if scale == 12 else piece
    if before is not None:
        yield before


def _scale(piece: Piece, words: Sequence[str]) -> int:
    """What the word multiplies the number before it by; 0: it is no such word."""
    if piece.text == "dozen":
        return 12
    alone = piece.end - piece.start == 1 and not words[piece.start][0].isdigit()
    value = value_of(piece.text) if alone else None
    return int(value) if value in _SCALES else 0


def _spelled_out(words: Sequence[str]) -> list[Any]:
    try:
        from text_to_num import find_numbers
    except ImportError:
        raise UserError(
            "numbers in words need text2num: pip install text2num", where="the values of questions"
        ) from None
    return list(find_numbers([_Token(word) for word in words], "en", 0.0))
