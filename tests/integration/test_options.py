"""Every objective and every option trains; fairseq's own conveniences work as anywhere."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from tests.integration.commands import (
    PARAPHRASE,
    TRAINING,
    Forks,
    Stages,
    differing,
    files_of,
    parameters,
)

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
) -> dict[str, dict[str, float]]:
    """The first update without any of the options; a second run of it logs the same."""
    first = {}
    for name, options in (("policy_gradient", drl(stages)), ("denoising", DAE)):
        runs = [
            updates(forks, stages, tmp_path_factory.mktemp("plain"), *options, count=1)[0]
            for _ in range(2)
        ]
        assert learned(runs[0]) == learned(runs[1])
        first[name] = learned(runs[0])
    return first


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
        ("--sampler", "beam", "--samples", "3"),
        ("--baseline", "greedy"),
        ("--baseline", "running"),
        ("--baseline", "cumulative"),
        ("--baseline", "none", "--samples", "1"),
        ("--dual-weight", "0.5", "--advantage-clamp", "5"),
        ("--rewards", "fluency=0.5,relevance=2"),
        ("--samples", "3", "--length-slope", "1", "--length-offset", "2"),
    ],
    ids=" ".join,
)
def test_options_of_the_policy_gradient(
    forks: Forks,
    stages: Stages,
    plain: dict[str, dict[str, float]],
    tmp_path: Path,
    options: tuple[str, ...],
) -> None:
    first, _ = updates(forks, stages, tmp_path, *drl(stages, *options))
    assert learned(first) != plain["policy_gradient"]  # the option reaches the objective


@pytest.mark.parametrize(
    "options",
    [
        ("--no-drop",),
        ("--no-add",),
        ("--no-shuffle",),
        ("--no-drop", "--no-add", "--no-shuffle"),
        ("--shuffle-distance", "2"),
        ("--reference-noise",),
        ("--p-max", "0.6"),
        ("--candidates", "5"),
        ("--dropout", "0.1"),
    ],
    ids=" ".join,
)
def test_options_of_the_noise(
    forks: Forks,
    stages: Stages,
    plain: dict[str, dict[str, float]],
    tmp_path: Path,
    options: tuple[str, ...],
) -> None:
    [first] = updates(forks, stages, tmp_path, *DAE, *options, count=1)
    assert learned(first)["loss"] != plain["denoising"]["loss"]


@pytest.mark.parametrize(
    ("options", "part", "there"),
    [
        (("--separate-encoders",), "encoders.cf.", True),
        ((), "encoders.cf.", False),
        (("--bottleneck-dim", "100"), "decoders.cf.bottleneck.", True),
        (("--no-attention-bias",), "decoders.cf.attention.", True),
        (("--hidden-dim", "30", "--embed-dim", "20", "--embeddings", "none"), "encoders.", True),
    ],
)
def test_options_of_the_model(
    forks: Forks,
    stages: Stages,
    tmp_path: Path,
    options: tuple[str, ...],
    part: str,
    there: bool,
) -> None:
    updates(forks, stages, tmp_path, *DAE, *options)
    names = parameters(tmp_path / "checkpoint_last.pt")
    assert any(name.startswith(part) for name in names) == there


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


@pytest.mark.parametrize("kind", ["tqdm", "simple", "json"])
def test_log_formats(forks: Forks, stages: Stages, tmp_path: Path, kind: str) -> None:
    done = forks(
        *("fairseq-train", stages.data, *TRAINING, *DAE, "--max-update", 2, "--no-save"),
        *("--disable-validation", "--log-interval", 1, "--save-dir", tmp_path),
        *("--log-format", kind, "--log-file", tmp_path / "log"),
    ).ok()
    assert "denoising_loss" in done.out + done.err
    if kind == "json":
        lines = re.findall(r"\{\"epoch.*", done.out + done.err)
        assert len(lines) == 3 and all(json.loads(line) for line in lines)


def test_no_save_writes_nothing(forks: Forks, stages: Stages, tmp_path: Path) -> None:
    updates(forks, stages, tmp_path, *DAE, "--no-save")
    assert files_of(tmp_path) == []
