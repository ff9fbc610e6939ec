"""Case studies: the listed rows, and rows in full from predictions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairseq_twostage.databin.folder import EmbeddingsInfo, Manifest, write_gold
from fairseq_twostage.errors import UserError
from fairseq_twostage.results import read_results
from fairseq_twostage.text.rows import Row
from research.cases import cases_table, main, show_cases
from research.paper import HERE, read_table
from research.runs import Runs
from research.tables import NOTHING
from tests.research.helpers import cells, run

HEADER = "utterance\tcanonical\tlogical_form\tdenotation\tcorrect\n"


def predictions(path: Path, *rows: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def test_seeds_that_answer_are_counted():
    runs = [
        run(seed=1, right=[7, 9], total=20),
        run(seed=2, right=[3, 9], total=20),
        run(seed=3, right=[7], total=20),
        run(system="minus_cycle_learning", right=[], total=20),
        run(system="words_only", right=[7], total=20, split="valid"),
        run(system="two_stage_supervised", right=[7], total=20, setting="grammar"),
        run(domain="geo", right=[0], total=20),  # none of its few rows is listed
    ]
    [point] = [case.point for case in read_table("cases.tsv").itertuples() if case.row == 7]
    shown = cells(cases_table(Runs(runs)), f"calendar 7: {point}")
    assert shown == ["2 of 3", "0 of 1", "–", "–", "–", "–"]
    assert cases_table(Runs([run(total=4)])) == NOTHING


def test_listed_rows_are_rows_of_the_committed_results():
    cases = read_table("cases.tsv")
    assert not cases.duplicated(["domain", "row"]).any() and len(cases) > 10
    totals = {run.domain: run.total for run in read_results(HERE) if run.system == "complete"}
    for case in cases.itertuples():
        assert 0 <= case.row < totals[case.domain]
        assert case.point and "|" not in case.point


def test_chosen_rows_of_every_system(tmp_path: Path):
    files = {
        "parser": predictions(tmp_path / "p.tsv", "a ?\t\tw\t(list)\t0", "b\t\tw\t5\t1"),
        "complete": predictions(tmp_path / "c.tsv", "a ?\tz\ty\t(list)\t1", "b\tz2\ty2\tERROR\t0"),
    }
    gold = [Row("a ?", "", "g"), Row("b", "zz", "gg")]
    assert list(show_cases({1: "look here", 0: ""}, files, gold)) == [
        *("row 1: b", "  (look here)"),
        *("  gold", "    z  zz", "    y  gg"),
        *("  parser: right", "    ŷ  w", "    =  5"),
        *("  complete: wrong", "    ẑ  z2", "    ŷ  y2", "    =  ERROR", ""),
        "row 0: a ?",
        *("  gold", "    z  (none)", "    y  g"),
        *("  parser: wrong", "    ŷ  w", "    =  (list)"),
        *("  complete: right", "    ẑ  z", "    ŷ  y", "    =  (list)", ""),
    ]
    with pytest.raises(UserError, match="row 2 is not among 0 to 1"):
        next(show_cases({0: "", 2: ""}, files, gold))  # before any row is shown
    with pytest.raises(UserError, match=r"p\.tsv: not of the rows of this split"):
        list(show_cases({0: ""}, files, [Row("x", "", "g")]))


def test_the_listed_cases_of_a_domain(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    cases = read_table("cases.tsv").query("domain == 'calendar'")
    utterances = [f"which {n}" for n in range(max(cases.row) + 1)]
    file = predictions(tmp_path / "c.tsv", *(f"{x}\tz\ty\t(list)\t1" for x in utterances))
    data = tmp_path / "calendar"
    (data / "gold").mkdir(parents=True)
    vectors = EmbeddingsInfo(0, 0, 0, 0, file="", sha256="", dim=0)
    Manifest(1, "0", "calendar", "paper", 1, {}, [], {}, vectors).write(data)
    write_gold(data, "test", [Row(x, "z", "y") for x in utterances])
    options = ["--data", str(data), "--predictions", str(file)]
    assert main(options) == 0
    shown = [line for line in capsys.readouterr().out.splitlines() if line[:3] in ("row", "  (")]
    expected = [[f"row {c.row}: which {c.row}", f"  ({c.point})"] for c in cases.itertuples()]
    assert shown == [line for pair in expected for line in pair]
    assert main(["3", *options]) == 0
    assert capsys.readouterr().out.startswith("row 3: which 3\n  gold\n")
    Manifest(1, "0", "shop", "paper", 1, {}, [], {}, vectors).write(data)
    assert main(options) == 1
    error = "cases: error: ROW: no row of shop is listed, only of basketball, calendar, geo"
    assert capsys.readouterr().err.startswith(error)


def test_no_sentence_of_a_dataset_is_listed(data_dir: Path):
    raw = [*(data_dir / "overnight").glob("*.examples"), *(data_dir / "geogranno").glob("*.tsv")]
    sentences = set()
    for path in raw:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".tsv":
            found = [field for line in text.splitlines() for field in line.split("\t")[:2]]
        else:
            found = re.findall(r'\((?:utterance|original) "(.*)"\)', text)
        sentences |= {" ".join(sentence.lower().split(" ?")[0].split()) for sentence in found}
    assert len(sentences) > 10_000
    for point in read_table("cases.tsv").point:
        words = re.findall(r"[\w']+", point.lower())
        runs = {" ".join(words[i:j]) for j in range(len(words) + 1) for i in range(j - 2)}
        assert not runs & sentences
