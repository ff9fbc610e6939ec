"""``twostage build``: a domain in, a parser out: prepare, train, export, and its score."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from fairseq_twostage.cli import train
from fairseq_twostage.cli.options import add_jobs, add_training
from fairseq_twostage.cli.parse import hush
from fairseq_twostage.databin.folder import GOLD, data_bin_lines, read_manifest
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.errors import UserError
from fairseq_twostage.systems.config import load_system
from fairseq_twostage.systems.config_files import ConfigFile, find_config
from fairseq_twostage.systems.processes import subprocess_runner, usual_jobs
from fairseq_twostage.systems.running import DONE_BEFORE
from fairseq_twostage.writing import make_folder

EXPORTED = "exported"
# Utterances below which a stage sees each one more often, up to so many times as often.
ENOUGH, MOST = 350, 5
# Canonical utterances above which the language models and the judge of style end after so many
# updates: of 15,000 of a database they hardly learn more in six times as many.
MANY, AUXILIARY_UPDATES = 5_000, 8_800


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("domain", metavar="DOMAIN", help="a domain.yaml, its folder, an Overnight domain, or geo")
    add("--config", default="recommended", help="what is trained (default: recommended)")
    add("--data", type=Path, help="data-bin (default: data-bin/NAME)")
    add("--output", type=Path, metavar="DIR", help=f"exported parser (default: RUN/{EXPORTED})")
    add_training(parser)
    add_jobs(parser, usual_jobs())
    add("--questions", type=Path, metavar="FILE", help="questions that the parser answers at once")
    add("--force", action="store_true", help="replace a data-bin that was made of other files")


def main(args: argparse.Namespace) -> int:
    """Build; the last line is the score of the exported folder, where rows are annotated."""
    hush()
    domain = load_domain(args.domain)
    data = args.data or domain.data_bin()
    config = find_config(args.config)
    if args.questions not in (None, Path("-")) and not args.questions.exists():
        raise UserError("no such file", str(args.questions))  # now, not after the training
    load_system(config, args.changes, domain.name)  # now, too
    started = time.monotonic()
    run_twostage("prepare", "--domain", args.domain, "--dest", data, *["--force"] * args.force)
    manifest = read_manifest(data)
    run = args.runs / f"{manifest.domain}.{manifest.canonical}.{args.seed}"
    where = "--data", data, "--runs", args.runs, "--seed", args.seed
    logs = run / "logs"
    make_folder(logs)
    runner = logged_runner(logs, started)
    rows = data / GOLD / "test.tsv"
    untrained = untrained_of(load_system(config, domain=manifest.domain).evaluate.options)
    if untrained == config.name:
        untrained = None
    if untrained:
        run_twostage("train", "--config", untrained, *where, execute=runner)
    for change in scaled_limits(data, config, manifest.domain):
        args.changes.insert(0, change)
    words = [word for change in args.changes for word in ("--set", change)]
    words += ["--results", args.results] if args.results else []
    words += ["--jobs", args.jobs]
    run_twostage("train", "--config", config, *where, *words, execute=runner)
    system = load_system(config, domain=manifest.domain).system
    exported = args.output or run / EXPORTED
    run_twostage("export", "--run", run, "--system", system, "--output", exported, "--force")
    print(f"{exported}: a parser after {time.monotonic() - started:.0f} s", flush=True)
    if args.questions is not None:
        run_twostage("parse", exported, "--file", args.questions)
    if not rows.is_file():
        print("no annotated test rows, so no score")
        return 0
    before = 0
    if untrained:
        score = _last_line("evaluate", "--run", run, "--system", untrained, "--data", data)
        print(f"{untrained}: {score}", flush=True)
        before = right_rows(score)
    score = _last_line("evaluate", "--run", exported, "--data", data)
    if before > right_rows(score):
        print(
            f"note: {untrained} reads more of these rows right than {system}, which was exported; "
            f"to take it instead: twostage export --run {run} --system {untrained} "
            f"--output {exported} --force"
        )
    print(score)
    return 0


def right_rows(score: str) -> int:
    """How many rows were right, by a line such as ``denotation accuracy: 75.0 % (3 of 4)``."""
    return int(score.rpartition("(")[2].partition(" ")[0])


def untrained_of(options: object) -> str | None:
    """The untrained start with the resources of a system that ranks by a similarity."""
    weights = str(dict(options).get("rerank")) if isinstance(options, dict) else ""
    if "sentence_encoder" in weights:
        return "untrained"
    return "untrained_words" if "word_vectors" in weights else None


def scaled_limits(data: Path, config: ConfigFile, domain: str) -> list[str]:
    """More epochs where there are few utterances, and an end of the language models and of the
    judge of style where there are many canonical ones, as ``KEY=VALUE``."""
    lines = {side: len(data_bin_lines(data / "text" / f"train.{side}")) for side in ("nl", "cf")}
    times = {side: min(MOST, max(1.0, ENOUGH / count)) for side, count in lines.items()}
    system = load_system(config, domain=domain)
    changes: dict[str, float] = {}
    if max(times.values()) > 1:
        changes = {
            "epochs.auxiliary": system.epochs.auxiliary * times["cf"],
            "epochs.pretrain": system.epochs.pretrain * times["nl"],
            "epochs.cycle": system.epochs.cycle * times["nl"],
        }
        warm = system.stages.get("warm")
        if warm is not None and "max-epoch" in warm.options:
            changes["stages.warm.options.max-epoch"] = warm.options["max-epoch"] * times["nl"]
    if lines["cf"] > MANY:
        if "language_model" in system.groups:
            changes["groups.language_model.max-update"] = AUXILIARY_UPDATES
        if "style" in system.stages:
            changes["stages.style.options.max-update"] = AUXILIARY_UPDATES
    return [f"{key}={round(value)}" for key, value in changes.items()]


def logged_runner(logs: Path, started: float) -> Callable[[Sequence[str]], int]:
    """Runs a stage's command with its output in a file; says when it is done."""
    terminal = sys.stdout

    def run(command: Sequence[str]) -> int:
        path = logs / f"{_name(command)}.log"
        with open(path, "ab") as log:
            status = subprocess_runner(command, log)
        if status == -signal.SIGTERM:  # ended for the sake of another, which failed
            return status
        if status:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()[-25:]
            print(*lines, sep="\n", file=sys.stderr, flush=True)
            return status
        after = time.monotonic() - started
        print(f"  {_name(command)}: done after {after:.0f} s", file=terminal, flush=True)
        return 0

    return run


