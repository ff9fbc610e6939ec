"""Queries end in time, read alone, and fail in one line; a carried schema has no password."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
import sqlalchemy as sa

from fairseq_twostage.databases.opening import DATABASE_VARIABLE, carry_schema, open_schema
from fairseq_twostage.semantics import Failure
from tests.databases.conftest import SERVERS

ALL = "( call SW.getProperty ( call SW.singleton en.n ) ( string !type ) )"
NUMBERS = f"( call SW.getProperty {ALL} ( string x ) )"
SQUARES = f"( call SW.arithOp ( string * ) {NUMBERS} {NUMBERS} )"
SLOW = f"( call SW.sum ( call SW.arithOp ( string * ) {SQUARES} {NUMBERS} ) )"
SCHEMA = """\
database: {url}
limits: {{seconds: 0.5, rows: 5}}
tables:
  n: {{key: x, measures: {{x: {{}}}}}}
"""


@pytest.fixture(params=SERVERS)
def numbers(
    request: pytest.FixtureRequest, tmp_path: Path, new_database: Callable[[str], str]
) -> Path:
    """The schema of a database with 30,000 numbers."""
    url = new_database(request.param)
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("create table n (x integer primary key)")
        connection.exec_driver_sql(
            "insert into n with recursive s(x) as (select 1 union all select x + 1 from s "
            "where x < 30000) select x from s"
        )
    engine.dispose()
    (tmp_path / "schema.yaml").write_text(SCHEMA.format(url=url), encoding="utf-8")
    return tmp_path / "schema.yaml"


def test_a_query_ends_in_time(numbers: Path) -> None:
    world = open_schema(numbers)
    start = time.monotonic()
    found = world.denote(SLOW, {})
    assert time.monotonic() - start < 20
    assert isinstance(found, Failure) and found.category == "budget"
    assert found.message == "the database took more than 0.5 seconds"
    assert world.denote(f"( call .size {NUMBERS} )", {}).shown == "(number 30000)"
    first = "(list (number 1) (number 2) (number 3) (number 4) (number 5))"
    assert world.denote(f"( call SW.listValue {NUMBERS} )", {}).shown == first


def test_nothing_can_be_written(numbers: Path) -> None:
    world = open_schema(numbers)
    with world.engine.connect() as connection, pytest.raises(sa.exc.DBAPIError):
        connection.exec_driver_sql("delete from n")


@pytest.mark.parametrize("numbers", ["sqlite"], indirect=True)
def test_an_error_of_the_database_is_one_line(numbers: Path) -> None:
    world = open_schema(numbers)
    with sa.create_engine(world.engine.url).connect():
        pass
    other = sa.create_engine(f"sqlite:///{numbers.parent}/world.1.sqlite")
    with other.begin() as connection:
        connection.exec_driver_sql("drop table n")
    found = world.denote(f"( call .size {NUMBERS} )", {})
    assert isinstance(found, Failure)
    assert found.message == "the database says: no such table: n"


@pytest.mark.parametrize("numbers", ["sqlite"], indirect=True)
def test_a_schema_is_carried_elsewhere(
    numbers: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = numbers.read_text().replace(f"sqlite:///{tmp_path}/", "sqlite:///")
    numbers.write_text(f"# mine\n{text}", encoding="utf-8")
    (tmp_path / "away").mkdir()
    carried = tmp_path / "away" / "schema.yaml"
    carry_schema(numbers, carried)
    world = open_schema(carried)
    assert carried.read_text().startswith("# mine\n")
    assert pickle.loads(pickle.dumps(world)).denote(f"( call .size {NUMBERS} )", {}).shown
    (tmp_path / "world.1.sqlite").rename(tmp_path / "moved.sqlite")
    monkeypatch.setenv(DATABASE_VARIABLE, str(tmp_path / "moved.sqlite"))
    assert open_schema(carried).denote(f"( call .size {NUMBERS} )", {}).shown


@pytest.mark.parametrize(
    ("said", "carried"),
    [
        ("postgresql://me:tiger7@host/shop", "postgresql+psycopg://me@host/shop"),
        ("postgresql://host/s?password=tiger7", "postgresql+psycopg://host/s"),
        ("${SHOP_URL}", "${SHOP_URL}"),
        ("postgresql://me:${PW}@host/shop", "postgresql://me:${PW}@host/shop"),
    ],
)
def test_a_password_is_not_carried(tmp_path: Path, said: str, carried: str) -> None:
    (tmp_path / "schema.yaml").write_text(f"database: {said} # here\ntables: {{}}\n")
    carry_schema(tmp_path / "schema.yaml", tmp_path / "other.yaml")
    assert (tmp_path / "other.yaml").read_text() == f"database: {carried} # here\ntables: {{}}\n"
