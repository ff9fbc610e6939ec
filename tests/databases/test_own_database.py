"""A person's database: the rules for missing values, ties, dates and groups, worked by hand."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
import sqlalchemy as sa

from fairseq_twostage.databases.opening import open_schema
from fairseq_twostage.databases.running import DatabaseWorld
from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics import World, execute, read_triples
from fairseq_twostage.semantics.accuracy import is_right
from tests.databases.published import load_world

TABLES = """
create table PERSON (ID integer primary key, "FULL NAME" text);
insert into PERSON values (1, 'Ann Lee'), (2, 'Ben Ray'), (3, 'Ann Lee'), (4, 'Cy');
create table FILM (CODE text, PART integer, "select" text, KIND text, MINUTES integer, RATING text,
  RELEASED date, SHOWN timestamp, DUBBED boolean, MAKER integer, primary key (CODE, PART));
insert into FILM values
  ('a', 1, 'Up', 'drama', 90, '7.5', '2004-05-01', '2005-01-01 20:00:00', 1, 1),
  ('a', 2, 'Up', 'comedy', 120, '10', '2004-12-31', '2005-01-02 00:00:00', 0, 2),
  ('b', 1, 'Oh, no!', 'drama', 120, '9', '2005-01-01', null, null, 2),
  ('c', 1, 'D''oh; -- "x"', null, null, 'none', null, null, null, null);
create table CASTING (F text, N integer, P integer, ROLE text);
insert into CASTING values ('a', 1, 1, 'x'), ('a', 1, 1, 'y'), ('a', 1, 2, 'z'), ('b', 1, 3, 'x');
"""
SCHEMA = """\
database: shop.db
tables:
  person:
    table: PERSON
    key: ID
    name: name
    dimensions: {name: {column: FULL NAME}}
  film:
    table: FILM
    key: [CODE, PART]
    name: title
    dimensions:
      title: {column: select}
      kind: {column: KIND}
      dubbed: {column: DUBBED, stored_as: boolean}
    time_dimensions:
      released: {column: RELEASED}
      shown: {column: SHOWN, stored_as: timestamp}
    measures:
      length: {column: MINUTES, unit: minute}
      rating: {column: RATING}
relationships:
  made_by: {from: film, to: person, columns: {MAKER: ID}}
  plays_in: {from: person, to: film, through: CASTING, from_columns: {P: ID},
             to_columns: {F: CODE, N: PART}}
