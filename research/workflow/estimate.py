"""How long what is missing will take.

``python -m research.workflow.estimate MATRIX`` prints what is missing, and that.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pandas as pd

from fairseq_twostage.errors import UserError
from fairseq_twostage.results import RunResult
from research import in_one_line
from research.workflow.plan import (
    RESULTS,
    TRAINING_ROWS,
    Places,
    Plan,
    RunKey,
    count_blocks,
    missing,
    outdated,
    read_plan,
)

# Seconds of training per row, by the first piece of a stage's name, where no result tells:
# measured on calendar, full schedule, one core.
SECONDS_PER_ROW = {"lm": 0.05, "style": 0.03, "parser": 0.3, "dae": 0.25, "cycle": 1.5}
OTHER_SECONDS_PER_ROW = 0.3


class Clock:
    """How long a stage takes: as in results of the same domain, else by the number of rows.

    A variant that no result has, as ``parser.supervised_05``, takes as long as what it varies.
    """

    def __init__(self, results: Iterable[RunResult], data: Path) -> None:
        self.data = data
        runs = [(f"{run.domain}.{run.setting}", run.stage_seconds) for run in results]
        lines = [(stage, name, s) for name, stages in runs for stage, s in stages.items()]
        frame = pd.DataFrame(lines, columns=["stage", "run", "seconds"])
        # Mean by stage, then by run.
        self._known = {
            stage: each.groupby("run").seconds.mean() for stage, each in frame.groupby("stage")
        }

    def seconds(self, run: RunKey, stage: str) -> float:
        """Estimated wall time of a stage on one core."""
        known = next((self._known[name] for name in _varied(stage) if name in self._known), None)
        rows = self.rows(run.data_bin)
        if known is None:
            return rows * SECONDS_PER_ROW.get(stage.split(".")[0], OTHER_SECONDS_PER_ROW)
        if (here := f"{run.domain}.{run.setting}") in known:
            return float(known[here])
        elsewhere = sum(self.rows(RunKey.parse(f"{name}.1").data_bin) for name in known.index)
        return rows * float(known.sum()) / elsewhere

    @cache  # noqa: B019 (one clock per process)
    def rows(self, data_bin: str) -> int:
        """Utterances to train on."""
        try:
            text = (self.data / data_bin / "manifest.json").read_text(encoding="utf-8")
            return int(json.loads(text)["sizes"]["train.nl"])
        except (OSError, ValueError, KeyError):
            domain = data_bin.removesuffix(".grammar")
            return TRAINING_ROWS.get(domain, sum(TRAINING_ROWS.values()) // len(TRAINING_ROWS))


def _varied(stage: str) -> Iterator[str]:
    """The stage's name, without its share of labels, and without one piece after the other."""
    yield stage
    stage = re.sub(r"_\d+$", "", stage)
    while stage:
        yield stage
        stage = stage.rpartition(".")[0]


def critical_path(
    plan: Plan, stages: Iterable[tuple[RunKey, str]], seconds: Mapping[tuple[RunKey, str], float]
) -> float:
    """The longest chain of stages that have to wait for each other, in seconds."""
    finished: dict[tuple[RunKey, str], float] = {}
    for run, stage in stages:  # each stands after those it needs
        needs = [finished.get((run, needed), 0.0) for needed in plan.stage(run, stage).needs]
        finished[run, stage] = max(needs, default=0.0) + seconds[run, stage]
    return max(finished.values(), default=0.0)


def report(plan: Plan, places: Places, cores: int) -> list[str]:
    """What is missing, by system, and the estimated time."""
    results, stages = missing(plan, places)
    lines = [f"{len(plan.results) - len(results)} of {len(plan.results)} results are there"]
    lines += outdated(plan, places)
    if not results:
        return lines
    clock = Clock(places.there().values(), places.data)
    seconds = {pair: clock.seconds(*pair) for pair in stages}
    charged: set[tuple[RunKey, str]] = set()
    for system in plan.configs:
        runs = [run for name, run in results if name == system]
        own = set(plan.stage_runs((system, run) for run in runs)) & set(seconds)
        own -= charged
        charged |= own
        if runs:
            names = " ".join(map(str, runs))
            time = duration(sum(seconds[pair] for pair in own))
            lines.append(f"{system}: {len(own)} stages to train, {time}: {names}")
    total = sum(seconds.values())
    wall = max(total / cores, critical_path(plan, stages, seconds))
    lines.append(
        f"missing: {len(results)} results, {len(stages)} stages to train, about "
        f"{duration(total)} on one core, {duration(wall)} on {cores}"
    )
    return lines


def duration(seconds: float) -> str:
    """``25 min`` or ``3.5 h``."""
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


@in_one_line
def main(argv: list[str] | None = None) -> None:
    """Print :func:`report` of a matrix."""
    parser = argparse.ArgumentParser(
        prog="python -m research.workflow.estimate", description=main.__doc__
    )
    parser.add_argument("matrix", type=Path)
    parser.add_argument("--data", type=Path, default=Path("data-bin"))
    parser.add_argument("--runs", type=Path, default=Path(os.environ.get("TWOSTAGE_RUNS", "runs")))
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--block", type=int, help="this block alone, counted from 1")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--count-blocks", action="store_true", help="check all and print their number"
    )
    args = parser.parse_args(argv)
    if args.cores < 1:
        raise UserError(f"must be at least 1, not {args.cores}", "--cores")
    plan = read_plan(args.matrix, block=args.block)
    if args.count_blocks:
        print(count_blocks(args.matrix))
        return
    print(*report(plan, Places(args.data, args.runs, args.results), args.cores), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
