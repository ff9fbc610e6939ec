"""Pseudo-pairs from the command line to a reranked evaluation, without gold rows in training."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.integration.commands import (
    LABEL_FREE,
    PARAPHRASE,
    PLUGIN,
    TRAINING,
    Forks,
    Stages,
    hypotheses,
)

CLOSED = ("--constrain", "known")


@pytest.fixture(scope="module")
def warm(forks: Forks, stages: Stages, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint trained for an epoch on pseudo-pairs beside constrained cycle learning."""
    folder = tmp_path_factory.mktemp("pseudo_pairs")
    data = folder / "data"
    shutil.copytree(stages.data, data, ignore=shutil.ignore_patterns("gold"))
    forks("twostage", "pair", "--data", data, "--dest", folder / "pairs", "--rounds", 1).ok()
    objectives = "pseudo_pairs=1@0;0.5@20,back_translation=0.5,policy_gradient=0.5"
    done = forks(
        *("fairseq-train", data, *TRAINING, *PARAPHRASE, *stages.cycle(), *LABEL_FREE, *CLOSED),
        *("--objectives", objectives, "--pseudo-pairs", folder / "pairs", "--max-epoch", 1),
        *("--rewards", "style=1,relevance=0.1,executability=1", "--samples", 2),
        *("--save-dir", folder / "warm"),
    ).ok()
    (record,) = done.records("train")
    assert record["train_pseudo_pairs_nl_cf"] > 0 and record["train_pseudo_pairs_cf_nl"] > 0
    return folder / "warm" / "checkpoint_best.pt"


def test_constrained_generation_writes_known_utterances(
    warm: Path, stages: Stages, forks: Forks
) -> None:
    done = forks(
        *("fairseq-generate", stages.data, "--user-dir", PLUGIN, *PARAPHRASE[:2], *CLOSED),
        *("--path", warm, "-s", "nl", "-t", "cf", "--gen-subset", "valid", "--beam", "5", "--cpu"),
    ).ok()
    known = {
        line
        for split in ("train", "valid")
        for line in (stages.data / "text" / f"{split}.cf").read_text().splitlines()
    }
    found = hypotheses(done.out)
    assert len(found) == 67 and set(found.values()) <= known


def test_constrained_logical_forms(stages: Stages, forks: Forks) -> None:
    done = forks(
        *("fairseq-generate", stages.data, "--user-dir", PLUGIN, "--task", "semantic_parsing"),
        *("--path", stages.checkpoint("parser"), "--gen-subset", "valid", "--beam", "3", "--cpu"),
        *CLOSED,
    ).ok()
    known = {
        line
        for split in ("train", "valid")
        for line in (stages.data / "text" / f"{split}.cf-lf.lf").read_text().splitlines()
    }
    assert set(hypotheses(done.out).values()) <= known


def test_reranked_evaluation(warm: Path, stages: Stages, forks: Forks) -> None:
    done = forks(
        *("twostage", "evaluate", "--data", stages.data, "--split", "valid"),
        *("--parser", stages.checkpoint("parser"), "--paraphraser", warm),
        *("--rerank", "forward=1,dual=0.3,word_vectors=0.1,prior=1"),
        *("--predictions", warm.parent / "predictions.tsv"),
    ).ok()
    assert "of 67)" in done.out
    known = {
        line
        for split in ("train", "valid")
        for line in (stages.data / "text" / f"{split}.cf").read_text().splitlines()
    }
    rows = (warm.parent / "predictions.tsv").read_text().splitlines()[1:]
    assert {row.split("\t")[1] for row in rows} <= known


def test_an_impossible_direction(stages: Stages, warm: Path, forks: Forks) -> None:
    done = forks(
        *("fairseq-generate", stages.data, "--user-dir", PLUGIN, *PARAPHRASE[:2], *CLOSED),
        *("--path", warm, "-s", "cf", "-t", "nl", "--gen-subset", "valid", "--cpu"),
    )
    assert done.status == 1 and "error: --constrain" in done.err
