"""The paper's figures, and the order and names in which its systems are shown."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from fairseq_twostage.domains.registry import GEO
from fairseq_twostage.domains.registry import OVERNIGHT_DOMAINS as OVERNIGHT

# Rows of the ablations that are rows of the main table under another name: never run twice.
ALIASES = {
    "noise_all": "minus_cycle_learning",
    "cycle_dae": "minus_cycle_learning",
    "cycle_bt+drl": "complete",
    "reward_all": "complete",
    "added_5_readings": "words_only",
}


@dataclass(frozen=True)
class PaperRow:
    """A system of the paper's tables, with its denotation accuracy in percent.

    Attributes:
        section: the table it stands in, as ``unsupervised`` or ``noise``.
        system: its name in results files.
        label: its name in print.
        scores: by domain; a domain without a published figure is left out.
        average: over the eight Overnight domains, as published.
    """

    section: str
    system: str
    label: str
    scores: dict[str, float]
    average: float | None

    @property
    def measured_as(self) -> str:
        """The system whose results files hold this row's runs."""
        return ALIASES.get(self.system, self.system)

    def mean(self, domains: Sequence[str]) -> float | None:
        """Mean over ``domains``; None unless the paper has a figure for each of them."""
        if tuple(domains) == OVERNIGHT:
            return self.average
        if not domains or not set(domains) <= set(self.scores):
            return None
        return sum(self.scores[domain] for domain in domains) / len(domains)


@cache
def paper_rows() -> tuple[PaperRow, ...]:
    """Every row of ``paper.tsv`` (Cao et al. 2020, Tables 2 to 5), in its order."""
    text = (resources.files(__package__) / "paper.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(
        PaperRow(
            section=row["section"],
            system=row["system"],
            label=row["label"],
            scores={name: float(row[name]) for name in (*OVERNIGHT, GEO) if row[name]},
            average=float(row["average"]) if row["average"] else None,
        )
        for row in rows
    )


def section(name: str) -> list[PaperRow]:
    """The rows of one table."""
    return [row for row in paper_rows() if row.section == name]


def paper_row(system: str) -> PaperRow | None:
    """The row of a system, if the paper has it."""
    return next((row for row in paper_rows() if row.system == system), None)
