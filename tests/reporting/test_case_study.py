"""The listed rows, and who answers them."""

from __future__ import annotations

import json
import re
from pathlib import Path

from fairseq_twostage.reporting.case_study import case_study_table, listed_cases
from fairseq_twostage.reporting.document import document
from fairseq_twostage.reporting.matrix import Matrix
from tests.reporting.helpers import run

ROOT = Path(__file__).resolve().parents[2]


def test_seeds_that_answer_are_counted():
    runs = [
        run(seed=1, right=[7, 9], total=20),
        run(seed=2, right=[3, 9], total=20),
        run(seed=3, right=[7], total=20),
        run(system="words_only", right=[], total=20),
        run(system="own", right=[7], total=20, split="valid"),
        run(system="two_stage_supervised", right=[7], total=20, setting="grammar"),
        run(domain="geo", right=[0], total=20),  # none of its few rows is listed
    ]
    systems = dict.fromkeys(("complete", "words_only", "own", "two_stage_supervised"), "label")
    _, _, line = case_study_table(systems, Matrix(runs))
    assert line.startswith("| calendar 7: ")
    assert line.endswith(" | 2 of 3 | 0 of 1 | – | – |")
    assert case_study_table({"own": "label"}, Matrix(runs)) == []


def test_the_page_has_the_case_study():
    page = document([run(right=[7], total=20)], [], {}, "", {})
    section = page.split("## Case study")[1].split("## ")[0]
    [line] = [line for line in section.splitlines() if line.startswith("| calendar")]
    assert line.endswith(" | 1 of 1 |" + " – |" * 5)
    assert "None of these rows has been scored yet." in document([run()], [], {}, "", {})


def test_listed_rows_are_rows_of_the_committed_results():
    cases = listed_cases()
    assert len({(case.domain, case.row) for case in cases}) == len(cases) > 10
    for case in cases:
        path = ROOT / "results" / "complete" / f"{case.domain}.paper.1.json"
        assert 0 <= case.row < json.loads(path.read_text())["total"]
        assert case.point and not set("|\t") & set(case.point)


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
    for case in listed_cases():
        words = re.findall(r"[\w']+", case.point.lower())
        runs = {" ".join(words[i:j]) for j in range(len(words) + 1) for i in range(j - 2)}
        assert not runs & sentences
