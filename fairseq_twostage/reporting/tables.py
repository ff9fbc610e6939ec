"""The tables of the report: each function returns the lines of one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fairseq_twostage.reporting.error_classes import ErrorClass
from fairseq_twostage.reporting.error_counts import ErrorCounts
from fairseq_twostage.reporting.markdown import (
    MISSING,
    difference,
    metric_label,
    number,
    p_value,
    points,
    signed,
    spread,
    table,
)
from fairseq_twostage.reporting.matrix import Cell, Matrix
from fairseq_twostage.reporting.orderings import ORDERINGS, Ordering
from fairseq_twostage.reporting.paper import GEO, OVERNIGHT, PaperRow, paper_row, paper_rows
from fairseq_twostage.reporting.statistics import mean_and_deviation, spearman
from fairseq_twostage.results import RunResult

ABBREVIATIONS = {
    "basketball": "Bas",
    "blocks": "Blo",
    "calendar": "Cal",
    "housing": "Hou",
    "publications": "Pub",
    "recipes": "Rec",
    "restaurants": "Res",
    "socialnetwork": "Soc",
    "geo": "Geo",
}
SIGNIFICANT = 0.05


def scores_table(rows: Sequence[PaperRow], matrix: Matrix) -> list[str]:
    """The paper's figures above ours, by domain."""
    header = ["system", "", *(ABBREVIATIONS[domain] for domain in OVERNIGHT)]
    lines: list[list[str]] = []
    for row in rows:
        label = row.label
        if row.scores or row.average is not None:
            lines.append([label, "paper", *_paper_cells(row, matrix)])
            label = ""
        if row.section != "earlier":
            lines.append([label, "ours", *_our_cells(row.measured_as, matrix)])
    geo = ABBREVIATIONS[GEO]
    return table([*header, "average", "same domains", geo, f"same and {geo}"], lines)


def _paper_cells(row: PaperRow, matrix: Matrix) -> list[str]:
    measured = matrix.measured(row.measured_as, OVERNIGHT)
    with_geo = matrix.measured(row.measured_as, (*measured, GEO))
    return [
        *(number(row.scores.get(domain)) for domain in OVERNIGHT),
        number(row.average),
        number(row.mean(measured)),
        number(row.scores.get(GEO)),
        number(row.mean(with_geo) if GEO in with_geo else None),
    ]


def _our_cells(system: str, matrix: Matrix) -> list[str]:
    measured = matrix.measured(system, OVERNIGHT)
    with_geo = matrix.measured(system, (*measured, GEO))
    average = spread(*matrix.average(system, measured)) if measured else MISSING
    return [
        *(score(matrix.cell(system, domain)) for domain in OVERNIGHT),
        average if len(measured) == len(OVERNIGHT) else MISSING,
        f"{average} [{len(measured)}]" if measured else MISSING,
        score(matrix.cell(system, GEO)),
        f"{spread(*matrix.average(system, with_geo))} [{len(with_geo)}]"
        if GEO in with_geo
        else MISSING,
    ]


def score(cell: Cell | None) -> str:
    """``52.8 ± 2.3 (3)``: mean, deviation, number of seeds; the split unless it is the test."""
    if cell is None:
        return MISSING
    split = "" if cell.split == "test" else f", {cell.split}"
    return f"{spread(*mean_and_deviation(cell.scores))} ({len(cell.runs)}{split})"


def first_release_table(
    rows: Sequence[PaperRow], errors: Sequence[ErrorCounts], matrix: Matrix
) -> list[str]:
    """GeoGranno under the first release's score, beside the paper and our own."""
    released: dict[str, list[float]] = {}
    for run in errors:
        if run.first_release is not None and (run.domain, run.setting) == (GEO, "paper"):
            released.setdefault(run.system, []).append(run.first_release)
    lines = [
        [
            row.label,
            number(row.scores.get(GEO)),
            f"{spread(*mean_and_deviation(scores))} ({len(scores)})",
            score(matrix.cell(row.measured_as, GEO)),
        ]
        for row in rows
        if (scores := released.get(row.measured_as)) and not matrix.reads_gold(row.measured_as)
    ]
    header = ["system", "paper", "ours, placeholders left in", "ours, filled in"]
    return table(header, lines) if lines else []


def beyond_paper_table(rows: Sequence[PaperRow], matrix: Matrix) -> list[str]:
    """Ours minus the paper's, with one standard error, for each of its systems measured here."""
    lines = []
    for row in rows:
        eight = matrix.beyond(row.measured_as, row.scores, OVERNIGHT)
        geo = matrix.beyond(row.measured_as, row.scores, [GEO])
        both = matrix.beyond(row.measured_as, row.scores, (*OVERNIGHT, GEO))
        if both:
            domains = str(eight[2]) if eight else MISSING
            lines.append([row.label, _beyond(eight), domains, _beyond(geo), _beyond(both)])
    header = ["ours minus the paper", "Overnight", "domains", ABBREVIATIONS[GEO], "over all"]
    return table(header, lines)


def _beyond(found: tuple[float, float, int] | None) -> str:
    return MISSING if found is None else f"{signed(found[0])} ± {number(found[1])}"


def further_rows(matrix: Matrix) -> list[PaperRow]:
    """A row without the paper's figures for each other system measured on the paper's datasets."""
    known = {row.measured_as for row in paper_rows()}
    others = [
        system
        for system in matrix.systems()
        if system not in known and any(matrix.cell(system, domain) for domain in (*OVERNIGHT, GEO))
    ]
    return [PaperRow("further", system, system, {}, None) for system in others]


