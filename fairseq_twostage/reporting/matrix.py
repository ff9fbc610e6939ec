"""Runs grouped into cells: one system on one domain in one setting, over its seeds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fairseq_twostage.errors import UserError
from fairseq_twostage.reporting.paper import ALIASES
from fairseq_twostage.reporting.statistics import (
    Comparison,
    beyond_published,
    mean_and_deviation,
    paired_bootstrap,
)
from fairseq_twostage.results import RunResult

# Answers that execute. Of two sides of a comparison both should have such, or neither; in the two
# recipes, which rerank, the rule is a part of them.
EXECUTABLE = {"executable", "executable_paraphrase"}


@dataclass(frozen=True)
class Cell:
    """The runs of a system on a domain in a setting, by ascending seed; at least one."""

    runs: tuple[RunResult, ...]

    @property
    def split(self) -> str:
        """The split that all of them were scored on."""
        return self.runs[0].split

    @property
    def scores(self) -> list[float]:
        """Accuracy by seed, percent."""
        return [run.percent for run in self.runs]

    @property
    def seeds(self) -> list[int]:
        """The seeds, ascending."""
        return [run.seed for run in self.runs]

    def rows(self) -> np.ndarray:
        """Of each row of the split, how often it was right: percent of the seeds, (total,)."""
        right = np.zeros(self.runs[0].total)
        for run in self.runs:
            right[run.correct_rows] += 100 / len(self.runs)
        return right


def _alike(runs: Iterable[RunResult]) -> bool:
    """Whether the runs do not mix the best logical form with those of :data:`EXECUTABLE`."""
    picks = {run.options.get("pick") for run in runs if "rerank" not in run.options}
    return "best" not in picks or picks.isdisjoint(EXECUTABLE)


def _trained_in_two_ways(runs: Iterable[RunResult]) -> str | None:
    """A stage whose fingerprint differs between the runs that have one."""
    found: dict[str, str] = {}
    for run in runs:
        for stage, fingerprint in run.fingerprints.items():
            if found.setdefault(stage, fingerprint) != fingerprint:
                return stage
    return None


class Matrix:
    """All cells of a folder of results."""

    def __init__(self, runs: Iterable[RunResult]) -> None:
        groups: dict[tuple[str, str, str], list[RunResult]] = defaultdict(list)
        for run in runs:
            groups[run.system, run.domain, run.setting].append(run)
        self._cells = {
            key: Cell(tuple(sorted(group, key=lambda run: run.seed)))
            for key, group in groups.items()
        }
        for key, cell in self._cells.items():
            if len({(run.split, run.total) for run in cell.runs}) > 1:
                raise UserError("seeds were scored on different rows", "/".join(key))
            if stage := _trained_in_two_ways(cell.runs):
                raise UserError(f"seeds trained {stage} in different ways", "/".join(key))

    def cell(self, system: str, domain: str, setting: str = "paper") -> Cell | None:
        """The cell of a system or of an alias of it; None where nothing was run."""
        return self._cells.get((ALIASES.get(system, system), domain, setting))

    def cells(self) -> list[tuple[tuple[str, str, str], Cell]]:
        """Every ``(system, domain, setting)`` with its cell, sorted."""
        return sorted(self._cells.items(), key=lambda item: item[0])

    def systems(self) -> list[str]:
        """Every system with a run, sorted."""
        return sorted({system for system, _, _ in self._cells})

    def reads_gold(self, system: str) -> bool:
        """Whether gold canonical utterances went into the system's evaluation."""
        return any(
            run.options.get("source") == "cf"
            for (name, _, _), cell in self._cells.items()
            if name == system
            for run in cell.runs
        )

    def measured(self, system: str, domains: Sequence[str], setting: str = "paper") -> list[str]:
        """Those of ``domains`` in which the system has test scores, in their order."""
        return [
            domain
            for domain in domains
            if (cell := self.cell(system, domain, setting)) and cell.split == "test"
        ]

    def average(
        self, system: str, domains: Sequence[str], setting: str = "paper"
    ) -> tuple[float, float | None]:
        """Mean over ``domains`` of a system measured in all of them, and its deviation.

        The deviation is that of the average between the seeds which every domain has; None if
        there are fewer than two.
        """
        cells = [cell for domain in domains if (cell := self.cell(system, domain, setting))]
        mean = sum(mean_and_deviation(cell.scores)[0] for cell in cells) / len(cells)
        seeds = set.intersection(*(set(cell.seeds) for cell in cells))
        by_seed = [
            sum(run.percent for cell in cells for run in cell.runs if run.seed == seed) / len(cells)
            for seed in sorted(seeds)
        ]
        return mean, mean_and_deviation(by_seed)[1] if by_seed else None

    def compare(
        self,
        better: Sequence[str],
        worse: Sequence[str],
        domains: Sequence[str],
        setting: str = "paper",
    ) -> Comparison | None:
        """Paired test of the mean of some systems against that of others.

        It rests on those of ``domains`` that every system named was tested in; None if there
        is no such domain.
        """
        shared = list(domains)
        for system in (*better, *worse):
            shared = self.measured(system, shared, setting)
        if not shared:
            return None
        found = paired_bootstrap(
            [self._row_differences(better, worse, domain, setting) for domain in shared]
        )
        systems = (*better, *worse)
        runs = [self._runs(systems, domain, setting) for domain in shared]
        return replace(
            found,
            alike=all(map(_alike, runs)),
            one_version=not any(map(_trained_in_two_ways, runs)),
        )

    def beyond(
        self, system: str, published: Mapping[str, float], domains: Sequence[str]
    ) -> tuple[float, float, int] | None:
        """A system's mean minus the published one, its standard error, and over how many domains.

        Those are the ones of ``domains`` that were measured and published; None if none was.
        """
        shared = [domain for domain in self.measured(system, domains) if domain in published]
        cells = [cell for domain in shared if (cell := self.cell(system, domain))]
        if not cells:
            return None
        scores = [published[domain] for domain in shared]
        return (*beyond_published([cell.rows() for cell in cells], scores), len(shared))

    def _runs(self, systems: Sequence[str], domain: str, setting: str) -> list[RunResult]:
        cells = [cell for name in systems if (cell := self.cell(name, domain, setting))]
        return [run for cell in cells for run in cell.runs]

    def _row_differences(
        self, better: Sequence[str], worse: Sequence[str], domain: str, setting: str
    ) -> np.ndarray:
        sides = [
            [cell.rows() for name in side if (cell := self.cell(name, domain, setting))]
            for side in (better, worse)
        ]
        if len({len(rows) for side in sides for rows in side}) > 1:
            names = ", ".join((*better, *worse))
            raise UserError(f"{names} were scored on different rows", domain)
        return np.mean(sides[0], axis=0) - np.mean(sides[1], axis=0)
