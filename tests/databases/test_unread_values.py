"""Values that cannot be read as a schema says, by rows looked at by hand."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.databases.csv_files import select_of_file
from fairseq_twostage.databases.opening import open_schema
from fairseq_twostage.databases.unread_values import unread_values
from fairseq_twostage.errors import UserError

SCHEMA = """\
database: goats.sqlite
tables:
  goat:
    key: id
    name: called
    dimensions:
      called: {}
      horned: {stored_as: boolean}
    time_dimensions:
      born: {stored_as: date}
    measures:
      milk: {stored_as: number}
"""


def told(folder: Path, horned: str, born: str, milk: str) -> list[str]:
    """What is said of ten goats of which the last has other values than the first nine."""
    usual = ("yes", "2020-05-01", "3.5")
    rows = [(number, f"goat {number}", *usual) for number in range(9)]
    with sqlite3.connect(folder / "goats.sqlite") as connection:
        connection.execute("create table goat (id integer primary key, called, horned, born, milk)")
        rows += [(9, "goat 9", horned, born, milk), (10, "goat 10", horned, born, milk)]
        rows = rows if horned != "x" else [(*row[:2], "x", *row[3:]) for row in rows]
        connection.executemany("insert into goat values (?, ?, ?, ?, ?)", rows)
    for column in ("called", "horned", "born", "milk"):
        with sqlite3.connect(folder / "goats.sqlite") as connection:
            connection.execute(f"update goat set {column} = cast({column} as text)")
    (folder / "schema.yaml").write_text(SCHEMA)
    return [*unread_values(open_schema(folder / "schema.yaml"))]


def test_what_can_be_read_is_not_told_of(tmp_path: Path) -> None:
    assert told(tmp_path, "No", "2021-01-31", "12") == []


def test_what_cannot_be_read_is_told_with_its_line(tmp_path: Path) -> None:
    dates, numbers = told(tmp_path, "f", "31.01.2021", "1,5 l")
    assert dates.startswith(
        f"{tmp_path / 'schema.yaml'}:10: 9 of the 11 values of born can be read"
    )
    assert "31.01.2021" in dates
    assert numbers.startswith(f"{tmp_path / 'schema.yaml'}:12: 9 of the 11 values of milk can be")


def test_a_column_that_cannot_be_read_at_all(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="none of the 11 values of horned can be read as yes or no"):
        told(tmp_path, "x", "2021-01-31", "12")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_files_of_other_encodings(tmp_path: Path, encoding: str) -> None:
    pytest.importorskip("duckdb_engine")
    from sqlalchemy import create_engine

    file = tmp_path / "goats.csv"
    file.write_text("name;rent\nZo\u00eb;12 \u20ac\nJos\u00e9;13 \u20ac\n", encoding=encoding)
    with create_engine("duckdb:///:memory:").connect() as connection:
        query, read = select_of_file(connection, file, "here")
        rows = connection.exec_driver_sql(query).fetchall()
    assert rows == [("Zo\u00eb", "12 \u20ac"), ("Jos\u00e9", "13 \u20ac")]
    assert (read == file) is encoding.startswith("utf-8")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('id;name;amount\n1;a\n2;b;3;4\n3;"c;5\n', "cannot be told apart"),
        ("Plots of 2024;;\nplot;size;rent\n1;20;30\n2;30;40\n", "names 1 of 3 columns"),
    ],
)
def test_files_whose_columns_have_no_names(tmp_path: Path, text: str, message: str) -> None:
    pytest.importorskip("duckdb_engine")
    from sqlalchemy import create_engine

    file = tmp_path / "plots.csv"
    file.write_text(text)
    engine = create_engine("duckdb:///:memory:")
    with engine.connect() as connection, pytest.raises(UserError, match=message):
        select_of_file(connection, file, "here")
