"""What is shown beside an answer: names, what was compared or sorted by, and the SQL."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
import sqlalchemy as sa

from fairseq_twostage.cli.main import main
from fairseq_twostage.cli.parse import table_lines
from fairseq_twostage.databases.opening import open_schema
from fairseq_twostage.databases.running import DatabaseWorld
from fairseq_twostage.inference.answer import shown_table
from fairseq_twostage.semantics.gold_rows import row_set
from tests.databases.test_own_database import FILMS, PEOPLE, got, named, shop, where
from tests.databases.test_questions import described

__all__ = ["shop"]
LONG = where("length", ">=", "( number 90 minute )")


def listed(form: str) -> str:
    return f"( call SW.listValue {form} )"


LENGTHS = ["Oh, no! | 120 minutes", "Up | 90 minutes", "Up | 120 minutes"]


@pytest.mark.parametrize(
    ("form", "table", "note"),
    [
        (LONG, ["film | length", *LENGTHS], ""),
        (got("length"), ["film | length", *LENGTHS], ""),
        (
            f"( call SW.top {FILMS} ( string max ) ( string length ) ( number 3 ) )",
            ["film | length", "Oh, no! | 120 minutes", "Up | 120 minutes", "Up | 90 minutes"],
            "",
        ),
        (
            f"( call SW.countSuperlative {FILMS} ( string max ) ( string !plays_in ) )",
            ["film | number of persons", "Up | 2"],
            "",
        ),
        (
            got("released"),
            ["film | released", "Oh, no! | 1 Jan 2005", "Up | 1 May 2004", "Up | 31 Dec 2004"],
            "",
        ),
        (
            got("shown"),  # a day, and its hour where there is one
            ["film | shown", "Up | 1 Jan 2005, 20:00", "Up | 2 Jan 2005"],
            "",
        ),
        (
            f"( call SW.aggregate ( string avg ) {got('length')} )",
            ["length", "110 minutes"],
            "of 3 films; 1 without length left out",
        ),
        (
            f"( call SW.group {FILMS} ( string kind ) )",
            ["kind | number", "drama | 2", "comedy | 1"],
            "",
        ),
        (
            f"( call SW.group {FILMS} ( string made_by ) ( string avg ) ( string length ) )",
            ["made by | average length", "Ben Ray | 120 minutes", "Ann Lee | 90 minutes"],
            "",
        ),
    ],
)
def test_a_table_has_what_people_expect(
    shop: DatabaseWorld, form: str, table: list[str], note: str
) -> None:
    shown = shop.show(listed(form))
    assert shown is not None
    found = shown_table(shown)
    assert [" | ".join(row) for row in (found.columns, *found.rows)] == table
    assert (found.total, found.note) == (len(table) - 1, note)


@pytest.mark.parametrize(
    ("phrase", "heading"),
    [(None, "made by"), ("of", "person"), ("with director", "director"), ("in", "person")],
)
def test_groups_are_headed_by_what_they_are(
    shop: DatabaseWorld, phrase: str | None, heading: str
) -> None:
    text = shop.schema_file.read_text(encoding="utf-8")
    said = f"made_by: {{phrase: {phrase}, from" if phrase else "made_by: {from"
    other = shop.schema_file.with_name("other.yaml")
    other.write_text(text.replace("made_by: {from", said), encoding="utf-8")
    shown = open_schema(other).show(f"( call SW.group {FILMS} ( string made_by ) )")
    assert shown is not None and shown.columns == (heading, "number")


def test_parse_prints_a_table_for_people(shop: DatabaseWorld) -> None:
    def lines(form: str) -> list[str]:
        shown = shop.show(listed(form))
        assert shown is not None
        return [
            line.removeprefix("  answer").strip()
            for line in table_lines(shown_table(shown).record())
        ]

    assert lines(LONG) == [
        "film     length",
        "Oh, no!  120 minutes",
        "Up       90 minutes",
        "Up       120 minutes",
    ]
    assert lines(named("Ann%20Lee")) == ["Ann Lee, Ann Lee"]
    assert lines(f"( call SW.aggregate ( string avg ) {got('length')} )") == [
        "110 minutes",
        "of 3 films; 1 without length left out",
    ]
    assert lines(where("length", ">", "( number 900 minute )")) == ["nothing"]
    many = {"columns": ["film"], "rows": [[str(n)] for n in range(200)], "total": 700, "note": ""}
    assert table_lines(many)[0].endswith(" 8, 9, … 690 more")


HOTEL = """
create table room (room_id integer primary key, room_number text, sea_view integer);
create table guest (guest_id integer primary key, full_name text);
create table repair (repair_id integer primary key, room_id integer references room, problem text,
  is_done integer, noticed_on text, cost real);
