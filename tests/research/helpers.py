"""Small hand-made results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairseq_twostage.results import RunResult


def run(
    system: str = "complete",
    domain: str = "calendar",
    seed: int = 1,
    right: Sequence[int] = (0, 1),
    total: int = 4,
    **changes: Any,
) -> RunResult:
    """A run that got the rows ``right`` of ``total`` right."""
    fields: dict[str, Any] = {
        "system": system,
        "domain": domain,
        "setting": "paper",
        "seed": seed,
        "split": "test",
        "accuracy": round(100 * len(right) / total, 2),
        "correct": len(right),
        "total": total,
        "correct_rows": list(right),
        "metric": 1.0,
        "history": {},
        "commit": "c",
        "command": "twostage evaluate",
        "config": "cao2020",
        "seconds": 60.0,
        "peak_mb": 500.0,
        **changes,
    }
    return RunResult(**fields)


def cells(table: str, *start: str) -> list[str]:
    """What follows in the one row of a Markdown table that starts with these cells."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    [row] = [row for row in rows if tuple(row[: len(start)]) == start]
    return row[len(start) :]
