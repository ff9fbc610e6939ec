"""Every objective and every option trains; fairseq's own conveniences work as anywhere."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.integration.commands import PARAPHRASE, TRAINING, Forks, Stages, differing

DAE = (*PARAPHRASE, "--criterion", "denoising")
CRITERIONS = {
    "denoising": {"denoising_nl", "denoising_cf"},
    "back_translation": {"back_translation_nl_cf", "back_translation_cf_nl"},
    "policy_gradient": {"reward_nl_cf", "reward_cf_nl"},
    "supervised": {"supervised_nl_cf", "supervised_cf_nl"},
    "weighted_objectives": {"back_translation_loss", "policy_gradient_loss"},
}


def updates(
    forks: Forks, stages: Stages, tmp_path: Path, *options: object, count: int = 2
) -> list[dict[str, float]]:
    """What each of the first updates logs; checkpoint_last.pt is in ``tmp_path``."""
    done = forks(
        *("fairseq-train", stages.data, *TRAINING, "--save-dir", tmp_path),
        *("--max-update", count, "--disable-validation", "--log-interval", 1, *options),
    ).ok()
    records = done.records("train_inner")
    assert [record["num_updates"] for record in records] == list(range(1, count + 1))
    assert all(math.isfinite(value) for record in records for value in record.values())
    assert all(record["gnorm"] > 0 for record in records)
    return records


def drl(stages: Stages, *options: str) -> tuple[str, ...]:
    return (
        *(*PARAPHRASE, "--criterion", "policy_gradient", *stages.auxiliaries()),
        *("--finetune-from-model", str(stages.checkpoint("dae")), *options),
    )


def learned(record: dict[str, float]) -> dict[str, float]:
    """What a record says of learning, not of time."""
    times = ("wps", "ups", "wall", "train_wall", "peak_mb")
    return {name: value for name, value in record.items() if name not in times}


@pytest.fixture(scope="module")
def plain(
    forks: Forks, stages: Stages, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, float]:
    """The first update without any of the options; a second run of it logs the same."""
    runs = [
        learned(updates(forks, stages, tmp_path_factory.mktemp("plain"), *DAE, count=1)[0])
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    return runs[0]


@pytest.mark.parametrize("criterion", CRITERIONS)
def test_every_criterion_trains(
    forks: Forks, stages: Stages, tmp_path: Path, criterion: str
) -> None:
    options = (*drl(stages), "--criterion", criterion)
    if criterion == "supervised":
        options += ("--labelled-share", "0.3")
    records = updates(forks, stages, tmp_path, *options)
    assert all(record.keys() >= CRITERIONS[criterion] for record in records)
    assert differing(tmp_path / "checkpoint_last.pt", stages.checkpoint("dae"))


def test_all_objectives_at_once_with_a_moving_weight(
    forks: Forks, stages: Stages, tmp_path: Path
) -> None:
    objectives = "denoising=1@0;3@2,back_translation=1,policy_gradient=0.5,supervised=2"
    options = (*drl(stages), "--criterion", "weighted_objectives", "--objectives", objectives)
    records = updates(forks, stages, tmp_path, *options, "--labelled-share", "0.1", count=4)
    for record, weight in zip(records, (1, 2, 3, 3)):
        total = (
            weight * record["denoising_loss"]
            + record["back_translation_loss"]
            + 0.5 * record["policy_gradient_loss"]
            + 2 * record["supervised_loss"]
        )
        assert record["loss"] == pytest.approx(total, abs=0.01)


@pytest.mark.parametrize(
    "options",
    [
        ("--shuffle-distance", "2"),
        ("--reference-noise",),
        ("--p-max", "0.6"),
        ("--candidates", "5"),
    ],
    ids=" ".join,
)
def test_options_of_the_noise(
    forks: Forks, stages: Stages, plain: dict[str, float], tmp_path: Path, options: tuple[str, ...]
) -> None:
    [first] = updates(forks, stages, tmp_path, *DAE, *options, count=1)
    assert learned(first)["loss"] != plain["loss"]


def test_tensorboard_gets_losses_and_metric(forks: Forks, stages: Stages, tmp_path: Path) -> None:
    accumulator = pytest.importorskip(
        "tensorboard.backend.event_processing.event_accumulator"
    ).EventAccumulator
    forks(
        *("fairseq-train", stages.data, *TRAINING, *DAE, "--max-update", 2, "--no-save"),
        *("--parser", stages.checkpoint("parser"), "--tensorboard-logdir", tmp_path / "tb"),
        *("--log-interval", 1, "--save-dir", tmp_path / "run"),
    ).ok()
    tags = set()
    for folder in (tmp_path / "tb").iterdir():
        events = accumulator(str(folder))
        events.Reload()
        tags |= {f"{folder.name}/{tag}" for tag in events.Tags()["scalars"]}
    assert {"train_inner/denoising_loss", "valid/label_free", "valid/cycle_bleu"} <= tags
