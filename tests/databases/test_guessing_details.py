"""Units, other words, dates of bookkeeping and what has no end, of a rental shop's database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
import sqlalchemy as sa

from fairseq_twostage.cli.main import main
from fairseq_twostage.databases.connecting import open_database
from fairseq_twostage.databases.schema_file import read_schema
from fairseq_twostage.databases.values import entries
from tests.databases.conftest import SERVERS
from tests.databases.test_guessed_questions import answered, questions_of
from tests.databases.test_questions import described

SCRIPT = """
create table department (department_id integer primary key, department_name text);
create table employee (employee_id integer primary key, first_name text, last_name text,
  email text, hire_date date, reports_to integer references employee,
  department_id integer references department, updated_at timestamp);
create table customer (customer_id integer primary key, name text,
  support_rep_id integer references employee, last_update timestamp);
create table film (film_id integer primary key, title text, genre text, length integer,
  rental_rate numeric, replacement_cost numeric, msrp numeric, extras text, last_update timestamp);
create table song (song_id integer primary key, title text, milliseconds integer);
create table rental (rental_id integer primary key, film_id integer references film,
  customer_id integer references customer);
create table project (project_id integer primary key, project_name text, start_date date,
  end_date date);
create view film_list as select film_id as fid, title, length from film;
create view dear as select title, rental_rate from film where rental_rate > 2;
create view by_genre as select genre, count(*) as films, sum(length) as minutes from film
  group by genre;
insert into department values (1, 'Human Resources'), (2, 'Public Relations'), (3, 'Sales');
insert into employee values
  (1, 'Ann', 'Stone', 'ann@shop.example', '2012-03-01', null, 3, '2024-01-01'),
  (2, 'Bo', 'Reed', 'bo@shop.example', '2010-05-01', 1, 1, '2024-01-02'),
  (3, 'Cy', 'Lane', 'cy@shop.example', '2019-07-01', 1, 2, '2024-01-03');
insert into customer values (1, 'Dee Fox', 2, '2024-01-01'), (2, 'Eve Hill', 3, '2024-01-01'),
  (3, 'Flo Byrd', 2, '2024-01-01'), (4, 'Gus Ray', null, '2024-01-01'),
  (5, 'Ida May', null, '2024-01-01');
insert into film values
  (1, 'Night Train', 'horror', 90, 2.99, 20, 25, 'Trailers,Cut Scenes', '2024-01-01'),
  (2, 'Old Mill', 'horror', 150, 0.99, 30, 35, 'Trailers', '2024-01-01'),
  (3, 'Up', 'comedy', 120, 4.99, 10, 15, 'Cut Scenes, Outtakes', '2024-01-01'),
  (4, 'Rain', 'comedy', 200, 1.99, 12, 18, 'Trailers,Outtakes', '2024-01-01'),
  (5, 'Salt', 'drama', 100, 2.49, 14, 19, null, '2024-01-01');
insert into song values (1, 'Low Tide', 90000), (2, 'High Tide', 330000);
insert into rental values (1, 1, 1), (2, 2, 1), (3, 3, 2), (4, 5, 3);
insert into project values (1, 'Roof', '2020-01-01', '2021-01-01'),
  (2, 'Cellar', '2022-01-01', null);
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("rental"), SCRIPT)


