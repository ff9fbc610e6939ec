"""Runs commands in forks of a process that has imported PyTorch and fairseq already.

Such an import takes seconds, and these tests run hundreds of commands. The plugin itself is
imported by each command anew, through ``--user-dir``, as in the real thing. What a command runs
itself, such as the stages of ``twostage train``, is forked from here as well.

Started as a script: reads one JSON request per line, answers each with its exit status.
"""

from __future__ import annotations

import importlib
import json
import os
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
PRELOADED = (
    *("fairseq_cli.train", "fairseq_cli.generate", "sacrebleu", "scipy.stats", "sklearn"),
    *("torch._dynamo", "torch.utils.tensorboard"),  # the first optimiser, the first log
    "transformers.models.bert.modeling_bert",
)


def serve() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for module in PRELOADED:
        importlib.import_module(module)
    for line in sys.stdin:
        request = json.loads(line)
        ours, theirs = socket.socketpair()
        stages = os.fork()
        if stages == 0:
            ours.close()
            serve_stages(theirs)
        theirs.close()
        child = os.fork()
        if child == 0:
            subprocess.Popen = Stage.through(ours)  # type: ignore[misc]
            run(request)
        ours.close()
        _, status = os.waitpid(child, 0)
        os.waitpid(stages, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


def serve_stages(requests: socket.socket) -> NoReturn:
    """Fork what one command runs, one after the other; ends when that command has ended."""
    while True:
        message, files, _, _ = socket.recv_fds(requests, 1 << 20, 2)
        if not message:
            os._exit(0)
        child = os.fork()
        if child == 0:
            requests.close()
            os.dup2(files[0], 1)
            os.dup2(files[1], 2)
            become(json.loads(message))
        for file in files:
            os.close(file)
        requests.sendall(f"{child}\n".encode())
        _, status = os.waitpid(child, 0)
        requests.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())


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
        socket.send_fds(requests, [json.dumps(request).encode()], files)
        self.answers = requests.makefile()
        self.pid = int(self.answers.readline())

    def wait(self) -> int:
        return int(self.answers.readline())

    def terminate(self) -> None:
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
    sys.stdin = os.fdopen(0, closefd=False)
    os.environ.update(request.get("environment", {}))
    os.chdir(request["folder"])
    sys.path[0] = request["folder"]
    sys.argv = [request["command"], *request["arguments"]]
    module, function = ENTRY_POINTS[Path(request["command"]).name]
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


if __name__ == "__main__":
    serve()
