"""A helpdesk's database as ``init`` describes it: names in short, who handles what, most of a
year; answers counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.databases.schema_file import read_schema
from fairseq_twostage.domains.measures import spec_of
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.domains.schemas import domain_lexicon, schema_pairs
from fairseq_twostage.semantics import execute
from tests.databases.test_questions import answer_of, described

SCRIPT = """
create table employee (emp_id integer primary key, full_nm text, hire_dt text, phone_ext integer);
create table support_agent (agent_id integer primary key, agent_nm text, hourly_sek real);
create table ticket_cat (cat_id integer primary key, cat_name text, cat_group text);
create table device (dev_id integer primary key, asset_tag text, purch_dt text,
  assigned_to integer references employee);
create table ticket (ticket_id integer primary key, ticket_no text, opened_at text,
  resolved_at text, channel text, requester_id integer references employee,
  agent_id integer references support_agent, cat_id integer references ticket_cat);
create table invoice (inv_id integer primary key, inv_no text, inv_date text, total_chf real);
create table product (prod_id integer primary key, pname text);
create table invoice_line (inv_id integer references invoice, prod_id integer references product,
  qty integer, primary key (inv_id, prod_id));
insert into employee values (1, 'Ann Stone', '2019-05-01', 2210),
  (2, 'Bo Reed', '2024-02-01', 2211), (3, 'Cy Lee', '2021-07-01', 2212);
insert into support_agent values (1, 'Di Moss', 210.5), (2, 'Ed Fox', 300), (3, 'Flo Kay', 190);
insert into ticket_cat values (1, 'Printing', 'Hardware'), (2, 'Log-in', 'Access');
insert into device values (1, 'LT-1', '2020-01-01', 1), (2, 'LT-2', '2023-01-01', null),
  (3, 'LT-3', '2018-06-01', 3);
insert into ticket values
  (1, 'INC-1', '2025-01-02 10:00:00', '2025-01-05 10:00:00', 'phone', 1, 1, 1),
  (2, 'INC-2', '2026-01-02 09:00:00', '2026-01-03 09:00:00', 'e-mail', 1, 2, 1),
  (3, 'INC-3', '2026-02-02 09:00:00', '2026-02-12 09:00:00', 'phone', 2, 2, 2),
  (4, 'INC-4', '2025-03-02 09:00:00', '2025-03-03 09:00:00', 'chat', 2, 1, 2),
  (5, 'INC-5', '2025-04-02 09:00:00', null, 'chat', 3, 1, 2);
