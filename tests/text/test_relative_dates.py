"""Dates said from today, against the calendar of November 2026; the 28th is a Saturday."""

from __future__ import annotations

import datetime

import pytest

from fairseq_twostage.text.lexicon import Lexicon
from fairseq_twostage.text.relative_dates import dates_from_today
from fairseq_twostage.text.tokenisation import Words
from fairseq_twostage.text.value_settings import ValueSettings
from fairseq_twostage.text.values import ValueReader

TODAY = datetime.date(2026, 11, 28)


def said(text: str, today: datetime.date = TODAY) -> str:
    words = Words().words(text).split()
    return " ".join(word for piece in dates_from_today(words, today) for word in piece.words)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("orders placed last year", "orders placed in 2025"),
        ("orders from last year", "orders from 2025"),
        ("bought since the beginning of last year", "bought since 2025"),
        ("orders from the start of this month", "orders since november 2026"),
        ("due by the end of next week", "due by 6 december 2026"),
        ("before last month", "before october 2026"),
        ("orders this month by brand", "orders in november 2026 by brand"),
        ("last week", "between 16 november 2026 and 22 november 2026"),
        ("since last week", "since 16 november 2026"),
        ("next week", "between 30 november 2026 and 6 december 2026"),
        ("last quarter", "between 1 july 2026 and 30 september 2026"),
        ("in the last year", "since 28 november 2025"),
        ("over the past quarter", "since 28 august 2026"),
        ("in the past 30 days", "since 29 october 2026"),
        ("within the last two weeks", "since 14 november 2026"),
        ("the next 10 days", "between 28 november 2026 and 8 december 2026"),
        ("hired three months ago", "hired in august 2026"),
        ("a year ago", "in 2025"),
        ("2 weeks ago", "on 14 november 2026"),
        ("hired more than 3 months ago", "hired before 28 august 2026"),
        ("hired less than 3 months ago", "hired since 28 august 2026"),
        ("what was sold yesterday?", "what was sold on 27 november 2026"),
        ("before today", "before 28 november 2026"),
        ("yesterday's orders", "27 november 2026 orders"),
        ("the day before yesterday", "on 26 november 2026"),
        ("last Friday", "on 27 november 2026"),
        ("last Saturday", "on 21 november 2026"),
        ("next Friday", "on 4 december 2026"),
        ("last March", "in march 2026"),
        ("last December", "in december 2025"),
        ("last November", "in november 2025"),
        ("next March", "in march 2027"),
        ("in March last year", "in march 2025"),
        ("since March of this year", "since march 2026"),
    ],
)
def test_they_are_said_by_the_calendar(text: str, read: str) -> None:
    assert said(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "at the end of last year",
        "the last year of study",
        "its last year",
        "the last 5 orders",
        "the last week of march",
        "on friday",
        "due within 5 days",
        "who works here today",
        "films of 2024",
    ],
)
def test_what_is_not_said_from_today_stays(text: str) -> None:
    assert said(text) == text


def test_months_end_with_their_last_day_and_years_with_the_calendar() -> None:
    assert said("in the last 6 months", datetime.date(2026, 8, 31)) == "since 28 february 2026"
    for text in ("in the last 9000 years", "9000000 days ago", "the next 99999999999 days"):
        assert said(text) == text


def test_a_person_is_shown_what_was_read() -> None:
    reader = ValueReader(ValueSettings(("date",)), lambda: TODAY)
    lexicon = Lexicon([], values=reader)
    read = lexicon.read("orders of last week")
    assert read.utterance == "orders between _date_ and _date2_"
    assert [*read.variables.values()] == ["(date 2026 11 16)", "(date 2026 11 22)"]
    assert read.values == {"last week": "16 Nov 2026 to 22 Nov 2026"}
    twice = lexicon.read("orders of last week or paid last week")
    assert twice.values == read.values
    assert lexicon.read("bought in the last year").values == {"the last year": "28 Nov 2025"}
    assert lexicon.read("before last month").variables == {"_date_": "(date 2026 10 -1)"}


def test_where_no_date_is_asked_for_nothing_is_read() -> None:
    reader = ValueReader(ValueSettings(("number",)), lambda: TODAY)
    assert [*reader(["films", "of", "last", "year"])] == ["films", "of", "last", "year"]
