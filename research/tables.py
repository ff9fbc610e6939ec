"""The tables of the report, each a function of all runs that returns Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from fairseq_twostage.scoring.error_classes import ErrorClass
from research.paper import (
    ALIASES,
    DOMAINS,
    GEO,
    OVERNIGHT,
    PAPER,
    label_of,
    published,
    read_table,
    sections,
)
from research.runs import CELL, Comparison, Runs, spearman

ABBREVIATIONS = {domain: domain.capitalize()[:3] for domain in DOMAINS}
METRICS = {
    "label_free": "label-free metric",
    "label_free_release": "released metric",
    "label_free_frequency": "frequency match",
}
MAIN = ("earlier", "parser", "supervised", "unsupervised", "semi_supervised")
SUPERVISED = ("one_stage_supervised", "two_stage_supervised")
SIGNIFICANT = 0.05
MISSING = "–"
NOTHING = "Nothing of this has been measured yet."


def table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Markdown; the first column is set left, the others right."""
    frame = pd.DataFrame(lines, columns=list(header))
    if frame.empty:
        return NOTHING
    sides = ("left", *("right",) * (len(header) - 1))
    return frame.to_markdown(index=False, disable_numparse=True, colalign=sides)


def number(value: Any, digits: int = 1) -> str:
    """A number with so many decimals, or the mark of a missing one."""
    return MISSING if pd.isna(value) else f"{value:.{digits}f}"


def spread(mean: float, deviation: float) -> str:
    """``52.8 ± 2.3``, or the mean alone where there is one value."""
    return number(mean) if pd.isna(deviation) else f"{mean:.1f} ± {deviation:.1f}"


def signed(points: float) -> str:
    """``+19.9``; what rounds to zero has a plus."""
    return f"{round(points, 1) + 0.0:+.1f}"


def p_value(p: float) -> str:
    """``0.012``; below a thousandth only that."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def difference(found: Comparison | None) -> str:
    """``+19.9 † (p < 0.001)``, or the mark of a missing comparison."""
    if found is None:
        return MISSING
    p = p_value(found.p)
    return f"{signed(found.difference)}{found.marks} (p {p if p[0] == '<' else f'= {p}'})"


def score(cell: pd.DataFrame | None) -> str:
    """``52.8 ± 2.3 (3)``: mean, deviation, number of seeds; the split unless it is the test."""
    if cell is None:
        return MISSING
    split = cell.split.iloc[0]
    seeds = f"{len(cell)}" if split == "test" else f"{len(cell)}, {split}"
    return f"{spread(cell.percent.mean(), cell.percent.std())} ({seeds})"


def scores_table(rows: pd.DataFrame, runs: Runs) -> str:
    """The paper's figures above ours, by domain; ``rows`` as those of :data:`.paper.PAPER`."""
    lines = []
    for _, row in rows.iterrows():
        label, system = row.label, row.measured_as
        eight = runs.measured(system, OVERNIGHT)
        nine = runs.measured(system, [*eight, GEO])
        nine = nine if GEO in nine else []
        if row[[*DOMAINS, "average"]].notna().any():
            same = row.average if tuple(eight) == OVERNIGHT else mean_of(row, eight)
            theirs = (*row[list(OVERNIGHT)], row.average, same, row[GEO], mean_of(row, nine))
            lines.append([label, "paper", *map(number, theirs)])
            label = ""
        if row.section != "earlier":
            average, all_nine = (
                spread(*runs.average(system, each)) if each else MISSING for each in (eight, nine)
            )
            ours = [score(runs.cell(system, domain)) for domain in DOMAINS]
            ours[-1:-1] = [
                average if len(eight) == len(OVERNIGHT) else MISSING,
                f"{average} [{len(eight)}]" if eight else MISSING,
            ]
            lines.append([label, "ours", *ours, f"{all_nine} [{len(nine)}]" if nine else MISSING])
    names = [ABBREVIATIONS[domain] for domain in OVERNIGHT]
    return table(["system", "", *names, "average", "same domains", "Geo", "same and Geo"], lines)


