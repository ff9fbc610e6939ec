"""Which stages run, which are taken as they are, and which are refused."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.systems.commands import Run
from fairseq_twostage.systems.config import Evaluation, Stage, System
from fairseq_twostage.systems.running import COMMAND, difference, run_stages

SYSTEM = System(
    system="mine",
    stages={
        "one": Stage(options={"lr": 0.1}),
        "other": Stage(),
        "two": Stage(checkpoints={"from": "one"}),
    },
    evaluate=Evaluation(parser="two"),
)


class Recorder:
    """Notes the commands in place of running them."""

    def __init__(self, failing: str = "", late: bool = False) -> None:
        self.ran: list[str] = []
        self.failing = failing
        self.late = late  # fails with a checkpoint saved

    def __call__(self, command):
        folder = Path(command[command.index("--save-dir") + 1])
        self.ran.append(folder.name)
        if folder.name != self.failing or self.late:
            (folder / "checkpoint_last.pt").touch()
        return int(folder.name == self.failing)


@pytest.fixture
def run(tmp_path):
    return Run(SYSTEM, tmp_path / "bin", tmp_path / "run", seed=1)


def with_rate(run, rate):
    stages = {**SYSTEM.stages, "one": Stage(options={"lr": rate})}
    return replace(run, system=replace(SYSTEM, stages=stages))


def test_what_is_needed_runs_in_order_and_once(run, capsys):
    first, second = Recorder(), Recorder()
    run_stages(run, first)
    run_stages(run, second)
    assert (first.ran, second.ran) == (["one", "two"], [])
    out = capsys.readouterr().out
    assert out.count("+ fairseq-train ") == 2 and out.count("done before") == 2


def test_a_stage_of_a_replaced_one_before_it_is_refused(run):
    run_stages(run, Recorder())
    best = run.checkpoint("one")
    best.write_text("first")
    (run.stage_folder("two") / "done").unlink()
    run_stages(run, Recorder())  # two goes on from the first one
    best.write_text("second")
    again = Recorder()
    with pytest.raises(UserError, match=r"^stage two: was trained from another one than lies"):
        run_stages(run, again)
    best.unlink()  # to save space
    run_stages(run, again)
    shutil.rmtree(run.stage_folder("one"))
    with pytest.raises(UserError, match=r"^stage two: was trained from a one that is no longer"):
        run_stages(run, again)
    assert again.ran == []
    shutil.rmtree(run.stage_folder("two"))
    run_stages(run, again)
    assert again.ran == ["one", "two"]


def test_a_failed_stage_is_named_and_tried_again(run):
    with pytest.raises(UserError, match="two: fairseq-train failed with status 1"):
        run_stages(run, Recorder(failing="two"))
    again = Recorder()
    run_stages(run, again)
    assert again.ran == ["two"]


def test_a_stage_of_other_options_is_refused_before_anything_runs(run):
    run_stages(run, Recorder())
    (run.folder / "two" / "done").unlink()
    recorder = Recorder()
    with pytest.raises(UserError) as refused:
        run_stages(with_rate(run, 0.2), recorder)
    assert recorder.ran == []
    message = str(refused.value)
    assert message.startswith("stage one: was trained with other options (then --lr 0.1; now ")
    assert "now --lr 0.2" in message and "\n" not in message


def test_a_stage_that_did_not_keep_what_is_evaluated_is_refused(run):
    evaluation = Evaluation(parser="two", paraphraser="one", metric="label_free_release")
    by_metric = replace(run, system=replace(SYSTEM, evaluate=evaluation))
    run_stages(by_metric, Recorder())
    folder = run.folder / "one"
    (folder / "checkpoint_best.pt").touch()
    recorder = Recorder()
    with pytest.raises(UserError, match=r"stage one: kept no .* best by label_free_release"):
        run_stages(by_metric, recorder)
    (folder / "checkpoint_best_label_free_release.pt").touch()
    run_stages(by_metric, recorder)
    run_stages(run, recorder)
    assert recorder.ran == []


def test_an_interrupted_stage_of_other_options_is_refused_too(run):
    with pytest.raises(UserError, match="failed"):
        run_stages(run, Recorder(failing="one", late=True))
    with pytest.raises(UserError, match=r"then --lr 0\.1"):
        run_stages(with_rate(run, 0.2), Recorder())


def test_a_start_that_left_no_checkpoint_binds_nobody(run):
    with pytest.raises(UserError, match="failed"):
        run_stages(run, Recorder(failing="one"))
    again = Recorder()
    run_stages(with_rate(run, 0.2), again)
    assert again.ran == ["one", "two"]
    with pytest.raises(UserError, match=r"then --lr 0\.2"):
        run_stages(run, Recorder())


def test_a_moved_run_and_other_logging_are_the_same_stage(run, tmp_path):
    run_stages(run, Recorder())
    harmless = ("--log-format", "tqdm", "--cpu", "--no-epoch-checkpoints")
    moved = replace(run, folder=tmp_path / "moved", extra=harmless)
    run.folder.rename(moved.folder)
    record = moved.folder / "one" / COMMAND  # of a version that recorded more
    record.write_text(f"{record.read_text().strip()} --no-epoch-checkpoints\n")
    recorder = Recorder()
    run_stages(moved, recorder)
    assert recorder.ran == []


def test_a_stage_of_other_data_is_refused_before_anything_runs(run):
    supervised = Stage(options={"supervised": True})
    run = replace(run, system=replace(SYSTEM, stages={**SYSTEM.stages, "other": supervised}))
    (run.data / "gold").mkdir(parents=True)
    for name in ("manifest.json", "train.nl.bin", "gold/train.tsv", "gold/test.tsv"):
        (run.data / name).write_text("then")
    run_stages(run, Recorder())
    run_stages(run, Recorder(), until="other")

    (run.data / "manifest.json").write_text(
        "now"
    )  # it names versions and sizes; nothing trains on it
    (run.data / "gold" / "test.tsv").write_text("now")
    recorder = Recorder()
    run_stages(run, recorder, until="other")
    (run.data / "gold" / "train.tsv").write_text("now")
    run_stages(run, recorder)  # which reads no label
    with pytest.raises(UserError, match=r"^stage other: was trained on other data than now lie in"):
        run_stages(run, recorder, until="other")

    (run.data / "train.nl.bin").write_text("now")
    with pytest.raises(UserError, match=r"^stage one: was trained on other data"):
        run_stages(run, recorder)
    assert recorder.ran == []


def test_weights_may_move_but_not_change(run, tmp_path):
    def with_weights(folder):
        stage = Stage(options={"contextual-weights": str(folder)})
        return replace(run, system=replace(SYSTEM, stages={**SYSTEM.stages, "one": stage}))

    run.data.mkdir()
    (run.data / "train.nl.bin").write_text("data")
    there = tmp_path / "there"
    with pytest.raises(UserError, match="failed"):
        run_stages(with_weights(there), Recorder(failing="one"))  # no weights as yet
    there.mkdir()
    (there / "options.json").write_text("then")
    run_stages(with_weights(there), Recorder())
    moved = there.rename(tmp_path / "moved")
    recorder = Recorder()
    run_stages(with_weights(moved), recorder)

    (moved / "options.json").write_text("now")
    with pytest.raises(UserError, match=r"^stage one: was trained on other data .* or .*/moved: "):
        run_stages(with_weights(moved), recorder)
    assert recorder.ran == []


def test_a_stage_without_a_record_is_taken(run):
    (run.folder / "one").mkdir(parents=True)
    (run.folder / "one" / "done").touch()
    recorder = Recorder()
    run_stages(run, recorder)
    assert recorder.ran == ["two"]


def test_a_dry_run_prints_and_leaves_nothing(run, capsys):
    recorder = Recorder()
    run_stages(run, recorder, dry=True)
    assert recorder.ran == [] and not run.folder.exists()
    assert capsys.readouterr().out.count("+ fairseq-train ") == 2


def test_until_a_stage(run):
    recorder = Recorder()
    run_stages(run, recorder, until="other")
    assert recorder.ran == ["other"]
    with pytest.raises(UserError, match="no stage 'none'"):
        run_stages(run, recorder, until="none")


def test_the_difference_names_options_only():
    assert difference(["t", "--a", "1", "--f"], ["t", "--a", "2", "--g", "x"]) == (
        "then --a 1, --f; now --a 2, --g x"
    )


def test_one_process_at_a_time_trains_a_stage(run, tmp_path):
    """A second one waits, and then finds the stage done."""
    script = f"""
