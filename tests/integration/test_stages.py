"""Every stage as scripts/train_domain.sh runs it: what it logs and which checkpoint it keeps."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from fairseq_twostage.results import read_results
from tests.integration.commands import (
    ROOT,
    Forks,
    Stages,
    first_rows,
    json_records,
)

DIRECTIONS = ("nl_cf", "cf_nl")
LOGGED = {
    "lm.nl": ({"train_loss", "train_ppl"}, {"valid_loss", "valid_ppl"}),
    "lm.cf": ({"train_loss", "train_ppl"}, {"valid_loss", "valid_ppl"}),
    "style": ({"train_loss", "train_accuracy"}, {"valid_loss", "valid_accuracy"}),
    "parser": ({"train_loss"}, {"valid_loss", "valid_exact_match"}),
    "dae": (
        {"train_loss", "train_denoising_loss", "train_denoising_nl", "train_denoising_cf"},
        {
            *("valid_loss", "valid_denoising_nl", "valid_denoising_cf", "valid_label_free"),
            *("valid_cycle_bleu", "valid_cycle_agreement", "valid_cycle_exact"),
            "valid_label_free_release",
        },
    ),
    "cycle": (
        {
            *("train_loss", "train_back_translation_loss", "train_policy_gradient_loss"),
            *(f"train_back_translation_{direction}" for direction in DIRECTIONS),
            *(f"train_reward_{direction}" for direction in DIRECTIONS),
            *(
                f"train_reward_{name}_{direction}"
                for name in ("fluency", "style", "relevance", "executability")
                for direction in DIRECTIONS
            ),
        },
        {"valid_loss", "valid_back_translation_loss", "valid_label_free"},
    ),
}


def records(stages: Stages, stage: str, kind: str) -> list[dict[str, float]]:
    return json_records((stages.run / stage / "train.log").read_text(encoding="utf-8"), kind)


@pytest.mark.parametrize("stage", LOGGED)
def test_a_stage_logs_its_losses_and_rewards(stages: Stages, stage: str) -> None:
    for kind, names in zip(("train", "valid"), LOGGED[stage]):
        epochs = records(stages, stage, kind)
        numbers = [record["epoch"] for record in epochs]
        assert numbers and numbers == sorted(set(numbers))  # each line stands once in the file
        for record in epochs:
            assert names <= record.keys()


def test_the_totals_are_the_sums_of_what_is_logged(stages: Stages) -> None:
    [cycle] = records(stages, "cycle", "train")
    for direction in DIRECTIONS:
        parts = [
            cycle[f"train_reward_{name}_{direction}"]
            for name in ("fluency", "style", "relevance", "executability")
        ]
        assert cycle[f"train_reward_{direction}"] == pytest.approx(sum(parts), abs=1e-3)
    total = cycle["train_back_translation_loss"] + cycle["train_policy_gradient_loss"]
    assert cycle["train_loss"] == pytest.approx(total, abs=2e-3)
    for epoch in records(stages, "dae", "valid"):
        metric = 4 * epoch["valid_cycle_bleu"] + epoch["valid_cycle_agreement"]
        assert epoch["valid_label_free"] == pytest.approx(metric, abs=1e-3)


def test_the_label_free_metric_chooses_the_checkpoint(stages: Stages) -> None:
    epochs = records(stages, "dae", "valid")
    assert len(epochs) == 6
    best = max(epochs, key=lambda epoch: epoch["valid_label_free"])
    state = torch.load(stages.checkpoint("dae"), map_location="cpu", weights_only=True)
    assert state["extra_state"]["val_loss"] == pytest.approx(best["valid_label_free"], abs=1e-5)
    assert state["extra_state"]["train_iterator"]["epoch"] - 1 == best["epoch"]
    assert epochs[-1]["valid_best_label_free"] == best["valid_label_free"]


def test_training_goes_down_hill(stages: Stages) -> None:
    losses = [epoch["train_loss"] for epoch in records(stages, "dae", "train")]
    assert losses == sorted(losses, reverse=True)
    bleu = [epoch["valid_cycle_bleu"] for epoch in records(stages, "dae", "valid")]
    assert bleu[-1] > bleu[0]


@pytest.fixture(scope="module")
def small(forks: Forks, data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data-bin of calendar's first rows."""
    root = tmp_path_factory.mktemp("small")
    first_rows(data_dir, root / "raw", train=60, test=12)
    vectors = data_dir / "glove" / "glove.6B.100d.subset.txt"
    forks(
        *("twostage", "prepare", "--domain", "calendar", "--raw", root / "raw"),
        *("--dest", root / "calendar", "--embeddings", vectors),
    ).ok()
    return root / "calendar"


def test_the_script_trains_every_stage_and_goes_on_where_it_stopped(
    small: Path, tmp_path: Path, forks: Forks
) -> None:
    def script() -> list[str]:
        epochs = {f"{phase}_EPOCHS": "1" for phase in ("AUXILIARY", "PRETRAIN", "CYCLE")}
        places = {"DATA_BIN": small, "TWOSTAGE_RUNS": "runs", "RESULTS": "results"}
        where = {name: str(tmp_path / place) for name, place in places.items()}
        done = forks.script(
            *(ROOT / "scripts" / "train_domain.sh", "calendar"),
            environment={**epochs, **where, "SYSTEM": "short"},
            folder=tmp_path,
        )
        return done.ok().out.splitlines()

    first = script()
    shown = [line.split()[1] for line in first if line.startswith("+ ")]
    assert shown.count("fairseq-train") == 6 and shown[-1] == "twostage"
    assert first[-1].startswith("denotation accuracy: ")
    checkpoints = {path: path.stat().st_mtime_ns for path in (tmp_path / "runs").rglob("*.pt")}
    assert len({path.parent for path in checkpoints}) == 6
    systems = {"short_naive_parser", "short_before_cycle_learning", "short"}
    assert {each.system for each in read_results(tmp_path / "results")} == systems
    written = {path.name for path in (tmp_path / "results").iterdir()}
    assert written == {"results.jsonl", "test-scorings.jsonl"}

    again = script()
    assert {line.split()[1] for line in again if line.startswith("+ ")} == {"twostage"}
    assert again[-1] == first[-1]
    assert {path: path.stat().st_mtime_ns for path in checkpoints} == checkpoints
