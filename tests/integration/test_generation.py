"""Checkpoints in another place: fairseq's own generation with the plugin and the data-bin."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.integration.commands import (
    ENVIRONMENT,
    PARAPHRASE,
    PARSER,
    PLUGIN,
    TRAINING,
    Done,
    Forks,
    Stages,
    hypotheses,
    real,
)

TEST_ROWS = 168
BEAM = ("--beam", "5", "--cpu", "--batch-size", "64", "--num-workers", "0")


@pytest.mark.parametrize("stage", ["lm.nl", "lm.cf", "style", "parser", "dae", "cycle"])
def test_a_checkpoint_holds_nothing_that_torch_calls_unsafe(stages: Stages, stage: str) -> None:
    """In a process that knows neither fairseq nor the plugin."""
    program = "import sys, torch; print(len(torch.load(sys.argv[1], weights_only=True)['model']))"
    done = subprocess.run(
        [sys.executable, "-c", program, str(stages.checkpoint(stage))],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0


@dataclass(frozen=True)
class Elsewhere:
    """A folder with copies of the plugin, a data-bin and two checkpoints, and nothing else."""

    folder: Path
    before: dict[str, dict[int, str]]

    def generate(self, checkpoint: str, task: str, source: str, target: str) -> Done:
        return real(
            *("fairseq-generate", "data", "--user-dir", "fairseq_twostage", "--task", task),
            *("--path", checkpoint, "-s", source, "-t", target, "--gen-subset", "test", *BEAM),
            folder=self.folder,
        ).ok()


def generated(
    forks: Forks, data: Path, checkpoint: Path, task: str, source: str, target: str
) -> Done:
    return forks(
        *("fairseq-generate", data, "--user-dir", PLUGIN, "--task", task, "--path", checkpoint),
        *("-s", source, "-t", target, "--gen-subset", "test", *BEAM),
    ).ok()


@pytest.fixture(scope="module")
def elsewhere(
    forks: Forks, stages: Stages, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Elsewhere]:
    """Trained in one folder, moved to another one; the first is gone, auxiliaries and all."""
    here = tmp_path_factory.mktemp("here")
    shutil.copytree(stages.data, here / "data")
    shutil.copytree(stages.run, here / "run")
    train = ("fairseq-train", here / "data", *TRAINING, "--disable-validation")
    moved = Stages(here / "data", here / "run")
    forks(
        *(*train, *PARAPHRASE, *moved.cycle()),
        *("--max-update", "2", "--save-dir", here / "paraphraser"),
    ).ok()
    forks(
        *(*train, *PARSER, "--finetune-from-model", moved.checkpoint("parser")),
        *("--max-update", "2", "--save-dir", here / "parser"),
    ).ok()
    before = {}
    for name, task, source, target in (
        ("paraphraser", "unsupervised_paraphrase", "nl", "cf"),
        ("parser", "semantic_parsing", "cf", "lf"),
    ):
        path = here / name / "checkpoint_last.pt"
        before[name] = hypotheses(generated(forks, here / "data", path, task, source, target).out)

    there = tmp_path_factory.mktemp("there")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PLUGIN, there / "fairseq_twostage", ignore=ignore)
    with open(there / "fairseq_twostage" / "__init__.py", "a", encoding="utf-8") as file:
        file.write('\nprint("the plugin is the copy")\n')
    shutil.move(here / "data", there / "data")
    for name in before:
        shutil.move(here / name / "checkpoint_last.pt", there / f"{name}.pt")
    shutil.rmtree(here)
    yield Elsewhere(there, before)


def test_paraphrases_elsewhere(elsewhere: Elsewhere) -> None:
    done = elsewhere.generate("paraphraser.pt", "unsupervised_paraphrase", "nl", "cf")
    assert "the plugin is the copy" in done.out
    assert hypotheses(done.out) == elsewhere.before["paraphraser"]
    assert sorted(hypotheses(done.out)) == list(range(TEST_ROWS))


def test_logical_forms_elsewhere(elsewhere: Elsewhere) -> None:
    done = elsewhere.generate("parser.pt", "semantic_parsing", "cf", "lf")
    assert hypotheses(done.out) == elsewhere.before["parser"]
    assert sorted(hypotheses(done.out)) == list(range(TEST_ROWS))


def test_interactive_paraphrases_elsewhere(elsewhere: Elsewhere) -> None:
    done = real(
        *("fairseq-interactive", "data", "--user-dir", "fairseq_twostage", "--cpu"),
        *("--task", "unsupervised_paraphrase", "--path", "paraphraser.pt"),
        *("-s", "nl", "-t", "cf", "--beam", "5"),
        folder=elsewhere.folder,
        stdin="which meetings are three hours long\nanything with the zebra attending\n",
    ).ok()
    written = hypotheses(done.out)
    assert sorted(written) == [0, 1] and all(written.values())


@pytest.mark.parametrize(("source", "target"), [("nl", "cf"), ("cf", "nl"), ("nl", "nl")])
def test_every_direction_writes_its_own_words(
    forks: Forks, stages: Stages, source: str, target: str
) -> None:
    done = generated(
        *(forks, stages.data, stages.checkpoint("cycle"), "unsupervised_paraphrase"),
        *(source, target),
    )
    written = hypotheses(done.out)
    assert sorted(written) == list(range(TEST_ROWS))
    assert "BLEU" in done.out.splitlines()[-1]
    lines = (stages.data / f"dict.{target}.txt").read_text(encoding="utf-8").splitlines()
    known = {line.split()[0] for line in lines}
    assert {word for text in written.values() for word in text.split()} <= known


def test_the_parser_reads_either_side(forks: Forks, stages: Stages) -> None:
    for side in ("cf", "nl"):
        checkpoint = stages.checkpoint("parser")
        done = generated(forks, stages.data, checkpoint, "semantic_parsing", side, "lf")
        assert sorted(hypotheses(done.out)) == list(range(TEST_ROWS))


def test_interactive_parsing(forks: Forks, stages: Stages) -> None:
    done = forks(
        *("fairseq-interactive", stages.data, "--user-dir", PLUGIN, "--cpu"),
        *("--task", "semantic_parsing", "--path", stages.checkpoint("parser"), "--beam", "5"),
        stdin="meeting whose date is jan 17\nperson\n",
    ).ok()
    written = hypotheses(done.out)
    assert sorted(written) == [0, 1]
    assert all(text.startswith("( call") for text in written.values())


def test_rows_without_a_canonical_side(forks: Forks, geo: Path, tmp_path: Path) -> None:
    """geo's test rows have no gold canonical utterance; they are paraphrased all the same."""
    forks(
        *("fairseq-train", geo, *TRAINING, *PARAPHRASE, "--criterion", "denoising"),
        *("--max-update", "20", "--disable-validation", "--save-dir", tmp_path),
    ).ok()
    done = generated(
        *(forks, geo, tmp_path / "checkpoint_last.pt", "unsupervised_paraphrase", "nl", "cf")
    )
    rows = (geo / "gold" / "test.tsv").read_text(encoding="utf-8").splitlines()
    assert sorted(hypotheses(done.out)) == list(range(len(rows)))