KEYS = {
    **{"film": ("Night Train", "Old Mill", "Up", "Rain", "Salt"), "project": ("Roof", "Cellar")},
    "customer": ("Dee Fox", "Eve Hill", "Flo Byrd", "Gus Ray", "Ida May"),
    "employee": ("Ann Stone", "Bo Reed", "Cy Lane"),
}


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        # 90 and 150 minutes: 120 in the mean; 120 and 200: 160; all five: 132
        ("which films are longer than the average", {}, {"Old Mill", "Rain"}),
        (
            "which films are longer than the average of _genre_ films",
            {"_genre_": "horror"},
            {"Old Mill", "Rain"},
        ),
        (
            "which films are longer than the average of _genre_ films",
            {"_genre_": "comedy"},
            {"Rain"},
        ),
        ("which _genre_ films are longer than their average", {"_genre_": "comedy"},
         {"Rain"}),
        ("which _genre_ films are shorter than their average", {"_genre_": "horror"},
         {"Night Train"}),
        ("which films are longer than _number_", {"_number_": "(number 144 minute)"},
         {"Old Mill", "Rain"}),
        ("what is the running time of _film_", {"_film_": "up"}, {"120"}),
        ("which film is the most expensive", {}, {"Up"}),
        ("which films have retail price above _number_", {"_number_": "(number 20)"},
         {"Night Train", "Old Mill"}),
        ("which projects are running", {}, {"Cellar"}),
        ("which projects are ongoing", {}, {"Cellar"}),
        ("who is the longest serving", {}, {"Bo Reed"}),
        ("who looks after _customer_", {"_customer_": "dee fox"}, {"Bo Reed"}),
        ("who is boss of _employee_", {"_employee_": "cy lane"}, {"Ann Stone"}),
        ("which customers rent no _genre_ films", {"_genre_": "horror"},
         {"Eve Hill", "Flo Byrd", "Gus Ray", "Ida May"}),
        ("which customers never rent _genre_ films", {"_genre_": "comedy"},
         {"Dee Fox", "Flo Byrd", "Gus Ray", "Ida May"}),
        ("which films have extra _extras_", {"_extras_": "trailers"},
         {"Night Train", "Old Mill", "Rain"}),
        ("which films have extra _extras_", {"_extras_": "outtakes"}, {"Up", "Rain"}),
        ("which is longer _film_ or _film2_", {"_film_": "up", "_film2_": "rain"}, {"Rain"}),
        ("which is shorter _film_ or _film2_", {"_film_": "up", "_film2_": "rain"}, {"Up"}),
        ("which has the higher replacement cost _film_ or _film2_",
         {"_film_": "up", "_film2_": "rain"}, {"Rain"}),
        ("who has more films _customer_ or _customer2_",
         {"_customer_": "dee fox", "_customer2_": "flo byrd"}, {"Dee Fox"}),
        ("who was hired first _employee_ or _employee2_",
         {"_employee_": "ann stone", "_employee2_": "cy lane"}, {"Ann Stone"}),
        ("what percentage of films are _genre_", {"_genre_": "horror"}, {"40"}),
        ("what percentage of films are longer than _number_",
         {"_number_": "(number 144 minute)"}, {"40"}),
        ("what percentage of customers rent no films", {}, {"40"}),
        ("what percentage of films are _genre_", {"_genre_": "drama"}, {"20"}),
        ("which extra has the most films", {}, {"Trailers"}),
        ("what is the email address of _employee_", {"_employee_": "bo reed"},
         {"bo@shop%2Eexample"}),
    ],
)  # fmt: skip
def test_questions_and_their_answers(
    folder: Path, question: str, names: dict[str, str], answer: set[str]
) -> None:
    shown = answered(folder, question, names)
    words = question.split()
    kind = next((kind for kind in KEYS if {kind, f"{kind}s"} & {*words[1:3]}), None)
    if question.startswith("who "):
        kind = "customer" if "_customer2_" in question else "employee"
    if question.startswith("which ") and "_film2_" in question:
        kind = "film"
    if kind is not None and not question.startswith(("what", "how")):
        shown = {KEYS[kind][int(key) - 1] for key in shown}
    assert shown == answer


def test_what_is_written_down(folder: Path) -> None:
    schema = read_schema(folder / "schema.yaml")
    film, song = schema.tables["film"], schema.tables["song"]
    assert film.measures["length"].unit == "minute"
    assert song.measures["length"].unit == "millisecond"
    assert film.time_dimensions["last_update"].aside
    assert schema.tables["employee"].time_dimensions["updated_at"].aside
    assert not schema.tables["employee"].time_dimensions["hire_date"].aside
    assert film.measures["replacement_cost"].most == []
    assert not any(name.startswith("film_") for name in schema.tables)  # the view
    text = (folder / "schema.yaml").read_text(encoding="utf-8")
    assert "# film_list: a view of rows of film" in text
    assert "# dear: a view of rows of film" in text
    assert "genre" in film.dimensions  # and no reference to the sums by genre


