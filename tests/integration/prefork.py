"""Runs commands in forks of a process that has imported PyTorch and fairseq already.

Such an import takes seconds, and these tests run hundreds of commands. The plugin itself is
imported by each command anew, through ``--user-dir``, as in the real thing. What a command runs
itself, such as the stages of ``twostage train``, is forked from here as well, and so is what a
shell script runs: the commands that it finds are this file, which asks for such a fork.

Started as a script: reads one JSON request per line, answers each with its exit status.
With arguments: such a command of a shell script.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

ENTRY_POINTS = {
    "fairseq-train": ("fairseq_cli.train", "cli_main"),
    "fairseq-validate": ("fairseq_cli.validate", "cli_main"),
    "fairseq-generate": ("fairseq_cli.generate", "cli_main"),
    "fairseq-interactive": ("fairseq_cli.interactive", "cli_main"),
    "twostage": ("fairseq_twostage.cli.main", "main"),
}
CODE = ("__main__", "run_code")  # of python -c
PRELOADED = (
    *("fairseq_cli.train", "fairseq_cli.generate", "sacrebleu", "scipy.stats", "sklearn"),
    *("torch._dynamo", "torch.utils.tensorboard"),  # the first optimiser, the first log
    "transformers.models.bert.modeling_bert",
    *("pydantic.dataclasses", "pydantic.type_adapter", "inflect", "ot", "pint", "rapidfuzz"),
    *("sklearn.cluster", "sqlalchemy", "text_to_num", "wordfreq"),
)
COMMANDS, SOCKET = "PREFORK_COMMANDS", "PREFORK_SOCKET"  # a script's: a folder, a file descriptor


def serve() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for module in PRELOADED:
        importlib.import_module(module)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            run(json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


def stages_of_this() -> socket.socket:
    """Where this process asks for forks of what it runs: see :func:`serve_stages`."""
    ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)  # several threads may ask
    if os.fork() == 0:
        ours.close()
        serve_stages(theirs)
    theirs.close()
    return ours


def serve_stages(requests: socket.socket) -> NoReturn:
    """Fork what one command runs, side by side where it asks so; ends when that command has
    ended."""
    while True:
        message, files, _, _ = socket.recv_fds(requests, 1 << 20, 3)
        if not message:
            os._exit(0)
        if os.fork() == 0:
            requests.close()
            attend(json.loads(message), files)
        for file in files:
            os.close(file)


def attend(request: dict[str, Any], files: Sequence[int]) -> NoReturn:
    """Fork one of them, and answer with its number, then with its exit status."""
    child = os.fork()
    if child == 0:
        os.dup2(files[0], 1)
        os.dup2(files[1], 2)
        for file in files:
            os.close(file)
        become(request)
    os.write(files[2], f"{child}\n".encode())
    _, status = os.waitpid(child, 0)
    os.write(files[2], f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


class Stage:
    """What :class:`subprocess.Popen` is to the command, for commands that can be forked."""

    def __init__(self, requests: socket.socket, command: Sequence[str], **options: Any) -> None:
        request = {
            "command": command[0],
            "arguments": list(command[1:]),
            "folder": os.getcwd(),
            "environment": options["env"],
        }
        sys.stdout.flush()
        files = [1 if options["stdout"] is None else options["stdout"].fileno()]
        files.append(2 if options["stderr"] is None else options["stderr"].fileno())
        ours, theirs = os.pipe()
        socket.send_fds(requests, [json.dumps(request).encode()], [*files, theirs])
        os.close(theirs)
        self.answers = os.fdopen(ours)
        self.pid = int(self.answers.readline())

    def wait(self) -> int:
        return int(self.answers.readline())

    def terminate(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)

    @staticmethod
    def through(requests: socket.socket) -> Any:
        real = subprocess.Popen

        def start(command: Any, *arguments: Any, **options: Any) -> Any:
            if not isinstance(command, str) and command[0] in ENTRY_POINTS:
                return Stage(requests, command, **options)
            return real(command, *arguments, **options)

        return start


def run(request: dict[str, Any]) -> NoReturn:
    """Become the command, its input and output in files."""
    signal.alarm(request["seconds"])
    for number, name, flags in (
        (0, request["stdin"], os.O_RDONLY),
        (1, request["stdout"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        (2, request["stderr"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
    ):
        os.dup2(os.open(name, flags, 0o644), number)
    become(request)


def become(request: dict[str, Any]) -> NoReturn:
    """Run the command here."""
    os.environ.update(request.get("environment", {}))
    os.chdir(request["folder"])
    if request["command"] == "bash":
        run_script(request["arguments"], stages_of_this())
    name = Path(request["command"]).name
    if name == "twostage":
        subprocess.Popen = Stage.through(stages_of_this())  # type: ignore[misc]
    sys.stdin = os.fdopen(0, closefd=False)
    sys.path[0] = request["folder"]
    sys.argv = [request["command"], *request["arguments"]]
    module, function = CODE if name == "python" else ENTRY_POINTS[name]
    status: Any = 1
    try:
        status = getattr(importlib.import_module(module), function)()
    except SystemExit as end:
        status = end.code
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else 0 if status is None else 1)


def run_code() -> None:
    """``python -c CODE``, with PyTorch and fairseq imported."""
    sys.path.insert(0, "")
    exec(compile(sys.argv[2], "<string>", "exec"), {"__name__": "__main__"})


def run_script(arguments: list[str], forks: socket.socket) -> NoReturn:
    """Become a shell script, the commands in front of whose path are this file."""
    folder = Path(os.environ[COMMANDS])
    for name in ENTRY_POINTS:
        words = [sys.executable, "-SE", str(Path(__file__).resolve()), name]
        (folder / name).write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        (folder / name).chmod(0o755)
    forks.set_inheritable(True)
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
    os.environ[SOCKET] = str(forks.fileno())
    os.execvp("bash", ["bash", *arguments])


def ask(command: list[str]) -> int:
    """Exit status of a command that a shell script runs."""
    requests = socket.socket(fileno=int(os.environ[SOCKET]))
    options = {"env": dict(os.environ), "stdout": None, "stderr": None}
    return Stage(requests, command, **options).wait()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(ask(sys.argv[1:]))
    serve()
