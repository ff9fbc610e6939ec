"""A checkpoint that is damaged, unsafe or no numbers is one line: at a resume, in use, exported."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.integration.commands import PARSER, TRAINING, Forks, Stages


class Code:
    def __reduce__(self) -> Any:
        return os.system, ("touch it-ran",)


def damage(path: Path, how: str) -> None:
    content = path.read_bytes()
    if how == "cut short":
        path.write_bytes(content[: len(content) // 2])
    elif how == "a bit":
        middle = len(content) // 2
        path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    else:
        state = torch.load(path, weights_only=True)
        if how == "code":
            state["extra"] = Code()
        else:
            next(iter(state["model"].values())).view(-1)[0] = float(how)
        torch.save(state, path)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("cut short", "damaged"),
        ("a bit", "damaged"),
        ("code", "unsafe: loading it would call posix.system"),
        ("nan", "holds weights that are no finite numbers"),
        ("-inf", "holds weights that are no finite numbers"),
    ],
)
def test_it_is_one_line(forks: Forks, stages: Stages, tmp_path: Path, how: str, words: str) -> None:
    run, output = tmp_path / "run", tmp_path / "output"
    for stage in ("parser", "cycle"):
        (run / stage).mkdir(parents=True)
        shutil.copy(stages.checkpoint(stage), run / stage)
    shutil.copy(stages.run / "momentary.json", run)
    best = run / "parser" / "checkpoint_best.pt"
    damage(best, how)
    commands: list[tuple[object, ...]] = [
        ("twostage", "export", "--run", run, "--output", output),
        ("twostage", "evaluate", "--run", run, "--predictions", output),
    ]
    if not words.startswith("holds"):  # a run that diverged is an affair of its options
        last = shutil.copy(best, run / "parser" / "checkpoint_last.pt")
        commands.append(
            ("fairseq-train", stages.data, *TRAINING, *PARSER, "--save-dir", last.parent)
        )
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    for command in commands:
        done = forks(*map(str, command), folder=tmp_path)
        [line] = [line for line in done.err.splitlines() if "error: " in line]
        assert done.err.splitlines()[-1] == line and "Traceback" not in done.err + done.out
        name = "checkpoint_last.pt: " if command[0] == "fairseq-train" else str(best)
        assert name in line and words in line, line
        assert done.status == 1 and not output.exists() and not (tmp_path / "it-ran").exists()
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before
