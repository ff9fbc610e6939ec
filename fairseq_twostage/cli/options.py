"""Options that several commands have, and their types."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fairseq_twostage.databases.opening import DATABASE_VARIABLE

LARGEST_SEED = 2**32 - 1  # of NumPy


def integer(least: int, most: float = math.inf) -> Callable[[str], int]:
    """A whole number from ``least`` to ``most``."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be a whole number, not {text!r}") from None
        if not least <= number <= most:
            limits = f"at least {least}" if most == math.inf else f"from {least} to {most}"
            raise argparse.ArgumentTypeError(f"must be {limits}, not {number}")
        return number

    return read


def real(least: float, most: float = math.inf, above: bool = False) -> Callable[[str], float]:
    """A finite number from ``least``, or above it, to ``most``."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be a number, not {text!r}") from None
        low = not (least < number if above else least <= number)  # a NaN is, too
        if low or number > most or number == math.inf:
            limits = f"{'above' if above else 'at least'} {least:g}"
            limits = limits if most == math.inf else f"from {least:g} to {most:g}"
            raise argparse.ArgumentTypeError(f"must be {limits}, not {text}")
        return number

    return read


positive = integer(1)
share = real(0, 1)
seed = integer(0, LARGEST_SEED)


def runs_folder() -> Path:
    """The folder of runs unless an option says another."""
    return Path(os.environ.get("TWOSTAGE_RUNS") or "runs")


def add_training(parser: argparse.ArgumentParser) -> None:
    """Where a training goes, and what of its configuration is changed."""
    add = parser.add_argument
    add("--seed", type=seed, default=1, help="of every stage (default: 1)")
    add(
        "--runs",
        type=Path,
        default=runs_folder(),
        help="folder of runs; this one goes to DOMAIN.SETTING.SEED in it (default: "
        "$TWOSTAGE_RUNS, or runs)",
    )
    add_results(parser)
    add_changes(parser)


def add_jobs(parser: argparse.ArgumentParser, usual: int) -> None:
    """How many stages run side by side."""
    parser.add_argument(
        "--jobs",
        type=positive,
        default=usual,
        metavar="N",
        help=f"stages that may be trained side by side, a core each (default here: {usual})",
    )


def add_changes(parser: argparse.ArgumentParser) -> None:
    """What of a configuration is changed."""
    parser.add_argument(
        "--set",
        dest="changes",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="change the configuration, as epochs.cycle=15; may be repeated",
    )


def add_database(parser: argparse.ArgumentParser) -> None:
    """Another database than the schema says; later code finds it in the environment."""

    class Named(argparse.Action):
        def __call__(self, parser: Any, namespace: Any, values: Any, option: Any = None) -> None:
            os.environ[DATABASE_VARIABLE] = values

    parser.add_argument(
        "--database",
        action=Named,
        metavar="URL",
        help="of a domain's database, if not that of schema.yaml (also: "
        f"the variable {DATABASE_VARIABLE})",
    )


def add_results(parser: argparse.ArgumentParser) -> None:
    """Where a line of results goes."""
    parser.add_argument("--results", type=Path, help="file of results (.jsonl), or a folder")


def add_split(parser: argparse.ArgumentParser) -> None:
    """Which annotated rows of a data-bin, its test rows by default."""
    parser.add_argument("--split", default="test", help="test, valid or train (default: test)")


def add_parser_folder(parser: argparse.ArgumentParser) -> None:
    """The folder that questions are answered from."""
    add = parser.add_argument
    add("dir", type=Path, metavar="DIR", help="exported parser, or a run folder")
    add("--data", type=Path, metavar="DATA_BIN", help="of a run folder (default: its own)")
    add("--system", help="of a run folder that has several")
    add_database(parser)


def add_allow_executor(parser: argparse.ArgumentParser) -> None:
    """What a ``domain.yaml`` may name as its executor."""
    parser.add_argument(
        "--allow-executor",
        action="append",
        metavar="MODULE",
        help="an installed module that domain.yaml may name as its executor, and whose code then "
        "runs (default: only a file beside domain.yaml)",
    )
