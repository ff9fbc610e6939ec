"""Numbers, dates and times of a question: ``_number_``, ``_date_``, ``_time_`` in their place.

A number may carry a unit. What is said in another unit of its kind is converted to that of the
facts ("two and a half hours" is 150 minutes), and the word of that unit stays behind the
placeholder, as in canonical utterances: ``longer than _number_ minutes``. A number without one is
of any unit: the property that it is compared with says which.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from fairseq_twostage.text.date_spans import decades_as_years, spans_as_dates
from fairseq_twostage.text.moments import Clock, Moment, dates_in
from fairseq_twostage.text.numbers import cut, pieces, value_of, written
from fairseq_twostage.text.quantities import JOINING, Line, Quantity, QuantityReader
from fairseq_twostage.text.relative_dates import dates_from_today
from fairseq_twostage.text.value_settings import ANY_UNIT, DATE, NUMBER, TIME, ValueSettings

# "more than 2000" is a number, "later than 2000" a year.
_OF_NUMBERS = (
    *("more than ", "less than ", "fewer than ", "greater than ", "bigger than ", "larger than "),
    *("higher than ", "lower than ", "at least ", "at most ", "exactly ", "over ", "under "),
    *("above ", "below "),
)
_OF_DATES = ("before ", "since ", "until ", "till ", "during ")

_NO_PLURALS = frozenset(("is", "was", "does", "has", "this", "its", "'s", "as"))
_PEOPLE = frozenset(("people", "men", "women", "children"))


class Value(NamedTuple):
    """A value in an utterance.

    Attributes:
        words: as it was said.
        kind: of ``KINDS``.
        constant: ``(number 150 en.minute)``, ``(date 2019 3 12)``, ``(time 18 30)``.
        text: ``150``, ``12 Mar 2019``, ``18:30``.
        behind: the word that stays behind the placeholder, ``minutes``, or nothing.
        unit: the same, also where it stands behind a second number: "40 to 55 minutes".
    """

    words: str
    kind: str
    constant: str
    text: str
    behind: str = ""
    unit: str = ""

    @property
    def shown(self) -> str:
        """``150 minutes``, for people."""
        return f"{self.text} {self.unit}".strip()

    def tell(self, told: dict[str, str]) -> None:
        """Add what is shown of its words: of *last week* both ends, once each."""
        before = told.setdefault(self.words, self.shown)
        if self.shown not in before.split(" to "):
            told[self.words] = f"{before} to {self.shown}"


class ValueReader:
    """Finds values among words that are no names.

    Args:
        settings: of the domain.
        today: from which *last month* is counted.
    """

    def __init__(
        self,
        settings: ValueSettings,
        today: Callable[[], datetime.date] = datetime.date.today,
    ) -> None:
        self.settings = settings
        self._today = today
        self._clock = Clock(settings.hours)
        self._quantities = QuantityReader(settings)
        ways = settings.said.get("km")
        self._thousands = ways is None or ways.unit not in settings.units  # a run of 10k
        self._parts = {part for words in settings.said for part in words.split()}

    def __call__(self, words: Sequence[str]) -> Iterator[str | Value]:
        """The words, values in place of those that say one."""
        if DATE not in self.settings.kinds:
            yield from self._in(words)
            return
        for dated, said in dates_from_today(words, self._today()):
            for found in self._in(decades_as_years(spans_as_dates(dated))):
                yield found._replace(words=said) if said and isinstance(found, Value) else found

    def _in(self, words: Sequence[str]) -> Iterator[str | Value]:
        parts = [cut(word, self._known, self._thousands) for word in words]
        cut_words = [part for each in parts for part in each]
        owners = [place for place, each in enumerate(parts) for _ in each]
        found = dict(self._found(cut_words))
        place = 0
        whole = self._untouched(owners, found)
        while place < len(cut_words):
            if place in found:
                end, value = found[place]
                yield value
                place = end
            elif owners[place] in whole:
                yield words[owners[place]]
                place += owners.count(owners[place])
            else:
                yield "to" if cut_words[place] == "-" else cut_words[place]
                place += 1

    @staticmethod
    def _untouched(owners: Sequence[int], found: Mapping[int, tuple[int, Value]]) -> set[int]:
        """The words of which no part is a value."""
        used = {owners[part] for start, (end, _) in found.items() for part in range(start, end)}
        return set(owners) - used

    def _known(self, word: str) -> bool:
        return word in self._parts or word in ("am", "pm")

    def _found(self, words: Sequence[str]) -> Iterator[tuple[int, tuple[int, Value]]]:
        """The values by the place of their first word, with the place behind their last one."""
        line = Line(pieces(words))
        for kind, moment in self._moments(line):
            start, end = line.take(moment.start, moment.end)
            first, last = line.pieces[start].start, line.pieces[end - 1].end
            said = " ".join(words[first:last])
            if kind in self.settings.kinds:
                yield first, (last, Value(said, kind, moment.constant, moment.text))
        if NUMBER not in self.settings.kinds:
            return
        for quantity in self._quantities(line):
            first, last = line.pieces[quantity.start].start, line.pieces[quantity.end - 1].end
            yield first, (last, self._number(quantity, " ".join(words[first:last])))

    def _number(self, quantity: Quantity, words: str) -> Value:
        """A quantity in the unit of the facts."""
        value, unit, behind = quantity.value, ANY_UNIT, ""
        said = self.settings.said.get(quantity.said)
        if said is not None and said.unit == ANY_UNIT:  # the currency of prices without one
            behind = quantity.said if quantity.said.isalpha() else ""
        elif said is not None:
            value, unit = value * said.ratio, said.unit
            known = self.settings.units.get(unit)
            behind = known.word if known else unit.rpartition(".")[2].lower()
        text = written(value)
        constant = f"(number {text} {unit})"
        return Value(words, NUMBER, constant, text, "" if quantity.silent else behind, behind)

    def _moments(self, line: Line) -> Iterator[tuple[str, Moment]]:
        """Dates, then times."""
        text = line.text
        if DATE in self.settings.kinds:
            for date in dates_in(text, self.settings.order, partial(self._is_year, text)):
                yield DATE, date
        if TIME in self.settings.kinds:
            for time in self._clock.times_in(text, partial(self._is_counted, text)):
                if line.free(time.start, time.end):
                    yield TIME, time

    def _is_year(self, line: str, start: int, end: int) -> bool:
        """Whether four digits are a year and no number of something."""
        if NUMBER not in self.settings.kinds:
            return True
        first, last = self.settings.years or (1900, 2100)
        year = int(line[start:end])
        if self._quantities.is_measured(line[end:].split()) or line[:start].endswith(_OF_NUMBERS):
            return False
        if first <= year <= last or line[:start].endswith(_OF_DATES):
            return True
        return first - 100 <= year <= last + 100 and not self._is_counted(line, end)

    def _is_counted(self, line: str, end: int) -> bool:
        """Whether behind this place stands a unit, or what canonical utterances count."""
        following = line[end:].split()
        if following[:1] and following[0] in JOINING and value_of("".join(following[1:2])):
            following = following[2:]  # from 5 to 10 stars
        return self._quantities.is_counted(following) or _is_plural("".join(following[:1]))


def _is_plural(word: str) -> bool:
    """Whether a word seems to be what is counted: directed by 2 people, from 5 directors."""
    many = word.endswith("s") and not word.endswith("wards")  # from 2010 onwards
    return word in _PEOPLE or (many and word not in _NO_PLURALS)
