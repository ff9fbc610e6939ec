"""What cannot work is said in one line, before anything is written."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.integration.commands import (
    LABEL_FREE,
    PARAPHRASE,
    PARSER,
    PLUGIN,
    TRAINING,
    Done,
    Forks,
    Stages,
    files_of,
    real,
)


def our_line(done: Done) -> str:
    """The one line that is ours; fairseq's libraries may warn about themselves above it."""
    assert done.status not in (0, None)
    assert "Traceback" not in done.err + done.out
    lines = [line for line in done.err.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1 and done.err.splitlines()[-1] == lines[0]
    return lines[0]


def refused(forks: Forks, data: Path, tmp_path: Path, *options: object) -> str:
    save_dir = tmp_path / "run"
    done = forks("fairseq-train", data, *TRAINING, *options, "--save-dir", save_dir)
    assert not save_dir.exists() or files_of(save_dir) == []
    return our_line(done)


DAE = (*PARAPHRASE, "--criterion", "denoising")
DRL = (*PARAPHRASE, "--criterion", "policy_gradient")
SUM = (*PARAPHRASE, "--criterion", "weighted_objectives")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((*DAE, "--labelled-share", "nan"), ["--labelled-share", "[0, 1]", "nan"]),
        ((*SUM, "--objectives", "supervised=1"), ["--labelled-share"]),
        ((*DAE, "--embed-dim", "50"), ["embeddings.txt", "100", "50"]),
        ((*DAE, "-s", "nl", "-t", "cf"), ["-s"]),
        ((*PARSER, "-s", "nl"), ["--supervised"]),
        ((*DAE, *LABEL_FREE), ["label_free", "--parser"]),
    ],
)
def test_options_that_cannot_work(
    forks: Forks, calendar: Path, tmp_path: Path, options: Sequence[str], words: list[str]
) -> None:
    line = refused(forks, calendar, tmp_path, *options)
    assert all(word in line for word in words), line


def test_a_real_process_ends_in_the_same_way(calendar: Path, tmp_path: Path) -> None:
    done = real(
        *("fairseq-train", calendar, *TRAINING, *DRL, "--samples", "1"),
        *("--save-dir", tmp_path / "run"),
    )
    assert done.status == 1
    assert "--samples" in our_line(done)
    assert files_of(tmp_path) == []


def test_checkpoints_of_other_word_ids(forks: Forks, stages: Stages, tmp_path: Path) -> None:
    """As many symbols in another order would load, and write nonsense."""
    data = tmp_path / "bin"
    shutil.copytree(stages.data, data)
    path = data / "dict.lf.txt"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines[5:], *lines[:5]]), encoding="utf-8")
    done = forks(
        *("twostage", "evaluate", "--data", data, "--predictions", tmp_path / "p.tsv"),
        *("--paraphraser", stages.checkpoint("cycle"), "--parser", stages.checkpoint("parser")),
    )
    assert done.status == 1 and not (tmp_path / "p.tsv").exists()
    line = done.err.splitlines()[-1]
    assert "--parser: cannot load" in line and f"{path}: holds other words, or in another" in line


def test_an_auxiliary_of_another_kind(forks: Forks, stages: Stages, tmp_path: Path) -> None:
    options = (*SUM, *stages.auxiliaries(), "--style", stages.checkpoint("parser"))
    line = refused(forks, stages.data, tmp_path, *options)
    assert "--style" in line


def test_an_auxiliary_of_the_other_side(forks: Forks, stages: Stages, tmp_path: Path) -> None:
    options = (*SUM, *stages.auxiliaries(), "--lm-nl", stages.checkpoint("lm.cf"))
    line = refused(forks, stages.data, tmp_path, *options)
    assert "--lm-nl" in line and "another data-bin" in line


def test_a_file_that_is_no_checkpoint(forks: Forks, stages: Stages, tmp_path: Path) -> None:
    (tmp_path / "letter.pt").write_text("dear reader", encoding="utf-8")
    options = (*DAE, "--parser", tmp_path / "letter.pt")
    assert "letter.pt" in refused(forks, stages.data, tmp_path, *options)


def test_generation_needs_a_direction(forks: Forks, stages: Stages) -> None:
    done = forks(
        *("fairseq-generate", stages.data, "--user-dir", PLUGIN),
        *("--task", "unsupervised_paraphrase", "--path", stages.checkpoint("cycle")),
    )
    assert "-s nl -t cf" in our_line(done)
