"""Labels cannot reach an unsupervised run; an explicit share of them can."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.integration.commands import (
    LABEL_FREE,
    PARAPHRASE,
    TRAINING,
    Forks,
    Stages,
    differing,
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


def unsupervised(stages: Stages, stage: str) -> tuple[str, ...]:
    objective = {
        "dae": ("--criterion", "denoising", "--parser", str(stages.checkpoint("parser"))),
        "cycle": stages.cycle(),
    }[stage]
    return (*TRAINING, *PARAPHRASE, *objective, *LABEL_FREE, "--max-update", "4")


@pytest.mark.parametrize("stage", ["dae", "cycle"])
def test_an_unsupervised_run_is_the_same_whatever_the_labels(
    forks: Forks, stages: Stages, without_gold: Path, tmp_path: Path, stage: str
) -> None:
    # That another pairing leaves the rest of a data-bin as it is: tests/cli/test_prepare.py.
    options = unsupervised(stages, stage)
    metrics = []
    for name, data in (("with", stages.data), ("without", without_gold)):
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
        *("fairseq-train", data, *options, "--save-dir", tmp_path / "run"), environment=environment
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