def _name(command: Sequence[str]) -> str:
    """Of the stage whose folder a command fills, or of the command."""
    for option in ("--save-dir", "--dest"):
        if option in command:
            return Path(command[command.index(option) + 1]).name
    return command[1] if len(command) > 1 else command[0]


def _last_line(command: str, *words: object) -> str:
    """The last line that a subcommand prints; the others are not shown."""
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        run_twostage(command, *words)
    return shown.getvalue().splitlines()[-1]


def run_twostage(command: str, *words: object, execute: Callable[..., int] | None = None) -> None:
    """A subcommand in this process.

    With ``execute``, which runs the commands of a training, these are not shown; what was trained
    before is named.

    Raises:
        UserError: as that command.
    """
    module = importlib.import_module(f"fairseq_twostage.cli.{command}")
    parser = argparse.ArgumentParser(prog=f"twostage {command}")
    module.add_arguments(parser)
    args = parser.parse_args([str(word) for word in words])
    if execute is not None:
        with contextlib.redirect_stdout(io.StringIO()) as shown:  # they stand in the run's folder
            status = train.main(args, execute)
        lines = (line.partition(DONE_BEFORE) for line in shown.getvalue().splitlines())
        if kept := [stage for stage, done, _ in lines if done]:
            print(f"  kept from before: {', '.join(kept)}", flush=True)
    else:
        status = module.main(args)
    if status:
        raise UserError(f"failed with status {status}", f"twostage {command}")
