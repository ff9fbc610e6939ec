"""A domain of one's own through the real commands: from the skeleton to answers, in subwords."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairseq_twostage.databin.folder import read_gold
from tests.integration.commands import (
    LABEL_FREE,
    PARAPHRASE,
    PARSER,
    PLUGIN,
    TRAINING,
    Forks,
    hypotheses,
)

TINY = ("--embed-dim", "16", "--hidden-dim", "16", "--embeddings", "none")


@pytest.fixture(scope="module")
def shelter(forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The skeleton prepared in subwords, its parser and its paraphraser trained for a moment."""
    folder = tmp_path_factory.mktemp("own")
    forks("twostage", "init", folder / "domain").ok()
    forks(
        *("twostage", "prepare", "--domain", folder / "domain" / "domain.yaml"),
        *("--dest", folder / "bin", "--embeddings", "none", "--embedding-dim", "16"),
        *("--tokenisation", "sentencepiece", "--pieces", "150"),
    ).ok()
    train = ("fairseq-train", folder / "bin", *TRAINING, *TINY)
    forks(*train, *PARSER, "--max-epoch", 1, "--save-dir", folder / "parser").ok()
    checkpoint = folder / "parser" / "checkpoint_best.pt"
    forks(
        *(*train, *PARAPHRASE, *LABEL_FREE, "--parser", checkpoint, "--max-epoch", 1),
        *("--criterion", "weighted_objectives", "--objectives", "denoising=1,policy_gradient=1"),
        *("--rewards", "executability=1", "--save-dir", folder / "dae"),
    ).ok()
    return folder


def test_fairseq_interactive_reads_and_writes_plain_text(shelter: Path, forks: Forks) -> None:
    done = forks(
        *("fairseq-interactive", shelter / "bin", "--user-dir", PLUGIN, "--cpu"),
        *("--task", "unsupervised_paraphrase", "-s", "nl", "-t", "cf", "--beam", "2"),
        *("--path", shelter / "dae" / "checkpoint_best.pt", "--bpe", "sentencepiece"),
        *("--sentencepiece-model", shelter / "bin" / "sentencepiece.model"),
        stdin="who weighs more than _animal_\nunforeseeable words\n",
    ).ok()
    detokenised = [line.split("\t")[2] for line in done.out.splitlines() if line[:2] == "D-"]
    assert len(detokenised) == 2
    assert not any("\u2581" in text for text in detokenised)
    sources = [line.split("\t")[1] for line in done.out.splitlines() if line[:2] == "S-"]
    assert "\u2581" in sources[0] and "_animal_" in sources[0].split()
    assert not any("<unk>" in source for source in sources)
    assert set(hypotheses(done.out)) == {0, 1}


def test_evaluate_needs_only_the_databin(shelter: Path, forks: Forks) -> None:
    rows = read_gold(shelter / "bin", "test")
    done = forks(
        *("twostage", "evaluate", "--data", shelter / "bin", "--beam", "2"),
        *("--parser", shelter / "parser" / "checkpoint_best.pt"),
        *("--paraphraser", shelter / "dae" / "checkpoint_best.pt"),
    ).ok()
    assert done.out.splitlines()[-1].endswith(f"of {len(rows)})")
