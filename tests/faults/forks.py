"""Commands in forks of this process, which has imported PyTorch and fairseq already."""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults.layer import Layer, Plan, install

PRELOADED = (
    *("fairseq_cli.train", "sacrebleu", "scipy.stats", "sklearn.feature_extraction.text"),
    *("torch._dynamo", "fairseq_twostage.databin.prepare", "fairseq_twostage.inference.bundle"),
    *("fairseq_twostage.inference.loading", "fairseq_twostage.systems.opening", "ot"),
    *("fairseq_twostage.systems.scoring", "fairseq_twostage.systems.results_of"),
    *(f"fairseq_twostage.cli.{name}" for name in ("main", "prepare", "train", "evaluate")),
    *(f"fairseq_twostage.cli.{name}" for name in ("export", "choose", "label", "canonical")),
    *(f"fairseq_twostage.cli.{name}" for name in ("build", "pair", "download")),
    "fairseq_twostage.inference.exporting",
)
SECONDS = 120
Work = Callable[[], Any]


@dataclass(frozen=True)
class Outcome:
    """How a command ended.

    Attributes:
        status: its exit status; negative: the signal that ended it.
        err: standard error.
        steps: the layer's notes, one a step.
        seconds: it took.
    """

    status: int
    out: str
    err: str
    steps: tuple[str, ...]
    seconds: float

    @property
    def killed(self) -> bool:
        return self.status == -signal.SIGKILL

    @property
    def counted(self) -> int:
        return sum(not step.startswith(("unsynced", "memory")) for step in self.steps)

    @property
    def unsynced(self) -> list[str]:
        return [step for step in self.steps if step.startswith(("unsynced", "memory"))]


def preload() -> None:
    """Import once what every command imports; threads would not survive a fork."""
    import torch

    torch.set_num_threads(1)
    for module in PRELOADED:
        importlib.import_module(module)
    from fairseq_twostage import plugin

    plugin.load()


def twostage(*words: object) -> Work:
    """A subcommand, with what it starts in forks that share its faults."""

    def work() -> int:
        from fairseq_twostage.cli import main, train

        os.environ["TWOSTAGE_RUNS"] = "runs"
        train.main.__defaults__ = (forked_runner,)  # type: ignore[attr-defined]
        status: int = main.main([str(word) for word in words])
        return status

    return work


def forked_runner(command: Sequence[str], log: Any = None) -> int:
    """Runs what ``twostage train`` would start: fairseq's command, or one of ours."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        _become(lambda: _started(list(command)))
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _started(command: list[str]) -> Any:
    if command[0] == "twostage":
        from fairseq_twostage.cli.main import main

        return main(command[1:])
    sys.argv = command
    return importlib.import_module("fairseq_cli.train").cli_main()


def run(
    work: Work,
    root: Path,
    plan: Plan | None = None,
    seconds: int = SECONDS,
    memory: int | None = None,
) -> Outcome:
    """Do ``work`` in a fork, in ``root``, and wait for its end."""
    return wait(start(work, root, plan, seconds, memory))


@dataclass(frozen=True)
class Started:
    child: int
    root: Path
    streams: Path
    began: float


def start(
    work: Work,
    root: Path,
    plan: Plan | None = None,
    seconds: int = SECONDS,
    memory: int | None = None,
) -> Started:
    streams = Path(tempfile.mkdtemp(prefix="faults.streams."))  # on no disk that is full
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            os.setpgid(0, 0)
            _enter(root, streams, seconds, memory)
            layer = Layer(root, plan or Plan(), streams / "trace")
            install(layer)
            _become(work, layer)
        os._exit(70)
    return Started(child, root, streams, time.monotonic())


def wait(started: Started) -> Outcome:
    _, status = os.waitpid(started.child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(started.child, signal.SIGKILL)  # what it started, if anything is left
    texts = {
        name: (started.streams / name).read_text(errors="replace")
        if (started.streams / name).exists()
        else ""
        for name in ("out", "err", "trace")
    }
    for path in started.streams.iterdir():
        path.unlink()
    started.streams.rmdir()
    return Outcome(
        os.waitstatus_to_exitcode(status),
        texts["out"],
        texts["err"],
        tuple(texts["trace"].splitlines()),
        time.monotonic() - started.began,
    )


def _enter(root: Path, streams: Path, seconds: int, memory: int | None) -> None:
    signal.alarm(seconds)
    if memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    for number, name in ((0, os.devnull), (1, streams / "out"), (2, streams / "err")):
        flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT
        os.dup2(os.open(name, flags, 0o644), number)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", closefd=False)
    os.chdir(root)
    (root / "tmp").mkdir(exist_ok=True)
    os.environ["TMPDIR"] = tempfile.tempdir = str(root / "tmp")


def _become(work: Work, layer: Layer | None = None) -> None:
    """Do the work and end this process with its status; never returns."""
    status: Any = 1
    try:
        status = work()
    except SystemExit as end:
        status = end.code
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    number = status if isinstance(status, int) else 0 if status is None else 1
    if layer is not None and number == 0:
        layer.ends()
    os._exit(number)