def settings_table(matrix: Matrix) -> list[str]:
    """Each system that was run in the ``grammar`` setting, in both."""
    systems = {system for (system, _, setting), _ in matrix.cells() if setting == "grammar"}
    rows = [row for row in paper_rows() if row.system in systems | {"complete"}]
    lines = [
        [label, setting, *(score(matrix.cell(row.system, domain, setting)) for domain in OVERNIGHT)]
        for row in rows
        for label, setting in ((row.label, "paper"), ("", "grammar"))
    ]
    return table(["system", "Z", *(ABBREVIATIONS[domain] for domain in OVERNIGHT)], lines)


def orderings_table(matrix: Matrix) -> list[str]:
    """Which orderings of the paper hold here."""
    header = ["ordering", "Overnight", "domains", "difference", "p", "Geo", "difference", "p"]
    return table(
        header,
        (
            [
                ordering.claim,
                *_verdict(ordering, matrix, OVERNIGHT, with_domains=True),
                *_verdict(ordering, matrix, (GEO,), with_domains=False),
            ]
            for ordering in ORDERINGS
        ),
    )


def _verdict(
    ordering: Ordering, matrix: Matrix, domains: Sequence[str], with_domains: bool
) -> list[str]:
    found = matrix.compare(ordering.better, ordering.worse, domains)
    if found is None:
        return ["not measured", *([MISSING] * (3 if with_domains else 2))]
    verdict = "holds" if found.difference > 0 else "does not hold"
    return [
        verdict if found.p < SIGNIFICANT else "undecided",
        *([str(found.domains)] if with_domains else []),
        points(found),
        p_value(found.p),
    ]


def comparisons_table(
    matrix: Matrix, reference: str = "complete", others: Collection[str] | None = None
) -> list[str]:
    """The reference system minus every other that was measured, by domain and over them.

    Systems that read gold canonical utterances are left out, and all but ``others`` if given.
    """
    rows = [
        row
        for row in (*paper_rows(), *further_rows(matrix))
        if row.measured_as == row.system != reference
        and (others is None or row.system in others)
        and not matrix.reads_gold(row.system)
    ]
    lines = [
        [
            row.label,
            *(difference(matrix.compare([reference], [row.system], [d])) for d in OVERNIGHT),
            difference(matrix.compare([reference], [row.system], OVERNIGHT)),
            difference(matrix.compare([reference], [row.system], [GEO])),
        ]
        for row in rows
        if matrix.compare([reference], [row.system], (*OVERNIGHT, GEO))
    ]
    names = [ABBREVIATIONS[domain] for domain in OVERNIGHT]
    return table(["minus", *names, "over the domains", ABBREVIATIONS[GEO]], lines)


def correlation_table(runs: Sequence[RunResult]) -> list[str]:
    """How well the metric that chooses ranks the epochs of each run that was scored by epoch."""
    lines = []
    for run in runs:
        for stage, history in run.history.items():
            scored = [epoch for epoch in history if "accuracy" in epoch]
            if not scored:
                continue
            sign = -1 if run.options.get("history_minimized") else 1
            metric = [sign * epoch["metric"] for epoch in scored]
            chosen = max(range(len(scored)), key=lambda i: (metric[i], i))  # as fairseq, the last
            accuracy = [epoch["accuracy"] for epoch in scored]
            lines.append(
                [
                    f"{label_of(run.system)}, {run.domain}, {run.setting}, seed {run.seed}",
                    stage,
                    metric_label(run.history_metric),
                    str(run.options.get("history_split", run.split)),
                    str(len(scored)),
                    number(spearman(metric, accuracy), 2),
                    number(accuracy[chosen]),
                    number(max(accuracy)),
                ]
            )
    header = ["run", "stage", "metric", "split", "epochs", "ρ", "at the best metric", "best epoch"]
    return table(header, lines) if lines else []


def errors_table(errors: Sequence[ErrorCounts]) -> list[str]:
    """Share of each class among a system's errors, over its seeds, percent."""
    order = {row.system: index for index, row in enumerate(paper_rows())}
    cells: dict[tuple[str, str, str], list[ErrorCounts]] = {}
    for run in errors:
        cells.setdefault((run.system, run.domain, run.setting), []).append(run)
    lines = []
    for key in sorted(cells, key=lambda key: (order.get(key[0], len(order)), key)):
        runs, (system, domain, setting) = cells[key], key
        counts = {error: sum(run.errors[error] for run in runs) for error in ErrorClass}
        total = sum(counts.values())
        lines.append(
            [
                f"{label_of(system)}, {domain}" + (f", {setting}" if setting != "paper" else ""),
                number(total / len(runs)),
                *(
                    number(100 * counts[error] / total, 0) if total else MISSING
                    for error in ErrorClass
                ),
            ]
        )
    return table(["run", "errors", *(error.label for error in ErrorClass)], lines)


def runs_table(matrix: Matrix) -> list[str]:
    """Every cell, with time and memory."""
    header = ["system", "domain", "Z", "config", "split", "accuracy, %", "seeds", "path", "paper"]
    lines = []
    for (system, domain, setting), cell in matrix.cells():
        row = paper_row(system)
        seconds = [run.seconds for run in cell.runs if run.seconds]
        peaks = [run.peak_mb for run in cell.runs if run.peak_mb]
        lines.append(
            [
                *(system, domain, setting),
                ", ".join(sorted({run.config for run in cell.runs})),
                cell.split,
                spread(*mean_and_deviation(cell.scores)),
                ", ".join(map(str, cell.seeds)),
                ", ".join(sorted({run.path_of_reading for run in cell.runs})),
                number(row.scores.get(domain) if row else None),
                number(sum(seconds) / len(seconds) / 60 if seconds else None),
                number(max(peaks, default=None), 0),
            ]
        )
    return table([*header, "minutes", "peak MB"], lines)


def label_of(system: str) -> str:
    """The system's name in print."""
    row = paper_row(system)
    return row.label if row else system
