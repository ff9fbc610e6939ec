"""``--store-ema``: the averaged weights are validated, saved to be read, and gone on with."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.integration.commands import (
    PARAPHRASE,
    PARSER,
    TRAINING,
    Forks,
    Stages,
    differing,
    parameters,
)

DECAY = 0.75


@pytest.fixture(scope="module")
def train(calendar: Path, forks: Forks):
    """A short training of the naive parser; returns its records of validation."""

    def train(folder: Path, *options: object) -> list[dict[str, float]]:
        arguments = (calendar, *TRAINING, *PARSER, "--batch-size", "64", "--save-dir", folder)
        return forks("fairseq-train", *arguments, *options).ok().records("valid")

    return train


AVERAGING = ("--store-ema", "--ema-decay", DECAY)
EVERY_UPDATE = ("--save-interval-updates", "1", "--max-update", "4")
ONE_BATCH = ("--max-valid-steps", "1")  # an untrained parser writes to the limit


def test_checkpoints_hold_the_moving_average(train, tmp_path: Path) -> None:
    plain, averaged = tmp_path / "plain", tmp_path / "averaged"
    train(plain, *EVERY_UPDATE, "--disable-validation")
    train(averaged, *EVERY_UPDATE, *AVERAGING, *ONE_BATCH)
    weights = [parameters(plain / f"checkpoint_1_{update}.pt") for update in range(1, 4)]
    means = [parameters(averaged / f"checkpoint_1_{update}.pt") for update in range(1, 4)]
    for before, now, new in zip(means, means[1:], weights[1:]):
        for name in now:
            expected = DECAY * before[name] + (1 - DECAY) * new[name]
            torch.testing.assert_close(now[name], expected)
    # The average takes no part in training.
    assert differing(plain / "checkpoint_last.pt", averaged / "checkpoint_last.pt") == []


def test_the_average_is_validated_and_read(
    train, calendar: Path, forks: Forks, tmp_path: Path
) -> None:
    once = ("--max-epoch", "2", "--validate-interval", "2")
    plain = train(tmp_path / "plain", *once)
    record = train(tmp_path / "averaged", *once, *AVERAGING)[-1]
    assert record["valid_loss"] != plain[-1]["valid_loss"]
    best = tmp_path / "averaged" / "checkpoint_best.pt"
    read = forks(
        *("fairseq-validate", calendar, "--user-dir", TRAINING[1], "--path", best, "--cpu"),
        *("--task", "semantic_parsing", "--batch-size", "64", "--log-format", "json"),
    ).ok()
    assert f'"valid_loss": "{record["valid_loss"]:g}"' in read.out + read.err


def test_a_resumed_run_goes_on_averaging(train, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    options = (*AVERAGING, *ONE_BATCH, "--keep-best-checkpoints", "1")
    train(whole, "--max-epoch", "2", *options)
    train(broken, "--max-epoch", "1", *options)
    train(broken, "--max-epoch", "2", *options)
    best = "checkpoint_best.pt"
    for name in (best, "checkpoint_last.pt"):
        assert differing(whole / name, broken / name) == []
    assert differing(whole / best, whole / "checkpoint_last.pt") != []
    (kept,) = whole.glob("checkpoint.best_*.pt")
    assert differing(whole / best, kept) == []


def test_a_paraphraser_chosen_by_a_second_metric_is_an_average(
    forks: Forks, stages: Stages, tmp_path: Path
) -> None:
    # By the first metric the first epoch is best, so that the second one copies a checkpoint
    # which fairseq itself keeps as the last one only.
    choices = ("--best-checkpoint-metric", "num_updates", "--also-best", "num_updates")
    forks(
        *("fairseq-train", stages.data, *TRAINING, *PARAPHRASE, "--criterion", "denoising"),
        *("--batch-size", "64", "--max-epoch", "2", "--parser", stages.checkpoint("parser")),
        *(*choices, *AVERAGING, "--save-dir", tmp_path),
    ).ok()
    last = torch.load(tmp_path / "checkpoint_last.pt", map_location="cpu", weights_only=True)
    copy = parameters(tmp_path / "checkpoint_best_num_updates.pt")
    for name, mean in last["extra_state"]["ema"].items():
        assert torch.equal(copy[name], mean)
    assert differing(tmp_path / "checkpoint_best_num_updates.pt", tmp_path / "checkpoint_last.pt")
    assert differing(tmp_path / "checkpoint_best_num_updates.pt", tmp_path / "checkpoint_best.pt")


def test_the_average_may_be_chosen_by_its_frequencies(
    forks: Forks, stages: Stages, tmp_path: Path
) -> None:
    metric = "label_free_frequency"
    choices = ("--best-checkpoint-metric", metric, "--maximize-best-checkpoint-metric")
    records = forks(
        *("fairseq-train", stages.data, *TRAINING, *PARAPHRASE, "--criterion", "denoising"),
        *("--finetune-from-model", stages.checkpoint("dae"), "--max-epoch", "2"),
        *(*choices, *AVERAGING, "--save-dir", tmp_path),
    ).ok()
    values = [record[f"valid_{metric}"] for record in records.records("valid")]
    assert len(values) == 2 and max(values) > 0
    best = tmp_path / "checkpoint_best.pt"
    command = ("twostage", "choose", "--data", stages.data, "--beam", 1, "--paraphraser", best)
    percent, _ = forks(*command).ok().out.split("\t")
    assert float(percent) == pytest.approx(100 * max(values), abs=0.06)


def test_the_average_begins_at_the_model_that_is_refined(
    forks: Forks, stages: Stages, tmp_path: Path
) -> None:
    # At a decay of one it stays there; the model it begins at was trained without averages.
    forks(
        *("fairseq-train", stages.data, *TRAINING, *PARAPHRASE, "--criterion", "denoising"),
        *("--finetune-from-model", stages.checkpoint("dae"), "--save-dir", tmp_path),
        *("--store-ema", "--ema-decay", "1", "--max-update", "2"),
    ).ok()
    assert differing(tmp_path / "checkpoint_best.pt", stages.checkpoint("dae")) == []
    assert differing(tmp_path / "checkpoint_last.pt", stages.checkpoint("dae"))
