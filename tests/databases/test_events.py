"""Questions about what happened at a time: their words, and answers that were counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.databases.inflection import participle, present
from fairseq_twostage.databases.phrases import is_verb
from fairseq_twostage.databases.thing_rules import asked_when
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.domains.schemas import schema_pairs
from fairseq_twostage.domains.worlds import database_world
from fairseq_twostage.semantics import execute
from tests.databases.test_questions import answer_of, described

SCRIPT = """
create table customer (customer_id integer primary key, name text unique, country text);
create table item (item_id integer primary key, name text unique, category text,
  stock integer);
create table orders (order_id integer primary key, customer_id integer references customer,
  order_date date);
create table order_line (order_id integer references orders, item_id integer references item,
  quantity integer, unit_price_euro numeric, primary key (order_id, item_id));
create table film (film_id integer primary key, title text unique, genre text);
create table copy (copy_id integer primary key, film_id integer references film);
create table rental (rental_id integer primary key, rental_date date,
  customer_id integer references customer, copy_id integer references copy);
insert into film values (1, 'Alien Thin', 'Drama'), (2, 'Sky Race', 'Comedy');
insert into copy values (1, 1), (2, 1), (3, 2);
insert into rental values (1, '2023-02-01', 1, 1), (2, '2023-02-02', 1, 2), (3, '2024-01-01', 2, 2);
insert into customer values (1, 'Ann Moss', 'Peru'), (2, 'Bo Lee', 'Chad'), (3, 'Cy Ray', 'Chad');
insert into item values (1, 'mug', 'Kitchen', 0), (2, 'lamp', 'Light', 3),
  (3, 'fork', 'Kitchen', null);
insert into orders values (1, 1, '2021-05-04'), (2, 2, '2022-01-30'), (3, 2, '2022-07-01'),
  (4, 3, '2022-07-02');
insert into order_line values (1, 1, 9, 5), (2, 2, 1, 30), (3, 1, 2, 5), (3, 3, 4, 1), (4, 1, 1, 5);
"""
YEAR, MONTH = {"_date_": "(date 2022 -1 -1)"}, {"_date_": "(date 2022 7 -1)"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("sales"), SCRIPT)


@pytest.fixture(scope="module")
def asked(folder: Path) -> dict[str, str]:
    """What can be asked, with its form."""
    return dict(schema_pairs(load_domain(folder), folder))


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("which items does _customer_ buy in _date_", {"_customer_": "bo lee", **MONTH}, "1 3"),
        ("which items does _customer_ buy before _date_", {"_customer_": "ann moss", **YEAR}, "1"),
        ("which items do customers buy in _date_", MONTH, "1 3"),
        ("which customers buy _item_ in _date_", {"_item_": "mug", **YEAR}, "2 3"),
        ("how many customers buy _item_ in _date_", {"_item_": "mug", **YEAR}, "2"),
        ("how many customers buy items in _date_", MONTH, "2"),
        ("which customers have orders placed in _date_", MONTH, "2 3"),
        ("when did _customer_ last order", {"_customer_": "bo lee"}, "2022"),
        ("when was _item_ first bought", {"_item_": "mug"}, "2021"),
        ("what does _customer_ buy in _date_", {"_customer_": "bo lee", **MONTH}, "1 3"),
        ("what does _customer_ order", {"_customer_": "bo lee"}, "1 2 3"),
        ("which items are bought by _customer_", {"_customer_": "cy ray"}, "1"),
        ("how many orders are from _date_", YEAR, "3"),
        ("which items have no stock", {}, "1 3"),
        ("who rents _film_", {"_film_": "alien thin"}, "1 2"),
        ("which films are never rented", {}, "2"),
        ("which customers never rent films", {}, "3"),
        ("what does _customer_ rent in _date_",
         {"_customer_": "ann moss", "_date_": "(date 2023 -1 -1)"}, "1"),
        ("which customers rent at least _number_ films", {"_number_": "(number 1)"}, "1 2"),
        ("is _item_ _category_", {"_item_": "mug", "_category_": "kitchen"}, "yes"),
        ("is _item_ _category_", {"_item_": "mug", "_category_": "light"}, "no"),
        ("how many orders are placed since _date_", MONTH, "2"),
        ("what is the best selling item in _date_", YEAR, "3"),
        ("what is the best selling item", {}, "1"),
        ("how many orders of customers from _country_ are placed in _date_",
         {"_country_": "chad", **MONTH}, "2"),
        ("how much was spent by _customer_ in _date_", {"_customer_": "bo lee", **MONTH}, "14"),
        ("what are the names and categories of items", {}, "1 2 3"),
    ],
)  # fmt: skip
def test_what_happened_at_a_time(
    folder: Path, asked: dict[str, str], question: str, names: dict[str, str], answer: str
) -> None:
    assert answer_of(folder, asked[question], names) == set(answer.split())


def test_money_counts_nothing(folder: Path, asked: dict[str, str]) -> None:
    world = database_world(load_domain(folder), folder)
    form = asked["which customers have more than _number_ orders"]
    assert getattr(execute(form, world, {"_number_": "(number 1)"}), "value", None)
    world.units = {"euro": ("money", 1)}
    failed = execute(form, world, {"_number_": "(number 1 euro)"})
    assert not failed.executable and "counts nothing" in str(failed)


@pytest.mark.parametrize(
    ("past", "base"),
    [("joined", "join"), ("released", "release"), ("stopped", "stop"), ("married", "marry")],
)
def test_the_present_of_a_past(past: str, base: str) -> None:
    assert present(past) == base


@pytest.mark.parametrize(
    ("verb", "done"),
    [("order", "ordered"), ("ship", "shipped"), ("supply", "supplied"), ("write", "written"),
     ("release", "released"), ("play", "played"), ("rent", "rented"), ("run", "run"),
     ("throw", "thrown")],
)  # fmt: skip
def test_what_was_done(verb: str, done: str) -> None:
    assert participle(verb) == done


@pytest.mark.parametrize(
    ("wording", "asked"),
    [
        ("that joined", ("when did", "join")),
        ("placed", ("when was", "placed")),
        ("in", None),
        ("that is new", None),
        ("that open", ("when does", "open")),
    ],
)
def test_when_is_asked(wording: str, asked: tuple[str, str] | None) -> None:
    assert next(asked_when(wording), None) == asked


def test_what_time_is_asked() -> None:
    assert list(asked_when("that open", of_day=True)) == [
        ("when does", "open"),
        ("what time does", "open"),
    ]


def test_what_was_done_is_no_verb() -> None:
    assert not is_verb("driven by") and not is_verb("thrown by")
    assert is_verb("drive") and is_verb("run through")
