"""Questions of a database as ``init`` writes it down, nothing edited, and their answers."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.cli.main import main
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.domains.schemas import schema_pairs
from tests.databases.test_questions import answer_of, described


@cache
def questions_of(folder: Path) -> dict[str, str]:
    """Logical forms by question."""
    return dict(schema_pairs(load_domain(folder), folder))


def answered(folder: Path, question: str, names: dict[str, str]) -> set[str]:
    asked = questions_of(folder)
    assert question in asked, [each for each in asked if question.split()[-1] in each][:40]
    return answer_of(folder, asked[question], names)


SCRIPT = """
create table Employee (EmployeeId integer primary key, LastName text, FirstName text,
  ReportsTo integer references Employee, Country text, is_active boolean);
create table leave (leave_id integer primary key, EmployeeId integer references Employee,
  Approved char(1), Paid text, Minutes integer, Total numeric);
create view active as select EmployeeId, LastName as boss from Employee where is_active;
insert into Employee values (1, 'Stone', 'Ann', null, 'Peru', 1), (2, 'Stone', 'Bo', 1, 'Chad', 0),
  (3, 'Lee', 'Cy', 1, 'Chad', 1), (4, 'Moss', null, 2, null, null);
insert into leave values (1, 2, 'Y', '1', 10, 2.5), (2, 2, 'n', '0', 90, 4),
  (3, 3, ' y', '1', 20, 1), (4, 3, null, '1', 30, 1);
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("staff"), SCRIPT)


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("who reports to _employee_", {"_employee_": "ann stone"}, {"Bo Stone", "Cy Lee"}),
        ("who does _employee_ report to", {"_employee_": "moss"}, {"Bo Stone"}),
        ("which employees are from _country_", {"_country_": "chad"}, {"Bo Stone", "Cy Lee"}),
        ("which employees are not active", {}, {"Bo Stone"}),
        ("which employees are inactive", {}, {"Bo Stone"}),
        ("how many employees are active", {}, {"2"}),
        ("how many leaves are approved", {}, {"2"}),
        ("how many leaves are not approved", {}, {"1"}),
        ("how many leaves are not paid", {}, {"1"}),
        ("how many leaves are paid", {}, {"3"}),
        ("what is the total amount of leaves", {}, {"8.5"}),
        (
            "what is the average total of leaves of _employee_",
            {"_employee_": "cy lee"},
            {"1"},
        ),
        (
            "how many leaves are longer than _number_",
            {"_number_": "(number 20 minute)"},
            {"2"},
        ),
    ],
)
def test_questions_and_their_answers(
    folder: Path, question: str, names: dict[str, str], answer: set[str]
) -> None:
    shown = answered(folder, question, names)
    keys = {"1": "Ann Stone", "2": "Bo Stone", "3": "Cy Lee", "4": "Moss"}
    if question.startswith(("who", "which")):
        shown = {keys[key] for key in shown}
    assert shown == answer


def test_a_view_of_some_rows_says_nothing_of_all(folder: Path) -> None:
    text = (folder / "schema.yaml").read_text(encoding="utf-8")
    assert "# active: a view of rows of Employee" in text
    assert re.search(r"^ +boss:", text, re.MULTILINE) is None


HOMES = """
create table home (home_id integer primary key, title text, property_type text, garden boolean,
  has_lift boolean, furnished boolean);
insert into home values (1, 'Elm', 'Flat', 1, 0, 1), (2, 'Oak', 'House', 0, 1, 1),
  (3, 'Ash', 'Flat', 0, 1, 0);
"""


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("homes"), HOMES)


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("which homes have garden", {}, {"1"}),
        ("which homes do not have garden", {}, {"2", "3"}),
        ("does _home_ have garden", {"_home_": "elm"}, {"yes"}),
        ("does _home_ have lift", {"_home_": "elm"}, {"no"}),
        ("which homes are not furnished", {}, {"3"}),
        ("which _property_type_ homes are there", {"_property_type_": "flats"}, {"1", "3"}),
        ("which _property_type_ homes are there", {"_property_type_": "house"}, {"2"}),
    ],
)
def test_what_a_thing_has_and_of_what_kind_it_is(
    homes: Path, question: str, names: dict[str, str], answer: set[str]
) -> None:
    assert answered(homes, question, names) == answer


