"""Rows with new programs, and systems' accuracy on them, by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairseq_twostage.databin.folder import EmbeddingsInfo, Manifest, write_gold
from fairseq_twostage.errors import UserError
from fairseq_twostage.results import write_lines
from fairseq_twostage.text.rows import Row
from research.coverage import coverage_table, main, new_programs
from research.runs import Runs
from tests.research.helpers import cells, run


def covered(path: Path, *lines: tuple[str, int, list[int]]) -> Path:
    """A file of domains, each with the number of its rows and the new ones."""
    common = {"setting": "paper", "split": "test", "commit": "", "command": ""}
    write_lines(path, [common | {"domain": d, "total": n, "new_rows": new} for d, n, new in lines])
    return path


def test_spacing_makes_no_new_program():
    rows = [Row("a", "", "( call f ( x ) )"), Row("b", "", "( call g )")]
    assert new_programs(rows, ["(call f (x))"]) == [1]


def test_a_type_guard_makes_no_new_program():
    guarded = "( call SW.max ( call SW.ensureNumericProperty ( string size ) ) ( x ) )"
    rows = [Row("a", "", guarded), Row("b", "", "( call SW.max ( string size ) ( y ) )")]
    assert new_programs(rows, ["( call SW.max ( string size ) ( x ) )"]) == [1]
    assert new_programs(rows, [rows[1].logical_form]) == [0]


def test_known_and_new_rows_apart(tmp_path: Path):
    file = covered(tmp_path / "c.jsonl", ("geo", 4, [1, 3]), ("recipes", 4, []))
    # Known rows 0 and 2: right in 1 + 2 of 2 · 2 cases; new ones 1 and 3: in 1 of 4.
    seeds = [run(domain="geo", seed=1, right=[0, 2, 3]), run(domain="geo", seed=2, right=[2])]
    other_split = run(system="words_only", domain="geo", split="valid")
    table = coverage_table(Runs([*seeds, other_split]), file)
    assert cells(table, "geo") == ["2", "2", "–", "–", "75.0 / 25.0", "–", "–"]
    assert "recipes" not in table  # nothing new


def test_other_rows_than_the_results(tmp_path: Path):
    with pytest.raises(UserError, match="different rows"):
        coverage_table(Runs([run(domain="geo")]), covered(tmp_path / "c.jsonl", ("geo", 5, [1])))


def test_the_command_adds_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    data, dest = tmp_path / "geo", covered(tmp_path / "c.jsonl", ("geo", 9, [1]), ("a", 1, []))
    (data / "gold").mkdir(parents=True)
    (data / "text").mkdir()
    vectors = EmbeddingsInfo(0, 0, 0, 0, file="", sha256="", dim=0)
    Manifest(1, "0", "geo", "paper", 1, {}, [], {}, vectors).write(data)
    (data / "text" / "train.cf-lf.cf").write_text("state\nstate\nstate\n")
    (data / "text" / "train.cf-lf.lf").write_text("( state )\n( state )\n( rare )\n")
    forms = {"which": "( state )", "how many": "( count )", "what": "( rare )"}
    write_gold(data, "test", [Row(utterance, "", form) for utterance, form in forms.items()])
    assert main(["--data", str(data), "--dest", str(dest)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 of 3 rows")
    other, geo = map(json.loads, dest.read_text().splitlines())
    assert (other["domain"], geo["domain"], geo["total"], geo["new_rows"]) == ("a", "geo", 3, [1])
    assert geo["commit"] and geo["command"].startswith("python -m research.coverage")
