"""Ids without declared references: by the name of another key, of either of two tables, and beside
another key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.cli.main import main
from fairseq_twostage.databases.reflection import Reflected
from tests.databases.test_guessed_questions import answered
from tests.databases.test_guessing import guessed
from tests.databases.test_questions import described

FILMS = """
create table movie (mid integer primary key, title text, year integer);
create table series (sid integer primary key, title text);
create table genre (gid integer primary key, genre text);
create table actor (aid integer primary key, name text, nationality text);
create table director (did integer primary key, name text, nationality text);
create table classification (id integer primary key, msid integer, gid integer);
create table directed_by (id integer primary key, msid integer, did integer);
create table "cast" (id integer primary key, msid integer, aid integer, role text);
insert into movie values (1, 'Owls', 2001), (2, 'Elms', 2004), (3, 'Oaks', 2004);
insert into series values (11, 'Winds'), (12, 'Rains'), (13, 'Snows');
insert into genre values (1, 'Drama'), (2, 'Comedy'), (3, 'Thriller');
insert into actor values (1, 'Ann', 'Peru'), (2, 'Bo', 'Chad'), (3, 'Cy', 'Peru');
insert into director values (1, 'Di', 'Peru'), (2, 'Ed', 'Chad'), (3, 'Fay', 'Chad');
insert into classification values (1, 1, 1), (2, 1, 2), (3, 2, 2), (4, 11, 1), (5, 12, 3),
  (6, 13, 1), (7, 3, 3);
insert into directed_by values (1, 1, 1), (2, 2, 1), (3, 11, 2), (4, 12, 1), (5, 3, 3), (6, 13, 2);
insert into "cast" values (1, 1, 1, 'King'), (2, 1, 2, 'Queen'), (3, 2, 1, 'Cook'),
  (4, 11, 3, 'King'), (5, 12, 3, 'Boy'), (6, 13, 3, 'Boy'), (7, 3, 2, 'Duke');
"""
SHOPS = """
create table business (bid integer primary key, business_id text, name text);
create table member (uid integer primary key, member_id text, name text);
create table review (rid integer primary key, business_id text, member_id text, rating real,
  text text);
insert into business values (1, 'xa9', 'Oak Inn'), (2, 'kq2', 'Elm Bar'), (3, 'zz1', 'Fir Cafe');
insert into member values (1, 'm7q', 'Ann'), (2, 'm3z', 'Bo'), (3, 'm5k', 'Cy');
insert into review values (1, 'xa9', 'm7q', 2, 'Cold soup.'), (2, 'xa9', 'm3z', 4, 'Fine beds.'),
  (3, 'kq2', 'm7q', 1, 'Loud.'), (4, 'zz1', 'm5k', 5, 'Good cake.'), (5, 'kq2', 'm3z', 2, 'Dark.');