import sys, time
from pathlib import Path
from tests.systems.test_running import Recorder, SYSTEM, Run, run_stages
def slow(command):
    with open({str(tmp_path / "started")!r}, "a") as file:
        file.write("started\\n")
    while not Path({str(tmp_path / "go")!r}).exists():
        time.sleep(0.01)
    return 0
run_stages(Run(SYSTEM, Path({str(run.data)!r}), Path({str(run.folder)!r}), seed=1), slow)
"""
    root = Path(__file__).resolve().parents[2]
    processes = [subprocess.Popen([sys.executable, "-c", script], cwd=root)]
    while not (tmp_path / "started").exists():
        time.sleep(0.01)
    waiting = subprocess.Popen(
        [sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE, text=True
    )
    assert waiting.stdout is not None
    assert waiting.stdout.readline() == "one: waiting for the process that trains it\n"
    (tmp_path / "go").touch()
    rest = waiting.communicate(timeout=60)[0]
    assert processes[0].wait(timeout=60) == waiting.returncode == 0
    assert rest.startswith("one: done before")
    # Either of them may be the first to reach the second stage: each was trained once.
    assert (tmp_path / "started").read_text().split() == ["started"] * 2


def test_what_a_killed_process_leaves_behind_still_holds_the_stage(tmp_path):
    child = "import time; print('on', flush=True); time.sleep(60)"
    script = f"""
import sys
from pathlib import Path
from fairseq_twostage.systems.processes import subprocess_runner
from fairseq_twostage.systems.running import locked
with locked(Path({str(tmp_path)!r})):
    subprocess_runner([sys.executable, "-c", {child!r}])
"""
    root = Path(__file__).resolve().parents[2]
    parent = subprocess.Popen(
        [sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"on\n"
        parent.kill()
        parent.wait()
        with open(tmp_path / ".lock") as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.killpg(parent.pid, signal.SIGKILL)