def mean_of(row: pd.Series, domains: Sequence[str]) -> float:
    """Mean of the paper's figures; NaN unless it has one for each domain."""
    return row[list(domains)].astype(float).mean(skipna=False)


def further(runs: Runs) -> pd.DataFrame:
    """A row without the paper's figures for each other system measured on the paper's datasets."""
    frame = runs.frame[runs.frame.domain.isin(DOMAINS)]
    others = sorted(set(frame.system) - set(PAPER.measured_as))
    rows = pd.DataFrame({"system": others, "label": others, "measured_as": others})
    return rows.assign(section="further").reindex(columns=PAPER.columns)


def first_release_table(runs: Runs) -> str:
    """GeoGranno under the first release's score, beside the paper and our own."""
    lines = []
    for _, row in pd.concat([sections(*MAIN), further(runs)]).iterrows():
        cell = runs.cell(row.measured_as, GEO)
        if cell is None or runs.reads_gold(row.measured_as):
            continue
        released = (100 * cell.first_release_correct / cell.total).dropna().astype(float)
        if len(released):
            theirs = f"{spread(released.mean(), released.std())} ({len(released)})"
            lines.append([row.label, number(row[GEO]), theirs, score(cell)])
    return table(["system", "paper", "ours, placeholders left in", "ours, filled in"], lines)


def beyond_paper_table(runs: Runs) -> str:
    """Ours minus the paper's, with one standard error, for each of its systems measured here."""
    lines = []
    for _, row in sections(*MAIN).iterrows():
        eight, geo, both = (
            runs.beyond(row.measured_as, row[list(DOMAINS)].astype(float), domains)
            for domains in (OVERNIGHT, [GEO], DOMAINS)
        )
        if both:
            shown = [
                f"{signed(e[0])} ± {number(e[1])}" if e else MISSING for e in (eight, geo, both)
            ]
            shown.insert(1, str(eight[2]) if eight else MISSING)
            lines.append([row.label, *shown])
    return table(["ours minus the paper", "Overnight", "domains", "Geo", "over all"], lines)


def settings_table(runs: Runs) -> str:
    """Each system that was run in the ``grammar`` setting, in both."""
    frame = runs.frame[runs.frame.domain.isin(OVERNIGHT) & (runs.frame.setting == "grammar")]
    systems = {*frame.system, "complete"}
    rows = pd.concat([PAPER, further(runs)])
    lines = [
        [label, setting, *(score(runs.cell(row.system, d, setting)) for d in OVERNIGHT)]
        for _, row in rows[rows.system.isin(systems)].iterrows()
        for label, setting in ((row.label, "paper"), ("", "grammar"))
    ]
    return table(["system", "Z", *(ABBREVIATIONS[domain] for domain in OVERNIGHT)], lines)


def orderings_table(runs: Runs) -> str:
    """Which orderings of the paper hold here, and some past it."""
    lines = []
    for claim, better, worse in read_table("orderings.tsv").itertuples(index=False):
        line = [claim]
        for domains in (OVERNIGHT, (GEO,)):
            found = runs.compare(better.split(), worse.split(), domains)
            verdict, cells = "not measured", [MISSING] * 3
            if found:
                verdict = "holds" if found.difference > 0 else "does not hold"
                verdict = verdict if found.p < SIGNIFICANT else "undecided"
                points = signed(found.difference) + found.marks
                cells = [str(found.domains), points, p_value(found.p)]
            line += [verdict, *cells[domains == (GEO,) :]]
        lines.append(line)
    header = ["ordering", "Overnight", "domains", "difference", "p", "Geo", "on Geo", "p on Geo"]
    return table(header, lines)


