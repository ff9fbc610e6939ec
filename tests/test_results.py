"""Results files: what is refused in one line, and where they lie."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.errors import UserError
from fairseq_twostage.results import read_result, read_results, read_stage_log
from tests.reporting.helpers import run

ROOT = Path(__file__).resolve().parents[1]


def written(path: Path, **changes: Any) -> Path:
    path.write_text(json.dumps({**asdict(run(right=[0, 3], total=4)), **changes}))
    return path


def test_what_was_written_is_read(tmp_path: Path):
    first, second = run(seed=2, metric=None, seconds=None), run(system="own", right=[], seed=3)
    assert [read_result(each.write(tmp_path)) for each in (first, second)] == [first, second]
    assert read_results(tmp_path) == [first, second]
    whole = written(tmp_path / "a.json", accuracy=50, history={"dae": [{"epoch": 1, "metric": 2}]})
    assert read_result(whole).history["dae"][0]["epoch"] == 1


def test_the_pieces_of_a_resumed_stage_are_added(tmp_path: Path):
    log = tmp_path / "train.log"
    walls = [100, 200, 300, 90, 190]  # stopped after the third epoch
    records = [
        {"epoch": epoch, "train_loss": "1", "train_wall": str(wall)}
        for epoch, wall in enumerate(walls, start=1)
    ]
    log.write_text("".join(f"2026 | INFO | train | {json.dumps(each)}\n" for each in records))
    assert read_stage_log(log).seconds == 300 + 190


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"total": 0, "correct": 0, "correct_rows": []}, "total must be at least 1, not 0"),
        ({"correct": "2"}, "correct must be int"),
        ({"correct": 2.0}, "correct must be int"),
        ({"seed": True}, "seed must be int"),
        ({"metric": "high"}, "metric must be float | None"),
        ({"options": None}, "options must be dict[str, Any]"),
        ({"history": None}, "history must be dict[str, list[dict[str, float]]]"),
        ({"history": {"dae": [{"epoch": 1.0, "metric": None}]}}, "history must be dict"),
        ({"history": {"dae": [{"epoch": 1.0, "accuracy": 5.0}]}}, "history must have epoch and"),
        ({"stage_seconds": {"dae": []}}, "stage_seconds must be dict[str, float]"),
        ({"correct_rows": 2}, "correct_rows must be list[int]"),
        ({"correct_rows": [0, "3"]}, "correct_rows must be list[int]"),
        ({"correct_rows": [0, 4]}, "correct_rows must ascend, within 0 to 3"),
        ({"correct_rows": [-1, 3]}, "correct_rows must ascend, within 0 to 3"),
        ({"correct_rows": [3, 0]}, "correct_rows must ascend"),
        ({"correct_rows": [3, 3]}, "correct_rows must ascend"),
        ({"correct_rows": [3]}, "1 correct_rows, but correct is 2"),
    ],
)
def test_a_field_that_cannot_be(changes: dict[str, Any], message: str, tmp_path: Path):
    path = written(tmp_path / "a.json")
    assert read_result(path).correct == 2
    written(path, **changes)
    with pytest.raises(UserError) as error:
        read_result(path)
    assert str(error.value).startswith(f"{path}: {message}")


def report(results: Path, output: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The one line in which the report refuses."""
    command = ["report", "--results", str(results), "--output", str(output), "--no-figures"]
    assert main(command) == 1 and not output.exists()
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


def test_a_copy_is_no_second_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    results, output = tmp_path / "results", tmp_path / "out.md"
    path = run().write(results)
    (results / "again").mkdir()
    for name in ("again/calendar.paper.1.json", "complete/calendar.paper.2.json"):
        copy = Path(shutil.copy(path, results / name))
        assert f"{copy}: belongs at {path}" in report(results, output, capsys)
        copy.unlink()
    assert len(read_results(results)) == 1


def test_rows_of_another_split_replace_no_result(tmp_path: Path):
    path = run().write(tmp_path)
    assert run(right=[0]).write(tmp_path) == path
    before = path.read_bytes()
    with pytest.raises(UserError, match=r"holds a result on test rows, which one on valid rows"):
        replace(run(), split="valid").write(tmp_path)
    assert path.read_bytes() == before


def test_what_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    results = tmp_path / "results"
    folder = results / "complete" / "geo.paper.1.json"
    folder.mkdir(parents=True)
    assert f"{folder}: cannot be read: Is a dir" in report(results, tmp_path / "out.md", capsys)
    with pytest.raises(UserError, match=r"none\.json: no such file"):
        read_result(tmp_path / "none.json")
    (tmp_path / "a.json").write_bytes(b"\xff")
    with pytest.raises(UserError, match=r"a\.json: not UTF-8"):
        read_result(tmp_path / "a.json")


def test_every_committed_result_can_be_read():
    paths = {
        path
        for path in (ROOT / "results").rglob("*.json")
        if not path.name.startswith("coverage.") and not path.name.endswith(".errors.json")
    }
    folders = {path.parents[1] for path in paths}
    read = {each.path(folder) for folder in folders for each in read_results(folder)}
    assert read == paths and len(folders) > 1