create table stay (stay_id integer primary key, stay_no text, guest_id integer references guest,
  nights integer);
insert into room values (1, '101', 1), (2, '102', 0);
insert into guest values (1, 'Ann Lee'), (2, 'Bo Ray');
insert into repair values (1, 1, 'broken shower', 0, '2025-03-06', 40), (2, 2, null, 1, null, 9.5),
  (3, 2, 'leaking tap', 0, '2025-05-27', null);
insert into stay values (1, 'S-71', 1, 3), (2, 'S-72', 2, 1), (3, 'S-80', 1, 2);
"""


@pytest.mark.parametrize(
    ("thing", "columns", "rows"),
    [
        (
            "repair",  # by its number alone nobody knows it
            ["repair", "room", "problem", "noticed date", "cost"],
            [
                ["1", "101", "broken shower", "6 Mar 2025", "40"],
                ["2", "102", "", "", "9.5"],
                ["3", "102", "leaking tap", "27 May 2025", ""],
            ],
        ),
        (
            "stay",  # nor by a code
            ["stay", "guest", "nights"],
            [["S-71", "Ann Lee", "3"], ["S-72", "Bo Ray", "1"], ["S-80", "Ann Lee", "2"]],
        ),
        ("guest", ["guest"], [["Ann Lee"], ["Bo Ray"]]),
    ],
)
def test_what_has_no_name_is_told_by_its_other_columns(
    tmp_path: Path, thing: str, columns: list[str], rows: list[list[str]]
) -> None:
    world = open_schema(described(tmp_path, HOTEL) / "schema.yaml")
    everything = f"( call SW.getProperty ( call SW.singleton en.{thing} ) ( string !type ) )"
    shown = world.show(listed(everything))
    assert shown is not None
    table = shown_table(shown)
    assert ([*table.columns], [[*row] for row in table.rows]) == (columns, rows)


FORMS = [LONG, named("Ann%20Lee"), got("kind"), f"( call .size {PEOPLE} )"]


@pytest.mark.parametrize("form", FORMS)
def test_the_sql_that_is_shown_answers_the_same(shop: DatabaseWorld, form: str) -> None:
    sql = shop.sql(listed(form))
    assert sql is not None
    with shop.engine.connect() as connection:
        rows = row_set(connection.execute(sa.text(sql.replace(":", r"\:"))).fetchall())
    assert rows == shop.answer_rows(shop.denote(listed(form), {}))


def test_the_command_prints_queries_and_tables(
    shop: DatabaseWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(shop.schema_file.parent)
    assert main(["sql", folder, listed(LONG)]) == 0
    words = capsys.readouterr().out.split()
    assert " ".join(words) == (
        'SELECT film_1."select" FROM "FILM" AS film_1 WHERE film_1."MINUTES" >= 90;'
    )
    forms = tmp_path / "forms.txt"
    forms.write_text(f"{listed(LONG)}\n{listed(where('lenght', '=', 'x'))}\n", encoding="utf-8")
    assert main(["sql", folder, str(forms), "--answer", "csv", "--rows", "2", "--skip", "1"]) == 1
    out, err = capsys.readouterr()
    assert list(csv.reader(io.StringIO(out))) == [
        ["film", "length"],
        ["Up", "90 minutes"],
        ["Up", "120 minutes"],
    ]
    assert err == "twostage sql: error: property error: no property lenght\n"
    assert main(["sql", folder, listed(LONG), "--answer", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == 3
    assert main(["sql", folder, listed(LONG), "--answer", "text", "--rows", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "… 2 more (--rows, --skip)"
    assert main(["sql", "cinema", listed(LONG)]) == 1
    assert "no domain with a database" in capsys.readouterr().err
