"""Numbers with their units, among words whose numbers are digits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple

from fairseq_twostage.text.function_words import word_set
from fairseq_twostage.text.numbers import WEAK_ONE, Piece, value_of
from fairseq_twostage.text.value_settings import Said, ValueSettings

_ARTICLES = ("a", "an")
# Before "one" and "an hour", which are rather no numbers.
_COMPARING = frozenset(
    (
        *("than", "least", "most", "exactly", "only", "over", "under", "above", "below", "within"),
        *("about", "up", "to", "max", "maximum", "min", "minimum", "exceeding", "equals", "is"),
        "or",
    )
)
JOINING = frozenset(("and", "to", "or", "-", "through", "till", "until"))
_HALVES = {
    ("and", "a", "half"): Fraction(1, 2),
    ("and", "one", "half"): Fraction(1, 2),
    ("and", "half"): Fraction(1, 2),
    ("and", "a", "quarter"): Fraction(1, 4),
    ("and", "3", "quarters"): Fraction(3, 4),
}
_MOST = ("5", "10", "100")
_RATING = ("rat", "scor", "star", "grad", "mark")
_SHARES = {
    ("half",): Fraction(1, 2),
    ("a", "half"): Fraction(1, 2),
    ("quarter", "of"): Fraction(1, 4),
    ("a", "quarter", "of"): Fraction(1, 4),
    ("3", "quarters", "of"): Fraction(3, 4),
}

_POUNDS, _STERLING = ("pound", "pounds"), "£"
_PAYING = word_set(
    "amount charge charged charges charging cheaper cost costing costs deposit dues earn earned "
    "earning earns expensive fee fees fine fined fines income owe owed owes paid pay paying pays "
    "price priced prices rent salary sold spend spending spent wage worth"
)


class Quantity(NamedTuple):
    """A number among pieces.

    Attributes:
        start, end: its pieces, those of the unit included.
        value: in the unit that was said.
        said: the words of that, or nothing.
        silent: whether they stand behind the following number.
    """

    start: int
    end: int
    value: Fraction
    said: str = ""
    silent: bool = False


class QuantityReader:
    """Finds numbers, and what they are said in."""

    def __init__(self, settings: ValueSettings) -> None:
        self.settings = settings
        self._labels = frozenset(settings.labels)
        self._longest = max((len(words.split()) for words in settings.said), default=0)

    @cached_property
    def _counted(self) -> frozenset[str]:
        words = {form for word in self.settings.counted for form in (word, word.removesuffix("s"))}
        return frozenset(words)

    def is_counted(self, following: Sequence[str]) -> bool:
        """Whether words begin with a unit, or with what canonical utterances count."""
        return self.is_measured(following) or not self._counted.isdisjoint(following[:1])

    def is_measured(self, following: Sequence[str]) -> bool:
        """Whether words begin with a unit."""
        return bool(self._unit(following, 0)[0])

    def __call__(self, line: Line) -> Iterator[Quantity]:
        """The quantities of a line, those of one range in one unit: "between 40 and 55 minutes"."""
        found = list(self._each(line))
        for first, second in zip_longest(found, found[1:]):
            if second is not None and second.said and first.said in ("", second.said):
                between = line.texts[first.end : second.start]
                if len(between) == 1 and between[0] in JOINING:
                    first = first._replace(said=second.said, silent=True)
            yield first

    def _each(self, line: Line) -> Iterator[Quantity]:
        place = 0
        while place < len(line.pieces):
            found = None if line.taken[place] else self._quantity(line, place)
            if found is None:
                place += 1
            else:
                yield found
                place = found.end

    def _quantity(self, line: Line, place: int) -> Quantity | None:
        texts = line.texts
        if texts[place] in self.settings.said and not texts[place][0].isalnum():  # £ 30
            sign, place = texts[place], place + 1
            value = value_of(texts[place]) if place < len(texts) else None
            if value is None:
                return None
            return Quantity(place - 1, place + 1, value, sign)
        number = self._number(line, place)
        if number is None:
            return None
        value, end = number
        if texts[end : end + 1] in (["%"], ["percent"]) and "%" not in self.settings.said:
            return None  # no number of anything else
        said, behind = self._unit(texts, end)
        value, end = self._of_most(line, place, value, end, said)
        said, behind = self._unit(texts, end)
        if not said:
            return Quantity(place, end, value)
        if said in _POUNDS and self._is_money(texts[:place]):
            return Quantity(place, behind, value, _STERLING)
        if not self.settings.said[said].unit:  # of something else
            return None
        return self._compound(texts, Quantity(place, behind, value, said))

    def _is_money(self, before: Sequence[str]) -> bool:
        """Whether pounds behind these words are money, where the facts have weights and prices."""
        sterling = self.settings.said.get(_STERLING)
        return sterling is not None and sterling.unit != "" and not _PAYING.isdisjoint(before)

    def _of_most(
        self, line: Line, place: int, value: Fraction, end: int, said: str
    ) -> tuple[Fraction, int]:
        """Four of "4/5 stars", "rated 4/5" and "4 out of 5": marks out of five, ten or a hundred,
        and no part of one."""
        texts = line.texts
        above, mark, most = texts[place].partition("/")
        rated = any(word.startswith(_RATING) for word in texts[max(0, place - 4) : place])
        counted = bool(said) and not self.settings.said[said].measured
        if mark and end == place + 1 and most in _MOST and (counted or (rated and not said)):
            return Fraction(above), end
        out, of, best, *_ = [*texts[end : end + 3], "", "", ""]
        if (out, of) == ("out", "of") and best in _MOST:
            return value, end + 3
        return value, end

    def _number(self, line: Line, place: int) -> tuple[Fraction, int] | None:
        """A number from ``place`` on, and the place behind it."""
        texts = line.texts
        for words, share in _SHARES.items():  # half an hour, three quarters of an hour
            end = place + len(words)
            if tuple(texts[place:end]) == words:
                end += texts[end : end + 1] in (["a"], ["an"])
                said, _ = self._unit(texts, end)
                if said and self.settings.said[said].measured:
                    return share, end
        if texts[place] in (WEAK_ONE, *_ARTICLES):
            share, end = _with_half(texts, place + 1)
            if share and texts[place] == WEAK_ONE:
                return 1 + share, end
            return (Fraction(1), place + 1) if self._is_one(texts, place) else None
        sign = -1 if texts[place] == "minus" and place + 1 < len(texts) else 1
        start = place + (sign < 0)
        value = value_of(texts[start])
        if value is None and (part := _fraction(texts[start])) is not None:
            return sign * part, start + 1
        if value is None or self._is_label(texts, place):
            return None
        share, end = _with_half(texts, start + 1)
        if share:  # two and a half hours
            return sign * (value + share), end
        if end < len(texts) and (part := _fraction(texts[end])) is not None:  # 3 1/2
            return sign * (value + part), end + 1
        return sign * value, end

    def _is_one(self, texts: Sequence[str], place: int) -> bool:
        """Whether "one", "a" and "an" are a number here."""
        before = texts[place - 1] if place else ""
        said, end = self._unit(texts, place + 1)
        compared = before in _COMPARING
        if texts[place] == WEAK_ONE:
            following, then = [*texts[place + 1 : place + 3], "", ""][:2]
            ranging = following in JOINING and value_of(then) is not None
            counted = bool(said) or following in self._counted
            return counted or ranging or (compared and before != "is")
        if not said or not self.settings.said[said].measured:
            return False
        return compared or _with_half(texts, end)[0] > 0

    def _is_label(self, texts: Sequence[str], place: int) -> bool:
        return place > 0 and (texts[place - 1], texts[place]) in self._labels

    def _unit(self, texts: Sequence[str], place: int) -> tuple[str, int]:
        """The words of a unit at ``place``, and the place behind them; nothing if there is none."""
        for length in range(min(self._longest, len(texts) - place), 0, -1):
            words = " ".join(texts[place : place + length])
            if words in self.settings.said:
                return words, place + length
        return "", place

    def _compound(self, texts: Sequence[str], first: Quantity) -> Quantity:
        """With what follows of the same kind: an hour and a half, 1 hour 20 minutes, 1 h 30."""
        said = self.settings.said[first.said]
        if not said.measured:
            return self._with_hundredths(texts, first, said)
        share, end = _with_half(texts, first.end)
        if share:
            return first._replace(end=end, value=first.value + share)
        start = first.end + (texts[first.end : first.end + 1] == ["and"])
        value = value_of(texts[start]) if start < len(texts) else None
        if value is None:
            return first
        unit, end = self._unit(texts, start + 1)
        if not unit and start == first.end and first.said == "h" and value < 60:
            unit = "min"
        second = self.settings.said.get(unit)
        if second is None or second.unit != said.unit or second.ratio >= said.ratio:
            return first
        more = value * second.ratio / said.ratio
        return first._replace(end=end, value=first.value + more)

    def _with_hundredths(self, texts: Sequence[str], first: Quantity, said: Said) -> Quantity:
        """Twelve euros fifty."""
        unit = self.settings.units.get(said.unit)
        following = value_of(texts[first.end]) if first.end < len(texts) else None
        if unit is None or not unit.kind.isupper() or following is None:
            return first
        if not 10 <= following < 100 or self._unit(texts, first.end + 1)[0]:
            return first
        return first._replace(end=first.end + 1, value=first.value + following / 100)


class Line:
    """Pieces as one text.

    Attributes:
        pieces: as they were.
        texts: of the pieces, ``#`` of one that is part of a value already.
        text: the pieces with blanks between, as it was.
        taken: which are part of a value already.
    """

    def __init__(self, found: Sequence[Piece]) -> None:
        self.pieces = list(found)
        self.texts = [piece.text for piece in found]
        self.text = " ".join(self.texts)
        self.taken = [False] * len(found)
        self._starts: list[int] = []
        at = 0
        for text in self.texts:
            self._starts.append(at)
            at += len(text) + 1

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The pieces of these characters."""
        first = self._starts.index(start)
        return first, first + len(self.text[start:end].split())

    def free(self, start: int, end: int) -> bool:
        """Whether no value has any of these characters."""
        first, last = self.span(start, end)
        return not any(self.taken[first:last])

    def take(self, start: int, end: int) -> tuple[int, int]:
        """The pieces of these characters, which are those of a value from now on."""
        first, last = self.span(start, end)
        self.taken[first:last] = [True] * (last - first)
        self.texts[first:last] = ["#"] * (last - first)
        return first, last


def _with_half(texts: Sequence[str], place: int) -> tuple[Fraction, int]:
    """What "and a half" at ``place`` adds, and the place behind it; 0 where nothing does."""
    for words, share in _HALVES.items():
        if tuple(texts[place : place + len(words)]) == words:
            return share, place + len(words)
    return Fraction(0), place


def _fraction(text: str) -> Fraction | None:
    """``1/2``, a part of one."""
    above, mark, below = text.partition("/")
    if mark and above.isdigit() and below.isdigit() and 0 < int(above) < int(below) <= 10:
        return Fraction(int(above), int(below))
    return None