insert into invoice values (1, 'R-1', '2026-01-01', 20), (2, 'R-2', '2026-02-01', 40.5);
insert into product values (1, 'mouse'), (2, 'screen'), (3, 'cable');
insert into invoice_line values (1, 1, 2), (2, 2, 1);
"""

YEAR, EARLIER = {"_date_": "(date 2026 -1 -1)"}, {"_date_": "(date 2025 -1 -1)"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("helpdesk"), SCRIPT)


@pytest.fixture(scope="module")
def asked(folder: Path) -> dict[str, str]:
    return dict(schema_pairs(load_domain(folder), folder))


def test_what_is_called_in_short_is_called_in_full(folder: Path) -> None:
    tables = read_schema(folder / "schema.yaml").tables
    assert {*tables} == {
        *("employee", "agent", "category", "device", "ticket", "invoice", "product"),
        "invoice_line",
    }
    assert tables["agent"].synonyms == ["support agent"]
    assert tables["category"].synonyms == ["ticket category"]
    assert tables["ticket"].name == "ticket_number" and tables["product"].name == "name"
    assert tables["employee"].dimensions["phone_extension"].values == "none"
    for table, name, unit in (("agent", "hourly_rate", "krona"), ("invoice", "total", "franc")):
        assert tables[table].measures[name].unit == unit
    assert tables["ticket"].measures["duration"].expression == "days(opened_at, resolved_at)"
    assert "group" in tables["category"].dimensions


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("which agent has the most tickets resolved in _date_", YEAR, "2"),
        ("which agent has the most tickets opened in _date_", EARLIER, "1"),
        ("which agent has the most tickets", {}, "1"),
        ("which agents handle _ticket_", {"_ticket_": "inc-3"}, "2"),
        ("who works on _ticket_", {"_ticket_": "inc-4"}, "1"),
        ("which employees request _ticket_", {"_ticket_": "inc-3"}, "2"),
        ("who has _device_", {"_device_": "lt-3"}, "3"),
        ("who was hired most recently", {}, "2"),
        ("who was hired first", {}, "1"),
        ("which device was bought first", {}, "3"),
        ("what is the oldest device", {}, "3"),
        ("what is the longest ticket", {}, "3"),
        ("which products are never sold", {}, "3"),
        ("what is the total amount of invoices", {}, "60.5"),
        ("which tickets are in _category_", {"_category_": "printing"}, "1 2"),
    ],
)  # fmt: skip
def test_questions_and_their_answers(
    folder: Path, asked: dict[str, str], question: str, names: dict[str, str], answer: str
) -> None:
    assert question in asked, sorted(z for z in asked if z[:8] == question[:8])[:40]
    assert answer_of(folder, asked[question], names) == set(answer.split())


def test_other_words_for_what_happened(folder: Path) -> None:
    lexicon = domain_lexicon(load_domain(folder), folder)
    assert lexicon is not None
    read = lexicon.read("who joined the company in 2024")
    assert read.utterance.startswith("who hired ")
    assert lexicon.read("phone extension of ann stone").utterance == "phone extension of _employee_"


def test_currencies_by_the_name_of_their_unit() -> None:
    assert spec_of("franc", None).measure == "CHF" and "chf" in spec_of("franc", None).words
    assert spec_of("krona", None).measure == "SEK"
    assert spec_of("koruna", None).measure == "CZK"


def test_no_number_of_things_is_a_fraction(folder: Path, asked: dict[str, str]) -> None:
    from fairseq_twostage.domains.worlds import database_world

    world = database_world(load_domain(folder), folder)
    form = asked["which agents work on more than _number_ tickets"]
    world.units = {"franc": ("money", 1)}
    assert execute(form, world, {"_number_": "(number 2)"}).executable
    failed = execute(form, world, {"_number_": "(number 2.5)"})
    assert not failed.executable and "no number of things" in str(failed)


SHOPS = """
create table shop (shop_id integer primary key, name text, city text);
create table staff (staff_id integer primary key, full_name text, job text, hourly_chf real,
  shop_id integer references shop, hired_on text);
create table bill (bill_id integer primary key, bill_no text, bill_dt text, tot_chf real,
  shop_id integer references shop);
insert into bill values (1, 'B-1', '2025-03-01', 20, 1), (2, 'B-2', '2025-04-01', 30.5, 2);
insert into shop values (1, 'Corner', 'Bern'), (2, 'Mill', 'Chur'), (3, 'Quay', 'Bern');
insert into staff values (1, 'Ann Stone', 'shop manager', 40, 1, '2020-01-01'),
  (2, 'Bo Reed', 'waiter', 20, 1, '2021-01-01'), (3, 'Cy Lee', 'waiter', 25, 2, '2022-01-01'),
  (4, 'Di Moss', 'cook', 30, 2, '2019-01-01'), (5, 'Ed Fox', 'cook', 31, 3, '2024-01-01');
"""


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    folder = described(tmp_path_factory.mktemp("shops"), SHOPS)
    return folder, dict(schema_pairs(load_domain(folder), folder))


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("which _job_ are there", {"_job_": "waiters"}, "2 3"),
        ("how many _job_ are of _shop_", {"_job_": "cooks", "_shop_": "mill"}, "1"),
        ("what is the average hourly rate of _job_", {"_job_": "waiters"}, "22.5"),
        ("which _job_ has the highest hourly rate", {"_job_": "waiter"}, "3"),
        ("which _job_ are hired after _date_",
         {"_job_": "cooks", "_date_": "(date 2020 -1 -1)"}, "5"),
        ("which shops have no _job_", {"_job_": "shop manager"}, "2 3"),
        ("which _job_ are of _shop_", {"_job_": "manages", "_shop_": "corner"}, "1"),
        ("what is the total turnover of bills", {}, "50.5"),
        ("which bills are issued in _date_", {"_date_": "(date 2025 4 -1)"}, "2"),
        ("who is _job_", {"_job_": "shop manager"}, "1"),
        ("is _staff_ a _job_", {"_staff_": "di moss", "_job_": "cook"}, "yes"),
        ("which staff have job _job_", {"_job_": "cook"}, "4 5"),
    ],
)  # fmt: skip
def test_people_are_what_they_do(
    shops: tuple[Path, dict[str, str]], question: str, names: dict[str, str], answer: str
) -> None:
    folder, asked = shops
    assert question in asked, sorted(z for z in asked if "_job_" in z)[:60]
    assert answer_of(folder, asked[question], names) == set(answer.split())