"""
FILMS = "( call SW.getProperty ( call SW.singleton en.film ) ( string !type ) )"
PEOPLE = FILMS.replace("film", "person")
A1, A2, B1, C1 = (f"(name en.film.{key})" for key in ("a,1", "a,2", "b,1", "c,1"))
P1, P2, P3, P4 = (f"(name en.person.{key})" for key in (1, 2, 3, 4))


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> DatabaseWorld:
    folder = tmp_path_factory.mktemp("shop")
    with sqlite3.connect(folder / "shop.db") as connection:
        connection.executescript(TABLES)
    (folder / "schema.yaml").write_text(SCHEMA, encoding="utf-8")
    return open_schema(folder / "schema.yaml")


def where(name: str, comparison: str, value: str, of: str = FILMS) -> str:
    return f"( call SW.filter {of} ( string {name} ) ( string {comparison} ) {value} )"


def got(name: str) -> str:
    return f"( call SW.getProperty {FILMS} ( string {name} ) )"


def named(name: str) -> str:
    return f"( call SW.getProperty en.person.name.{name} ( string !person.name ) )"


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        # a missing value satisfies no condition and no negation
        (where("film.kind", "=", "en.film.kind.drama"), [A1, B1]),
        (where("kind", "!=", "en.film.kind.drama"), [A2]),
        (where("made_by", "!=", named("Ann%20Lee")), [A2, B1]),
        (where("length", ">=", "( number 90 minute )"), [A1, A2, B1]),
        (where("length", "<", "( number 100.5 minute )"), [A1]),
        (where("dubbed", "=", "( boolean false )"), [A2]),
        (f"( call SW.filter {FILMS} ( string dubbed ) )", [A1]),
        # text that is a number is compared as one
        (where("rating", ">", "( number 9 )"), [A2]),
        (f"( call SW.superlative {FILMS} ( string min ) ( string rating ) )", [A1]),
        # all ties, and those tied with the last
        (f"( call SW.superlative {FILMS} ( string max ) ( string length ) )", [A2, B1]),
        (f"( call SW.top {FILMS} ( string max ) ( string length ) ( number 1 ) )", [A2, B1]),
        (f"( call SW.top {FILMS} ( string min ) ( string length ) ( number 2 ) )", [A1, A2, B1]),
        (f"( call SW.top {FILMS} ( string min ) ( string length ) ( number 0 ) )", []),
        # a date in its year or month, before and after all of it
        (where("released", "=", "( date 2004 -1 -1 )"), [A1, A2]),
        (where("released", "=", "( date 2004 12 -1 )"), [A2]),
        (where("released", ">", "( date 2004 -1 -1 )"), [B1]),
        (where("released", ">=", "( date 2004 12 31 )"), [A2, B1]),
        (where("released", "<", "( date 2005 1 1 )"), [A1, A2]),
        (where("released", "<=", "( date 2004 5 -1 )"), [A1]),
        (where("released", "!=", "( date 2004 -1 -1 )"), [B1]),
        (where("shown", "=", "( date 2005 1 1 )"), [A1]),
        (where("shown", ">", "( date 2005 1 1 )"), [A2]),
        # a name that two rows share denotes both; names hold what they hold
        (named("Ann%20Lee"), [P1, P3]),
        (where("made_by", "=", named("Ann%20Lee")), [A1]),
        (where("title", "=", "en.film.title.D'oh%3B%20--%20%22x%22"), [C1]),
        (where("title", "=", "en.film.title.nothing"), []),
        # through a link table, by a key of two columns
        (f"( call SW.getProperty {named('Ben%20Ray')} ( string plays_in ) )", [A1]),
        ("( call SW.getProperty en.film.a,1 ( string !plays_in ) )", [P1, P2]),
        # counts are by key: twice in one film is one film
        (f"( call SW.countSuperlative {PEOPLE} ( string max ) ( string plays_in ) )", [P1, P2, P3]),
        (
            f"( call SW.countComparative {FILMS} ( string !plays_in ) ( string >= ) ( number 2 ) )",
            [A1],
        ),
        (
            f"( call SW.countComparative {PEOPLE} ( string plays_in ) ( string = ) ( number 0 ) )",
            [P4],
        ),
        (f"( call SW.concat {named('Ann%20Lee')} {PEOPLE} )", [P1, P2, P3, P4]),
        (f"( call SW.without {PEOPLE} {named('Ann%20Lee')} )", [P2, P4]),
        # aggregates are over rows and skip what is missing
        (
            f"( call SW.aggregate ( string avg ) {got('length')} )",
            ["(number 110 minute)"],
        ),
        (
            f"( call SW.aggregate ( string max ) {got('rating')} )",
            ["(number 10)"],
        ),
        (f"( call .size {FILMS} )", ["(number 4 count)"]),
        (
            got("kind"),
            ["(name en.film.kind.comedy)", "(name en.film.kind.drama)"],
        ),
        # groups
        (
            f"( call SW.group {FILMS} ( string kind ) )",
            [
                "(list (name en.film.kind.comedy) (number 1 count))",
                "(list (name en.film.kind.drama) (number 2 count))",
            ],
        ),
        (
            f"( call SW.group {FILMS} ( string made_by ) ( string sum ) ( string length ) )",
            [f"(list {P1} (number 90 minute))", f"(list {P2} (number 240 minute))"],
        ),
        (
            f"( call SW.groupSuperlative {FILMS} ( string min ) ( string kind ) ( string avg ) "
            "( string length ) )",
            ["(name en.film.kind.drama)"],
        ),
        (
            f"( call SW.countSuperlative {got('kind')} ( string max ) ( string !kind ) )",
            ["(name en.film.kind.drama)"],
        ),
        (f"( call SW.any {where('length', '>', '( number 119 minute )')} )", ["(boolean true)"]),
        (f"( call SW.any {where('length', '>', '( number 120 minute )')} )", ["(boolean false)"]),
    ],
)
def test_answers_are_those_worked_by_hand(
    shop: DatabaseWorld, form: str, wanted: list[str]
) -> None:
    found = shop.denote(f"( call SW.listValue {form} )", {})
    assert found.shown == " ".join(["(list", *wanted]) + ")", found


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("( call SW.getProperty en.film.z,9 ( string kind ) )", "no (name en.film.z,9)"),
        ("( call SW.getProperty en.film.a ( string kind ) )", "no (name en.film.a)"),
        (where("lenght", "=", "( number 1 )"), "no property lenght"),
        (where("length", "=", "( number 1 )"), "values of length are of minute_number"),
        (where("made_by", "=", "en.film.a,1"), "values of made_by are of en.person"),
    ],
)
def test_what_cannot_be_is_said(shop: DatabaseWorld, form: str, message: str) -> None:
    found = shop.denote(f"( call SW.listValue {form} )", {})
    assert found.metric_text is None and message in found.message  # type: ignore[attr-defined]


WORLD = [
    *((f"film.{n}", "genre", f"(name en.genre.{'abc'[n % 3]})") for n in range(7)),
    *((f"film.{n}", "length", f"(number {90 + n % 4 / 10} minute)") for n in range(7)),
    *((f"film.{n}", "by", f"(name en.person.{p})") for n in range(7) for p in {n % 2, n % 3}),
    *((f"film.{n}", "year", f"(date {2000 + n % 3} -1 -1)") for n in range(7)),
]
OWN = [
    "( call SW.top {all} ( string max ) ( string length ) ( number 2 ) )",
    "( call SW.top {all} ( string min ) ( string year ) ( number 4 ) )",
    "( call SW.group {all} ( string genre ) )",
    "( call SW.group {all} ( string by ) )",
    *(
        f"( call SW.group {{all}} ( string {by} ) ( string {mode} ) ( string length ) )"
        for by in ("genre", "by", "year")
        for mode in ("sum", "avg", "min", "max")
    ),
    "( call SW.groupSuperlative {all} ( string max ) ( string by ) ( string avg ) "
    "( string length ) )",
    *(
        f"( call SW.groupTop {{all}} ( string {best} ) ( string {by} ) ( string sum ) "
        f"( string length ) ( number {number} ) )"
        for best, by, number in (("max", "genre", 2), ("min", "by", 1), ("max", "year", 9))
    ),
    *(
        f"( call SW.countTop {things} ( string {mode} ) ( string {by} ) ( number {number} ) )"
        for things, by, mode, number in (
            ("{all}", "by", "max", 2),
            ("{all}", "by", "min", 1),
            ("( call SW.getProperty {all} ( string by ) )", "!by", "max", 2),
            ("( call SW.getProperty {all} ( string genre ) )", "!genre", "max", 1),
            ("{all}", "by", "max", 0),
        )
    ),
    "( call SW.any ( call SW.filter {all} ( string year ) ( string = ) ( date 2009 -1 -1 ) ) )",
    "( call SW.share ( call SW.getProperty en.person.1 ( string !by ) ) {all} )",
    "( call SW.share {all} ( call SW.getProperty en.person.1 ( string !by ) ) )",
    "( call SW.share ( call SW.filter {all} ( string year ) ( string = ) ( date 1900 -1 -1 ) ) "
    "{all} )",
    "( call SW.without {all} ( call SW.getProperty en.person.1 ( string !by ) ) )",
    *(
        f"( call SW.aggregate ( string {mode} ) ( call SW.getProperty {{all}} ( string length ) ) )"
        for mode in ("sum", "avg", "min", "max")
    ),
    "( call SW.arithOp ( string / ) ( call SW.getProperty en.film.3 ( string length ) ) "
    "( call SW.singleton ( number 7 ) ) )",
    "( call SW.countSuperlative {all} ( string max ) ( string by ) )",
    "( call SW.filter {all} ( string length ) ( string > ) ( call SW.aggregate ( string avg ) "
    "( call SW.getProperty {all} ( string length ) ) ) )",
]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, World]:
    folder = tmp_path_factory.mktemp("both")
    things = dict.fromkeys(
        text.strip("()").removeprefix("name ")
        for e, _, v in WORLD
        for text in (f"en.{e}", v)
        if not v.startswith(("(number", "(date")) or text != v
    )
    lines = [f"type\t(name {t})\t(name {t.rpartition('.')[0]})\n" for t in things]
    lines += [f"{p}\t(name en.{e})\t{v}\n" for e, p, v in WORLD]
    (folder / "world.tsv").write_text("".join(lines), encoding="utf-8")
    url = f"sqlite:///{folder}/world.db"
    load_world(
        folder / "world.tsv", sa.create_engine(url), url, folder / "schema.yaml", aggregates="rows"
    )
    memory = World(read_triples(folder / "world.tsv"), exact=True, rows=True)
    return memory, open_schema(folder / "schema.yaml")


@pytest.mark.parametrize("form", OWN)
def test_memory_and_database_agree(both: tuple[World, World], form: str) -> None:
    text = f"( call SW.listValue {form.replace('{all}', FILMS)} )"
    memory, database = (execute(text, world) for world in both)
    assert memory.metric_text is not None, memory
    assert database.shown == memory.shown


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("key: ID", "key: IDD", "PERSON has no column 'IDD'; did you mean 'ID'?"),
        ("column: MINUTES,", "expression: MINUTS / 2,", "no column 'MINUTS'; did you mean"),
        ("column: KIND", "column: KINDS", "FILM has no column 'KINDS'; did you mean 'KIND'?"),
        ("table: FILM", "table: FILMS", "no table 'FILMS'; did you mean 'FILM'?"),
        ("through: CASTING", "through: CASTINGS", "no table 'CASTINGS'; did you mean 'CASTING'?"),
        ("MAKER: ID", "MAKR: ID", "FILM has no column 'MAKR'; did you mean 'MAKER'?"),
    ],
)
def test_a_database_that_is_another_is_said(
    shop: DatabaseWorld, tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in SCHEMA
    file = tmp_path / "schema.yaml"
    database = shop.schema_file.parent / "shop.db"
    text = SCHEMA.replace("shop.db", str(database)).replace(old, new)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as error:
        open_schema(file)
    line = text[: text.index(new)].count("\n") + 1
    assert message in str(error.value)
    assert str(error.value).startswith(f"{file}:{line}: ")


@pytest.mark.parametrize(
    ("form", "gold", "right"),
    [
        (named("Ann%20Lee"), 'select "FULL NAME" from PERSON where ID = 1', True),
        (named("Ann%20Lee"), '["Ben Ray"]', False),
        (where("made_by", "=", named("Ben%20Ray")), '[[" Up "], ["Oh, no!"]]', True),
        (where("made_by", "=", named("Ben%20Ray")), '["Up"]', False),
        (got("rating"), "SELECT RATING FROM FILM WHERE RATING <> 'none'", True),
        (got("length"), '["90", 120.0]', True),
        (got("released"), "select RELEASED from FILM where RELEASED is not null", True),
        (f"( call .size {FILMS} )", "select count(*) from FILM", True),
        (f"( call .size {FILMS} )", "select count(*) from NOWHERE", False),
        (f"( call SW.group {FILMS} ( string kind ) )", '[["drama", 2], ["comedy", "1"]]', True),
        (f"( call SW.any {FILMS} )", "[true]", True),
        (where("length", "=", "( number 1 )"), "[]", False),
    ],
)
def test_answers_are_compared_with_gold_rows(
    shop: DatabaseWorld, form: str, gold: str, right: bool
) -> None:
    found = shop.denote(f"( call SW.listValue {form} )", {})
    assert is_right(found, gold, shop) == right
