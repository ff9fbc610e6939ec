"""Databases are opened to read from alone, and no message holds a password."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from fairseq_twostage.errors import UserError

pytest.importorskip("sqlalchemy")
from fairseq_twostage.databases.connecting import open_database


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.execute("create table thing (id integer, name text)")
        connection.execute("insert into thing values (1, 'lamp')")
    (tmp_path / "shop.sql").write_text(
        "create table thing (id integer, name text); insert into thing values (1, 'lamp');",
        encoding="utf-8",
    )
    (tmp_path / "wrong.sql").write_text("create tabel thing;", encoding="utf-8")
    (tmp_path / "writes.sql").write_text("attach 'other.csv' as other;", encoding="utf-8")
    (tmp_path / "book.xlsx").write_bytes(b"PK")
    (tmp_path / "torn.duckdb").write_bytes(b"PK")
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "thing.csv").write_text("id,name\n1,lamp\n", encoding="utf-8")
    (tmp_path / "secret.csv").write_text("password\n1\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "url", ["sqlite:///shop.db", "shop.db", "shop.sql", "files", "files/thing.csv", "${SHOP}"]
)
def test_rows_are_read_from_paths_beside_the_file(
    folder: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP", "sqlite:///shop.db")
    with open_database(url, folder).connect() as connection:
        rows = connection.exec_driver_sql("select id, name from thing").fetchall()
    assert [tuple(row) for row in rows] == [(1, "lamp")]


@pytest.mark.parametrize(
    ("url", "statement"),
    [
        ("shop.db", "delete from thing"),
        ("shop.db", "create table other (id integer)"),
        ("shop.sql", "delete from thing"),
        ("shop.sql", "attach 'other.csv' as other"),
        ("files", "copy thing to 'other.csv'"),
        ("files", "select * from read_csv('secret.csv')"),
    ],
)
def test_nothing_else_can_be_done(folder: Path, url: str, statement: str) -> None:
    with open_database(url, folder).connect() as connection, pytest.raises(Exception, match=r"\w"):
        connection.exec_driver_sql(statement.replace("secret", f"{folder}/secret"))
    assert not list(folder.glob("**/other.csv"))


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("sqlite:///gone.db", "no such file"),
        ("gone", "no such file or folder"),
        ("book.xlsx", "a workbook is not read: save its sheets as CSV files"),
        ("torn.duckdb", "cannot be opened"),
        ("wrong.sql", "is no script for SQLite: near"),
        ("writes.sql", "is no script for SQLite: not authorized"),
        ("mysql://host/shop", "mysql is not known here"),
        ("${NOWHERE}", "the variable NOWHERE is not set"),
        ("postgresql://me:tiger7@localhost:1/shop", "cannot be opened"),
    ],
)
def test_what_cannot_be_opened_is_one_line_without_a_password(
    folder: Path, url: str, message: str
) -> None:
    with pytest.raises(UserError, match=message) as caught:
        open_database(url, folder)
    assert "tiger7" not in str(caught.value)
    assert "\n" not in str(caught.value)
