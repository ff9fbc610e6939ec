"""Times of day, days of any year, names that several rows share: answers counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.domains.schemas import domain_lexicon, schema_pairs
from tests.databases.test_questions import answer_of, described

SCRIPT = """
create table concert (concert_id integer primary key, name text, day date, start_time time,
  country text);
insert into concert values (1, 'Night Owl', '2023-07-25', '18:30', 'Denmark'),
  (2, 'Night Owl', '2024-07-25', '21:00', 'Sweden'), (3, 'Tide', '2024-07-26', '11:00', 'Denmark'),
  (4, 'Night Owl', '2024-08-01', '11:00', null), (5, 'Tide', '2024-12-25', null, 'Sweden'),
  (6, 'Tide', null, '12:00', 'Sweden');
"""
NOON, EVENING = "(time 12 0)", "(time 21 0)"


@pytest.fixture(scope="module", params=["sqlite", "csv"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = described(tmp_path_factory.mktemp("concerts"), SCRIPT)
    if request.param == "csv":
        return in_files(made)
    return made


def in_files(made: Path) -> Path:
    """The same rows as a folder of CSV files."""
    import csv
    import sqlite3

    from fairseq_twostage.cli.main import main

    pytest.importorskip("duckdb")
    files = made.parent / "files"
    files.mkdir()
    with sqlite3.connect(made.parent / "made.db") as connection:
        rows = connection.execute("select * from concert")
        with open(files / "concert.csv", "w", newline="") as file:
            csv.writer(file).writerows([[each[0] for each in rows.description], *rows])
    assert main(["init", str(made.parent / "filed"), "--database", str(files)]) == 0
    return made.parent / "filed"


@pytest.mark.parametrize(
    ("question", "values", "answer"),
    [
        ("which concerts started before _time_", {"_time_": NOON}, {"3", "4"}),
        ("how many concerts started before _time_", {"_time_": NOON}, {"2"}),
        ("how many concerts started after _time_", {"_time_": NOON}, {"2"}),
        ("how many concerts started at _time_", {"_time_": NOON}, {"1"}),
        ("how many concerts started at _time_ or later", {"_time_": EVENING}, {"1"}),
        (
            "how many concerts started between _time_ and _time2_",
            {"_time_": NOON, "_time2_": EVENING},
            {"3"},
        ),
        ("how many concerts have day in _date_", {"_date_": "(date -1 7 25)"}, {"2"}),
        ("how many concerts have day in _date_", {"_date_": "(date -1 7 -1)"}, {"3"}),
        ("how many concerts have day after _date_", {"_date_": "(date -1 7 25)"}, {"3"}),
        ("how many concerts have day before _date_", {"_date_": "(date -1 8 -1)"}, {"3"}),
        ("how many concerts have day since _date_", {"_date_": "(date -1 8 1)"}, {"2"}),
        ("how many concerts have day in _date_", {"_date_": "(date 2024 7 25)"}, {"1"}),
    ],
)
def test_questions_and_their_answers(
    folder: Path, question: str, values: dict[str, str], answer: set[str]
) -> None:
    asked = dict(schema_pairs(load_domain(folder), folder))
    assert answer_of(folder, asked[question], values) == answer


def test_a_name_of_several_rows_names_them_all(folder: Path) -> None:
    asked = dict(schema_pairs(load_domain(folder), folder))
    form = asked["what is the country of _concert_"]
    assert answer_of(folder, form, {"_concert_": "night owl"}) == {"Denmark", "Sweden"}


def test_a_time_is_no_month(folder: Path) -> None:
    asked = dict(schema_pairs(load_domain(folder), folder))
    assert not any("start time month" in question for question in asked)
    assert any("day month" in question or "per month" in question for question in asked)


def test_a_country_is_said_as_an_adjective_too(folder: Path) -> None:
    lexicon = domain_lexicon(load_domain(folder), folder)
    assert lexicon is not None
    said = {entry.phrase: entry.constant for entry in lexicon.entries}
    assert said["danish"] == said["denmark"] and said["swedish"] == said["sweden"]
