"""Dates that are said from today: last month, three weeks ago, in the past 30 days.

Each is put in words that :mod:`fairseq_twostage.text.moments` reads: "in October 2026". A period
with an end of its own in the calendar (*last year*) is that one; what is counted back from today
(*in the last year*, *in the past 30 days*) begins so long before today.
"""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from fairseq_twostage.text.moments import is_month
from fairseq_twostage.text.numbers import pieces

_NAMES = [name.lower() for name in calendar.month_name]
_WEEKDAYS = [name.lower() for name in calendar.day_name]
_LEAD = (
    r"(?:(?P<lead>since|before|after|until|till|by|from|of|for|in|on|during|over|within|through|at"
    r"|(?:later|earlier|older|newer) than) )?"
)
_BACK, _ON = "last|past|previous", "next|coming|following"
_UNIT = r"(?P<unit>day|week|month|year|decade)s?"
_DAYS = {
    "the day before yesterday": -2,
    "the day after tomorrow": 2,
    "yesterday": -1,
    "today": 0,
    "tomorrow": 1,
}
_PATTERNS = tuple(
    re.compile(rf"(?<!\S){pattern}(?P<own> 's)?(?!\S| of )")
    for pattern in (
        rf"{_LEAD}(?P<day>{'|'.join(_DAYS)})",
        rf"(?:(?P<than>more|longer|less|fewer) than |(?P<inside>within ))?"
        rf"{_LEAD}(?P<ago>\d+|an?|one) {_UNIT} ago",
        rf"{_LEAD}(?P<the>the )?(?P<way>{_BACK}|{_ON}) (?P<number>\d+) {_UNIT}",
        rf"{_LEAD}(?:the (?P<edge>beginning|start|end) of )?"
        rf"(?P<the>the )?(?P<way>{_BACK}|this|current|{_ON}) "
        rf"(?P<period>year|quarter|month|week|decade|{'|'.join([*_NAMES[1:], *_WEEKDAYS])})",
    )
)
_COUNTED = ("in", "over", "during", "within", "for", "through", "of", "from")
"""What stands before *the last year* where it is counted back from today."""
_IN = ("", "on", "over", "within", "for", "through")
"""What *in* is said for before a year or a month."""
_FROM_START, _TO_END = ("since", "from"), ("until", "till", "by", "through")
_TOLD = frozenset((*_BACK.split("|"), *_ON.split("|"), "this", "current", "ago", *_DAYS))
"""One of these has each date that is said from today."""
_NOT_BEFORE = frozenset(("its", "his", "her", "their", "my", "our", "your", "'s", "a", "an"))


class Rewritten(NamedTuple):
    """Words as they are read; ``said``: those in whose place they stand, or nothing."""

    words: list[str]
    said: str = ""


def dates_from_today(words: Sequence[str], today: datetime.date) -> Iterator[Rewritten]:
    """Words in which each date that is said from today is said by the calendar.

    Args:
        words: in small letters or not.
        today: the day of the question.
    """
    if _TOLD.isdisjoint(map(str.lower, words)):
        yield Rewritten([*words])
        return
    # Numbers in digits, as they are counted, and which of the words each piece is of.
    counted = pieces([word.lower() for word in words])
    line = " ".join(piece.text for piece in counted)
    done = 0
    for found, instead in _replacements(line, today):
        places = (found.start(), found.end("lead") + 1, found.end())
        start, said, end = (line[: max(place, found.start())].count(" ") for place in places)
        if counted[start].start > done:
            yield Rewritten([*words[done : counted[start].start]])
        done = counted[end].end
        yield Rewritten(instead.split(), " ".join(words[counted[said].start : done]))
    if done < len(words):
        yield Rewritten([*words[done:]])


def _replacements(line: str, today: datetime.date) -> Iterator[tuple[re.Match[str], str]]:
    taken: list[tuple[re.Match[str], str]] = []
    for pattern, say in zip(_PATTERNS, (_day, _ago, _several, _period)):
        for found in pattern.finditer(line):
            if any(found.start() < o.end() and o.start() < found.end() for o, _ in taken):
                continue
            before = "".join(line[: found.start()].split()[-1:])
            now = before == "here" and found.groupdict().get("day") == "today"
            if before in _NOT_BEFORE or now:
                continue
            instead = None
            with suppress(ValueError, OverflowError):  # before or after all years
                instead = say(found, today)
            # yesterday's orders, in March last year
            behind = is_month(before) and found.groupdict().get("period") == "year"
            if instead and ((found["own"] and not found["lead"]) or behind):
                instead = instead.partition(" ")[2]
            if instead:
                taken.append((found, instead))
    yield from sorted(taken, key=lambda each: each[0].start())


def _day(found: re.Match[str], today: datetime.date) -> str:
    day = _added(today, _DAYS[found["day"]], "day")
    return f"{found['lead'] or 'on'} {_written(day)}"


