"""Rows with new programs, and systems' accuracy on them, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.reporting.coverage import (
    Coverage,
    coverage_table,
    new_programs,
    read_coverage,
)
from fairseq_twostage.reporting.matrix import Matrix
from fairseq_twostage.text.rows import Row
from tests.reporting.helpers import run


def test_spacing_makes_no_new_program():
    rows = [Row("a", "", "( call f ( x ) )"), Row("b", "", "( call g )")]
    assert new_programs(rows, ["(call f (x))"]) == [1]


def test_a_type_guard_makes_no_new_program():
    guarded = "( call SW.max ( call SW.ensureNumericProperty ( string size ) ) ( x ) )"
    rows = [Row("a", "", guarded), Row("b", "", "( call SW.max ( string size ) ( y ) )")]
    assert new_programs(rows, ["( call SW.max ( string size ) ( x ) )"]) == [1]
    assert new_programs(rows, [rows[1].logical_form]) == [0]


def test_known_and_new_rows_apart(tmp_path: Path):
    covered = Coverage("geo", "paper", "test", 4, [1, 3], "", "")
    covered.write(tmp_path)
    Coverage("recipes", "paper", "test", 4, [], "", "").write(tmp_path)  # nothing new: not shown
    # Known rows 0 and 2: right in 1 + 2 of 2 · 2 cases; new ones 1 and 3: in 1 of 4.
    seeds = [run(domain="geo", seed=1, right=[0, 2, 3]), run(domain="geo", seed=2, right=[2])]
    other_split = run(system="words_only", domain="geo", split="valid")
    names = {"complete": "Complete", "words_only": "Words"}
    lines = coverage_table(read_coverage(tmp_path), names, Matrix([*seeds, other_split]))
    assert lines[0] == "| test rows | known | new | Complete | Words |"
    assert lines[2:] == ["| geo | 2 | 2 | 75.0 / 25.0 | – |"]


def test_other_rows_than_the_results(tmp_path: Path):
    covered = {("geo", "paper"): Coverage("geo", "paper", "test", 5, [1], "", "")}
    with pytest.raises(UserError, match="different rows"):
        coverage_table(covered, {"complete": "C"}, Matrix([run(domain="geo")]))
    (tmp_path / "coverage.geo.paper.json").write_text("{}")
    with pytest.raises(UserError, match="not written by twostage coverage"):
        read_coverage(tmp_path)
