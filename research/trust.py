"""How trusted answers fare: tables and the risk–coverage curves of ``recommended``."""

from __future__ import annotations

import json
from collections.abc import Iterable

import numpy as np
import pandas as pd

from fairseq_twostage.files import read_lines
from fairseq_twostage.scoring.selective import Selective, calibration_error
from research.confidence import RESULTS as BASELINES
from research.overview import SOURCES
from research.runs import Runs
from research.scope import RESULTS
from research.tables import MISSING, table

SYSTEM = "recommended"
SAMPLES = 1_000
SEED = 1
SCOPES = ("datasets", "general", "rubbish", "right")


class Judged:
    """Rows of one or more runs: confidence, whether right, whether given."""

    def __init__(self, runs: Iterable[pd.Series]) -> None:
        parts = [
            (
                np.array(run.trust["confidence"]),
                np.isin(np.arange(run.total), run.correct_rows),
                np.array(run.trust["given"], dtype=bool),
            )
            for run in runs
        ]
        self.confidence, self.right, self.given = map(np.concatenate, zip(*parts))

    @property
    def selective(self) -> Selective:
        """How the answers fare."""
        return Selective.of(self.confidence.tolist(), self.right.tolist(), self.given.tolist())

    def interval(self) -> str:
        """The middle 95 % of the calibration error over bootstrap samples of the rows."""
        draw = np.random.default_rng(SEED)
        count = len(self.right)
        found = [
            calibration_error(self.confidence[rows], self.right[rows])
            for rows in draw.integers(0, count, (SAMPLES, count))
        ]
        low, high = np.quantile(found, [0.025, 0.975])
        return f"{low:.3f} … {high:.3f}"


def judged_runs(runs: Runs) -> dict[str, list[pd.Series]]:
    """By domain the runs of ``recommended`` whose rows were judged."""
    found: dict[str, list[pd.Series]] = {}
    for domain, setting in SOURCES:
        cell = runs.cell(SYSTEM, domain, setting)
        if cell is None or "trust" not in cell:
            continue
        each = [run for _, run in cell.iterrows() if isinstance(run.trust, dict)]
        if each:
            found[domain] = each
    return found


def confidence_table(runs: Runs) -> str:
    """Each domain, and all rows together, seeds pooled."""
    cells = judged_runs(runs)
    lines = [_line(domain, Judged(each), len(each)) for domain, each in cells.items()]
    if lines:
        lines.append(_line("all rows", Judged(run for each in cells.values() for run in each), 0))
    head = ["test rows", "seeds", "right", "answered", "right of these", "AUROC", "AURC"]
    return table([*head, "calibration error", "its 95 %"], lines)


def _line(name: str, judged: Judged, seeds: int) -> list[str]:
    found = judged.selective
    return [
        name,
        str(seeds or ""),
        f"{judged.right.mean():.1%}",
        f"{found.coverage:.1%}",
        MISSING if found.precision is None else f"{found.precision:.1%}",
        MISSING if found.auroc is None else f"{found.auroc:.3f}",
        f"{found.aurc:.3f}",
        f"{found.ece:.3f}",
        judged.interval(),
    ]


def baselines_table(_: Runs) -> str:
    """The confidence beside plain scores, and with labels, as :mod:`.confidence` measured it."""
    found = [json.loads(line) for line in read_lines(BASELINES)] if BASELINES.exists() else []
    frame = pd.DataFrame(found).drop(columns=["commit", "command"], errors="ignore")
    if frame.empty:
        return MISSING
    frame = frame.set_index("domain")
    frame.loc["mean"] = frame.mean()
    rows = [[name, *(_number(value) for value in row)] for name, row in frame.iterrows()]
    return table(["test rows, seed 1", *frame.columns], rows)


def _number(value: float) -> str:
    return MISSING if pd.isna(value) else f"{value:.3f}"


def scope_table(_: Runs) -> str:
    """What is refused by ``in_domain`` alone, as :mod:`.scope` measured it."""
    lines = [json.loads(line) for line in read_lines(RESULTS)] if RESULTS.exists() else []
    rows = [
        [each["domain"], f"`{each['system']}`", *(_share(*each[name]) for name in SCOPES)]
        for each in lines
    ]
    head = ["refused as not of the domain", "system", "other datasets", "general questions"]
    return table([*head, "rubbish", "right answers"], rows)


def _share(refused: int, texts: int) -> str:
    return f"{refused / texts:.1%} ({refused} of {texts})"
