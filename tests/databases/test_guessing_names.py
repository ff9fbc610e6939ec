"""How rows are called, and persons: by a name, a code, a number; of made databases."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from tests.databases.test_guessing import guessed


def test_a_name_is_shown_and_a_code_beside_it_is_known(tmp_path: Path) -> None:
    made = guessed(
        tmp_path,
        """
        create table airports (iata text primary key, name text, elev_ft integer,
                               runway_cnt integer);
        create table products (code text primary key, product text, tax_code text);
        create table flights (no text primary key, dest text references airports(iata),
                              dep_time text, distance_km integer, duration_min integer);
        insert into airports values ('JFK', 'Kennedy Airport', 13, 4), ('ORD', 'O''Hare', 672, 8);
        insert into products values ('B01', 'lamp', 'low'), ('B02', 'desk', 'high');
        insert into flights values
            ('A1', 'JFK', '2024-01-02 10:00:00', 900, 80),
            ('A2', 'ORD', '2024-01-03 11:30:00', 1400, 130);
        """,
    )
    airport, product, flight = (made.tables[each] for each in ("airport", "product", "flight"))
    assert (airport["name"], airport["also_named_by"]) == ("name", ["iata"])
    assert (product["name"], product["also_named_by"]) == ("product", ["code"])
    assert product["dimensions"]["tax"]["synonyms"] == ["tax code"]
    assert flight["name"] == "flight_number" and "also_named_by" not in flight
    assert airport["measures"]["runways"]["column"] == "runway_cnt"
    assert airport["measures"]["elevation"]["unit"] == "foot"
    assert flight["time_dimensions"]["departure_time"]["wording"] == "that departed"
    destination = made.relationships["flight_destination"]
    assert destination["phrase"] == "with destination"
    assert destination["synonyms"] == ["to", "arriving at"]
    assert flight["measures"]["duration"]["most"] == "longest"
    assert "most" not in flight["measures"]["distance"]


def test_rows_without_a_key_are_told_apart_by_their_number(tmp_path: Path) -> None:
    """Ratings that one gave twice; a table that is called as what somebody does is a link."""
    made = guessed(
        tmp_path,
        """
        create table movie (mid integer primary key, title text);
        create table reviewer (rid integer primary key, name text);
        create table rating (rid integer references reviewer(rid),
                             mid integer references movie(mid), stars integer, month text);
        create table lives_in (rid integer references reviewer(rid),
                               mid integer references movie(mid), room integer);
        insert into movie values (1, 'Alpha'), (2, 'Beta');
        insert into reviewer values (1, 'Ann'), (2, 'Ben');
        insert into rating values (1, 1, 4, '2025-01'), (1, 1, 4, '2025-01'), (2, 2, 3, '2025-02');
        insert into lives_in values (1, 1, 7), (1, 1, 7), (2, 1, 8);
        """,
    )
    rating = made.tables["rating"]
    assert rating["key"] == "rowid" and "stars" in rating["measures"] and "aside" not in rating
    assert rating["time_dimensions"]["month"]["stored_as"] == "month"
    link = made.relationships["reviewer_movie"]
    assert (link["through"], link["phrase"]) == ("rating", "rate")
    assert (link["synonyms"], link["inverses"]) == (["review"], ["reviewed by"])
    lives = made.relationships["lives_in"]
    assert (lives["phrase"], lives["synonyms"], lives["through"]) == ("live in", ["in"], "lives_in")
    assert "lives_in" not in made.tables and made.left_out == [
        "lives_in.room: nothing tells the table's rows apart; give it a key by hand"
    ]


def test_a_sponsor_is_called_by_its_company_not_by_its_contact(tmp_path: Path) -> None:
    made = guessed(
        tmp_path,
        """
        create table sponsor (sponsor_id integer primary key, company text, contact_name text);
        create table contact (contact_id integer primary key, contact_name text, town text);
        create table boat (boat_id integer primary key, skipper_name text, beam_m real);
        create table repair (repair_id integer primary key, boat_id integer references boat,
          finished_on date, cost_eur real);
        insert into sponsor values (1, 'Halden Bank', 'Ida Moe'), (2, 'Lund Ale', 'Bo Juhl'),
                                   (3, 'Kite Air', 'Ann Ray');
        insert into contact values (1, 'Ida Moe', 'Lund'), (2, 'Bo Juhl', 'Ribe'),
                                   (3, 'Ann Ray', 'Moss');
        insert into boat values (1, 'Jon Fox', 3.5), (2, 'Lea Orr', 4.25);
        insert into repair values (1, 1, '2021-03-01', 80), (2, 1, null, 30.5),
                                  (3, 2, '2022-03-01', 60), (4, 2, '2023-05-07', 71);
        """,
    )
    assert made.tables["sponsor"]["name"] == "company"
    assert "contact_name" in made.tables["sponsor"]["dimensions"]
    assert made.tables["contact"]["name"] == "name"
    assert made.tables["boat"]["measures"]["beam"]["unit"] == "meter"
    assert made.tables["repair"]["filters"]["unfinished"]["missing"] is True


def test_whom_invoices_are_of_is_a_client(tmp_path: Path) -> None:
    script = """
        create table owner (owner_id integer primary key, first_name text, last_name text);
        create table vet (vet_id integer primary key, first_name text, last_name text);
        create table animal (animal_id integer primary key, name text,
          owner_id integer references owner, chip_no integer);
        create table invoice (invoice_id integer primary key, owner_id integer references owner,
          pages integer, total real);
        insert into owner values (1, 'Ann', 'Moe'), (2, 'Bo', 'Lee');
        insert into vet values (1, 'Cy', 'Poe'), (2, 'Di', 'Roy');
        insert into animal values (1, 'Rex', 1, 985111222333001), (2, 'Tom', 2, 985111222333402);
        insert into invoice values (1, 1, 1, 20.5), (2, 2, 1, 30), (3, 1, 2, 41);
    """
    (tmp_path / "one").mkdir()
    made = guessed(tmp_path / "one", script)
    assert {"client", "customer"} <= {*made.tables["owner"]["synonyms"]}
    assert "client" not in made.tables["vet"].get("synonyms", [])
    assert made.tables["animal"]["synonyms"] == ["pet"]
    (tmp_path / "two").mkdir()
    both = script.replace("pages integer", "vet_id integer references vet")
    made = guessed(tmp_path / "two", both)
    assert "client" not in made.tables["owner"].get("synonyms", [])


def test_a_batch_is_called_by_its_code_where_it_has_no_name(tmp_path: Path) -> None:
    made = guessed(
        tmp_path,
        """
        create table batches (batch_id integer primary key, batch_code text, litres real);
        create table taps (tap_id integer primary key, code text, batch_id integer
                           references batches(batch_id));
        """
        + "".join(f"insert into batches values ({i}, '2024-{i:03d}', {i});" for i in range(1, 41))
        + "".join(f"insert into taps values ({i}, 'x{i % 3}', {i});" for i in range(1, 41)),
    )
    assert made.tables["batch"]["name"] == "code"
    assert "name" not in made.tables["tap"]  # three of them are called alike


def test_airports_are_called_by_their_towns_where_each_has_one(tmp_path: Path) -> None:
    script = """
        create table airports (id integer primary key, name text, city text);
        create table hotels (id integer primary key, name text, city text);
        """
    rows = ("1, 'Kennedy', 'Cork'", "2, 'Hope Field', 'Oban'")
    for table in ("airports", "hotels"):
        script += "".join(f"insert into {table} values ({row});" for row in rows)
    made = guessed(tmp_path, script)
    assert made.tables["airport"]["also_named_by"] == ["city"]
    assert "also_named_by" not in made.tables["hotel"]


def test_actresses_are_the_women_among_actors(tmp_path: Path) -> None:
    made = guessed(
        tmp_path,
        """
        create table actors (id integer primary key, name text, gender text);
        insert into actors values (1, 'Ann', 'female'), (2, 'Bob', 'male');
        """,
    )
    said = made.tables["actor"]["dimensions"]["gender"]["said"]
    assert "actresses" in said["female"] and "actresses" not in said["male"]


def test_what_was_done_brings_together_more_than_what_went_wrong(tmp_path: Path) -> None:
    """Who drives what is said by trips; neither by accidents nor by who inspected it."""
    made = guessed(
        tmp_path,
        """
        create table drivers (driver_id integer primary key, name text);
        create table vans (van_id integer primary key, name text);
        create table accidents (accident_id integer primary key, town text,
            driver_id integer references drivers, van_id integer references vans);
        create table checks (check_id integer primary key, town text,
            inspector_driver_id integer references drivers, van_id integer references vans);
        create table trips (trip_id integer primary key, town text,
            driver_id integer references drivers, van_id integer references vans);
        insert into drivers values (1, 'Ann'), (2, 'Bob');
        insert into vans values (1, 'Big Red'), (2, 'Blue');
        insert into accidents values (1, 'Cork', 1, 1), (2, 'Cork', 2, 1), (3, 'Oban', 1, 2),
            (4, 'Oban', 2, 2);
        insert into checks values (1, 'Cork', 1, 1), (2, 'Cork', 1, 2), (3, 'Oban', 1, 2),
            (4, 'Oban', 1, 2), (5, 'Oban', 1, 2);
        insert into trips values (1, 'Cork', 2, 1), (2, 'Cork', 2, 2);
        """,
    )
    assert made.relationships["driver_van"]["path"] == ["!trip_driver", "trip_van"]


def test_whom_agents_have_are_clients(tmp_path: Path) -> None:
    made = guessed(
        tmp_path,
        """
        create table agents (agent_id integer primary key, name text);
        create table actors (actor_id integer primary key, name text,
                             agent_id integer references agents);
        create table films (film_id integer primary key, name text,
                            agent_id integer references agents);
        insert into agents values (1, 'Ann'), (2, 'Bob');
        insert into actors values (1, 'Cleo', 1), (2, 'Dan', 2);
        insert into films values (1, 'Up', 1), (2, 'Down', 2);
        """,
    )
    assert "client" in made.tables["actor"]["synonyms"]
    assert "client" not in made.tables["film"].get("synonyms", [])
