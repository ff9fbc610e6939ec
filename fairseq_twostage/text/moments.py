"""Dates and times of day in English words.

Both are looked for in a line of words whose numbers are digits (:func:`.numbers.pieces`).
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

DMY, MDY = ORDERS = ("DMY", "MDY")  # what 3/4/2019 is, where it can be both
UNSAID = -1  # a part of a date
MONTHS = {
    name.lower(): number
    for names in (calendar.month_name, calendar.month_abbr, [*[""] * 9, "sept"])
    for number, name in enumerate(names)
    if name
}
MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_UNLIKE_MAY = "|".join(name.lower() for name in calendar.month_name if name not in ("", "May"))
DAY = r"\d{1,2}(?:st|nd|rd|th)?"
YEAR = r"[12]\d{3}"
_DATES = tuple(
    re.compile(rf"(?<!\S)(?:{pattern})(?!\S)")
    for pattern in (
        rf"(?P<y>{YEAR})[./-](?P<m>\d{{1,2}})[./-](?P<d>\d{{1,2}})",
        rf"(?P<first>\d{{1,2}})[./-](?P<second>\d{{1,2}})[./-](?P<y>{YEAR}|\d\d)",
        rf"(?:the )?(?P<d>{DAY})(?: of)? (?P<name>{MONTH})(?:(?: of)? (?P<y>{YEAR}))?",
        rf"(?P<name>{MONTH})(?: the)? (?P<d>{DAY})(?: (?P<y>{YEAR}))?",
        rf"(?P<name>{MONTH})(?: of)? (?P<y>{YEAR})",
        rf"(?:in|of|since|until|during) (?P<date>(?P<name>{MONTH}))",
        rf"(?:before|after|by) (?P<date>(?P<name>{_UNLIKE_MAY}))",
    )
)
_FIRST_OF_TWO = re.compile(
    rf"(?<!\S)(?:between|from) (?:the )?(?P<date>(?:(?P<d>{DAY})(?: of)? )?(?P<name>{MONTH})"
    rf"|(?P<name2>{MONTH}) (?P<d2>{DAY})|(?P<d3>{DAY})) (?:and|to|until|till) (?:the )?$"
)
_A_YEAR = re.compile(rf"(?<!\S)(?P<y>{YEAR})(?!\S)")

_HOUR = r"(?P<h>\d{1,2}|one)"
_CLOCK = r"(?P<h>\d{1,2})[:.](?P<min>[0-5]\d)"
_MARK = (
    r"(?P<mark>am|pm|a\.m|p\.m|(?:in the )?(?:morning|afternoon|evening)|at night"
    r"|this evening|tonight)"
)
_CUE = r"(?:at|before|after|past|until|till|by|from|since|(?:later|earlier|sooner) than)"
_TIMES = tuple(
    re.compile(rf"(?<!\S)(?:{pattern})(?!\S)")
    for pattern in (
        rf"(?:a )?(?P<part>half|quarter) (?P<way>past|after|to) {_HOUR}(?: {_MARK})?",
        rf"(?P<part>5|10|20|25)(?: minutes)? (?P<way>past) {_HOUR}(?: {_MARK})?",
        r"(?:at|before|after|until|till|by|since) "
        rf"(?P<time>(?P<part>5|10|20|25)(?: minutes)? (?P<way>to) {_HOUR}(?: {_MARK})?)",
        rf"{_CLOCK}(?: o'clock)? {_MARK}",
        rf"{_HOUR} (?P<min>[0-5]\d) {_MARK}",
        rf"{_HOUR} o'clock(?: {_MARK})?",
        rf"{_HOUR} {_MARK}",
        r"(?P<h>\d{1,2}):(?P<min>[0-5]\d)",
        r"(?P<word>noon|midday|midnight)",
    )
)
_BARE = re.compile(rf"(?<!\S){_CUE} (?P<time>{_HOUR}(?: (?P<min>[1-5]\d))?)(?!\S)")
_BEFORE = re.compile(
    r"(?<!\S)(?P<time>(?P<h>\d{1,2}|one)(?:[:.](?P<min>[0-5]\d))?) (?:and|to|-|until|till) $"
)
_PARTS = {"half": 30, "quarter": 15}


class Moment(NamedTuple):
    """A date or a time.

    Attributes:
        start, end: its characters in the line.
        constant: as logical forms have it.
        text: for people.
    """

    start: int
    end: int
    constant: str
    text: str


def is_month(word: str) -> bool:
    """Whether a word is the name of a month, in full or in short."""
    return word.lower() in MONTHS


def dates_in(line: str, order: str, is_year: Callable[[int, int], bool]) -> Iterator[Moment]:
    """The dates of a line; 30 February is one, the day behind the 29th.

    Args:
        line: words with blanks between.
        order: of ``ORDERS``.
        is_year: whether the number of these characters is a year.
    """
    dates: list[Moment] = []
    firsts: list[Moment] = []
    rest = line
    for pattern in _DATES:
        for found in pattern.finditer(rest):
            groups = found.groupdict()
            date = _date(groups, order)
            if date is not None:
                dates.append(_dated("date" if groups.get("date") else 0, found, *date))
                firsts += _date_before(line[: found.start()], *date)
        rest = pattern.sub(lambda match: "#" * len(match[0]), rest)
    yield from firsts
    for each in dates:
        if not any(each.start < first.end and first.start < each.end for first in firsts):
            yield each
    for found in _A_YEAR.finditer(rest):
        if is_year(*found.span()):
            yield _dated(0, found, int(found["y"]), UNSAID, UNSAID)


def _date(groups: dict[str, str | None], order: str) -> tuple[int, int, int] | None:
    """Year, month and day, those that are not said being ``UNSAID``."""
    year = UNSAID if groups.get("y") is None else int(groups["y"] or 0)
    if 0 <= year < 100:
        year += 2000 if year < 70 else 1900
    day = UNSAID if groups.get("d") is None else int(re.sub(r"\D", "", groups["d"] or ""))
    if first := groups.get("first"):
        day, month = int(first), int(groups["second"] or 0)
        if month > 12 or (order == MDY and day <= 12):
            day, month = month, day
    else:
        month = MONTHS[groups["name"] or ""] if groups.get("name") else int(groups["m"] or 0)
    if not 1 <= month <= 12 or not (day == UNSAID or 1 <= day <= 31):
        return None
    return year, month, day


def _date_before(line: str, year: int, month: int, day: int) -> Iterator[Moment]:
    """The first date of "between March and May 2024" and "from 3 to 9 May": what it leaves out
    the second one says."""
    found = _FIRST_OF_TWO.search(line)
    if found is None or (year, day) == (UNSAID, UNSAID):
        return
    groups = found.groupdict()
    name, number = groups["name"] or groups["name2"], groups["d"] or groups["d2"] or groups["d3"]
    if (number is None) != (day == UNSAID):
        return
    said = {"y": str(year) if year > 0 else None, "d": number, "name": name, "m": str(month)}
    first = _date(said, DMY)
    if first is not None:
        later = year > 0 and name is not None and MONTHS[name] > month  # from November to May 2024
        yield _dated("date", found, first[0] - later, *first[1:])


def date_text(year: int, month: int, day: int) -> str:
    """A date for people, ``12 Mar 2019``, without the parts that are ``UNSAID``."""
    parts = (
        "" if day == UNSAID else str(day),
        "" if month == UNSAID else calendar.month_abbr[month],
        "" if year == UNSAID else str(year),
    )
    return " ".join(filter(None, parts))


def time_text(hour: int, minute: int) -> str:
    """A time for people, ``7:05``."""
    return f"{hour}:{minute:02d}"


def _dated(group: str | int, found: re.Match[str], year: int, month: int, day: int) -> Moment:
    constant = f"(date {year} {month} {day})"
    return Moment(*found.span(group), constant, date_text(year, month, day))


_ENDING_AT = ("before", "until", "till", "by", "to")


class Clock:
    """Reads times of day.

    Args:
        hours: minutes since midnight of the first and the last time among the facts. An hour
            without am or pm is the one of the two that lies between, else the morning's.
    """

    def __init__(self, hours: tuple[int, int] | None) -> None:
        self._hours = hours

    def times_in(self, line: str, counted: Callable[[int], bool]) -> Iterator[Moment]:
        """The times of a line.

        Args:
            line: words with blanks between.
            counted: whether behind this character stands what is counted or measured, so that
                ``after 3 stops`` has no time.
        """
        for pattern in (*_TIMES, _BARE):
            for found in pattern.finditer(line):
                group = "time" if found.groupdict().get("time") else 0
                if pattern is _BARE and counted(found.end("time")):
                    continue
                minutes = self._minutes(found.groupdict())
                if minutes is None:
                    continue
                start, end = found.span(group)
                if found.groupdict().get("word") == "midnight":  # the end of the day, if it ends
                    lead = "".join(line[:start].split()[-1:])
                    if lead in ("after", "past", "since", "from"):
                        continue
                    minutes = 24 * 60 - 1 if lead in _ENDING_AT else minutes
                yield _timed(start, end, minutes)
                yield from self._first_of_two(line[:start], found.groupdict().get("mark"), minutes)
            line = pattern.sub(lambda match: "#" * len(match[0]), line)

    def _first_of_two(self, before: str, mark: str | None, second: int) -> Iterator[Moment]:
        """The first time of "between 4 and 6:15 pm", whose half of the day the second says."""
        found = _BEFORE.search(before)
        if found is None:
            return
        minutes = self._minutes({**found.groupdict(), "mark": mark})
        if minutes is not None and mark and minutes > second:
            minutes = (minutes + 12 * 60) % (24 * 60)
        if minutes is not None:
            yield _timed(*found.span("time"), minutes)

    def _minutes(self, groups: dict[str, str | None]) -> int | None:
        """Since midnight; None for an hour or a minute that no day has."""
        if word := groups.get("word"):
            return 0 if word == "midnight" else 12 * 60
        said = groups["h"] or ""
        hour = 1 if said == "one" else int(said)
        minute = int(groups.get("min") or 0)
        if part := groups.get("part"):
            minute = _PARTS.get(part) or int(part)
            if groups.get("way") == "to":
                hour, minute = hour - 1 if hour > 1 else 12, 60 - minute
        if hour > 24 or (hour == 24 and minute):
            return None
        return self._hour(hour, minute, said, groups.get("mark") or "") * 60 + minute

    def _hour(self, hour: int, minute: int, said: str, mark: str) -> int:
        if not 1 <= hour <= 12 or (not mark and said.startswith("0")):
            return hour
        if "night" in mark and "tonight" not in mark:
            return hour % 12 + (12 if 6 <= hour < 12 else 0)
        if (mark.startswith("a") and "after" not in mark) or "morning" in mark:
            return hour % 12
        if mark:
            return hour % 12 + 12
        early = hour * 60 + minute
        late = (hour % 12 + 12) * 60 + minute
        return late // 60 if not self._among_facts(early) and self._among_facts(late) else hour

    def _among_facts(self, minutes: int) -> bool:
        return self._hours is not None and self._hours[0] <= minutes <= self._hours[1]


def _timed(start: int, end: int, minutes: int) -> Moment:
    hour, minute = divmod(minutes, 60)
    text = f"{hour:02d}:{minute:02d}"  # read again it is the same: 07:00 is in the morning
    return Moment(start, end, f"(time {hour} {minute})", text)
