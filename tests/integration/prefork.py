"""Runs commands in forks of a process that has imported PyTorch and fairseq already.

Such an import takes seconds, and these tests run dozens of commands. The plugin itself is
imported by each command anew, through ``--user-dir``, as in the real thing.

Started as a script: reads one JSON request per line, answers each with its exit status.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
from typing import Any

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
)


def serve() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for module in PRELOADED:
        importlib.import_module(module)
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            run(request)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


def run(request: dict[str, Any]) -> None:
    """Become the command; never returns."""
    signal.alarm(request["seconds"])
    for number, name, flags in (
        (0, request["stdin"], os.O_RDONLY),
        (1, request["stdout"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        (2, request["stderr"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
    ):
        os.dup2(os.open(name, flags, 0o644), number)
    sys.stdin = os.fdopen(0, closefd=False)
    os.chdir(request["folder"])
    sys.path[0] = request["folder"]
    sys.argv = [request["command"], *request["arguments"]]
    module, function = ENTRY_POINTS[request["command"]]
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
