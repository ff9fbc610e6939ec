"""``kill -9`` within an epoch, then the same command again: the run that never stopped."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
from pathlib import Path

import pytest
import torch

from tests.integration.commands import (
    BIN,
    ENVIRONMENT,
    LABEL_FREE,
    PARAPHRASE,
    SECONDS,
    TRAINING,
    Forks,
    Stages,
    differing,
)

SAVED = r"Saved checkpoint .* @ {} updates"


def command(stages: Stages, stage: str, *options: str) -> list[str]:
    objective = {
        "dae": ("--criterion", "denoising", "--parser", str(stages.checkpoint("parser"))),
        "cycle": stages.cycle(),
    }[stage]
    chosen = (*LABEL_FREE, "--also-best", "cycle_bleu", "--max-valid-steps", "1")
    return [str(stages.data), *TRAINING, *PARAPHRASE, *objective, *chosen, *options]


def killed_after(line: str, arguments: list[str]) -> None:
    """Run fairseq-train until it prints what matches ``line``, then kill it without warning."""
    process = subprocess.Popen(
        [str(BIN / "fairseq-train"), *arguments],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    watch = threading.Timer(SECONDS, process.kill)
    watch.start()
    assert process.stdout is not None
    seen = any(re.search(line, printed) for printed in process.stdout)
    process.send_signal(signal.SIGKILL)
    process.stdout.close()
    watch.cancel()
    assert process.wait() == -signal.SIGKILL
    assert seen


@pytest.mark.parametrize(
    ("stage", "options", "line", "kept"),
    [
        # Killed in epoch 2, which has to start again from the end of epoch 1: 268 sentences by 16
        # are 17 updates.
        ("dae", ("--max-epoch", "2"), r'"epoch": 2, "update": 1\.', 17),
        # Killed with a checkpoint of the epoch's middle, from which it goes on.
        ("cycle", ("--max-update", "9", "--save-interval-updates", "5"), SAVED.format(5), 5),
    ],
)
def test_a_killed_run_ends_as_one_that_was_never_killed(
    forks: Forks,
    stages: Stages,
    tmp_path: Path,
    stage: str,
    options: tuple[str, ...],
    line: str,
    kept: int,
) -> None:
    arguments = command(stages, stage, *options, "--log-interval", "3", "--save-dir")
    whole, broken = str(tmp_path / "whole"), str(tmp_path / "broken")
    through = forks("fairseq-train", *arguments, whole).ok()

    killed_after(line, [*arguments, broken])
    last = Path(broken) / "checkpoint_last.pt"
    state = torch.load(last, map_location="cpu", weights_only=True)
    assert state["optimizer_history"][-1]["num_updates"] == kept
    again = forks("fairseq-train", *arguments, broken).ok()
    assert f"@ {kept} updates" in again.out  # it did load that checkpoint

    for name in ("checkpoint_last.pt", "checkpoint_best.pt", "checkpoint_best_cycle_bleu.pt"):
        assert differing(Path(whole) / name, Path(broken) / name) == []
    metric = "valid_label_free"
    assert again.records("valid")[-1][metric] == through.records("valid")[-1][metric]


def test_a_run_that_has_ended_does_nothing_more(
    forks: Forks, stages: Stages, tmp_path: Path
) -> None:
    options = ("--max-epoch", "1", "--batch-size", "128", "--disable-validation")
    arguments = command(stages, "dae", *options, "--save-dir", str(tmp_path))
    forks("fairseq-train", *arguments).ok()
    before = (tmp_path / "checkpoint_last.pt").read_bytes()
    done = forks("fairseq-train", *arguments).ok()
    assert done.records("train") == []
    assert (tmp_path / "checkpoint_last.pt").read_bytes() == before


def test_another_seed_is_another_run(forks: Forks, stages: Stages, tmp_path: Path) -> None:
    """The comparisons above can fail: training does depend on what is drawn."""
    for seed in ("1", "2"):
        arguments = command(stages, "dae", "--max-update", "2", "--disable-validation")
        forks("fairseq-train", *arguments, "--seed", seed, "--save-dir", tmp_path / seed).ok()
    assert differing(*(tmp_path / seed / "checkpoint_last.pt" for seed in ("1", "2")))


def test_restore_file_and_finetuning(forks: Forks, stages: Stages, tmp_path: Path) -> None:
    """--restore-file goes on with optimiser and epoch; --finetune-from-model starts at 0."""
    first = tmp_path / "first"
    arguments = command(
        stages, "dae", "--disable-validation", "--log-interval", "1", "--max-update"
    )
    forks("fairseq-train", *arguments, "2", "--save-dir", first).ok()
    checkpoint = first / "checkpoint_last.pt"
    for option, expected in (("--restore-file", [3.0]), ("--finetune-from-model", [1.0, 2.0, 3.0])):
        done = forks(
            *("fairseq-train", *arguments, "3", option, checkpoint),
            *("--save-dir", tmp_path / option),
        ).ok()
        updates = [record["num_updates"] for record in done.records("train_inner")]
        assert updates == expected
