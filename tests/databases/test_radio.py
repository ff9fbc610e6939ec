"""A radio's database as ``init`` describes it: parts that people have in links, what is subscribed
to, yes and no, units behind one another, addresses; rows by their keys, counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.databases.schema_file import read_schema
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.domains.schemas import domain_lexicon, schema_pairs
from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.reading import UtteranceReader
from fairseq_twostage.text.tokenisation import Words
from tests.databases.test_questions import answer_of, described

STREETS = [f"({at}, 'L-{at}', '{at} Mill Lane', {at % 2}, {at % 3 % 2})" for at in range(1, 13)]
SCRIPT = f"""
create table show (show_id integer primary key, title text, status text, launch_dt text,
  is_paid integer);
create table person (person_id integer primary key, full_name text);
create table guard (guard_id integer primary key, first_name text, last_name text, left_on text);
create table show_host (show_id integer references show, person_id integer references person,
  since_dt text, primary key (show_id, person_id));
create table listener (listener_id integer primary key, full_name text, signup_dt text);
create table subscription (listener_id integer references listener,
  show_id integer references show, start_dt text, primary key (listener_id, show_id));
create table delivery (delivery_id integer primary key, show_id integer references show,
  status text, price_eur_per_kg real, fuel_l real, power_hp integer, paid_on text);
create table permit_type (permit_type_id integer primary key, type_name text);
create table parcel (parcel_id integer primary key, parcel_no text, address text,
  has_parking integer, is_irrigated integer);
insert into show values (1, 'Dawn', 'running', '2020-01-02', 1),
  (2, 'Noon', 'planned', '2021-03-04', 0), (3, 'Dusk', 'ended', '2022-05-06', 0);
insert into person values (1, 'Ann Stone'), (2, 'Bo Reed'), (3, 'Cy Lee');
insert into guard values (1, 'Gus', 'Hill', null), (2, 'Hal', 'Iver', '2024-01-01');
insert into show_host values (1, 1, '2020-01-02'), (2, 1, '2021-03-04'), (3, 2, '2022-05-06');
insert into listener values (1, 'Di Moss', '2020-02-01'), (2, 'Ed Fox', '2021-02-01');
insert into subscription values (1, 1, '2020-02-02'), (1, 3, '2022-06-01'), (2, 1, '2021-02-02');
insert into delivery values (1, 1, 'late', 1.5, 30, 90, '2022-01-01'),
  (2, 1, 'lost', 2.5, 40, 95, null), (3, 2, 'running', 2, 35, 80, '2022-02-01'),
  (4, 3, 'early', 1, 20, 70, null);
insert into permit_type values (1, 'Building'), (2, 'Signs'), (3, 'Demolition');
insert into parcel values {", ".join(STREETS)};
"""
YEAR = {"_date_": "(date 2021 -1 -1)"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("radio"), SCRIPT)


@pytest.fixture(scope="module")
def asked(folder: Path) -> dict[str, str]:
    return dict(schema_pairs(load_domain(folder), folder))


def test_units_behind_one_another_and_statuses_of_two_kinds(folder: Path) -> None:
    tables = read_schema(folder / "schema.yaml").tables
    measures = tables["delivery"].measures
    assert measures["price_per_kilogram"].unit == "euro"
    assert (measures["fuel"].unit, measures["power"].unit) == ("liter", "horsepower")
    # Of the three statuses of a show and the four of a delivery one is the same.
    assert {tables[each].dimensions["status"].type for each in ("show", "delivery")} == {None}
    assert tables["guard"].dimensions["last_name"].synonyms == ["surname", "family name"]
    assert tables["listener"].time_dimensions["signup_date"].wording == "that signed up"
    assert tables["parcel"].name == "address"


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("which people host _show_", {"_show_": "dusk"}, {"2"}),
        ("who is host of _show_", {"_show_": "dawn"}, {"1"}),
        ("which shows does _listener_ subscribe to", {"_listener_": "di moss"}, {"1", "3"}),
        ("which listeners subscribe to _show_", {"_show_": "dawn"}, {"1", "2"}),
        ("which listeners signed up in _date_", YEAR, {"2"}),
        ("which shows are launched in _date_", YEAR, {"2"}),
        ("which guards have left", {}, {"2"}),
        ("which guards still work", {}, {"1"}),
        ("which shows are unpaid", {}, {"2", "3"}),
        ("which unpaid deliveries are there", {}, {"2", "4"}),
        ("how many parcels have no parking", {}, {"6"}),
    ],
)
def test_what_they_answer(
    asked: dict[str, str], folder: Path, question: str, names: dict[str, str], answer: set[str]
) -> None:
    assert answer_of(folder, asked[question], names) == answer


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("which guards no longer work here", "which guards have left"),
        ("guards who are still with us", "guards who still work"),
        ("which guards have left right now", "which guards have left right now"),
        ("which guards have left so far", "which guards have left"),
        ("which kinds of permits are there", "which permit types are there"),
        ("which type of permit is it", "which permit type is it"),
    ],
)
def test_how_it_is_read(folder: Path, typed: str, read: str) -> None:
    lexicon = domain_lexicon(load_domain(folder), folder)
    assert lexicon is not None
    assert UtteranceReader(typed.split(), Frontend(Words(), lexicon))(typed).tokens == read


def test_nobody_does_what_somebody_is(asked: dict[str, str]) -> None:
    assert not [each for each in asked if each.startswith("what does") and " are " in each]
    assert not [each for each in asked if "unborn" in each]


def test_simple_questions_come_first(asked: dict[str, str]) -> None:
    """By words and operations, as counted here anew."""
    sizes = [len(z.split()) + form.count("( call ") for z, form in asked.items()]
    assert sizes == sorted(sizes)
    assert sizes[[*asked].index("which shows have no status")] < sizes[-1]
