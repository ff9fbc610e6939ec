"""What else the name of a column says: its unit, other words for it, that nobody asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from fairseq_twostage.databases.guessed import Kind, column_of
from fairseq_twostage.databases.identifier_words import BOOKKEEPING
from fairseq_twostage.databases.reflection import ColumnFacts
from fairseq_twostage.databases.vocabulary import PHONES, PLAYED, PLAYING_TIMES, SONGS
from fairseq_twostage.databases.words import words_of

MOST_MEMBERS, LONGEST_MEMBER = 60, 30  # of texts that hold several values; letters of one
LEAST_HELD = 2  # texts that hold a value, in the mean; one in so many texts holds several
FEWEST_ALIKE = 5  # rows that all have one date
SHORTEST_FILM, SHORTEST_SONG = 20, 60  # what the longest one lasts at least, in its unit
_NOT_YET = {
    "that ended": ("running", "ongoing", "current"),
    **dict.fromkeys(("closed", "resolved"), ("open", "unresolved", "unfinished", "still open")),
    **dict.fromkeys(("finished", "completed"), ("unfinished", "open", "ongoing", "incomplete")),
}
"""What is said of rows without such a date; then other words for it."""
_WRITTEN_DOWN = ("booked", "created", "entered", "made", "requested")
LONGEST = 1000  # as a number of minutes; of seconds, thrice that


def is_bookkeeping(words: Sequence[str], column: ColumnFacts) -> bool:
    """Whether a date says when a row was written, or always the same."""
    alike = column.distinct == 1 and column.filled >= FEWEST_ALIKE
    return alike or " ".join(words) in BOOKKEEPING


def playing_unit(kind: Kind, words: Sequence[str], column: ColumnFacts) -> str | None:
    """The unit of the length of what is played, by the longest one: films of 120, songs of 240."""
    longest = column.most
    if longest is None or not _is_playing_time(kind, words):
        return None
    if kind.words[-1] in SONGS:
        return "second" if SHORTEST_SONG <= longest <= 3 * LONGEST else None
    return "minute" if SHORTEST_FILM <= longest <= LONGEST else None


def _is_playing_time(kind: Kind, words: Sequence[str]) -> bool:
    return len(words) == 1 and words[0] in PLAYING_TIMES and kind.words[-1] in PLAYED


def members(values: Sequence[str]) -> list[str]:
    """The values of texts that hold several of them, with commas between, each of them often."""
    held = [[member.strip() for member in value.split(",")] for value in values]
    found = sorted({member for each in held for member in each})
    several = sum(len(each) > 1 for each in held)
    often = sum(map(len, held)) >= LEAST_HELD * len(found)
    short = max(map(len, found), default=0) <= LONGEST_MEMBER
    few = 1 < len(found) <= MOST_MEMBERS and "" not in found
    return found if few and short and often and several * LEAST_HELD >= len(held) else []


def other_words(kind: Kind, words: Sequence[str], column: str) -> Iterator[str]:
    """What people call a property, too.

    Args:
        kind: its table.
        words: of the property.
        column: its name.
    """
    if [*words] == ["length"] and words_of(column) == ["hours"]:
        yield "hours"
    if words[-1] in PHONES:
        yield f"{' '.join(words)} number"
        phones = [c for c in kind.facts.columns if not PHONES.isdisjoint(words_of(c))]
        if len(phones) == 1 and len(words) == 1 and words[0] != "phone":
            yield from ("phone number", "phone")
    if [*words] == ["last", "name"]:
        yield from ("surname", "family name")
    if [*words] == ["email"]:
        yield "email address"
    if [*words] == ["abv"]:
        yield from ("alcohol content", "alcohol")
    if _is_playing_time(kind, words):
        yield "running time"
        if words[0] != "duration":
            yield "duration"


def add_running(kind: Kind, entry: dict[str, Any]) -> None:
    """What has no end yet is running, and what was not closed is open, if the ends that are known
    have all passed."""
    moments = entry.get("time_dimensions", {})
    for name, moment in moments.items():
        facts = kind.facts.columns.get(column_of(moments, name))
        called, *synonyms = _NOT_YET.get(moment.get("wording", ""), ("",))
        if not called or facts is None or kind.has_value(called):
            continue
        open_ended = 0 < facts.filled < kind.facts.rows
        if open_ended and str(facts.most)[:10] <= date.today().isoformat():
            found: dict[str, Any] = {"dimension": name, "missing": True}
            if entry.get("person"):
                called, synonyms = "current", []
            if synonyms:
                found["synonyms"] = synonyms
            entry.setdefault("filters", {})[called] = found
            return


def put_start_first(entry: dict[str, Any]) -> None:
    """What starts at a time is from then, not from when it was booked; and what was opened at one,
    not from when it is due."""
    moments = entry.get("time_dimensions", {})
    said = {moment.get("wording"): name for name, moment in moments.items()}
    written_down = bool(moments) and next(iter(said)) in _WRITTEN_DOWN
    start = said.get("that started") if written_down else said.get("opened")
    if start is not None:
        entry["time_dimensions"] = {start: moments[start], **moments}