def _ago(found: re.Match[str], today: datetime.date) -> str:
    """``3 weeks ago``; of months and years it is the whole one, where nothing is compared."""
    number = int(found["ago"]) if found["ago"].isdigit() else 1
    day = _added(today, -number, found["unit"])
    if found["inside"] or found["than"]:
        return f"{'before' if found['than'] in ('more', 'longer') else 'since'} {_written(day)}"
    if found["lead"] or found["unit"] in ("day", "week", "decade"):
        return f"{found['lead'] or 'on'} {_written(day)}"
    return f"in {day.year}" if found["unit"] == "year" else f"in {_NAMES[day.month]} {day.year}"


def _several(found: re.Match[str], today: datetime.date) -> str:
    """``in the last 30 days``."""
    return _counted(found, int(found["number"]), found["unit"], today)


def _counted(found: re.Match[str], number: int, unit: str, today: datetime.date) -> str:
    if found["way"] in _ON.split("|"):
        return f"between {_written(today)} and {_written(_added(today, number, unit))}"
    day = _written(_added(today, -number, unit))
    lead = found["lead"] or ""
    return f"{lead} {day}" if lead == "before" or lead.endswith("than") else f"since {day}"


def _period(found: re.Match[str], today: datetime.date) -> str | None:
    """``last year``; with *the* it is counted back from today, or it is no date: the last year."""
    lead, way, name = found["lead"] or "", found["way"], found["period"]
    if found["edge"]:
        if lead not in (_TO_END if found["edge"] == "end" else _FROM_START):
            return None
        lead = {"from": "since", "through": "until"}.get(lead, lead)
    if name in _WEEKDAYS:
        step = {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1}.get(way)
        if step is None or found["the"]:
            return None
        away = (_WEEKDAYS.index(name) - today.weekday()) * step % 7 or 7
        day = _written(_added(today, step * away, "day"))
        return f"{'on' if lead in ('', 'in') else lead} {day}"
    if name == "decade" or (found["the"] and way in ("last", "past")) or way == "past":
        if name in _NAMES or (found["the"] and way == "last" and lead not in _COUNTED):
            return None
        number, unit = (3, "month") if name == "quarter" else (1, name)
        return None if way in ("this", "current") else _counted(found, number, unit, today)
    step = 0 if way in ("this", "current") else 1 if way in _ON.split("|") else -1
    if name in ("week", "quarter"):
        return _between(lead, *(_week if name == "week" else _quarter)(today, step))
    said = {"year": _year, "month": _month}.get(name)
    words = _last_or_next(name, today, step) if said is None else said(today, step)
    return f"{'in' if lead in _IN else lead} {words}"


def _between(lead: str, first: datetime.date, last: datetime.date) -> str | None:
    """What lies between two days, before the first or behind the last."""
    if lead in ("since", "before"):
        return f"{lead} {_written(first)}"
    if lead in ("after", "until", "till", "by"):
        return f"{lead} {_written(last)}"
    return None if lead.endswith("than") else f"between {_written(first)} and {_written(last)}"


def _year(today: datetime.date, step: int) -> str:
    return f"{today.year + step:04}"


def _month(today: datetime.date, step: int) -> str:
    first = _added(today.replace(day=1), step, "month")
    return f"{_NAMES[first.month]} {first.year}"


def _last_or_next(name: str, today: datetime.date, step: int) -> str:
    """*Last March* is the last one that is over, *next March* the next one that begins."""
    away = (_NAMES.index(name) - today.month) * step
    return f"{name} {today.year + (step if away <= 0 else 0)}"


def _quarter(today: datetime.date, step: int) -> tuple[datetime.date, datetime.date]:
    first = today.replace(month=(today.month - 1) // 3 * 3 + 1, day=1)
    first = _added(first, 3 * step, "month")
    return first, _added(_added(first, 3, "month"), -1, "day")


def _week(today: datetime.date, step: int) -> tuple[datetime.date, datetime.date]:
    """From Monday."""
    monday = today + datetime.timedelta(7 * step - today.weekday())
    return monday, monday + datetime.timedelta(6)


def _added(day: datetime.date, number: int, unit: str) -> datetime.date:
    """A day so many units later; of a shorter month the last one.

    Raises:
        ValueError, OverflowError: there is no such year.
    """
    if unit in ("day", "week"):
        return day + datetime.timedelta(number * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + number * {"month": 1, "year": 12, "decade": 120}[unit]
    year, month = divmod(months, 12)
    if not datetime.MINYEAR <= year <= datetime.MAXYEAR:
        raise OverflowError
    last = calendar.monthrange(year, month + 1)[1]
    return datetime.date(year, month + 1, min(day.day, last))


def _written(day: datetime.date) -> str:
    return f"{day.day} {_NAMES[day.month]} {day.year:04}"
