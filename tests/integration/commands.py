"""Running the real commands and reading what they leave behind."""

from __future__ import annotations

import fcntl
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = ROOT / "fairseq_twostage"
BIN = Path(sys.executable).parent
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
    "OMP_NUM_THREADS": "1",
    "CUDA_VISIBLE_DEVICES": "",
    "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}",
}
SECONDS = 480  # far more than any command takes; a hanging one ends the test, not the day

# What all stages share, as in scripts/train_domain.sh.
TRAINING = (
    *("--user-dir", str(PLUGIN), "--seed", "1", "--cpu", "--optimizer", "adam", "--lr", "0.001"),
    *("--clip-norm", "5", "--batch-size", "16", "--required-batch-size-multiple", "1"),
    *("--no-epoch-checkpoints", "--num-workers", "0", "--log-format", "json"),
)
LANGUAGE_MODEL = (
    *("--task", "language_modeling", "--sample-break-mode", "eos", "--arch", "utterance_lm"),
    *("--criterion", "cross_entropy", "--sentence-avg"),
)
STYLE = ("--task", "style_classification", "--arch", "style_cnn", "--criterion", "style")
PARSER = (
    *("--task", "semantic_parsing", "--arch", "naive_parser", "--criterion", "cross_entropy"),
    *("--sentence-avg", "--best-checkpoint-metric", "exact_match"),
    "--maximize-best-checkpoint-metric",
)
PARAPHRASE = ("--task", "unsupervised_paraphrase", "--arch", "dual_paraphraser")
LABEL_FREE = ("--best-checkpoint-metric", "label_free", "--maximize-best-checkpoint-metric")


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    status: int
    out: str
    err: str

    def ok(self) -> Done:
        """Itself, if it went well."""
        assert self.status == 0, f"status {self.status}\n{self.out[-2000:]}\n{self.err[-4000:]}"
        assert "Traceback" not in self.err
        return self

    def records(self, kind: str) -> list[dict[str, float]]:
        """The numbers of each ``--log-format json`` record of ``train`` or ``valid``."""
        return json_records(self.out + self.err, kind)


def json_records(log: str, kind: str) -> list[dict[str, float]]:
    """Records of ``train`` and ``valid`` epochs, or of updates (``train_inner``)."""
    every = [json.loads(found) for found in re.findall(r"\{\"epoch\": .*\}$", log, re.M)]
    marks = {"train": "train_loss", "valid": "valid_loss", "train_inner": "num_updates"}
    return [
        {name: float(value) for name, value in record.items()}
        for record in every
        if marks[kind] in record
    ]


def real(
    command: str,
    *arguments: object,
    folder: Path | None = None,
    stdin: str = "",
    environment: Mapping[str, str] | None = None,
) -> Done:
    """Run a command from the environment's own folder in a process of its own."""
    done = subprocess.run(
        [str(BIN / command), *map(str, arguments)],
        cwd=folder or ROOT,
        env={**ENVIRONMENT, **(environment or {})},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    return Done(done.returncode, done.stdout, done.stderr)


class Forks:
    """The same commands, started faster: see :mod:`tests.integration.prefork`."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self.server = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("prefork.py"))],
            cwd=scratch,
            env=ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __call__(
        self,
        command: str,
        *arguments: object,
        folder: Path | None = None,
        stdin: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> Done:
        assert self.server.stdin is not None and self.server.stdout is not None
        names = {name: str(self.scratch / name) for name in ("stdin", "stdout", "stderr")}
        Path(names["stdin"]).write_text(stdin, encoding="utf-8")
        request: dict[str, Any] = {
            "command": command,
            "arguments": [str(argument) for argument in arguments],
            "folder": str(folder or self.scratch),
            "seconds": SECONDS,
            "environment": dict(environment or {}),
            **names,
        }
        print(json.dumps(request), file=self.server.stdin, flush=True)
        status = int(self.server.stdout.readline())
        out, err = (
            Path(names[name]).read_text(encoding="utf-8", errors="replace")
            for name in ("stdout", "stderr")
        )
        return Done(status, out, err)

    def script(
        self, *words: object, folder: Path, environment: Mapping[str, str] | None = None
    ) -> Done:
        """Run a shell script, its commands forks as well."""
        (commands := self.scratch / "commands").mkdir(exist_ok=True)
        where = {"PREFORK_COMMANDS": str(commands)}
        return self("bash", *words, folder=folder, environment={**(environment or {}), **where})

    def close(self) -> None:
        assert self.server.stdin is not None
        self.server.stdin.close()
        self.server.wait(timeout=30)


@dataclass(frozen=True)
class Stages:
    """Every stage of a domain trained for a moment.

    Attributes:
        data: the data-bin.
        run: a folder per stage, as scripts/train_domain.sh makes them.
    """

    data: Path
    run: Path

    def checkpoint(self, stage: str) -> Path:
        return self.run / stage / "checkpoint_best.pt"

    def auxiliaries(self) -> tuple[str, ...]:
        """Options that name the frozen models of cycle learning."""
        names = {"--parser": "parser", "--style": "style", "--lm-nl": "lm.nl", "--lm-cf": "lm.cf"}
        pairs = ((option, str(self.checkpoint(stage))) for option, stage in names.items())
        return tuple(word for pair in pairs for word in pair)

    def cycle(self) -> tuple[str, ...]:
        """Options of a cycle-learning run that starts from the pre-trained model."""
        return (
            *("--criterion", "weighted_objectives", *self.auxiliaries()),
            *("--finetune-from-model", str(self.checkpoint("dae"))),
        )


def parameters(checkpoint: Path) -> dict[str, torch.Tensor]:
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    model: dict[str, torch.Tensor] = state["model"]
    return model


def differing(one: Path, other: Path) -> list[str]:
    """Names of the parameters that are not the same in two checkpoints, to the bit."""
    left, right = parameters(one), parameters(other)
    assert left.keys() == right.keys() and left
    return [name for name in left if not torch.equal(left[name], right[name])]


def first_rows(data_dir: Path, raw: Path, **rows: int) -> None:
    """Make raw data of calendar's first rows of ``train`` and ``test``, all else as it is."""
    (raw / "overnight").mkdir(parents=True)
    for path in data_dir.iterdir():
        if path.name != "overnight":
            (raw / path.name).symlink_to(path)
    for split, count in rows.items():
        name = f"overnight/calendar.paraphrases.{split}.examples"
        examples = (data_dir / name).read_text(encoding="utf-8").split("(example")
        (raw / name).write_text("(example".join(examples[: count + 1]), encoding="utf-8")


def files_of(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def hypotheses(output: str) -> dict[int, str]:
    """Sentence number and text of every ``H-`` line of a generation."""
    found = re.findall(r"^H-(\d+)\t\S+\t(.*)$", output, re.M)
    assert len(found) == len({number for number, _ in found})
    return {int(number): text for number, text in found}


def once(folder: Path, make: Callable[[], object]) -> Path:
    """Make ``folder`` in the first worker that asks; the others wait for it."""
    with open(folder.parent / f"{folder.name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder.parent / f"{folder.name}.done"
        if not done.exists():
            make()
            done.touch()
    return folder
