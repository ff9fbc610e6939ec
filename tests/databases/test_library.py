"""A library: what is called by prefixes and codes, and copies, which nobody asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from fairseq_twostage.databases.schema import Schema
from fairseq_twostage.databases.schema_file import read_schema
from tests.databases.test_guessed_questions import answered
from tests.databases.test_questions import described

SCRIPT = """
create table branch (br_code text primary key, br_name text, sq_m integer);
create table genre (genre_cd text primary key, descr text);
create table title (title_id integer primary key, title text, pages integer, lang text,
  pub_year integer, genre_cd text references genre);
create table copy (barcode text primary key, title_id integer references title,
  br_code text references branch, cond text);
create table member (card_no integer primary key, name text, mtype text,
  home_br text references branch);
create table loan (loan_id integer primary key, barcode text references copy,
  card_no integer references member, out_dt text, ret_dt text);
create table reserv (res_id integer primary key, title_id integer references title,
  card_no integer references member, pickup_br text references branch);
create table event (ev_id integer primary key, ev_name text, ev_date text,
  br_code text references branch);
insert into branch values ('CEN', 'Central Library', 900), ('RIV', 'Riverside', 200);
insert into genre values ('CRI', 'Crime'), ('FAN', 'Fantasy'), ('COO', 'Cookery');
insert into title values (1, 'Gate of Salt', 310, 'en', 2004, 'CRI'),
  (2, 'Le Chat', 120, 'fr', 2011, 'CRI'), (3, 'Dragon Days', 502, 'en', 2015, 'FAN');
insert into copy values ('WX01', 1, 'CEN', 'good'), ('WX02', 1, 'RIV', 'poor'),
  ('WX03', 2, 'CEN', 'good');
insert into member values (1, 'Ann Stone', 'ADULT', 'CEN'), (2, 'Bo Reed', 'CHILD', 'RIV'),
  (3, 'Cy Lane', 'ADULT', 'RIV');
insert into loan values (1, 'WX01', 1, '2024-02-01', '2024-02-20'),
  (2, 'WX02', 2, '2024-03-01', null), (3, 'WX03', 1, '2024-04-01', '2024-04-09');
insert into reserv values (1, 3, 2, 'CEN'), (2, 1, 3, 'RIV');
insert into event values (1, 'Story Hour', '2024-05-01', 'CEN'),
  (2, 'Chess Night', '2024-06-01', 'RIV');
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("library"), SCRIPT)


@pytest.fixture(scope="module")
def schema(folder: Path) -> Schema:
    return read_schema(folder / "schema.yaml")


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("branch", {"code", "name", "area"}),
        ("event", {"id", "name", "date"}),
        ("member", {"id", "name", "type"}),
        ("copy", {"barcode", "condition"}),
        ("loan", {"out_date", "return_date"}),
    ],
)
def test_columns_are_called_without_prefixes_and_in_full(
    schema: Schema, table: str, names: set[str]
) -> None:
    entry = schema.tables[table]
    assert {*entry.dimensions, *entry.measures, *entry.time_dimensions} == names


def test_what_is_written_short_is_said_in_full(schema: Schema) -> None:
    assert schema.tables["reservation"].noun == "reservation"
    assert schema.tables["genre"].name == "description"
    assert schema.relationships["member_home_branch"].phrase == "with home branch"
    assert schema.relationships["reservation_pickup_branch"].phrase == "with pickup branch"
    assert schema.tables["title"].dimensions["language"].said == {
        "en": ["english"],
        "fr": ["french"],
    }


KEYS = {
    "member": ("Ann Stone", "Bo Reed", "Cy Lane"),
    "title": ("Gate of Salt", "Le Chat", "Dragon Days"),
}


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        (
            "which titles does _member_ borrow",
            {"_member_": "ann stone"},
            {"Gate of Salt", "Le Chat"},
        ),
        ("which titles are never borrowed", {}, {"Dragon Days"}),
        ("which _language_ titles are there", {"_language_": "french"}, {"Le Chat"}),
        ("which titles are in _genre_", {"_genre_": "crime"}, {"Gate of Salt", "Le Chat"}),
        ("which titles are in _genre_", {"_genre_": "fan"}, {"Dragon Days"}),
        (
            "which members have home branch _branch_",
            {"_branch_": "riverside"},
            {"Bo Reed", "Cy Lane"},
        ),
    ],
)
def test_it_is_asked_as_people_ask(
    folder: Path, question: str, names: dict[str, str], answer: set[str]
) -> None:
    shown = answered(folder, question, names)
    assert {
        KEYS[question.split()[1 + ("_language_" in question)][:-1]][int(key) - 1] for key in shown
    } == answer


def test_nobody_borrows_a_branch_or_a_copy(schema: Schema) -> None:
    borrowed = {each.to for each in schema.relationships.values() if each.phrase == "borrow"}
    reserved = {each.to for each in schema.relationships.values() if each.phrase == "reserve"}
    assert borrowed == {"title"}
    assert reserved <= {"title"}


def test_tables_of_results_are_told_apart_and_the_fullest_is_asked(tmp_path: Path) -> None:
    found = read_schema(
        described(
            tmp_path,
            """
            create table races (raceId integer primary key, name text);
            create table drivers (driverId integer primary key, surname text, forename text);
            create table teams (teamId integer primary key, name text);
            create table results (resultId integer primary key, raceId integer references races,
              driverId integer references drivers, teamId integer references teams, lap text);
            create table sprintResults (resultId integer primary key,
              raceId integer references races, driverId integer references drivers);
            create table standings (standingId integer primary key, points integer,
              raceId integer references races, driverId integer references drivers);
            insert into races values (1, 'Alpine Cup'), (2, 'Sea Cup');
            insert into drivers values (1, 'Stone', 'Ann'), (2, 'Reed', 'Bo');
            insert into teams values (1, 'Red'), (2, 'Blue');
            insert into results values (1, 1, 1, 1, '1:33.987'), (2, 1, 2, 2, '1:34.102');
            insert into sprintResults values (1, 2, 1), (2, 2, 2);
            insert into standings values (1, 25, 1, 1), (2, 43, 2, 1);
            """,
        )
        / "schema.yaml"
    )
    nouns = {each.noun for each in found.tables.values()}
    assert {"result", "sprint result"} <= nouns
    assert found.tables["result"].name is None  # a time is no name
    assert found.relationships["driver_race"].path == ["!result_driver", "result_race"]
