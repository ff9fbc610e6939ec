"""Two workers of torchrun on CPUs: one run, the same mathematics as one worker."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.integration.commands import (
    BIN,
    LABEL_FREE,
    PARAPHRASE,
    TRAINING,
    Done,
    Forks,
    Stages,
    parameters,
    real,
)

DETERMINISTIC = ("--dropout", "0", "--log-interval", "1")
SUM = (*PARAPHRASE, "--criterion", "weighted_objectives")


def two_workers(data: Path, *options: object) -> Done:
    return real(
        *("torchrun", "--standalone", "--nproc_per_node", 2, BIN / "fairseq-train", data),
        *(*TRAINING, *options),
    ).ok()


def test_an_update_of_two_workers_is_one_of_twice_the_batches(
    forks: Forks, stages: Stages, tmp_path: Path
) -> None:
    """Nothing is drawn at random here but the noise, which belongs to the sentence."""
    options = (
        *(*SUM, "--objectives", "denoising=1,back_translation=1", *DETERMINISTIC),
        *("--finetune-from-model", stages.checkpoint("dae"), "--max-update", 2),
        "--disable-validation",
    )
    both = two_workers(stages.data, *options, "--save-dir", tmp_path / "two")
    one = forks(
        *("fairseq-train", stages.data, *TRAINING, *options, "--update-freq", 2),
        *("--save-dir", tmp_path / "one"),
    ).ok()
    for left, right in zip(both.records("train_inner"), one.records("train_inner"), strict=True):
        assert left.keys() == right.keys()
        for name in ("loss", "denoising_nl", "back_translation_cf_nl", "gnorm", "wpb", "bsz"):
            assert left[name] == pytest.approx(right[name], rel=1e-3), name
    states = [parameters(tmp_path / name / "checkpoint_last.pt") for name in ("one", "two")]
    start = parameters(stages.checkpoint("dae"))
    for name, value in states[0].items():
        moved = (value - start[name]).abs().max()
        # Adam divides by the size of the gradient: rounding shows where that is next to nothing.
        assert (states[1][name] - value).abs().max() <= 0.1 * moved + 1e-6, name
        assert (
            torch.nn.functional.cosine_similarity(
                (value - start[name]).flatten(), (states[1][name] - start[name]).flatten(), dim=0
            )
            > 0.99
            or float(moved) == 0.0
        ), name


def test_cycle_learning_by_two_workers(stages: Stages, tmp_path: Path) -> None:
    """An odd number of batches leaves a worker without one, at the end of training as well as
    of validation; a checkpoint within the epoch has changed what it is given in its place."""
    done = two_workers(
        *(stages.data, *SUM, *stages.auxiliaries(), *LABEL_FREE, "--log-interval", 1),
        *("--objectives", "denoising=1,policy_gradient=1,supervised=1"),
        *("--finetune-from-model", stages.checkpoint("dae"), "--labelled-share", 0.2),
        *("--samples", 2, "--length-slope", 0, "--length-offset", 6, "--batch-size", 54),
        *("--max-epoch", 1, "--save-interval-updates", 2, "--save-dir", tmp_path),
        *("--batch-size-valid", 25),
    )
    # 268 sentences by 54 are five batches, so three updates; 67 by 25 are three batches.
    epoch = done.records("train")[-1]
    assert epoch["train_num_updates"] == 3
    for direction in ("nl_cf", "cf_nl"):
        rewards = ("fluency", "style", "relevance", "executability")
        parts = [epoch[f"train_reward_{name}_{direction}"] for name in rewards]
        assert epoch[f"train_reward_{direction}"] == pytest.approx(sum(parts), abs=1e-3)
    assert epoch["train_supervised_loss"] > 0
    assert len(done.records("valid")) == 2
    assert len(list(tmp_path.glob("checkpoint_last.pt"))) == 1
