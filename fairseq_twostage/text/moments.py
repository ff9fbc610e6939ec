"""Dates and times of day in English words.

Both are looked for in a line of words whose numbers are digits (:func:`.numbers.pieces`).
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

DMY, MDY = ORDERS = ("DMY", "MDY")  # what 3/4/2019 is, where it can be both
UNSAID = -1  # a part of a date
_MONTHS = {
    name.lower(): number
    for names in (calendar.month_name, calendar.month_abbr, [*[""] * 9, "sept"])
    for number, name in enumerate(names)
    if name
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_UNLIKE_MAY = "|".join(name.lower() for name in calendar.month_name if name not in ("", "May"))
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"[12]\d{3}"
_DATES = tuple(
    re.compile(rf"(?<!\S)(?:{pattern})(?!\S)")
    for pattern in (
        rf"(?P<y>{_YEAR})[./-](?P<m>\d{{1,2}})[./-](?P<d>\d{{1,2}})",
        rf"(?P<first>\d{{1,2}})[./-](?P<second>\d{{1,2}})[./-](?P<y>{_YEAR}|\d\d)",
        rf"(?:the )?(?P<d>{_DAY})(?: of)? (?P<name>{_MONTH})(?:(?: of)? (?P<y>{_YEAR}))?",
        rf"(?P<name>{_MONTH})(?: the)? (?P<d>{_DAY})(?: (?P<y>{_YEAR}))?",
        rf"(?P<name>{_MONTH})(?: of)? (?P<y>{_YEAR})",
        rf"(?:in|of|since|until|during) (?P<date>(?P<name>{_MONTH}))",
        rf"(?:before|after|by) (?P<date>(?P<name>{_UNLIKE_MAY}))",
    )
)
_FIRST_OF_TWO = re.compile(
    rf"(?<!\S)(?:between|from) (?:the )?(?P<date>(?:(?P<d>{_DAY})(?: of)? )?(?P<name>{_MONTH})"
    rf"|(?P<name2>{_MONTH}) (?P<d2>{_DAY})|(?P<d3>{_DAY})) (?:and|to|until|till) (?:the )?$"
)
_LEAD = r"(?:(?:between|from|in|during|for|of) )?(?:the )?"
_TO = r"(?: (?:to|until|till|through|thru|-) |-)"
_ENDS = rf"(?:{_DAY}(?: of)? )?(?:{_MONTH})(?: {_DAY})?(?: {_YEAR})?"
_SPAN = re.compile(
    rf"(?<!\S){_LEAD}(?P<first>{_ENDS}|{_DAY}){_TO}(?:the )?(?P<last>{_ENDS})(?!\S)",
    re.IGNORECASE,
)
_EDGE = re.compile(
    r"(?<!\S)(?P<lead>before|by|until|till|after|since|from)(?: the)? (?P<edge>end|start|beginning)"
    rf" of (?P<rest>(?:(?P<name>{_MONTH}) )?(?P<y>{_YEAR}))(?!\S)",
    re.IGNORECASE,
)
_PART = re.compile(
    rf"(?<!\S){_LEAD}(?:(?P<kind>[qh])(?P<which>[1-4])"
    r"|(?P<said>first|second|third|fourth|last|1st|2nd|3rd|4th) (?P<long>quarter|half))"
    rf"(?: of)? (?P<y>{_YEAR})(?!\S)",
    re.IGNORECASE,
)
_NUMBERED = {
    word: number
    for number, words in enumerate(("first 1st", "second 2nd", "third 3rd", "fourth 4th"), 1)
    for word in words.split()
}
_DECADE = re.compile(r"((?:1\d|20)\d0)s")
_BESIDE_DECADES = ("in", "during", "from", "of", "since", "before", "after")
_A_YEAR = re.compile(rf"(?<!\S)(?P<y>{_YEAR})(?!\S)")

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
    return word.lower() in _MONTHS


def spans_as_dates(words: Sequence[str]) -> list[str]:
    """Words in which a span of months or days is said by its ends, and a quarter or a half of a
    year by its months: "between april and june 2024" of "April to June 2024" and of "Q2 2024";
    and the end of a month or year by what follows: "before 2025" of "by the end of 2024"."""
    line = _EDGE.sub(_edge, " ".join(words))
    line = _PART.sub(_months, line)
    return _SPAN.sub(_between, line).split()


def _between(found: re.Match[str]) -> str:
    first, last = found["first"], found["last"]
    if first.isdigit() and not last[:1].isdigit():  # 20 to March
        return found[0]
    dated = any(map(str.isdigit, last))
    return f"between {first} and {last}" if dated else found[0]


def _edge(found: re.Match[str]) -> str:
    lead, rest, name, year = found["lead"].lower(), found["rest"], found["name"], int(found["y"])
    forward = lead in ("after", "since", "from")
    if found["edge"].lower() != "end":
        said = {"since": "since", "from": "since", "before": "before"}.get(lead)
        return f"{said} {rest}" if said else found[0]
    if forward:
        return f"after {rest}"
    month = _MONTHS[name.lower()] if name else 12
    following = f"{calendar.month_name[month % 12 + 1].lower()} " if name else ""
    return f"before {following}{year + (month == 12)}"


def _months(found: re.Match[str]) -> str:
    length = 3 if (found["kind"] or found["long"]).lower() in ("q", "quarter") else 6
    said = (found["said"] or "").lower()
    which = 12 // length if said == "last" else int(found["which"] or _NUMBERED[said])
    if which * length > 12:
        return found[0]
    first, last = (
        calendar.month_name[month] for month in ((which - 1) * length + 1, which * length)
    )
    return f"between {first.lower()} and {last.lower()} {found['y']}"


def decades_as_years(words: Sequence[str]) -> list[str]:
    """Words in which a decade is said by its years: "between 1930 and 1939" of "in the 1930s"."""
    made: list[str] = []
    for word in words:
        decade = _DECADE.fullmatch(word)
        lead = made[-2:] if made[-1:] == ["the"] else made[-1:]
        if decade is None or not lead or lead[0] not in _BESIDE_DECADES:
            made.append(word)
            continue
        first, last = int(decade[1]), int(decade[1]) + 9
        years = {"since": ["since", str(first)], "before": ["before", str(first)]}
        years["after"] = ["after", str(last)]
        del made[-len(lead) :]
        made += years.get(lead[0], ["between", str(first), "and", str(last)])
    return made


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
        month = _MONTHS[groups["name"] or ""] if groups.get("name") else int(groups["m"] or 0)
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
        later = year > 0 and name is not None and _MONTHS[name] > month  # from November to May 2024
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
