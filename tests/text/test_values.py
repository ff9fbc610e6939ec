"""Numbers, dates and times of a question, against what a person reads in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairseq_twostage.domains.measures import spec_of, table
from fairseq_twostage.errors import UserError
from fairseq_twostage.text.lexicon import Entry, Lexicon
from fairseq_twostage.text.tokenisation import Words
from fairseq_twostage.text.value_settings import (
    KINDS,
    Said,
    Unit,
    ValueSettings,
    read_settings,
    same_value,
)
from fairseq_twostage.text.values import Value, ValueReader

TOLD = {
    "en.minute": None,
    "en.year": None,
    "en.star": None,
    "en.stop": None,
    "en.mile": None,
    "en.percent": None,
    "en.pound": "GBP",
    "en.kilo": {"unit": "kilogram", "words": "kilos"},
}
UNITS, SAID = table({unit: spec_of(unit, told) for unit, told in TOLD.items()}, {})
SETTINGS = ValueSettings(
    KINDS,
    UNITS,
    SAID,
    counted=("actors", "films"),
    labels=(("hall", "2"),),
    years=(2015, 2024),
    hours=(6 * 60, 23 * 60),
)


def values(text: str, settings: ValueSettings = SETTINGS) -> list[Value]:
    words = Words().words(text).split()
    return [found for found in ValueReader(settings)(words) if isinstance(found, Value)]


def read(text: str, settings: ValueSettings = SETTINGS) -> list[str]:
    return [value.constant for value in values(text, settings)]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("above 3.7", "3.7 any"),
        ("above 3,7", "3.7 any"),
        ("more than 1,250", "1250 any"),
        ("two hundred and forty", "240 any"),
        ("a hundred", "100 any"),
        ("1.2 million", "1200000 any"),
        ("two dozen", "24 any"),
        ("minus five", "-5 any"),
        ("3 1/2", "3.5 any"),
        ("more than one", "1 any"),
        ("one film", "1 any"),
        ("directed by 2 people", "2 any"),  # no time
        ("two and a half hours", "150 en.minute"),
        ("2½ hours", "150 en.minute"),
        ("an hour and a half or so", "90 en.minute"),
        ("one and a half hours", "90 en.minute"),
        ("half an hour", "30 en.minute"),
        ("three quarters of an hour", "45 en.minute"),
        ("less than an hour", "60 en.minute"),
        ("1,5 h", "90 en.minute"),
        ("1h30", "90 en.minute"),
        ("2 hours and 15 minutes", "135 en.minute"),
        ("1 hour 20 min", "80 en.minute"),
        ("90-minute", "90 en.minute"),
        ("a two-hour film", "120 en.minute"),
        ("0.1 hours", "6 en.minute"),
        ("18 months", "1.5 en.year"),
        ("five and a half years old", "5.5 en.year"),
        ("£12.50", "12.5 en.pound"),
        ("twenty quid", "20 en.pound"),
        ("five pounds fifty", "5.5 en.pound"),
        ("80 pence", "0.8 en.pound"),
        ("2500 grams", "2.5 en.kilo"),
        ("3kg", "3 en.kilo"),
        ("12 %", "12 en.percent"),
        ("three stars", "3 en.star"),
        ("4/5 stars", "4 en.star"),
        ("rated 8/10", "8 any"),
        ("3 out of 5 stars", "3 en.star"),
        ("more than 1/2", "0.5 any"),
        ("zero stops", "0 en.stop"),
        ("$1,200", "1200 other.USD"),  # no price in pounds is compared with it
    ],
)
def test_numbers(text: str, number: str) -> None:
    assert read(text) == [f"(number {number})"]


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("between 40 and 55 minutes", "40 en.minute", "55 en.minute"),
        ("from one to two hours", "60 en.minute", "120 en.minute"),
        ("5-10 minutes", "5 en.minute", "10 en.minute"),
        ("between £30 and £40", "30 en.pound", "40 en.pound"),
        ("between 3 and 4", "3 any", "4 any"),
        ("two stops and under 20 pounds", "2 en.stop", "20 en.pound"),
    ],
)
def test_two_numbers(text: str, first: str, second: str) -> None:
    assert read(text) == [f"(number {first})", f"(number {second})"]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("before 12 March 2019", "2019 3 12"),
        ("the 3rd of May, 2020", "2020 5 3"),
        ("the first of may 2020", "2020 5 1"),
        ("March 3rd, 2020", "2020 3 3"),
        ("2019-04-03", "2019 4 3"),
        ("3/4/2019", "2019 4 3"),
        ("12/31/2022", "2022 12 31"),
        ("31.12.22", "2022 12 31"),
        ("Sept 2020", "2020 9 -1"),
        ("in march", "-1 3 -1"),
        ("since 12 March", "-1 3 12"),
        ("in 2019", "2019 -1 -1"),
        ("before 1700", "1700 -1 -1"),
        ("since 1066", "1066 -1 -1"),
        ("2023 films", "2023 -1 -1"),
        ("later than 2020", "2020 -1 -1"),
    ],
)
def test_dates(text: str, date: str) -> None:
    assert read(text) == [f"(date {date})"]


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("in the 1930s", ["1930", "1939"]),
        ("films from the 1990s", ["1990", "1999"]),
        ("during 1980s", ["1980", "1989"]),
        ("since the 2010s", ["2010"]),
        ("before the 1930s", ["1930"]),
        ("after the 1930s", ["1939"]),
        ("the 1930s", []),
        ("1935s", []),
    ],
)
def test_decades(text: str, dates: list[str]) -> None:
    assert read(text) == [f"(date {year} -1 -1)" for year in dates]


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("billed April to June 2024", ["2024 4 -1", "2024 6 -1"]),
        ("billed Apr-Jun 2024", ["2024 4 -1", "2024 6 -1"]),
        ("from November to February 2024", ["2023 11 -1", "2024 2 -1"]),
        ("booked 1 to 15 March 2024", ["2024 3 1", "2024 3 15"]),
        ("in Q2 2024", ["2024 4 -1", "2024 6 -1"]),
        ("in the last quarter of 2023", ["2023 10 -1", "2023 12 -1"]),
        ("in the second half of 2024", ["2024 7 -1", "2024 12 -1"]),
        ("in Q5 2024", ["2024 -1 -1"]),
        ("by the end of December 2024", ["2025 1 -1"]),
        ("before the end of February 2024", ["2024 3 -1"]),
        ("by the end of 2024", ["2025 -1 -1"]),
        ("since the start of 2024", ["2024 -1 -1"]),
        ("in March or May 2024", ["-1 3 -1", "2024 5 -1"]),
    ],
)
def test_spans(text: str, dates: list[str]) -> None:
    assert read(text) == [f"(date {date})" for date in dates]


def test_thousands_by_a_letter() -> None:
    unmeasured = ValueSettings(KINDS)
    assert read("over 80k", unmeasured) == ["(number 80000 any)"]
    assert read("over 1.5k or 20k", unmeasured) == ["(number 1500 any)", "(number 20000 any)"]
    kilometers = {"en.kilometer": Unit("kilometers", "length")}
    ways = ValueSettings(KINDS, kilometers, {"km": Said("en.kilometer", measured=True)})
    assert read("a run of 10k", ways) == []


def test_the_american_order_of_a_date() -> None:
    american = ValueSettings(KINDS, order="MDY")
    assert read("3/4/2019", american) == ["(date 2019 3 4)"]
    assert read("31/12/2019", american) == ["(date 2019 12 31)"]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("6 pm", "18 0"),
        ("6pm", "18 0"),
        ("12 am", "0 0"),
        ("12 pm", "12 0"),
        ("7:40 a.m.", "7 40"),
        ("18:45", "18 45"),
        ("half past six", "6 30"),
        ("half past six in the evening", "18 30"),
        ("quarter to nine", "8 45"),
        ("a quarter to one", "12 45"),
        ("twenty past four", "16 20"),  # 4:20 is before the first of the facts, 6:00
        ("before ten to eight", "7 50"),
        ("seven in the evening", "19 0"),
        ("nine o'clock", "9 0"),
        ("after seven thirty", "7 30"),
        ("at 4", "16 0"),
        ("by noon", "12 0"),
        ("10 at night", "22 0"),
    ],
)
def test_times(text: str, time: str) -> None:
    assert read(text) == [f"(time {time})"]


def test_the_second_of_two_times_says_which_half_of_the_day() -> None:
    assert read("between 4 and 6:15 pm") == ["(time 16 0)", "(time 18 15)"]
    assert read("from 9 to 1pm") == ["(time 9 0)", "(time 13 0)"]


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("between March and May 2024", ["(date 2024 3 -1)", "(date 2024 5 -1)"]),
        ("from November to May 2024", ["(date 2023 11 -1)", "(date 2024 5 -1)"]),
        ("between 3 and 9 May 2024", ["(date 2024 5 3)", "(date 2024 5 9)"]),
        ("from the 3rd of April until the 9th of May 2024", ["(date 2024 4 3)", "(date 2024 5 9)"]),
        ("between March 3 and May 9 2024", ["(date 2024 3 3)", "(date 2024 5 9)"]),
        ("from March 3 to March 9", ["(date -1 3 3)", "(date -1 3 9)"]),
        ("between March 2023 and May 2024", ["(date 2023 3 -1)", "(date 2024 5 -1)"]),
        ("between 3 and 2024", ["(date 2024 -1 -1)"]),
    ],
)
def test_the_second_of_two_dates_says_what_the_first_leaves_out(text: str, dates: list[str]):
    found = [value.constant for value in values(text) if value.kind == "date"]
    assert found == dates


@pytest.mark.parametrize(
    "text",
    [
        "which one is the longest one",
        "no one",
        "which ones",
        "the second film",
        "I may see it on Saturday",
        "in hall two",  # as the canonical utterances have it
        "3d films",
        "what a day",
        "films of 5 litres",  # nothing is measured so
        "IC101",
        "25:30",
    ],
)
def test_what_is_no_value(text: str) -> None:
    assert read(text) == []


def test_more_digits_than_any_number_has() -> None:
    assert read("above " + "9" * 5000) == []
    assert read("above " + "9" * 400 + ".5") == []


def test_a_damaged_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "values.json").write_text('{"kinds": 3}')
    with pytest.raises(UserError, match=r"values\.json: damaged"):
        read_settings(tmp_path / "values.json")


def test_only_the_kinds_that_a_grammar_has() -> None:
    text = "after 7pm, 3 stars, in 2019"
    assert read(text, ValueSettings(())) == []
    assert read(text, ValueSettings(("time",))) == ["(time 19 0)"]
    assert read(text, ValueSettings(("date",))) == ["(date 2019 -1 -1)"]


def test_the_unit_of_the_facts_stays_behind_the_placeholder() -> None:
    names = Lexicon([Entry("route 66", "road", "en.road.66")], values=ValueReader(SETTINGS))
    reading = names.read("route 66 longer than an hour and a half but between 40 and 55 miles")
    assert reading.utterance == (
        "_road_ longer than _number_ minutes but between _number2_ and _number3_ miles"
    )
    assert reading.variables["_number_"] == "(number 90 en.minute)"
    assert reading.phrases["_number_"] == "90"
    assert reading.values["an hour and a half"] == "90 minutes"
    assert reading.values["40"] == "40 miles"


def test_settings_come_back_as_they_were(tmp_path: Path) -> None:
    SETTINGS.write(tmp_path / "values.json")
    assert read_settings(tmp_path / "values.json") == SETTINGS


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("(number 2 any)", "(number 2 en.year)", True),
        ("(number 2 any)", "(number 2)", True),
        ("(number 2 en.kilo)", "(number 2 en.year)", False),
        ("(number 2 any)", "(number 3 en.year)", False),
        ("(time 7 0)", "(time 7 0)", True),
        ("en.film.a", "en.film.b", False),
    ],
)
def test_a_unit_may_be_said_once(one: str, other: str, same: bool) -> None:
    assert same_value(one, other) is same


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("at midnight", ["(time 0 0)"]),
        ("before midnight", ["(time 23 59)"]),  # the end of that day
        ("after midnight", []),
        ("until noon", ["(time 12 0)"]),
    ],
)
def test_midnight_ends_a_day(text: str, time: list[str]) -> None:
    assert [constant for constant in read(text) if constant.startswith("(time")] == time


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("drugs that cost less than 15 pounds", "15 any"),
        ("dogs heavier than 20 pounds", "9.072 en.kilogram"),
        ("at most £15", "15 any"),
    ],
)
def test_pounds_are_money_where_something_is_paid(text: str, number: str) -> None:
    units, said = table({"en.kilogram": spec_of("en.kilogram", None)}, {}, priced=True)
    (found,) = read(text, ValueSettings(KINDS, units, said))
    _, value, unit = found.strip("()").split()
    assert f"{float(value):.4g} {unit}" == number
