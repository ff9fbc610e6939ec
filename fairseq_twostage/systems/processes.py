"""Commands in processes of their own: started, several side by side, and ended."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import reason

INSTALL = "install it again: pip install --force-reinstall 'fairseq-twostage[fairseq,train]'"
MOST_JOBS = 4  # each of some hundred megabytes; more stages are hardly ever ready at once
_SECONDS = 0.2

_running: set[subprocess.Popen[bytes]] = set()


def usual_jobs() -> int:
    """How many stages run side by side unless an option says it: a core each."""
    return min(MOST_JOBS, len(os.sched_getaffinity(0)))


def in_order(needs: dict[str, set[str]], run: Callable[[str], None], jobs: int = 1) -> None:
    """Call ``run`` with each key, after its calls with what the key needs.

    If one fails, or this process is told to end, what :func:`subprocess_runner` runs is ended.

    Args:
        needs: by key, each after those it needs. Of those that are ready the one that the most
            others wait for is called first, and the first one of these.
        run: called in threads of its own where ``jobs`` is above 1.
        jobs: calls at a time.

    Raises:
        Exception: that of the first call that failed.
    """
    if jobs == 1:
        for key in needs:
            run(key)
        return
    later: dict[str, set[str]] = {key: set() for key in needs}  # what waits for each, at length
    for key in reversed(needs):
        for needed in needs[key]:
            later[needed] |= {key, *later[key]}
    waiting, done = sorted(needs, key=lambda key: -len(later[key])), set[str]()
    running: dict[Future[None], str] = {}
    with ended_by_sigterm(), ThreadPoolExecutor(jobs) as pool:
        try:
            while waiting or running:
                ready = [key for key in waiting if done.issuperset(needs[key])]
                for key in ready[: jobs - len(running)]:
                    waiting.remove(key)
                    running[pool.submit(run, key)] = key
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    done.add(running.pop(future))
                    future.result()
        except BaseException:
            while not all(future.done() for future in running):
                for process in list(_running):
                    process.terminate()
                wait(running, _SECONDS)
            raise


def subprocess_runner(command: Sequence[str], log: IO[bytes] | None = None) -> int:
    """Run a command of this environment; being told to end, end it first.

    Args:
        command: its words.
        log: where its output goes; None: to this process's.

    Raises:
        UserError: there is no such command.
    """
    environment = dict(os.environ)
    # A second thread makes a model of this size slower; run several stages side by side instead.
    environment.setdefault("OMP_NUM_THREADS", "1")
    here = str(Path(sys.executable).parent)
    environment["PATH"] = os.pathsep.join([here, environment.get("PATH", os.defpath)])

    if shutil.which(command[0], path=environment["PATH"]) is None:
        raise UserError(
            f"no such command beside {sys.executable} or on PATH; {INSTALL}", command[0]
        )
    with ended_by_sigterm():
        try:
            process = subprocess.Popen(
                list(command), env=environment, close_fds=False, stdout=log, stderr=log
            )
        except OSError as error:  # a script whose interpreter is gone, as in a folder that moved
            raise UserError(f"cannot be run: {reason(error)}; {INSTALL}", command[0]) from None
        _running.add(process)
        try:
            return process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise
        finally:
            _running.discard(process)


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM raise :class:`SystemExit`, so that what runs can be ended first.

    Only a process's first thread is told of signals; elsewhere nothing is changed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