def test_departments_are_called_by_their_first_letters(folder: Path) -> None:
    schema = read_schema(folder / "schema.yaml")
    engine = open_database(schema.database, folder, "here")
    found = {entry.phrase: entry.constant for entry in entries(schema, engine, "here")}
    assert found["hr"] == found["human resources"]
    assert found["pr"] == found["public relations"]
    assert "s" not in found and "nt" not in found


APIARY = """
create table hive (hive_id integer primary key, hive_name text, bee_race text, height_m integer,
  installed_on date);
create table harvest (harvest_id integer primary key, hive_id integer references hive,
  harvested_on date, honey_kg numeric);
create table employee (employee_id integer primary key, name text, title text, password text,
  reports_to integer references employee);
insert into hive values (1, 'Old Oak', 'Buckfast', 410, '2018-04-12'),
  (2, 'Thunder', 'Italian', 290, '2020-06-01'), (3, 'Blue Door', 'Buckfast', 505, '2019-05-03');
insert into harvest values (1, 1, '2021-07-01', 16.5), (2, 1, '2022-07-01', 16.2),
  (3, 2, '2021-07-02', 21.5), (4, 3, '2021-08-01', 5);
insert into employee values (1, 'Ann Stone', 'Head Keeper', 'x1', null),
  (2, 'Bo Reed', 'Keeper', 'x2', 1), (3, 'Cy Lane', 'Keeper', 'x3', 1);
"""


@pytest.fixture(scope="module")
def apiary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("apiary"), APIARY)


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("which hives have total honey of harvests above _number_",
         {"_number_": "(number 20 kilogram)"}, {"1", "2"}),
        ("which hive has the highest total honey of harvests", {}, {"1"}),
        ("which hives are higher than _number_", {"_number_": "(number 400 meter)"}, {"1", "3"}),
        ("how many hives are _bee_race_", {"_bee_race_": "buckfast"}, {"2"}),
        ("what is the installed date of _hive_", {"_hive_": "thunder"}, {"2020"}),
        ("what is the job title of _employee_", {"_employee_": "bo reed"}, {"Keeper"}),
        ("what is the job of _employee_", {"_employee_": "ann stone"}, {"Head%20Keeper"}),
    ],
)  # fmt: skip
def test_questions_of_an_apiary(
    apiary: Path, question: str, names: dict[str, str], answer: set[str]
) -> None:
    assert answered(apiary, question, names) == answer


def test_nobody_is_told_a_password(apiary: Path) -> None:
    employee = read_schema(apiary / "schema.yaml").tables["employee"]
    assert employee.dimensions["password"].aside
    assert not any("password" in question for question in questions_of(apiary))


@pytest.mark.parametrize("kind", SERVERS)
def test_members_and_shares_in_each_database(
    kind: str, tmp_path: Path, new_database: Callable[[str], str]
) -> None:
    if kind == "duckdb":
        pytest.importorskip("duckdb_engine")
    url = new_database(kind)
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        for text in (
            "create table film (film_id integer primary key, title varchar, extras varchar)",
            "insert into film values (1, 'Night Train', 'Trailers,Cut Scenes'), "
            "(2, 'Old Mill', 'Trailers'), (3, 'Up', 'Cut Scenes, Out%takes'), "
            "(4, 'Rain', 'Trailers, Out%takes'), (5, 'Salt', null)",
        ):
            connection.exec_driver_sql(text.replace("%", "%%") if kind == "postgresql" else text)
    engine.dispose()
    assert main(["init", str(tmp_path / "films"), "--database", url]) == 0
    extra = "which films have extra _extras_"
    share = "what percentage of films have extra _extras_"
    for names, films, part in (
        ({"_extras_": "trailers"}, {"1", "2", "4"}, {"60"}),
        ({"_extras_": "out%takes"}, {"3", "4"}, {"40"}),
    ):
        assert answered(tmp_path / "films", extra, names) == films
        assert answered(tmp_path / "films", share, names) == part
