"""The figures of the report, as SVG whose bytes depend on the results alone."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from itertools import cycle
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairseq_twostage.reporting.markdown import metric_label
from fairseq_twostage.reporting.matrix import Matrix
from fairseq_twostage.reporting.paper import GEO, OVERNIGHT, PaperRow, paper_row, section
from fairseq_twostage.reporting.statistics import mean_and_deviation, spearman
from fairseq_twostage.results import RunResult

STYLE: Any = {
    "svg.hashsalt": "fairseq_twostage",  # else ids differ from run to run
    "svg.fonttype": "none",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}
BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#888888"
SHARES = {"05": 5, "15": 15, "30": 30, "50": 50}
# The curves of the paper's figure: label, colour, and the system at each share of labels.
CURVES = (
    (
        "CompleteModel",
        BLUE,
        {0: "complete", **{share: f"semi_{name}" for name, share in SHARES.items()}}
        | {100: "semi_100"},
    ),
    *(
        (
            f"{stages}-stage supervised",
            colour,
            {share: f"{stages}_stage_supervised_{name}" for name, share in SHARES.items()}
            | {100: f"{stages}_stage_supervised"},
        )
        for stages, colour in (("one", ORANGE), ("two", GREEN))
    ),
)
DASHES = ("-", "--", ":")
PANEL = (2.4, 2.0)
COLUMNS = 3


def svg(figure: Figure) -> bytes:
    """The figure as an SVG file without a date."""
    file = BytesIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(file, format="svg", metadata={"Date": None})
    # Matplotlib ends some lines with blanks.
    return b"\n".join(line.rstrip() for line in file.getvalue().splitlines()) + b"\n"


def draw(name: str, runs: Sequence[RunResult]) -> bytes:
    """The figure ``name`` (a key of :data:`DRAWERS`) as SVG."""
    with matplotlib.rc_context(STYLE):
        figure = DRAWERS[name](runs)
    return svg(figure)


def _panels(titles: Sequence[str]) -> tuple[Figure, list[Axes]]:
    columns = min(COLUMNS, len(titles))
    rows = -(-len(titles) // columns)
    size = (PANEL[0] * columns + 0.6, PANEL[1] * rows + 0.6)
    figure = Figure(figsize=size, layout="constrained")
    axes = [figure.add_subplot(rows, columns, place + 1) for place in range(len(titles))]
    for each, title in zip(axes, titles, strict=True):
        each.set_title(title)
    return figure, axes


def labelled_share(runs: Sequence[RunResult]) -> Figure:
    """Accuracy over the share of labels; the paper's CompleteModel dashed.

    One panel for each domain with a point of ours beside that of CompleteModel without labels,
    and one for the paper's average over Overnight.
    """
    matrix = Matrix(runs)
    beyond = [system for _, _, systems in CURVES for system in systems.values()]
    beyond.remove("complete")
    domains = [
        domain
        for domain in (*OVERNIGHT, GEO)
        if any(matrix.measured(system, [domain]) for system in beyond)
    ]
    figure, axes = _panels([*domains, "Overnight, average"])
    for domain, axis in zip([*domains, None], axes, strict=True):
        for label, colour, systems in CURVES:
            _curve(axis, label, colour, systems, matrix, domain)
        axis.set_xlabel("labels, %")
        axis.set_ylabel("accuracy, %")
        axis.set_ylim(0, 100)
    _legend_below(figure, axes[-1])
    return figure


def _curve(
    axis: Axes,
    label: str,
    colour: str,
    systems: dict[int, str],
    matrix: Matrix,
    domain: str | None,
) -> None:
    """One system's curve, ours and the paper's; without a domain, of the Overnight average."""
    ours: list[tuple[int, float, float]] = []
    papers: list[tuple[int, float]] = []
    for share, system in systems.items():
        domains = OVERNIGHT if domain is None else (domain,)
        if len(matrix.measured(system, domains)) == len(domains):
            mean, deviation = matrix.average(system, domains)
            ours.append((share, mean, deviation or 0.0))
        published = _published(paper_row(system), domain)
        if published is not None:
            papers.append((share, published))
    shares, means, deviations = zip(*ours, strict=True) if ours else ((), (), ())
    axis.errorbar(
        shares, means, deviations, color=colour, marker="o", markersize=3, capsize=2, label=label
    )
    style: dict[str, Any] = {"color": colour, "linestyle": ":", "marker": "x", "markersize": 4}
    axis.plot(
        *(zip(*papers, strict=True) if papers else ((), ())), **style, label=f"{label}, paper"
    )


def _published(row: PaperRow | None, domain: str | None) -> float | None:
    if row is None:
        return None
    return row.average if domain is None else row.scores.get(domain)


def learning_curves(runs: Sequence[RunResult]) -> Figure:
    """Label-free metric by epoch (left), and accuracy where it was measured (right).

    Each seed has dashes of its own.
    """
    keys = sorted(
        {
            (run.domain, stage, run.setting)
            for run in runs
            if run.system in ("complete", "minus_cycle_learning")
            for stage in run.history
        },
        key=lambda key: (key[2] != "paper", (*OVERNIGHT, GEO, key[0]).index(key[0]), key[1]),
    )
    if not keys:
        return _panels(["no run"])[0]
    titles = [
        f"{domain}{f', {setting}' if setting != 'paper' else ''}\n{stage}"
        for domain, stage, setting in keys
    ]
    figure, axes = _panels(titles)
    for (domain, stage, setting), axis in zip(keys, axes, strict=True):
        chosen = [
            run
            for run in runs
            if (run.domain, run.setting) == (domain, setting)
            and run.system in ("complete", "minus_cycle_learning")
            and stage in run.history
        ]
        _learning_panel(axis, chosen, stage)
    return figure


def _learning_panel(axis: Axes, runs: Sequence[RunResult], stage: str) -> None:
    correlations = []
    right: Axes | None = None
    for run, dashes in zip(sorted(runs, key=lambda run: run.seed), cycle(DASHES)):
        history = run.history[stage]
        style: dict[str, Any] = {"linestyle": dashes, "linewidth": 0.8}
        axis.plot(
            [epoch["epoch"] for epoch in history],
            [epoch["metric"] for epoch in history],
            color=BLUE,
            **style,
        )
        scored = [epoch for epoch in history if "accuracy" in epoch]
        if not scored:
            continue
        right = right or axis.twinx()
        right.plot(
            [epoch["epoch"] for epoch in scored],
            [epoch["accuracy"] for epoch in scored],
            color=ORANGE,
            **style,
        )
        rho = spearman([e["metric"] for e in scored], [e["accuracy"] for e in scored])
        correlations += [] if rho is None else [rho]
    axis.set_xlabel("epoch")
    names = dict.fromkeys(metric_label(run.history_metric) for run in runs)
    axis.set_ylabel(", ".join(names), color=BLUE)
    if right is not None:
        right.spines["right"].set_visible(True)
        right.set_ylabel("accuracy, %", color=ORANGE)
    if correlations:
        mean, _ = mean_and_deviation(correlations)
        axis.set_title(f"{axis.get_title()}: ρ = {mean:.2f}")


def ablations(runs: Sequence[RunResult]) -> Figure:
    """Bars of ours over the domains that all measured rows of an ablation share; the paper's
    average over Overnight as crosses."""
    matrix = Matrix(runs)
    names = ("noise", "objectives", "rewards")
    figure, axes = _panels(names)
    for name, axis in zip(names, axes, strict=True):
        _bars(axis, section(name), matrix)
    figure.set_size_inches(PANEL[0] * len(names) + 1.6, PANEL[1] + 0.8)
    return figure


def _bars(axis: Axes, rows: Sequence[PaperRow], matrix: Matrix) -> None:
    everywhere = (*OVERNIGHT, GEO)
    measured = [row for row in rows if matrix.measured(row.measured_as, everywhere)]
    shared = [
        domain
        for domain in everywhere
        if measured and all(matrix.measured(row.measured_as, [domain]) for row in measured)
    ]
    for place, row in enumerate(reversed(rows)):
        if shared and row in measured:
            mean, deviation = matrix.average(row.measured_as, shared)
            axis.barh(place, mean, color=BLUE, xerr=deviation, height=0.6)
        else:
            axis.text(99, place, "not measured", ha="right", va="center", color=GREY)
        if row.average is not None:
            axis.plot(row.average, place, color=ORANGE, marker="x", linestyle="none")
    axis.set_yticks(range(len(rows)), [row.label for row in reversed(rows)])
    axis.set_xlim(0, 100)
    axis.set_ylim(-0.5, len(rows) - 0.5)
    ours = f"accuracy, %, {len(shared)} domains\n" if shared else "accuracy, %\n"
    axis.set_xlabel(f"{ours}(×: the paper's, {len(OVERNIGHT)})")


def _legend_below(figure: Figure, axis: Axes) -> None:
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)


DRAWERS = {
    "labelled_share": labelled_share,
    "learning_curves": learning_curves,
    "ablations": ablations,
}