def test_what_is_a_word_for_how_it_is_is_nothing_that_it_has(homes: Path) -> None:
    assert "does _home_ have furnished" not in questions_of(homes)


GARAGE = """
create table branches (branch_id integer primary key, city text);
create table staff (staff_id integer primary key, name text, job_title text, is_fulltime boolean,
  branch_id integer references branches);
create table vehicles (vehicle_id integer primary key, model_name text, make text, odo_km integer,
  deposit numeric, status text, next_insp date, reg_no text, branch_id integer references branches);
create table customers (cust_id integer primary key, name text, cust_since date, disc_pct integer);
create table rentals (rental_id integer primary key, vehicle_id integer references vehicles,
  cust_id integer references customers, handled_by integer references staff);
insert into branches values (1, 'Rome'), (2, 'Oslo');
insert into staff values (1, 'Ann', 'Manager', 1, 1), (2, 'Bo', 'Mechanic', 0, 1),
  (3, 'Cy', 'Mechanic', 1, 2);
insert into vehicles values (1, 'Transit', 'Ford', 90, 500, 'in workshop', '2025-07-01', 'A 1', 1),
  (2, 'Golf', 'VW', 20, null, 'free', '2025-08-01', 'B 2', 2),
  (3, 'Kuga', 'Ford', 50, 300, 'free', '2025-09-01', 'C 3', 2);
insert into customers values (1, 'Di', '2020-01-01', 5), (2, 'Ed', '2021-01-01', 9);
insert into rentals values (1, 1, 1, 1), (2, 3, 1, 1);
"""


@pytest.fixture(scope="module")
def garage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("garage"), GARAGE)


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("which vehicles are never rented", {}, {"2"}),
        ("which customers never rented", {}, {"2"}),
        ("which vehicles have a deposit", {}, {"1", "3"}),
        ("which vehicles have no deposit", {}, {"2"}),
        ("how many staff are part-time", {}, {"1"}),
        ("which vehicle has the highest mileage", {}, {"1"}),
        (
            "which branches have no staff with job title _job_title_",
            {"_job_title_": "manager"},
            {"2"},
        ),
        (
            "which customers joined after _date_",
            {"_date_": "(date 2020 6 1)"},
            {"2"},
        ),
    ],
)
def test_short_names_and_what_is_not_there(
    garage: Path, question: str, names: dict[str, str], answer: set[str]
) -> None:
    assert answered(garage, question, names) == answer


def test_branches_and_staff_are_not_rented(garage: Path) -> None:
    asked = questions_of(garage)
    assert not [each for each in asked if "never rented" in each and "branch" in each.split()[1]]
    assert "which staff never rented" not in asked


def read(folder: Path, questions: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    asked = folder / "some.txt"
    asked.write_text("".join(f"{question}\n" for question in questions))
    capsys.readouterr()
    assert main(["read", "--domain", str(folder), str(asked)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[1] for line in lines] == [*questions.values()]


def test_what_names_and_short_words_are_read_as(
    garage: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = {
        "how many vehicles are in the workshop": "how many vehicles are _status_",
        "the mileage of the Ford Transit": "the mileage of the _vehicle_",
        "staff who are no longer here": "staff who are not here",
        "mileage of no longer than 50": "mileage of no longer than _number_",
        "mechanics in rome": "_job_title_ in _branch_",
        "phone nr": "phone number",
        "cars with a deposit on file right now": "cars with a deposit",
    }
    read(garage, questions, capsys)


def test_a_value_that_is_called_like_a_table_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = """
    create table lecturers (id integer primary key, name text, position text);
    insert into lecturers values (1, 'Ann', 'Lecturer'), (2, 'Bo', 'Professor');
    """
    questions = {
        "which lecturers are there": "which lecturers are there",
        "which professors are there": "which _position_ are there",
    }
    read(described(tmp_path, script), questions, capsys)
