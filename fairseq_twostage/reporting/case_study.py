"""The case study: test rows by index, what each shows, and which systems answer it."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from fairseq_twostage.reporting.markdown import MISSING, table
from fairseq_twostage.reporting.matrix import Matrix


@dataclass(frozen=True)
class Case:
    """A test row of a domain, and what to look at; no sentence of a dataset."""

    domain: str
    row: int
    point: str


@cache
def listed_cases() -> tuple[Case, ...]:
    """Every row of ``cases.tsv``, in its order."""
    text = (resources.files(__package__) / "cases.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(Case(row["domain"], int(row["row"]), row["point"]) for row in rows)


def case_study_table(systems: Mapping[str, str], matrix: Matrix) -> list[str]:
    """How many of each system's seeds answer each case; none if nobody was scored on any.

    Args:
        systems: that are shown, name to label.
        matrix: their runs; those on another split are left out.
    """
    lines = []
    for case in listed_cases():
        seeds = [_seeds(case, system, matrix) for system in systems]
        if set(seeds) != {MISSING}:
            lines.append([f"{case.domain} {case.row}: {case.point}", *seeds])
    return table(["test row", *systems.values()], lines) if lines else []


def _seeds(case: Case, system: str, matrix: Matrix) -> str:
    cell = matrix.cell(system, case.domain)
    if cell is None or cell.split != "test" or case.row >= cell.runs[0].total:
        return MISSING
    return f"{sum(case.row in run.correct_rows for run in cell.runs)} of {len(cell.runs)}"
