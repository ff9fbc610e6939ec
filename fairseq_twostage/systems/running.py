"""Running the stages of a system: each once, in a folder that other systems share."""

from __future__ import annotations

import fcntl
import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from fairseq_twostage.errors import UserError
from fairseq_twostage.schema import read_object
from fairseq_twostage.systems.commands import Run, essential
from fairseq_twostage.systems.processes import in_order
from fairseq_twostage.systems.stage_log import TRAIN_LOG
from fairseq_twostage.writing import atomic_write, make_folder, write_json

DONE = "done"
DONE_BEFORE = ": done before"
COMMAND = "command"
DATA = "data.sha256"
NEEDS = "needs.json"  # what the stages before it had made: digests by their names
LOCK = ".lock"
JOB_LOG = "job.log"  # of research/workflow/Snakefile
RECORDS = frozenset({COMMAND, DATA, NEEDS, LOCK, TRAIN_LOG, JOB_LOG})

# Runs a command to its end; returns its exit status.
Runner = Callable[[Sequence[str]], int]


def run_stages(
    run: Run, execute: Runner, dry: bool = False, until: str | None = None, jobs: int = 1
) -> None:
    """Run what is not done yet of the stages that ``run.system`` needs.

    Args:
        run: the system and its folders.
        execute: runs one command.
        dry: print only.
        until: name of the last stage to run; by default all that the evaluation needs.
        jobs: stages that may run side by side, each after those it needs.

    Raises:
        UserError: a stage of that name was trained by another command, on other data or from
            another training of a stage before it, or one failed.
    """
    commands = {key: run.stage_command(key) for key in run.system.needed_stages(until)}
    for key, command in commands.items():  # before the first one starts
        check_same_training(run, key, command)
    if dry:
        for key, command in commands.items():
            folder = run.stage_folder(key)
            done = f"{folder.name}{DONE_BEFORE}"
            print(done if is_done(folder) else f"{made(folder)}\n{shown(command)}")
        return
    needs = {key: set(run.system.stages[key].needs()) for key in commands}
    kept: list[str] = []  # told first, in the order of the file
    for key in commands:
        if is_done(run.stage_folder(key)) and needs[key].issubset(kept):
            kept.append(key)
            run_stage(run, key, commands[key], execute)
    left = {key: needed.difference(kept) for key, needed in needs.items() if key not in kept}
    in_order(left, lambda key: run_stage(run, key, commands[key], execute), jobs)


def run_stage(run: Run, key: str, command: Sequence[str], execute: Runner) -> None:
    """Run one stage, unless it is done.

    Raises:
        UserError: as :func:`run_stages`.
    """
    folder = run.stage_folder(key)
    with locked(folder):
        check_same_training(run, key, command)
        if is_done(folder):
            print(f"{folder.name}{DONE_BEFORE}, in {folder}", flush=True)
            return
        with atomic_write(folder / COMMAND) as file:
            file.write(shlex.join(run.portable(command)) + "\n")
        with atomic_write(folder / DATA) as file:
            file.write(f"{run.data_digest(key) or ''}\n")
        write_json(folder / NEEDS, run.needs_digests(key))
        print(made(folder))
        run_command(command, execute, folder.name)
        with atomic_write(folder / DONE):
            pass


def run_command(command: Sequence[str], execute: Runner, name: str) -> None:
    """Print a command and run it.

    Raises:
        UserError: it failed.
    """
    print(shown(command), flush=True)
    status = execute(command)
    if status:
        raise UserError(f"{command[0]} failed with status {status}; its output stands above", name)


def shown(command: Sequence[str]) -> str:
    """The command as one can copy and paste it."""
    return f"+ {shlex.join(command)}"


def made(folder: Path) -> str:
    """The command that makes a stage's folder, where fairseq wants to write its log."""
    return shown(["mkdir", "-p", str(folder)])


def is_done(folder: Path) -> bool:
    """Whether the stage has run to its end."""
    return (folder / DONE).exists()


def check_same_training(run: Run, key: str, command: Sequence[str]) -> None:
    """Refuse to go on with, or to take, what another command began, or the same on other data,
    or from what a stage before it no longer holds.

    A stage without a record of these is taken as it is. A start that failed before it left a
    checkpoint binds nobody.

    Raises:
        UserError: the recorded command, data or stages before it are others, or the checkpoint
            that is to be evaluated was not kept.
    """
    folder = run.stage_folder(key)
    if not folder.is_dir() or {path.name for path in folder.iterdir()} <= RECORDS:
        return
    before, now = recorded_command(folder), run.portable(command)
    if before and before != now:
        _refuse(folder, f"was trained with other options ({difference(before, now)})")
    metric = run.system.evaluate.metric if key in run.system.evaluate.paraphrasers else None
    kept = run.checkpoint(key).exists() and is_done(folder)
    if metric and kept and not run.checkpoint(key, metric).exists():
        _refuse(folder, f"kept no checkpoint that is best by {metric}")
    digest = _recorded(folder / DATA).strip()
    if digest and digest != run.data_digest(key):
        places = " or ".join(str(place) for place in (run.data, run.weights(key)) if place)
        _refuse(folder, f"was trained on other data than now lie in {places}")
    path = folder / NEEDS
    needed = read_object(path, f"damaged; delete {folder}") if path.is_file() else {}
    for name, now_there in run.needs_digests(key).items():
        if needed.get(name) in (None, now_there):
            continue
        if now_there is None:
            if is_done(run.folder / name):
                continue  # its checkpoint was removed, not trained again
            _refuse(folder, f"was trained from a {name} that is no longer there")
        _refuse(folder, f"was trained from another {name} than lies beside it now")


def recorded_command(folder: Path) -> list[str]:
    """The portable command that trained a stage; empty where none is recorded."""
    return essential(shlex.split(_recorded(folder / COMMAND)))


def _recorded(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _refuse(folder: Path, reason: str) -> NoReturn:
    what_to_do = f"choose another --runs folder, or delete {folder}"
    raise UserError(f"{reason}: {what_to_do}", f"stage {folder.name}")


def difference(before: Sequence[str], now: Sequence[str]) -> str:
    """The options that two commands do not share, in few words."""
    old, new = _options(before), _options(now)
    gone = [option for option in old if option not in new]
    added = [option for option in new if option not in old]
    pieces = [f"then {', '.join(gone)}"] if gone else []
    pieces += [f"now {', '.join(added)}"] if added else []
    return "; ".join(pieces) or "in another order"


def _options(command: Sequence[str]) -> list[str]:
    """Each option with its value, as one text."""
    options: list[str] = []
    for word in command:
        if word.startswith("--") or not options:
            options.append(word)
        else:
            options[-1] += f" {word}"
    return options


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Let one process at a time into a stage's folder; others wait.

    What :func:`.processes.subprocess_runner` starts holds the lock, too: should this process be
    killed, another one waits for the training that it leaves behind.
    """
    make_folder(folder)
    with open(folder / LOCK, "w") as lock:
        os.set_inheritable(lock.fileno(), True)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"{folder.name}: waiting for the process that trains it", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)  # stages beside it hold the lock, too
