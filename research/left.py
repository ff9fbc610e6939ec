"""Figures of the paper that have none beside them here, and what training them would take."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from research.paper import DOMAINS, HERE, OVERNIGHT, PAPER
from research.runs import Runs
from research.tables import ABBREVIATIONS, table
from research.workflow.estimate import Clock
from research.workflow.plan import RunKey, read_plan

MATRICES = ("overnight", "geogranno")
NOWHERE = Path("nowhere")  # where no stage is trained


def left_table(runs: Runs) -> str:
    """Systems whose first seed is missing in domains where the paper has a figure.

    Hours are estimates on one core, by what the same stages took elsewhere; a stage that several
    systems share counts for the first of them.
    """
    published = PAPER.drop_duplicates("measured_as").set_index("measured_as")
    missing = {system: _missing(row, runs) for system, row in published.iterrows()}
    missing = {system: domains for system, domains in missing.items() if domains}
    clock = Clock(runs.frame.itertuples(), NOWHERE)
    lines, hours = [], 0.0
    for matrix in MATRICES:
        plan = read_plan(HERE / "workflow" / f"{matrix}.yaml", systems=missing)
        trained: set[tuple[RunKey, str]] = set()
        for system in plan.configs:
            found = [(system, RunKey(domain, "paper", 1)) for domain in missing[system]]
            found = [pair for pair in found if pair in plan.results]
            own = [each for each in plan.stage_runs(found) if each not in trained]
            trained |= {*own}
            took = sum(clock.seconds(*each) for each in own) / 3600
            hours += took
            if found:
                names = ", ".join(ABBREVIATIONS[run.domain] for _, run in found)
                lines.append([str(published.label[system]), f"`{system}`", names, f"{took:.1f}"])
    lines.append(["all", "", "", f"{hours:.1f}"])
    return table(["the paper's", "system", "not run on", "hours"], lines)


def _missing(row: pd.Series, runs: Runs) -> list[str]:
    """The domains of which the paper has a figure of a system and we have none; all of Overnight
    where it has their average alone."""
    told = [domain for domain in DOMAINS if row.notna()[domain]]
    if not told and row.notna()["average"]:
        told = [*OVERNIGHT]
    measured = runs.measured(row.name, DOMAINS)
    return [domain for domain in told if domain not in measured]
