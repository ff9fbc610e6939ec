"""Which values a domain reads, and in what units."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairseq_twostage.domains.domain import Domain
from fairseq_twostage.domains.measures import spec_of, table
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.domains.values import doubtful_units, value_reader
from fairseq_twostage.errors import UserError
from fairseq_twostage.text.lexicon import Entry, Lexicon

WORLD = """type\ten.film.a\ten.film
length\ten.film.a\t(number 97 en.minute)
starts\ten.film.a\t(time 15 30)
starts\ten.film.a\t(time 23 0)
released\ten.film.a\t(date 2021 -1 -1)
"""


def domain(folder: Path, **settings: object) -> Domain:
    (folder / "world.tsv").write_text(WORLD)
    return Domain("films", folder, world="world.tsv", **settings)  # type: ignore[arg-type]


def test_what_the_canonical_utterances_have_a_place_for(tmp_path: Path) -> None:
    lines = ["film longer than _number_ minutes", "film with _number_ actors in hall two"]
    reader = value_reader(domain(tmp_path), tmp_path, lines, None)
    assert reader is not None
    found = reader.settings
    assert found.kinds == ("number",)
    assert found.counted == ("actors",)
    assert found.labels == (("hall", "2"),)
    assert (found.years, found.hours) == ((2021, 2021), (15 * 60 + 30, 23 * 60))
    assert found.examples["time"] == ("15:30", "23:00")
    assert found.units["en.minute"].examples == ("97",)


def test_no_placeholder_no_values(tmp_path: Path) -> None:
    lines = ["film longer than two hours", "film of _person_"]
    assert value_reader(domain(tmp_path), tmp_path, lines, None) is None


def test_a_type_of_the_lexicon_keeps_its_name(tmp_path: Path) -> None:
    lines = ["film on _date_", "film after _time_"]
    names = Lexicon([Entry("opening night", "date", "en.night.opening")])
    reader = value_reader(domain(tmp_path), tmp_path, lines, names)
    assert reader is not None and reader.settings.kinds == ("time",)


@pytest.mark.parametrize(
    ("unit", "told", "said", "factor"),
    [
        ("en.minute", None, "hour", "60"),
        ("en.hour", None, "min", "1/60"),
        ("en.year", None, "months", "1/12"),
        ("en.kilo", None, "grams", "1/1000"),
        ("en.weight", "pound", "kg", "100000000/45359237"),
        ("en.mile", None, "km", "15625/25146"),
        ("en.price", "EUR", "€", "1"),
        ("en.price", "EUR", "cents", "1/100"),
        ("en.stop", None, "stop", "1"),
        ("en.seat", "places", "places", "1"),
        ("en.power", "horsepower", "horsepower", "1"),
        ("en.size", {"unit": "gigabyte", "words": ["gigs"]}, "gigs", "1"),
    ],
)
def test_sizes_of_units(unit: str, told: object, said: str, factor: str) -> None:
    _, words = table({unit: spec_of(unit, told)}, {})
    assert (words[said].unit, words[said].factor) == (unit, factor)


def test_the_first_word_is_that_of_canonical_utterances() -> None:
    told = {"en.kilo": None, "en.pound": "GBP", "en.star": None, "en.kg": None, "en.m": "metre"}
    told["en.load"] = {"unit": "kilogram", "words": "stuff"}
    units, _ = table({unit: spec_of(unit, value) for unit, value in told.items()}, {})
    assert {unit: found.word for unit, found in units.items()} == {
        "en.kilo": "kilos",
        "en.pound": "pounds",
        "en.star": "stars",
        "en.kg": "kg",
        "en.m": "m",
        "en.load": "stuff",
    }


def test_of_two_units_of_a_kind_the_nearer_one() -> None:
    _, said = table({unit: spec_of(unit, None) for unit in ("en.minute", "en.year")}, {})
    assert said["hours"].unit == "en.minute"
    assert said["months"].unit == "en.year"
    assert said["days"].unit == "en.year"  # 365 times, and 1440 times


@pytest.mark.parametrize(
    ("units", "said"),
    [
        ({"kilo": "kilogram"}, ["units: no fact has a number in kilo; did you mean 'en.kilo'?"]),
        ({"en.kilo": "metre"}, ["en.kilo is called kilogram and told to be meter"]),
        ({"en.kilo": "gram", "en.pound": "GBP", "en.star": {"words": ["stars"]}}, []),
    ],
)
def test_units_that_are_hardly_meant(units: dict[str, object], said: list[str]) -> None:
    told = Domain("shop", units=units)
    found = list(doubtful_units(told, {"en.kilo", "en.pound", "en.star"}))
    assert len(found) == len(said)
    assert all(part in line for part, line in zip(said, found))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("units: minute", "units: wants lines such as en.minute: minute"),
        ("units: {en.minute: 60}", "of en.minute wants a measure"),
        ("units: {en.minute: {is: minute}}", "of en.minute wants a measure"),
        (
            "units: {en.kilo: {unit: kilogran}}",
            "'kilogran' is no measure .*; did you mean 'kilogram'",
        ),
        ("units: {en.kilo: zzz}", "domain.yaml:4: units: of en.kilo: 'zzz' is no measure that is"),
        ("dates: YMD", "dates: wants DMY or MDY"),
    ],
)
def test_a_domain_file_that_is_wrong(tmp_path: Path, line: str, message: str) -> None:
    for name in ("d.grammar", "asked.txt"):
        (tmp_path / name).write_text("")
    text = f"name: films\ngrammar: d.grammar\nutterances: asked.txt\n{line}\n"
    (tmp_path / "domain.yaml").write_text(text)
    with pytest.raises(UserError, match=message) as error:
        load_domain(tmp_path)
    assert str(error.value).startswith(f"{tmp_path / 'domain.yaml'}:4")