"""


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("films"), FILMS)


def test_ids_of_either_of_two_tables_refer_to_both(tmp_path: Path) -> None:
    made = guessed(tmp_path, FILMS)
    of_cast = {each["to"] for each in made.relationships.values() if each["from"] == "cast"}
    assert of_cast == {"movie", "series", "actor"}
    linked = [each for each in made.relationships.values() if each.get("phrase") == "directed by"]
    assert {(each["from"], each["to"], each["inverse"]) for each in linked} == {
        ("movie", "director", "direct"),
        ("series", "director", "direct"),
    }
    assert "classification" not in made.tables


def test_ids_that_two_tables_have_in_common_refer_to_neither(tmp_path: Path) -> None:
    script = FILMS.replace("(11, 'Winds')", "(1, 'Winds')").replace("11,", "1,")
    made = guessed(tmp_path, script)
    assert not any(each["to"] in ("movie", "series") for each in made.relationships.values())


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("which movies are directed by _director_", {"_director_": "di"}, {"1", "2"}),
        ("which series are directed by _director_", {"_director_": "di"}, {"12"}),
        ("how many movies are directed by _director_", {"_director_": "ed"}, {"0"}),
        ("which director directs the most series", {}, {"2"}),
        ("which actors act in _movie_", {"_movie_": "owls"}, {"1", "2"}),
        ("who acts in the most series", {}, {"3"}),
        ("what are the genres of _movie_", {"_movie_": "owls"}, {"1", "2"}),
        ("how many _genre_ movies are directed by _director_",
         {"_genre_": "comedy", "_director_": "di"}, {"2"}),
        ("which casts have role _role_", {"_role_": "king"}, {"1", "4"}),
    ],
)  # fmt: skip
def test_questions_over_ids_of_either(
    films: Path, question: str, names: dict[str, Any], answer: set[str]
) -> None:
    assert answered(films, question, names) == answer


def test_what_others_call_a_row_by_is_its_key(tmp_path: Path) -> None:
    made = guessed(tmp_path, SHOPS)
    assert made.tables["business"]["key"] == "business_id"
    assert made.tables["member"]["key"] == "member_id"
    found = {(each["from"], each["to"]) for each in made.relationships.values()}
    assert {("review", "business"), ("review", "member")} <= found
    rating = made.tables["member"]["measures"]["average_rating"]
    assert rating["avg_of"] == "review.rating"


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("shops"), SHOPS)


def test_averages_of_what_somebody_wrote_are_compared(shops: Path) -> None:
    two = {"_number_": "(number 2)"}
    below = "which members have average rating below _number_"
    assert answered(shops, below, two) == {"m7q"}  # (2 + 1) / 2; Bo has 3, Cy 5
    written = "which reviews are written by _member_"
    assert answered(shops, written, {"_member_": "bo"}) == {"2", "5"}


def test_a_table_without_a_key_has_one_of_ids_and_dates_together(tmp_path: Path) -> None:
    columns = ", ".join(f"note_{letter} text" for letter in "abcdefghij")
    rows = ((event, heat, day) for event in "xy" for heat in (1, 2) for day in (1, 2))
    values = ", ".join(
        f"({', '.join(repr(n) for n in 'ppqqppqqpp')}, '{event}', {heat}, '2024-01-0{day}')"
        for event, heat, day in rows
    )
    script = f"""
    create table heats ({columns}, event_id text, heat_num integer, held date);
    insert into heats values {values};
    """
    made = guessed(tmp_path, script)
    assert {*made.tables["heat"]["key"]} == {"event_id", "heat_num", "held"}


def test_examples_into_which_a_number_is_read_stand_for_nobodys_questions(tmp_path: Path) -> None:
    script = """
    create table shows (show_id integer primary key, title text, n18_49_rating real);
    insert into shows values (1, 'Owls', 0.5), (2, 'Elms', 1.5), (3, 'Oaks', 2.5);
    """
    folder = described(tmp_path, script)
    made = tmp_path / "bin"
    command = ["prepare", "--domain", str(folder), "--dest", str(made), "--embeddings", "none"]
    assert main(command) == 0
    lines = {
        side: (made / "text" / f"train.{side}").read_text(encoding="utf-8").splitlines()
        for side in ("nl", "cf")
    }
    assert any(" 49 " in z for z in lines["cf"])  # which are read with a number in place of it
    assert lines["nl"] and {*lines["nl"]} <= {*lines["cf"]}


def test_loose_numbers_are_not_held_against_each_pair_of_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, asked = 14, []
    finds = Reflected._finds

    def counted(self: Reflected, statement: Any) -> bool:
        asked.append(statement)
        return finds(self, statement)

    monkeypatch.setattr(Reflected, "_finds", counted)
    letters = "abcdefghijklmn"[:tables]
    script = "".join(
        f"create table {letter}x (id integer primary key, name text, serial_no integer);"
        + "".join(
            f"insert into {letter}x values ({100 * place + row}, 'n{row}', {7000 * row});"
            for row in range(1, 5)
        )
        for place, letter in enumerate(letters)
    )
    guessed(tmp_path, script)
    assert len(asked) < tables  # the keys of all pairs lie apart: that were hundreds
