"""Results: what is written is read, and what is refused in one line."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.results import read_results, to_result
from fairseq_twostage.systems.stage_log import read_stage_log
from tests.research.helpers import run


def line(**changes: Any) -> dict[str, Any]:
    return {**asdict(run(right=[0, 3], total=4)), **changes}


def test_what_was_written_is_read(tmp_path: Path):
    first, second = run(seed=2, metric=None, seconds=None), run(system="own", right=[], seed=3)
    counted = run(system="z", errors={"other": 2}, first_release_correct=1)
    for each in (second, first, counted):
        each.write(tmp_path)
    assert read_results(tmp_path) == [first, second, counted]
    whole = to_result(line(accuracy=50, history={"dae": [{"epoch": 1, "metric": 2}]}), "")
    assert whole.history["dae"][0]["epoch"] == 1


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
        ({"correct": "2"}, "correct: input should be a valid integer"),
        ({"correct": 2.0}, "correct: input should be a valid integer"),
        ({"seed": True}, "seed: input should be a valid integer"),
        ({"metric": "high"}, "metric: input should be a valid number"),
        ({"options": None}, "options: input should be an object"),
        ({"history": None}, "history: input should be an object"),
        ({"history": {"dae": [{"epoch": 1.0, "metric": None}]}}, "history.dae.0.metric: input"),
        ({"history": {"dae": [{"epoch": 1.0, "accuracy": 5.0}]}}, "history must have epoch and"),
        ({"stage_seconds": {"dae": []}}, "stage_seconds.dae: input should be a valid number"),
        ({"correct_rows": 2}, "correct_rows: input should be a valid array"),
        ({"correct_rows": [0, "3"]}, "correct_rows.1: input should be a valid integer"),
        ({"correct_rows": [0, 4]}, "correct_rows must ascend, within 0 to 3"),
        ({"correct_rows": [-1, 3]}, "correct_rows must ascend, within 0 to 3"),
        ({"correct_rows": [3, 0]}, "correct_rows must ascend"),
        ({"correct_rows": [3, 3]}, "correct_rows must ascend"),
        ({"correct_rows": [3]}, "1 correct_rows, but correct is 2"),
    ],
)
def test_a_field_that_cannot_be(changes: dict[str, Any], message: str):
    assert to_result(line(), "FILE:1").correct == 2
    with pytest.raises(UserError) as error:
        to_result(line(**changes), "FILE:1")
    assert str(error.value).startswith(f"FILE:1: {message}")


def test_a_run_has_one_line(tmp_path: Path):
    path = run().write(tmp_path)
    assert run(right=[0]).write(path) == path == tmp_path / "results.jsonl"
    assert read_results(tmp_path) == read_results(path) == [run(right=[0])]
    before = path.read_bytes()
    with pytest.raises(UserError, match=r"calendar paper 1 on test rows, which one on valid rows"):
        replace(run(), split="valid").write(tmp_path)
    assert path.read_bytes() == before
    path.write_bytes(2 * before)
    with pytest.raises(UserError, match=r"results\.jsonl:2: is of the same run as .*jsonl:1"):
        read_results(tmp_path)


def test_lines_are_sorted_and_fields_of_a_later_version_stay_in_files_alone(tmp_path: Path):
    later = json.dumps(asdict(run(seed=3)) | {"colour": "blue"})
    (tmp_path / "results.jsonl").write_text(f"{later}\n")
    assert read_results(tmp_path) == [run(seed=3)]
    with pytest.raises(UserError, match="has colour, which no result has"):
        run().write(tmp_path)
    for seed in (2, 1):
        run(seed=seed).write(tmp_path / "mine.jsonl")
    assert [each.seed for each in read_results(tmp_path / "mine.jsonl")] == [1, 2]


def _write(seed: int, path: Path) -> None:
    run(seed=seed).write(path)


def test_many_runs_may_end_at_once(tmp_path: Path):
    with ProcessPoolExecutor(4, get_context("spawn")) as pool:
        list(pool.map(_write, range(24), [tmp_path] * 24))
    assert [each.seed for each in read_results(tmp_path)] == list(range(24))
    assert [path.name for path in tmp_path.iterdir()] == ["results.jsonl"]


def test_what_is_no_file_of_results(tmp_path: Path):
    file = tmp_path / "results.jsonl"
    with pytest.raises(UserError, match=r"results\.jsonl: no results; twostage evaluate"):
        read_results(tmp_path)
    for content, message in (
        (b"{", r"results\.jsonl:1: not a line of results"),
        (b"[]", r"results\.jsonl:1: not a line of results"),
        (b'{"system": "x"}', "results.jsonl:1: domain: field required"),
        (b"\xff", r"results\.jsonl:1: not UTF-8"),
    ):
        file.write_bytes(content)
        with pytest.raises(UserError, match=message):
            read_results(tmp_path)
    file.unlink()
    file.mkdir()
    with pytest.raises(UserError, match=r"results\.jsonl: cannot be read: Is a dir"):
        read_results(tmp_path)
