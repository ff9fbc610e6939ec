"""What cannot work is said in one line, before anything is written."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.integration.commands import (
    LABEL_FREE,
    LANGUAGE_MODEL,
    PARAPHRASE,
    PARSER,
    PLUGIN,
    STYLE,
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
        ((*DAE, "--labelled-share", "1.5"), ["--labelled-share", "[0, 1]", "1.5"]),
        ((*DAE, "--labelled-share", "-0.1"), ["--labelled-share", "[0, 1]", "-0.1"]),
        ((*DAE, "--labelled-share", "nan"), ["--labelled-share", "[0, 1]", "nan"]),
        ((*DRL, "--samples", "1"), ["--samples", "mean", "--baseline"]),
        ((*DRL, "--samples", "0", "--baseline", "none"), ["--samples", "0"]),
        ((*SUM, "--objectives", "denoising=1,autoencoding=1"), ["--objectives", "autoencoding"]),
        ((*SUM, "--objectives", "denoising=much"), ["--objectives", "much"]),
        ((*SUM, "--objectives", ""), ["--objectives", "nothing"]),
        ((*DRL, "--rewards", "fluency=1,beauty=1"), ["--rewards", "beauty"]),
        ((*PARAPHRASE, "--criterion", "supervised"), ["--labelled-share"]),
        ((*SUM, "--objectives", "supervised=1"), ["--labelled-share"]),
        ((*DAE, "--embeddings", "nowhere.txt"), ["nowhere.txt"]),
        ((*DAE, "--embed-dim", "50"), ["embeddings.txt", "100", "50"]),
        ((*DAE, "--parser", "nowhere.pt"), ["--parser", "nowhere.pt"]),
        ((*DAE, "-s", "fr"), ["-s", "fr", "nl", "cf"]),
        ((*DAE, "-s", "nl", "-t", "cf"), ["-s"]),
        ((*PARSER, "-s", "lf"), ["-s", "lf"]),
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


@pytest.mark.parametrize("missing", ["--parser", "--style", "--lm-nl", "--lm-cf"])
def test_each_auxiliary_is_asked_for_by_its_option(
    forks: Forks, stages: Stages, tmp_path: Path, missing: str
) -> None:
    given = dict(zip(stages.auxiliaries()[::2], stages.auxiliaries()[1::2]))
    del given[missing]
    others = [word for pair in given.items() for word in pair]
    assert missing in refused(forks, stages.data, tmp_path, *SUM, *others)
    line = refused(forks, stages.data, tmp_path, *SUM, *others, missing, "gone/best.pt")
    assert missing in line and "gone/best.pt" in line


def test_checkpoints_of_other_word_ids(stages: Stages, tmp_path: Path) -> None:
    """As many symbols in another order would load, and write nonsense."""
    data = tmp_path / "bin"
    shutil.copytree(stages.data, data)
    path = data / "dict.lf.txt"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines[5:], *lines[:5]]), encoding="utf-8")
    done = real(
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


def of_another_version(data: Path) -> None:
    manifest = json.loads((data / "manifest.json").read_text(encoding="utf-8"))
    manifest["format"] += 1
    (data / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def without_manifest(data: Path) -> None:
    (data / "manifest.json").unlink()


def of_an_unknown_domain(data: Path) -> None:
    manifest = json.loads((data / "manifest.json").read_text(encoding="utf-8"))
    manifest["domain"] = "zoo"
    (data / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def with_an_empty_corpus(data: Path) -> None:
    from fairseq.data import indexed_dataset

    builder = indexed_dataset.make_builder(str(data / "train.cf.bin"), "mmap", vocab_size=60)
    builder.finalize(str(data / "train.cf.idx"))


def without_a_corpus(data: Path) -> None:
    for kind in ("bin", "idx"):
        (data / f"train.nl.{kind}").unlink()


def without_a_dictionary(data: Path) -> None:
    (data / "dict.cf.txt").unlink()


def with_narrower_vectors(data: Path) -> None:
    lines = (data / "embeddings.txt").read_text(encoding="utf-8").splitlines()[1:]
    cut = [" ".join(line.split(" ")[:51]) for line in lines]
    text = "\n".join([f"{len(cut)} 50", *cut]) + "\n"
    (data / "embeddings.txt").write_text(text, encoding="utf-8")


def with_uneven_vectors(data: Path) -> None:
    lines = (data / "embeddings.txt").read_text(encoding="utf-8").splitlines()
    lines[5] = lines[5].rsplit(" ", 1)[0]
    (data / "embeddings.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "options", "words"),
    [
        (of_another_version, DAE, ["format 2", "twostage prepare"]),
        (of_another_version, STYLE, ["format 2", "twostage prepare"]),
        (of_another_version, PARSER, ["format 2", "twostage prepare"]),
        (without_manifest, DAE, ["manifest.json", "twostage prepare"]),
        (with_an_empty_corpus, DAE, ["train.cf", "empty"]),
        (with_an_empty_corpus, STYLE, ["train.cf", "empty"]),
        (without_a_corpus, DAE, ["train.nl", "twostage prepare"]),
        (without_a_dictionary, DAE, ["dict.cf.txt"]),
        (with_narrower_vectors, DAE, ["embeddings.txt", "50", "100"]),
        (with_uneven_vectors, DAE, ["embeddings.txt"]),
    ],
)
def test_a_databin_that_cannot_be_used(
    forks: Forks,
    calendar: Path,
    tmp_path: Path,
    damage: Callable[[Path], None],
    options: tuple[str, ...],
    words: list[str],
) -> None:
    data = tmp_path / "data"
    shutil.copytree(calendar, data)
    damage(data)
    line = refused(forks, data, tmp_path, *options)
    assert all(word in line for word in words), line


def test_an_unknown_domain_has_no_executor(forks: Forks, stages: Stages, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(stages.data, data)
    of_an_unknown_domain(data)
    assert "zoo" in refused(forks, data, tmp_path, *SUM, *stages.auxiliaries())


def test_vectors_for_a_language_model(forks: Forks, calendar: Path, tmp_path: Path) -> None:
    options = (*LANGUAGE_MODEL, "--embed-dim", "50")
    line = refused(forks, calendar / "lm.nl", tmp_path, *options)
    assert "embeddings.txt" in line and "--embed-dim" in line


@pytest.mark.parametrize("command", ["fairseq-generate", "fairseq-interactive"])
@pytest.mark.parametrize("direction", [(), ("-s", "nl"), ("-t", "cf")])
def test_generation_needs_a_direction(
    forks: Forks, stages: Stages, command: str, direction: tuple[str, ...]
) -> None:
    done = forks(
        *(command, stages.data, "--user-dir", PLUGIN, "--task", "unsupervised_paraphrase"),
        *("--path", stages.checkpoint("cycle"), *direction),
        stdin="a line\n",
    )
    assert "-s nl -t cf" in our_line(done)


def test_generation_from_nowhere(forks: Forks, stages: Stages, tmp_path: Path) -> None:
    done = forks(
        *("fairseq-generate", tmp_path / "nowhere", "--user-dir", PLUGIN, "-s", "nl", "-t", "cf"),
        *("--task", "unsupervised_paraphrase", "--path", stages.checkpoint("cycle")),
    )
    assert "twostage prepare" in our_line(done)
