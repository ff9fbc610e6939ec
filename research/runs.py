"""All runs as one table, and what is computed of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from fairseq_twostage.errors import UserError
from fairseq_twostage.results import RunResult
from research.paper import ALIASES
from research.statistics import beyond_published, paired_bootstrap

CELL = ["system", "domain", "setting"]
# Answers that execute. Of two sides of a comparison both should have such, or neither; in the two
# recipes, which rerank, the rule is a part of them.
EXECUTABLE = {"executable", "executable_paraphrase"}
UNLIKE, VERSIONS = " †", " ‡"


@dataclass(frozen=True)
class Comparison:
    """A paired comparison of two systems.

    Attributes:
        difference: first minus second, in points of accuracy.
        p: two-sided.
        domains: how many it rests on.
        marks: :data:`UNLIKE` where the two sides answer by different rules, :data:`VERSIONS` where
            a stage that both have was trained in two ways.
    """

    difference: float
    p: float
    domains: int
    marks: str


class Runs:
    """Results as a table.

    Attributes:
        frame: a line for each run: the fields of :class:`.results.RunResult`, and ``percent``,
            ``history_metric`` and ``path_of_reading``.
        cells: of each (system, domain, setting) its lines by ascending seed, all on one split.
        tested: percent on test rows; indexed by system, setting and seed, a column for a domain.
    """

    def __init__(self, results: Iterable[RunResult]) -> None:
        derived = ("percent", "history_metric", "path_of_reading")
        lines = [asdict(run) | {name: getattr(run, name) for name in derived} for run in results]
        self.frame = pd.DataFrame(lines).sort_values([*CELL, "seed"], ignore_index=True)
        self.cells = {key: cell for key, cell in self.frame.groupby(CELL)}
        for key, cell in self.cells.items():
            if len(cell[["split", "total"]].drop_duplicates()) > 1:
                raise UserError("seeds were scored on different rows", "/".join(key))
            if stage := trained_in_two_ways(cell.fingerprints):
                raise UserError(f"seeds trained {stage} in different ways", "/".join(key))
        test = self.frame[self.frame.split == "test"]
        self.tested = test.pivot(
            index=["system", "setting", "seed"], columns="domain", values="percent"
        )

    def cell(self, system: str, domain: str, setting: str = "paper") -> pd.DataFrame | None:
        """The runs of a system or of an alias of it; None where nothing was run."""
        return self.cells.get((ALIASES.get(system, system), domain, setting))

    def reads_gold(self, system: str) -> bool:
        """Whether gold canonical utterances went into the system's evaluation."""
        options = self.frame.options[self.frame.system == system]
        return any(each.get("source") == "cf" for each in options)

    def measured(self, system: str, domains: Sequence[str], setting: str = "paper") -> list[str]:
        """Those of ``domains`` in which the system has test scores, in their order."""
        cells = {domain: self.cell(system, domain, setting) for domain in domains}
        return [d for d, cell in cells.items() if cell is not None and cell.split.iloc[0] == "test"]

    def average(
        self, system: str, domains: Sequence[str], setting: str = "paper"
    ) -> tuple[float, float]:
        """Mean over ``domains`` of a system measured in all of them, and its deviation.

        The deviation is that of the average between the seeds which every domain has; NaN if
        there are fewer than two.
        """
        by_seed = self.tested.loc[ALIASES.get(system, system), setting][list(domains)]
        return by_seed.mean().mean(), by_seed.dropna().mean(axis=1).std()

    def rows(self, system: str, domain: str, setting: str = "paper") -> np.ndarray:
        """Of each row of the split, how often it was right: percent of the seeds, (total,)."""
        cell = self.cells[ALIASES.get(system, system), domain, setting]
        right = np.zeros(cell.total.iloc[0])
        for rows in cell.correct_rows:
            right[rows] += 100 / len(cell)
        return right

    def compare(
        self, better: Sequence[str], worse: Sequence[str], domains: Sequence[str]
    ) -> Comparison | None:
        """Paired test of the mean of some systems against that of others.

        It rests on those of ``domains`` that every system named was tested in; None if there
        is no such domain.
        """
        systems = [*better, *worse]
        shared = list(domains)
        for system in systems:
            shared = self.measured(system, shared)
        if not shared:
            return None
        difference, p = paired_bootstrap([self._differences(better, worse, d) for d in shared])
        runs = [
            pd.concat(self.cells[ALIASES.get(s, s), d, "paper"] for s in systems) for d in shared
        ]
        unlike = UNLIKE if any(map(answer_in_two_ways, runs)) else ""
        versions = VERSIONS if any(trained_in_two_ways(each.fingerprints) for each in runs) else ""
        return Comparison(difference, p, len(shared), unlike + versions)

    def _differences(self, better: Sequence[str], worse: Sequence[str], domain: str) -> np.ndarray:
        sides = [[self.rows(name, domain) for name in side] for side in (better, worse)]
        if len({len(rows) for side in sides for rows in side}) > 1:
            raise UserError(f"{', '.join((*better, *worse))} were scored on different rows", domain)
        return np.mean(sides[0], axis=0) - np.mean(sides[1], axis=0)

    def beyond(
        self, system: str, published: Mapping[str, float], domains: Sequence[str]
    ) -> tuple[float, float, int] | None:
        """A system's mean minus the published one, its standard error, and over how many domains.

        Those are the ones of ``domains`` that were measured and published; None if none was.
        """
        shared = [d for d in self.measured(system, domains) if not np.isnan(published[d])]
        if not shared:
            return None
        rows = [self.rows(system, domain) for domain in shared]
        return (*beyond_published(rows, [published[domain] for domain in shared]), len(shared))


def answer_in_two_ways(runs: pd.DataFrame) -> bool:
    """Whether the runs mix the best logical form with those of :data:`EXECUTABLE`."""
    picks = {options.get("pick") for options in runs.options if "rerank" not in options}
    return "best" in picks and not picks.isdisjoint(EXECUTABLE)


def trained_in_two_ways(fingerprints: Iterable[Mapping[str, str]]) -> str | None:
    """A stage whose fingerprint differs between the runs that have one."""
    found: dict[str, str] = {}
    for run in fingerprints:
        for stage, fingerprint in run.items():
            if found.setdefault(stage, fingerprint) != fingerprint:
                return stage
    return None


def spearman(first: Iterable[float], second: Iterable[float]) -> float:
    """Spearman's rank correlation; NaN where it is undefined (a constant, fewer than two)."""
    ranks = pd.DataFrame({"first": list(first), "second": list(second)}).rank()
    return ranks["first"].corr(ranks["second"]) if (ranks.nunique() > 1).all() else float("nan")
