"""Dates in columns of text: what is none is missing, by rows looked at by hand."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.databases.opening import open_schema
from fairseq_twostage.semantics import Answer, execute

SCHEMA = """\
database: {database}
tables:
  film:
    key: id
    name: title
    dimensions: {{title: {{}}}}
    time_dimensions: {{released: {{stored_as: date}}}}
"""
ROWS = {
    "a": "2009-05-29", "b": "1985-12-15", "c": "n/a", "d": "unknown", "e": "25/05/1999", "f": "",
}  # fmt: skip
ALL = "( call SW.getProperty ( call SW.singleton en.film ) ( string !type ) )"


MONTHS = ["2025-11", "2025-12", "2026-01", "2026-01", "unknown"]
READINGS = ALL.replace("film", "reading")
WITH_MONTH = f"( call SW.filter {READINGS} ( string month ) ( string {{}} ) ( date {{}} ) )"


@pytest.mark.parametrize("kind", ["sqlite", "csv"])
@pytest.mark.parametrize(
    ("form", "rows", "months"),
    [
        (WITH_MONTH.format("=", "2026 1 -1"), [3, 4], ["2026 1"]),
        (WITH_MONTH.format("=", "2025 -1 -1"), [1, 2], ["2025 11", "2025 12"]),
        (WITH_MONTH.format(">", "2025 11 -1"), [2, 3, 4], ["2025 12", "2026 1"]),
        (WITH_MONTH.format("<", "2025 12 -1"), [1], ["2025 11"]),
        (f"( call SW.superlative {READINGS} ( string max ) ( string month ) )", [3, 4], ["2026 1"]),
    ],
)
def test_a_month_in_text_is_its_days(
    tmp_path: Path, kind: str, form: str, rows: list[int], months: list[str]
) -> None:
    stored = list(enumerate(MONTHS, start=1))
    if kind == "sqlite":
        with sqlite3.connect(tmp_path / "files.db") as connection:
            connection.execute("create table reading (id integer, month text)")
            connection.executemany("insert into reading values (?, ?)", stored)
    else:
        pytest.importorskip("duckdb")
        (tmp_path / "files").mkdir()
        lines = ["id,month", *(f"{at},{month}" for at, month in stored)]
        (tmp_path / "files" / "reading.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    file = {"sqlite": "files.db", "csv": "files"}[kind]
    (tmp_path / "schema.yaml").write_text(
        f"database: {file}\n"
        "tables: {reading: {key: id, time_dimensions: {month: {stored_as: month}}}}\n",
        encoding="utf-8",
    )
    world = open_schema(tmp_path / "schema.yaml")
    found = execute(f"( call SW.listValue {form} )", world)
    assert isinstance(found, Answer), found
    assert found.text == f"(list {' '.join(f'(name en.reading.{row})' for row in rows)})"
    told = execute(f"( call SW.listValue ( call SW.getProperty {form} ( string month ) ) )", world)
    assert isinstance(told, Answer), told
    assert told.text == f"(list {' '.join(f'(date {month} -1)' for month in months)})"


@pytest.mark.parametrize("kind", ["sqlite", "csv"])
@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        (f"( call SW.filter {ALL} ( string released ) ( string > ) ( date 1990 -1 -1 ) )", "1"),
        (f"( call SW.filter {ALL} ( string released ) ( string < ) ( date 1990 -1 -1 ) )", "2"),
        (f"( call SW.superlative {ALL} ( string max ) ( string released ) )", "1"),
        (f"( call SW.superlative {ALL} ( string min ) ( string released ) )", "2"),
    ],
)
def test_what_is_no_date_satisfies_no_condition(
    tmp_path: Path, kind: str, form: str, wanted: str
) -> None:
    rows = list(enumerate(ROWS.items(), start=1))
    if kind == "sqlite":
        with sqlite3.connect(tmp_path / "films.db") as connection:
            connection.execute("create table film (id integer, title text, released text)")
            connection.executemany(
                "insert into film values (?, ?, ?)", [(at, *row) for at, row in rows]
            )
    else:
        pytest.importorskip("duckdb")
        (tmp_path / "files").mkdir()
        lines = ["id,title,released", *(f"{at},{title},{day}" for at, (title, day) in rows)]
        (tmp_path / "files" / "film.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    file = {"sqlite": "films.db", "csv": "files"}[kind]
    (tmp_path / "schema.yaml").write_text(SCHEMA.format(database=file), encoding="utf-8")
    found = execute(f"( call SW.listValue {form} )", open_schema(tmp_path / "schema.yaml"))
    assert isinstance(found, Answer), found
    assert found.text == f"(list (name en.film.{wanted}))"
