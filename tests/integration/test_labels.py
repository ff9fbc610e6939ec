"""Labels cannot reach an unsupervised run; an explicit share of them can."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.integration.commands import (
    LABEL_FREE,
    PARAPHRASE,
    TRAINING,
    Forks,
    Stages,
    differing,
    files_of,
    real,
)

LABELLED = ("--criterion", "supervised", "--labelled-share", "0.5")


@pytest.fixture(scope="module")
def without_gold(calendar: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data-bin with its aligned rows deleted."""
    dest = tmp_path_factory.mktemp("without") / "calendar"
    shutil.copytree(calendar, dest)
    shutil.rmtree(dest / "gold")
    return dest


@pytest.fixture(scope="module")
def paired_otherwise(
    forks: Forks, data_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A data-bin from raw rows whose natural utterances have changed places in each split."""
    root = tmp_path_factory.mktemp("otherwise")
    (root / "raw" / "overnight").mkdir(parents=True)
    for split in ("train", "test"):
        name = f"overnight/calendar.paraphrases.{split}.examples"
        text = (data_dir / name).read_text(encoding="utf-8")
        (root / "raw" / name).write_text(shuffled_utterances(text, split), encoding="utf-8")
    (root / "raw" / "glove").symlink_to(data_dir / "glove")
    forks(
        *("twostage", "prepare", "--domain", "calendar", "--raw", root / "raw"),
        *("--dest", root / "calendar"),
    ).ok()
    return root / "calendar"


def shuffled_utterances(text: str, split: str) -> str:
    pieces = re.split(r'(?<=\(utterance )("[^"]*")', text)
    utterances = pieces[1::2]
    assert len(utterances) == text.count("(example")
    for rows in groups(len(utterances), split):
        targets = list(rows)
        random.Random(7).shuffle(targets)
        moved = [utterances[row] for row in rows]
        for target, utterance in zip(targets, moved):
            utterances[target] = utterance
    pieces[1::2] = utterances
    return "".join(pieces)


def groups(size: int, split: str) -> list[Sequence[int]]:
    """Rows of the file that belong to the same split: four fifths of train are training rows."""
    if split == "test":
        return [range(size)]
    order = np.arange(size)
    np.random.RandomState(999).shuffle(order)
    return [order[: int(0.8 * size)].tolist(), order[int(0.8 * size) :].tolist()]


def unsupervised(stages: Stages, stage: str) -> tuple[str, ...]:
    objective = {
        "dae": ("--criterion", "denoising", "--parser", str(stages.checkpoint("parser"))),
        "cycle": stages.cycle(),
    }[stage]
    return (*TRAINING, *PARAPHRASE, *objective, *LABEL_FREE, "--max-update", "4")


@pytest.mark.parametrize("stage", ["dae", "cycle"])
def test_an_unsupervised_run_is_the_same_whatever_the_labels(
    forks: Forks,
    stages: Stages,
    without_gold: Path,
    paired_otherwise: Path,
    tmp_path: Path,
    stage: str,
) -> None:
    gold = "gold/train.tsv"
    assert (stages.data / gold).read_text() != (paired_otherwise / gold).read_text()
    options = unsupervised(stages, stage)
    metrics = []
    for name, data in (
        ("with", stages.data),
        ("without", without_gold),
        ("otherwise", paired_otherwise),
    ):
        done = forks("fairseq-train", data, *options, "--save-dir", tmp_path / name).ok()
        metrics.append(done.records("valid")[-1]["valid_label_free"])
        for checkpoint in ("checkpoint_last.pt", "checkpoint_best.pt"):
            assert differing(tmp_path / "with" / checkpoint, tmp_path / name / checkpoint) == []
    assert len(set(metrics)) == 1


AUDIT = """
import os, sys
log = os.open(os.environ["OPENED"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        os.write(log, os.fsencode(arguments[0]) + b"\\n")
sys.addaudithook(hook)
"""


def opened(tmp_path: Path, data: Path, *options: str) -> set[str]:
    """Files of the data-bin that fairseq-train opens, as the interpreter itself tells."""
    (tmp_path / "audit").mkdir()
    (tmp_path / "audit" / "sitecustomize.py").write_text(AUDIT, encoding="utf-8")
    log = tmp_path / "opened"
    environment = {"PYTHONPATH": str(tmp_path / "audit"), "OPENED": str(log)}
    real(
        *("fairseq-train", data, *options, "--save-dir", tmp_path / "run"),
        environment=environment,
    ).ok()
    prefix = f"{data}/"
    lines = log.read_text(encoding="utf-8").splitlines()
    return {line.removeprefix(prefix) for line in lines if line.startswith(prefix)}


def test_an_unsupervised_run_opens_no_aligned_file(stages: Stages, tmp_path: Path) -> None:
    files = opened(tmp_path, stages.data, *unsupervised(stages, "cycle"))
    assert {"manifest.json", "train.nl.bin", "train.cf.bin", "valid.nl.bin"} <= files
    assert not [file for file in files if "gold" in file or "test" in file]


def test_a_labelled_share_opens_the_training_rows_alone(stages: Stages, tmp_path: Path) -> None:
    files = opened(
        *(tmp_path, stages.data, *TRAINING, *PARAPHRASE, *LABELLED),
        *("--max-update", "2", "--disable-validation"),
    )
    gold = {file for file in files if file.startswith("gold/")}
    assert {file.rsplit(".", 1)[0] for file in gold} == {
        "gold/train.nl-cf-lf.nl",
        "gold/train.nl-cf-lf.cf",
    }


def test_a_labelled_share_without_aligned_rows_is_refused(
    forks: Forks, without_gold: Path, tmp_path: Path
) -> None:
    done = forks(
        *("fairseq-train", without_gold, *TRAINING, *PARAPHRASE, *LABELLED),
        *("--save-dir", tmp_path / "run"),
    )
    assert done.status == 1
    assert "gold/train.nl-cf-lf.nl" in done.err.splitlines()[-1]
    assert "Traceback" not in done.err
    assert files_of(tmp_path) == []


def labelled_pairs(data: Path, share: float, seed: int) -> list[tuple[str, str]]:
    """The pairs (x, z), as text, that a task with a labelled share trains on."""
    from fairseq_twostage import plugin

    plugin.load()
    from fairseq_twostage.tasks.unsupervised_paraphrase import (
        UnsupervisedParaphraseConfig,
        UnsupervisedParaphraseTask,
    )

    cfg = UnsupervisedParaphraseConfig(data=str(data), labelled_share=share, no_add=True)
    cfg.seed, cfg.cpu = seed, True
    task = UnsupervisedParaphraseTask.setup_task(cfg)
    task.load_dataset("train")
    words = task.source_dictionary
    return [
        (words.string(torch.from_numpy(x)), words.string(torch.from_numpy(z)))
        for x, z in task.dataset("train").labelled
    ]


def test_the_labelled_share_is_a_seeded_subset_of_the_aligned_rows(calendar: Path) -> None:
    rows = [line.split("\t") for line in (calendar / "gold" / "train.tsv").open(encoding="utf-8")]
    gold = sorted((x, z) for x, z, _, _ in rows)
    all_of_them = labelled_pairs(calendar, 1.0, seed=1)
    assert sorted(all_of_them) == gold

    half = labelled_pairs(calendar, 0.5, seed=1)
    assert len(half) == round(0.5 * len(gold))
    assert half == labelled_pairs(calendar, 0.5, seed=1) != labelled_pairs(calendar, 0.5, seed=2)
    remaining = list(gold)
    for pair in half:
        remaining.remove(pair)  # raises if a row is taken twice, or is none
    tenth = labelled_pairs(calendar, 0.1, seed=1)
    assert set(tenth) < set(half)  # a larger share of the same seed adds labels