def comparisons_table(
    runs: Runs, reference: str = "complete", others: Sequence[str] | None = None
) -> str:
    """The reference system minus every other that was measured, by domain and over them.

    Systems that read gold canonical utterances are left out, and all but ``others`` if given.
    """
    lines = []
    for _, row in pd.concat([PAPER, further(runs)]).iterrows():
        system = row.system
        wanted = system != reference and system in (others or [system])
        if not wanted or system in ALIASES or runs.reads_gold(system):
            continue
        if runs.measured(system, runs.measured(reference, DOMAINS)):
            each = [*([domain] for domain in OVERNIGHT), OVERNIGHT, [GEO]]
            shown = [difference(runs.compare([reference], [system], domains)) for domains in each]
            lines.append([row.label, *shown])
    names = [ABBREVIATIONS[domain] for domain in OVERNIGHT]
    return table(["minus", *names, "over the domains", "Geo"], lines)


def correlation_table(runs: Runs) -> str:
    """How well the metric that chooses ranks the epochs of each run that was scored by epoch."""
    lines = []
    for run in runs.frame.itertuples():
        for stage, epochs in run.history.items():
            scored = pd.DataFrame(epochs, columns=["epoch", "metric", "accuracy"]).dropna()
            if scored.empty:
                continue
            metric = (-1 if run.options.get("history_minimized") else 1) * scored.metric
            best = scored.accuracy[metric == metric.max()].iloc[-1]  # as fairseq, the last
            lines.append(
                [
                    f"{label_of(run.system)}, {run.domain}, {run.setting}, seed {run.seed}",
                    stage,
                    metric_label(run.history_metric),
                    run.options.get("history_split", run.split),
                    str(len(scored)),
                    number(spearman(metric, scored.accuracy), 2),
                    number(best),
                    number(scored.accuracy.max()),
                ]
            )
    header = ["run", "stage", "metric", "split", "epochs", "ρ", "at the best metric", "best epoch"]
    return table(header, lines)


def metric_label(name: str) -> str:
    """The name in print of what chooses a checkpoint; ``exact match`` of ``exact_match``."""
    return METRICS.get(name, name.replace("_", " "))


def errors_table(runs: Runs) -> str:
    """Share of each class among a system's errors, over its seeds, percent."""
    counted = runs.frame.dropna(subset=["errors"])
    if counted.empty:
        return NOTHING
    order = {system: place for place, system in reversed(list(enumerate(PAPER.system)))}
    keys = [counted.system.map(order).fillna(len(order)), *(counted[name] for name in CELL)]
    keys.append(counted.split)
    classes = pd.DataFrame(counted.errors.tolist(), counted.index, [e.value for e in ErrorClass])
    lines = []
    for (_, system, domain, setting, split), of_run in classes.groupby(keys):
        total = of_run.sum().sum()
        name = domain if split == "test" else f"{domain} ({split})"
        name += "" if setting == "paper" else f", {setting}"
        shares = [number(100 * n / total if total else None, 0) for n in of_run.sum()]
        lines.append([f"{label_of(system)}, {name}", number(total / len(of_run)), *shares])
    return table(["run", "errors", *(error.label for error in ErrorClass)], lines)


def runs_table(runs: Runs) -> str:
    """Every cell, with time and memory."""
    lines = []
    for (system, domain, setting), cell in runs.cells.items():
        row = published(system)
        lines.append(
            [
                *(system, domain, setting),
                ", ".join(sorted(set(cell.config))),
                cell.split.iloc[0],
                spread(cell.percent.mean(), cell.percent.std()),
                ", ".join(map(str, cell.seed)),
                ", ".join(sorted(set(cell.path_of_reading))),
                number(None if row is None else row.get(domain)),
                number(cell.seconds.where(cell.seconds > 0).mean() / 60),
                number(cell.peak_mb.max(), 0),
            ]
        )
    header = ["system", "domain", "Z", "config", "split", "accuracy, %", "seeds", "path", "paper"]
    return table([*header, "minutes", "peak MB"], lines)
