"""Nothing of the results is lost, and what lies in the earlier layout can be brought here."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.results import read_results
from research.choices import read_choices
from research.from_old_layout import convert, old_results
from research.paper import HERE
from tests.research.helpers import run

# Counted in the files of the earlier layout by other code, before they went: a line for each
# folder, with DOMAIN.SETTING.SEED=CORRECT/TOTAL/SUM OF THE ROWS' INDICES/FIRST RELEASE of each run,
# but for the four runs of complete (seed 1) that were made anew since.
BEFORE = Path(__file__).with_name("scored_before.tsv")


def test_every_earlier_result_is_there_with_its_counts():
    here = {
        ("results", "-", run.system, f"{run.domain}.{run.setting}.{run.seed}"): asdict(run)
        for run in read_results(HERE)
    }
    for line in read_choices().to_dict("records"):
        where = "/".join(line[name] for name in ("choice", "variant", "split"))
        name = f"{line['domain']}.{line['setting']}.{line['seed']}"
        here["choices", where, line["system"], name] = line
    counted = 0
    for row in BEFORE.read_text(encoding="utf-8").splitlines():
        file, where, system, runs = row.split("\t")
        for each in runs.split():
            name, _, numbers = each.partition("=")
            correct, total, places, released = numbers.split("/")
            line = here[file, where, system, name]
            assert (line["correct"], line["total"]) == (int(correct), int(total)), each
            assert line["accuracy"] == round(100 * int(correct) / int(total), 2), each
            assert sum(line["correct_rows"]) == int(places), each
            assert (released == "-") or line["first_release_correct"] == int(released), each
            if file == "results" and line["errors"]:
                assert sum(line["errors"].values()) == int(total) - int(correct), each
            counted += 1
    assert counted == 403 + 338


def earlier(path: Path, **content: Any) -> Path:
    """A file as version 0.1 wrote it: without the fields that came later."""
    path.parent.mkdir(parents=True, exist_ok=True)
    later = ("errors", "first_release_correct", "frequency_match", "fingerprints")
    path.write_text(json.dumps({k: v for k, v in content.items() if k not in later}))
    return path


def test_a_folder_of_the_earlier_layout_becomes_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    old, dest = tmp_path / "old", tmp_path / "new"
    for seed in (1, 2):
        earlier(old / "complete" / f"calendar.paper.{seed}.json", **asdict(run(seed=seed)))
    counts = {"errors": {"other": 2}, "first_release_correct": 3, "split": "test", "total": 4}
    (old / "complete" / "calendar.paper.2.errors.json").write_text(json.dumps(counts))
    for split in ("train", "valid"):
        place = old / "choices" / "rate" / "0.1" / split / "complete" / "calendar.paper.1.json"
        earlier(place, **asdict(run(split=split)))
    earlier(old / "coverage.geo.paper.json", domain="geo", setting="paper", new_rows=[1])
    run(seed=1, right=[]).write(dest)  # replaced
    run(seed=3).write(dest)
    for _ in range(2):  # the second time nothing is new
        convert(old, dest)
        counted = run(seed=2, errors={"other": 2}, first_release_correct=3)
        assert read_results(dest) == [run(), counted, run(seed=3)]
        lines = (dest / "choices.jsonl").read_text().splitlines()
        assert [json.loads(line)["split"] for line in lines] == ["train", "valid"]
        assert {json.loads(line)["variant"] for line in lines} == {"0.1"}
        assert json.loads((dest / "coverage.jsonl").read_text())["new_rows"] == [1]
    assert "results.jsonl: 2 lines before, 3 now" in capsys.readouterr().out
    with pytest.raises(UserError, match="from_old_layout reads this folder"):
        read_results(old)


def test_a_copy_is_no_second_seed(tmp_path: Path):
    path = earlier(tmp_path / "again" / "calendar.paper.1.json", **asdict(run()))
    with pytest.raises(UserError, match=r"again/calendar\.paper\.1\.json: belongs at .*complete/"):
        list(old_results(tmp_path))
    path.write_text("[]")
    with pytest.raises(UserError, match="not a result of the earlier layout"):
        list(old_results(tmp_path))
