"""Numbers, dates and times of questions, compared with facts of a world of one's own."""

from __future__ import annotations

import datetime
import random
from fractions import Fraction
from pathlib import Path

import pytest

from fairseq_twostage.semantics import World, execute, load_world
from fairseq_twostage.semantics.dates import date_holds
from fairseq_twostage.semantics.values import Date

SHOWS = {
    "a": ["(time 19 0)", "(number 90 en.minute)", "(number 3.5 en.kilo)", "(date 2019 3 12)"],
    "b": ["(time 19 30)", "(number 120 en.minute)", "(number 0.3 en.kilo)", "(date 2019 -1 -1)"],
    "c": ["(time 19 45)", "(number 95 en.minute)", "(number 4 en.kilo)", "(date 2021 6 -1)"],
}
FACTS = "type\ten.show.d\ten.show\n" + "".join(
    f"type\ten.show.{name}\ten.show\n"
    + "".join(
        f"{property}\ten.show.{name}\t{value}\n"
        for property, value in zip(("starts", "length", "weight", "released"), values)
    )
    for name, values in SHOWS.items()
)
UNITS = {
    "en.minute": ("time", Fraction(60)),
    "en.hour": ("time", Fraction(3600)),
    "en.kilo": ("mass", Fraction(1)),
}


@pytest.fixture
def world(tmp_path: Path) -> World:
    path = tmp_path / "shows.tsv"
    path.write_text(FACTS)
    world = load_world(str(path))
    world.units = UNITS
    return world


def found(world: World, property: str, comparison: str, value: str) -> str | None:
    shows = "( call SW.getProperty ( call SW.singleton en.show ) ( string !type ) )"
    kind = value[1:].split()[0]
    form = f"( call SW.filter {shows} ( string {property} ) ( string {comparison} ) _{kind}_ )"
    denotation = execute(form, world, {f"_{kind}_": value})
    if denotation.metric_text is None:
        return None
    return "".join(name for name in "abcd" if f"en.show.{name})" in denotation.metric_text)


@pytest.mark.parametrize(
    ("property", "comparison", "value", "shows"),
    [
        ("starts", ">", "(time 19 0)", "bc"),  # minutes count
        ("starts", "<=", "(time 19 30)", "ab"),
        ("starts", "=", "(time 19 30)", "b"),
        ("starts", "!=", "(time 19 30)", "ac"),  # nothing is known of d
        ("length", ">", "(number 92.5 any)", "bc"),  # of any unit
        ("length", "=", "(number 1.5 en.hour)", "a"),  # in another unit of its kind
        ("length", "!=", "(number 2 en.hour)", "ac"),
        ("length", ">=", "(number 90 en.kilo)", None),  # no length
        ("length", "<", "(number 90 other.USD)", None),
        ("weight", "=", "(number 0.3 any)", "b"),
        ("weight", ">", "(number 3.5 en.kilo)", "c"),
        ("released", "<", "(date 2021 -1 -1)", "ab"),
        ("released", "=", "(date 2019 -1 -1)", "ab"),
        ("released", "!=", "(date 2019 -1 -1)", "c"),
        ("released", ">", "(date 2019 3 1)", "ac"),  # of b nobody knows
        ("released", ">=", "(date 2019 1 1)", "abc"),
        ("released", "<=", "(date 2019 12 31)", "ab"),
        ("released", "=", "(date -1 3 -1)", "a"),  # some March
    ],
)
def test_what_compares(
    world: World, property: str, comparison: str, value: str, shows: str | None
) -> None:
    assert found(world, property, comparison, value) == shows


def test_a_number_of_minutes_counts_nothing(world: World) -> None:
    shows = "( call SW.getProperty ( call SW.singleton en.show ) ( string !type ) )"
    form = f"( call SW.countComparative {shows} ( string type ) ( string = ) _number_ )"
    assert execute(form, world, {"_number_": "(number 1 any)"}).executable
    assert not execute(form, world, {"_number_": "(number 1 en.minute)"}).executable


def test_a_published_world_compares_as_it_always_did(tmp_path: Path) -> None:
    published = World(load_world(str(_written(tmp_path))).database)
    assert found(published, "starts", ">", "(time 19 0)") == ""  # by the hour
    assert found(published, "released", "=", "(date 2019 -1 -1)") == "b"
    assert found(published, "length", ">", "(number 92.5 any)") is None
    assert found(published, "length", "!=", "(number 90 en.minute)") == "bcd"


def _written(folder: Path) -> Path:
    (folder / "shows.tsv").write_text(FACTS)
    return folder / "shows.tsv"


def days(date: Date) -> set[datetime.date]:
    """All days of three years that a date may mean."""
    first = datetime.date(2019, 1, 1)
    every = (first + datetime.timedelta(n) for n in range(3 * 365 + 1))
    return {
        day
        for day in every
        if date.year == day.year and date.month in (-1, day.month) and date.day in (-1, day.day)
    }


NAIVE = {
    "=": lambda fact, other: fact <= other,
    "<": lambda fact, other: max(fact) < min(other),
    "<=": lambda fact, other: max(fact) <= max(other),
    ">": lambda fact, other: min(fact) > max(other),
    ">=": lambda fact, other: min(fact) >= min(other),
}


@pytest.mark.parametrize("comparison", NAIVE)
def test_dates_against_all_their_days(comparison: str) -> None:
    draw = random.Random(7)
    verdicts = set()
    for _ in range(150):
        year, other_year = draw.choices((2019, 2020, 2021), k=2)
        months = draw.choices((-1, 1, 2, 3), k=2)
        one, two = (
            Date(year, month, -1 if month == -1 else draw.choice((-1, 1, 15, 28)))
            for year, month in zip((year, other_year), months)
        )
        expected = NAIVE[comparison](days(one), days(two))
        assert date_holds(one, comparison, two) is expected, (one, two)
        verdicts.add(expected)
    assert verdicts == {True, False}
