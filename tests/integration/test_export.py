"""From checkpoints to an exported parser that stands alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.commands import ENVIRONMENT, Forks, Stages

# The command line, in a process in which the training data and the checkpoints cannot be opened.
HIDDEN = """
import sys
hidden = sys.argv[1].split(":")

def refuse(event, arguments):
    if event == "open" and str(arguments[0]).startswith(tuple(hidden)):
        raise PermissionError(13, "hidden", str(arguments[0]))

sys.addaudithook(refuse)
from fairseq_twostage.cli.main import main
sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture(scope="module")
def exported(forks: Forks, stages: Stages, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "parser"
    done = forks(*("twostage", "export", "--run", stages.run, "--output", folder)).ok()
    known, written = done.out.splitlines()
    corpus = [stages.data / "text" / f"{split}.cf" for split in ("train", "valid")]
    canonical = {line for path in corpus for line in path.read_text().splitlines()}
    assert known.startswith(f"parsed {len(canonical)} known canonical utterances in ")
    assert written.startswith(f"{folder}: written (momentary of calendar, ")
    return folder


def test_it_parses_without_training_data_as_the_run_does(
    forks: Forks, stages: Stages, exported: Path, tmp_path: Path
) -> None:
    questions = tmp_path / "questions"
    lines = (stages.data / "text" / "valid.nl").read_text(encoding="utf-8").splitlines()[:40]
    questions.write_text("\n".join(lines), encoding="utf-8")
    options = ["--file", str(questions), "--format", "jsonl", "--n-best", "3"]
    hidden = f"{stages.data}:{stages.run}"
    alone = subprocess.run(
        [sys.executable, "-c", HIDDEN, hidden, "parse", str(exported), *options],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        cwd=tmp_path,
    )
    assert alone.returncode == 0, alone.stderr
    run = forks("twostage", "parse", stages.run, "--data", stages.data, *options).ok()
    found = [json.loads(line) for line in alone.stdout.splitlines()]
    expected = [json.loads(line) for line in run.out.splitlines()]
    assert [record["utterance"] for record in found] == lines
    for one, other in zip(found, expected, strict=True):
        texts = [
            [(r["canonical"], r["logical_form"], r["answer"]) for r in record["readings"]]
            for record in (one, other)
        ]
        assert texts[0] == texts[1]
    assert any(record["readings"][0]["answer"] for record in found)


def test_wrong_exports_are_one_line(
    forks: Forks, stages: Stages, exported: Path, tmp_path: Path
) -> None:
    def error(*arguments: object) -> str:
        done = forks("twostage", "export", "--data", stages.data, *arguments)
        assert done.status == 1
        (line,) = [line for line in done.err.splitlines() if line.startswith("twostage export")]
        return line

    new = tmp_path / "new"
    assert "--force replaces it" in error("--run", stages.run, "--output", exported)
    assert "holds no record of a system" in error("--run", tmp_path, "--output", new)
    assert "give --run" in error("--output", new)
    swapped = ("--paraphraser", stages.checkpoint("parser"), "--parser", stages.checkpoint("dae"))
    assert "holds a DualParaphraser, no naive parser" in error(*swapped, "--output", new)
    twice = ("--paraphraser", stages.checkpoint("parser"), "--parser", stages.checkpoint("parser"))
    assert "writes no canonical utterances" in error(*twice, "--output", new)
    half = ("--run", stages.run, "--parser", stages.checkpoint("style"))
    assert "need --data, --paraphraser and --parser" in error(*half, "--output", new)
    kind = (*half, "--paraphraser", stages.checkpoint("cycle"))
    assert "no naive parser" in error(*kind, "--output", new)
    assert not new.exists()


def test_checkpoints_by_hand_are_what_the_run_says(
    forks: Forks, stages: Stages, exported: Path, tmp_path: Path
) -> None:
    forks(
        *("twostage", "export", "--data", stages.data, "--output", tmp_path / "by hand"),
        *("--paraphraser", stages.checkpoint("cycle"), "--parser", stages.checkpoint("parser")),
    ).ok()
    for path in exported.iterdir():
        # By hand forms are looked up, which what judges readings looks at.
        if path.name not in ("bundle.json", "known.jsonl") and path.stem != "trust":
            assert (tmp_path / "by hand" / path.name).read_bytes() == path.read_bytes()


def test_a_run_knows_its_data_bin_and_refuses_another(
    forks: Forks, stages: Stages, geo: Path, tmp_path: Path
) -> None:
    command = ("twostage", "parse", stages.run, "when is it", "--format", "jsonl")
    found = [json.loads(forks(*command, *o).ok().out) for o in ((), ("--data", stages.data))]
    assert found[0] == found[1]
    done = forks(*command, "--data", geo)
    assert done.status == 1
    assert f"{geo}: not the data-bin that momentary was made of" in done.err
