"""How people say what a shop and a club hold: values in the other number, payment, currencies."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.cli.main import main
from fairseq_twostage.databases.nationalities import said_of_country
from fairseq_twostage.domains.domain import Domain
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.domains.schemas import domain_lexicon, schema_pairs
from fairseq_twostage.domains.values import value_reader
from fairseq_twostage.text.lexicon import Lexicon
from fairseq_twostage.text.values import Value, ValueReader
from tests.databases.test_guessing import guessed

STORE = """
create table customers (id integer primary key, name text, country text, created_at timestamp);
create table categories (id integer primary key, name text);
create table players (id integer primary key, name text, position text, club_id integer
                      references clubs(id), is_captain integer);
create table clubs (id integer primary key, name text,
                    mascot_id integer references players(id));
create table products (id integer primary key, name text, price real,
                       category_id integer references categories(id));
create table orders (id integer primary key, order_number text unique, payment_method text,
                     status text, customer_id integer references customers(id),
                     created_at timestamp);
create table order_items (id integer primary key, order_id integer references orders(id),
                          product_id integer references products(id), quantity integer,
                          unit_price real);
insert into customers values (1, 'ann lee', 'Poland', '2024-01-02 10:00:00'),
                             (2, 'bo ray', 'Norway', '2024-03-02 10:00:00');
insert into categories values (1, 'Mugs & Cups'), (2, 'Teapots'), (3, 'Knives');
insert into products values (1, 'azul', 9.5, 1), (2, 'kyusu', 30, 2), (3, 'santoku', 60.5, 3);
insert into orders values (1, 'SO-1', 'paypal', 'paid', 1, '2024-05-01 09:00:00'),
                          (2, 'SO-2', 'credit card', 'shipped', 2, '2024-06-01 09:00:00');
insert into order_items values (1, 1, 1, 2, 9.5), (2, 1, 2, 1, 30), (3, 2, 3, 1, 60.5);
insert into clubs values (1, 'reds', 2), (2, 'blues', 2);
insert into players values (1, 'cy', 'forward', 1, 1), (2, 'di', 'goalkeeper', 1, 0),
                           (3, 'ed', 'forward', 2, 0);
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("store")
    (base / "store.sql").write_text(STORE, encoding="utf-8")
    assert main(["init", str(base / "dom"), "--database", str(base / "store.sql")]) == 0
    return base / "dom"


@pytest.fixture(scope="module")
def domain(folder: Path) -> Domain:
    return load_domain(str(folder / "domain.yaml"))


@pytest.fixture(scope="module")
def asked(domain: Domain, folder: Path) -> dict[str, str]:
    return dict(schema_pairs(domain, folder))


@pytest.fixture(scope="module")
def lexicon(domain: Domain, folder: Path) -> Lexicon:
    found = domain_lexicon(domain, folder)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("mugs and cups", "_category_"),
        ("mugs & cups", "_category_"),
        ("the cheapest teapot", "the cheapest _category_"),
        ("knife", "_category_"),
        ("forwards without a goal", "_position_ without a goal"),
        ("goalkeepers", "_position_"),
        ("how many poles", "how many _country_"),
        ("norwegians", "_country_"),
        ("paid orders", "_status_ orders"),
        ("orders paid with paypal", "orders paid with _payment_method_"),
        ("paid by credit card", "paid by _payment_method_"),
    ],
)
def test_values_are_found_as_people_say_them(lexicon: Lexicon, text: str, read: str) -> None:
    assert lexicon.read(text).utterance == read


def test_what_people_of_a_country_are_called() -> None:
    assert "danes" in said_of_country("denmark")
    assert "germans" in said_of_country("germany")
    assert {"britons", "british", "uk"} <= {*said_of_country("united kingdom")}
    assert said_of_country("france") == ["french"]


def test_an_order_is_no_product_of_its_own(tmp_path: Path) -> None:
    found = guessed(tmp_path, STORE).relationships
    buying = {(e["from"], e["to"]) for e in found.values() if e["phrase"] == "buy"}
    assert buying == {("customer", "product")}


def test_when_a_row_was_created_is_said_of_what_it_is(tmp_path: Path) -> None:
    tables = guessed(tmp_path, STORE).tables
    assert tables["customer"]["time_dimensions"]["created_at"]["wording"] == "that signed up"
    assert tables["order"]["time_dimensions"]["created_at"]["wording"] == "placed"
    (tmp_path / "made.db").unlink()
    dated = STORE.replace(
        "created_at timestamp);\ncreate table order_items",
        "created_at timestamp, order_date date);\ncreate table order_items",
    )
    dated = dated.replace("09:00:00')", "09:00:00', '2024-05-01')")
    times = guessed(tmp_path, dated).tables["order"]["time_dimensions"]
    assert times["created_at"]["wording"] == "created"
    assert times["date"]["wording"] == "placed"


def test_no_question_lists_yes_and_no(asked: dict[str, str]) -> None:
    assert "which positions of players are there" in asked
    assert not [z for z in asked if z.startswith("which is captain") and z.endswith("are there")]


def test_clubs_have_players_rather_than_they_are_in_them(asked: dict[str, str]) -> None:
    assert {"which clubs have players", "which clubs have no players"} <= {*asked}
    assert not [z for z in asked if " is players in" in z or "clubs are no players" in z]


def test_what_each_is_of_others_is_counted(asked: dict[str, str]) -> None:
    assert "how many clubs is each player mascot of" in asked
    assert not [z for z in asked if " does each " in z and " are " in z]


def test_what_is_not_yet_done_and_what_a_thing_costs(asked: dict[str, str]) -> None:
    assert "how much does _product_ cost" in asked
    assert "which orders are not yet placed" in asked
    assert not [z for z in asked if "not yet that" in z or "names and is captain" in z]


@pytest.mark.parametrize("said", ["20 euros", "$20", "20 dollars", "€20"])
def test_prices_without_a_unit_are_said_in_any_currency(
    domain: Domain, folder: Path, said: str
) -> None:
    reader = value_reader(domain, folder, ["products with price below _number_"], None)
    assert isinstance(reader, ValueReader)
    words = said.replace("$", "$ ").replace("€", "€ ").split()
    [value] = [each for each in reader(words) if isinstance(each, Value)]
    assert value.constant == "(number 20 any)"
    assert value.behind in ("", "euros", "dollars")


def test_both_ends_of_a_range_are_read_with_their_currency(domain: Domain, folder: Path) -> None:
    reader = value_reader(domain, folder, ["products with price below _number_"], None)
    assert isinstance(reader, ValueReader)
    read = list(reader(["between", "20", "and", "30", "euro", "please"]))
    kept = [each if isinstance(each, str) else each.constant for each in read]
    assert kept == ["between", "(number 20 any)", "and", "(number 30 any)", "please"]
