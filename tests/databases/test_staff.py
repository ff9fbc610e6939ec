"""A firm's database as ``init`` describes it: who works on what, how long, how old; answers
counted by hand, spans by the database of each kind."""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
import sqlalchemy as sa

from fairseq_twostage.databases.expressions import days, years
from fairseq_twostage.databases.opening import open_schema
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.domains.schemas import domain_lexicon, schema_pairs
from fairseq_twostage.semantics import execute
from tests.databases.test_questions import answer_of, described

SCRIPT = """
create table employees (emp_id integer primary key, full_name text, birth_date text,
  mgr_id integer references employees, office text, is_remote integer, country text);
create table projects (project_id integer primary key, proj_name text, lead_emp_id integer,
  start_date text, end_date text, status text);
create table assignments (assign_id integer primary key, emp_id integer references employees,
  project_id integer references projects, role text, hours real);
create table leaves (leave_id integer primary key, emp_id integer, approved_by integer,
  expires_on text, days real);
create table openings (day text, guests integer);
insert into employees values (101, 'Ann Stone', '1960-12-31', null, 'Oslo', 1, 'United Kingdom'),
  (102, 'Bo Reed', '1990-01-01', 101, 'Oslo', 0, 'Norway'),
  (103, 'Cy Lee', '1985-06-15', 101, 'Bonn', 0, 'Norway'),
  (104, 'Di Moss', null, 102, 'Bonn', 0, 'Norway');
insert into projects values (1, 'Atlas', 101, '2024-01-01', '2024-03-01', 'done'),
  (2, 'Blue River', 101, '2023-12-01', '2024-01-01', 'done'),
  (3, 'Cobalt', 102, '2024-02-01', null, 'active'), (4, 'Delta', 103, null, null, 'planned');
insert into assignments values (1, 102, 1, 'engineer', 5), (2, 102, 2, 'engineer', 7),
  (3, 102, 3, 'planner', 1), (4, 103, 1, 'planner', 2), (5, 103, 1, 'engineer', 4);
insert into leaves values (1, 102, 101, '2025-01-01', 3), (2, 103, 102, '2025-02-01', 4),
  (3, 104, 102, '2026-01-01', 5);
insert into openings values ('2024-05-01', 7), ('2024-05-02', 9), ('2024-05-03', 8);
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("staff"), SCRIPT)


@pytest.fixture(scope="module")
def asked(folder: Path) -> dict[str, str]:
    return dict(schema_pairs(load_domain(folder), folder))


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("which employees are assigned to _project_", {"_project_": "atlas"}, {"102", "103"}),
        ("which employees work on _project_", {"_project_": "blue river"}, {"102"}),
        ("which employees lead _project_", {"_project_": "atlas"}, {"101"}),
        ("which employees report to _employee_", {"_employee_": "ann stone"}, {"102", "103"}),
        ("which employee has the most projects", {}, {"102"}),  # on which they work
        ("which employee is lead of the most projects", {}, {"101"}),
        ("how long is _project_", {"_project_": "atlas"}, {"60"}),  # of a leap year
        ("what is the longest project", {}, {"1"}),
        ("which leaves are approved by _employee_", {"_employee_": "bo reed"}, {"2", "3"}),
        ("which leaves expire before _date_", {"_date_": "(date 2025 1 15)"}, {"1"}),
        ("what is the total guests of openings from _date_", {"_date_": "(date 2024 5 2)"}, {"9"}),
    ],
)
def test_questions_and_their_answers(
    folder: Path, asked: dict[str, str], question: str, names: dict[str, str], answer: set[str]
) -> None:
    assert question in asked, [each for each in asked if question.split()[-1] in each][:40]
    assert answer_of(folder, asked[question], names) == answer


def test_an_age_is_of_today(folder: Path, asked: dict[str, str]) -> None:
    born, form = datetime.date(1990, 1, 1), asked["how old is _employee_"]
    before = whole_years(born, datetime.date.today())
    (age,) = answer_of(folder, form, {"_employee_": "bo reed"})
    assert before <= int(age) <= whole_years(born, datetime.date.today())


def test_rows_are_counted_for_each_but_what_they_were_chosen_by(asked: dict[str, str]) -> None:
    assert "how many _status_ projects are there for each employee" in asked
    assert "how many projects are there for each status" in asked
    assert "how many _status_ projects are there for each status" not in asked


def test_what_nobody_says_is_no_question(asked: dict[str, str]) -> None:
    ways = [z for z in asked if z.startswith(("which employees", "who"))]
    assert not any("have _project_" in z for z in ways)  # led, or worked on?
    assert not any("have employees" in z or "leads of" in z for z in asked)
    assert not any("have has" in z for z in asked)


def test_a_country_has_other_names(folder: Path) -> None:
    lexicon = domain_lexicon(load_domain(folder), folder)
    assert lexicon is not None
    said = {entry.phrase: entry.constant for entry in lexicon.entries}
    assert said["uk"] == said["britain"] == said["british"] == said["united kingdom"]
    assert "us" not in said


DATES = [
    ("2024-02-28", "2024-03-01"),
    ("1990-06-15", "2020-06-14"),
    ("1990-06-15", "2020-06-15"),
    ("2000-02-29", "2001-02-28"),
    ("1999-12-31", "2000-01-01"),
]


def whole_years(first: datetime.date, last: datetime.date) -> int:
    """By counting birthdays."""
    return sum(
        (first.month, first.day) <= (last.month, last.day) or year < last.year
        for year in range(first.year + 1, last.year + 1)
    )


@pytest.mark.parametrize("kind", ["sqlite", "duckdb", "postgresql"])
def test_spans_in_each_database(kind: str, new_database: Callable[[str], str]) -> None:
    if kind == "duckdb":
        pytest.importorskip("duckdb_engine")
    engine = sa.create_engine(new_database(kind))
    with engine.connect() as connection:
        for first, last in DATES:
            ends = [sa.literal(each, sa.String()) for each in (first, last)]
            dates = [datetime.date.fromisoformat(each) for each in (first, last)]
            query = sa.select(days(*ends, engine.dialect.name), years(*ends))
            assert [*connection.execute(query).one()] == [
                (dates[1] - dates[0]).days,
                whole_years(*dates),
            ], (first, last)
        ends = [sa.literal(each, sa.String()) for each in ("1585", "1657")]
        assert connection.execute(sa.select(years(*ends))).scalar() == 72


ERAS = """version: 1
database: made.db
tables:
  era:
    table: eras
    key: name
    time_dimensions: {begun: {column: begin_date, stored_as: year}}
  trip:
    table: trips
    key: name
    name: name
    dimensions: {name: {}}
    time_dimensions: {begin_date: {stored_as: date}, end_date: {stored_as: date}}
    measures: {duration: {expression: "days(begin_date, end_date)", unit: day}}
"""


def test_a_date_is_that_of_its_own_table(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "made.db") as connection:
        connection.executescript(
            "create table eras (name text primary key, begin_date integer);"
            "create table trips (name text primary key, begin_date text, end_date text);"
            "insert into trips values ('north', '2024-02-28', '2024-03-01');"
        )
    (tmp_path / "schema.yaml").write_text(ERAS)
    trips = "( call SW.getProperty ( call SW.singleton en.trip ) ( string !type ) )"
    form = f"( call SW.listValue ( call SW.getProperty {trips} ( string trip.duration ) ) )"
    assert "(number 2 day)" in str(execute(form, open_schema(tmp_path / "schema.yaml")))
