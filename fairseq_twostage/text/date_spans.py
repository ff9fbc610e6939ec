"""Spans of days, months and years, put in words whose dates are read.

As :mod:`fairseq_twostage.text.relative_dates` does it with dates that are said from today.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence

from fairseq_twostage.text.moments import DAY, MONTH, MONTHS, YEAR

_LEAD = r"(?:(?:between|from|in|during|for|of) )?(?:the )?"
_TO = r"(?: (?:to|until|till|through|thru|-) |-)"
_ENDS = rf"(?:{DAY}(?: of)? )?(?:{MONTH})(?: {DAY})?(?: {YEAR})?"
_SPAN = re.compile(
    rf"(?<!\S){_LEAD}(?P<first>{_ENDS}|{DAY}){_TO}(?:the )?(?P<last>{_ENDS})(?!\S)",
    re.IGNORECASE,
)
_EDGE = re.compile(
    r"(?<!\S)(?P<lead>before|by|until|till|after|since|from)(?: the)? (?P<edge>end|start|beginning)"
    rf" of (?P<rest>(?:(?P<name>{MONTH}) )?(?P<y>{YEAR}))(?!\S)",
    re.IGNORECASE,
)
_PART = re.compile(
    rf"(?<!\S){_LEAD}(?:(?P<kind>[qh])(?P<which>[1-4])"
    r"|(?P<said>first|second|third|fourth|last|1st|2nd|3rd|4th) (?P<long>quarter|half))"
    rf"(?: of)? (?P<y>{YEAR})(?!\S)",
    re.IGNORECASE,
)
_NUMBERED = {
    word: number
    for number, words in enumerate(("first 1st", "second 2nd", "third 3rd", "fourth 4th"), 1)
    for word in words.split()
}
_DECADE = re.compile(r"((?:1\d|20)\d0)s")
_BESIDE_DECADES = ("in", "during", "from", "of", "since", "before", "after")


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
    month = MONTHS[name.lower()] if name else 12
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
