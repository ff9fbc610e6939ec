"""The figures of the report, as SVG whose bytes depend on the results alone."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from itertools import cycle
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairseq_twostage.scoring.selective import risks
from research.paper import DOMAINS, OVERNIGHT, published, sections
from research.runs import Runs, spearman
from research.tables import metric_label
from research.trust import Judged, judged_runs

STYLE: Any = {
    "svg.hashsalt": "fairseq_twostage",  # else ids differ from run to run
    "svg.fonttype": "none",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}
BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#888888"
SHARES = (5, 15, 30, 50, 100)
# The curves of the paper's figure: label, colour, and the system at each share of labels.
CURVES = (
    ("CompleteModel", BLUE, {0: "complete", **{share: f"semi_{share:02}" for share in SHARES}}),
    *(
        (
            f"{stages}-stage supervised",
            colour,
            {s: f"{stages}_stage_supervised_{s:02}".removesuffix("_100") for s in SHARES},
        )
        for stages, colour in (("one", ORANGE), ("two", GREEN))
    ),
)
DASHES = ("-", "--", ":")
PANEL = (2.4, 2.0)
COLUMNS = 3


def draw(name: str, runs: Runs) -> bytes:
    """The figure ``name`` (a key of :data:`DRAWERS`) as an SVG file without a date."""
    file = BytesIO()
    with matplotlib.rc_context(STYLE):
        DRAWERS[name](runs).savefig(file, format="svg", metadata={"Date": None})
    # Matplotlib ends some lines with blanks.
    return b"\n".join(line.rstrip() for line in file.getvalue().splitlines()) + b"\n"


def _panels(titles: Sequence[str]) -> tuple[Figure, list[Axes]]:
    columns = min(COLUMNS, len(titles))
    rows = -(-len(titles) // columns)
    size = (PANEL[0] * columns + 0.6, PANEL[1] * rows + 0.6)
    figure = Figure(figsize=size, layout="constrained")
    axes = [figure.add_subplot(rows, columns, place + 1) for place in range(len(titles))]
    for each, title in zip(axes, titles, strict=True):
        each.set_title(title)
    return figure, axes


def labelled_share(runs: Runs) -> Figure:
    """Accuracy over the share of labels; the paper's figures dotted.

    One panel for each domain with a point of ours beside that of CompleteModel without labels,
    and one for the average over Overnight.
    """
    beyond = {system for *_, systems in CURVES for system in systems.values()} - {"complete"}
    domains = [d for d in DOMAINS if any(runs.measured(system, [d]) for system in beyond)]
    figure, axes = _panels([*domains, "Overnight, average"])
    for over, column, axis in zip(
        [*([domain] for domain in domains), OVERNIGHT], [*domains, "average"], axes, strict=True
    ):
        for label, colour, systems in CURVES:
            _curve(axis, (label, colour), systems, runs, over, column)
        axis.set_xlabel("labels, %")
        axis.set_ylabel("accuracy, %")
        axis.set_ylim(0, 100)
    handles, labels = axes[-1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


def _curve(
    axis: Axes,
    look: tuple[str, str],
    systems: dict[int, str],
    runs: Runs,
    over: Sequence[str],
    column: str,
) -> None:
    """One system's curve, ours over some domains, and the paper's, a column of its table."""
    label, colour = look
    ours = [
        (share, *runs.average(system, over))
        for share, system in systems.items()
        if len(runs.measured(system, over)) == len(over)
    ]
    papers = [
        (share, row[column])
        for share, system in systems.items()
        if (row := published(system)) is not None and not pd.isna(row[column])
    ]
    shares, means, deviations = zip(*ours, strict=True) if ours else ((), (), ())
    points: dict[str, Any] = {"marker": "o", "markersize": 3, "capsize": 2}
    axis.errorbar(shares, means, np.nan_to_num(deviations), color=colour, label=label, **points)
    style: dict[str, Any] = {"color": colour, "linestyle": ":", "marker": "x", "markersize": 4}
    axis.plot(
        *(zip(*papers, strict=True) if papers else ((), ())), **style, label=f"{label}, paper"
    )


def learning_curves(runs: Runs) -> Figure:
    """Label-free metric by epoch (left), and accuracy where it was measured (right).

    Each seed has dashes of its own.
    """
    shown = runs.frame[runs.frame.system.isin(["complete", "minus_cycle_learning"])]
    shown = shown.assign(stage=shown.history.map(list)).explode("stage").dropna(subset=["stage"])
    shown = shown[shown.domain.isin(DOMAINS)]
    panels = sorted(
        shown.groupby(["domain", "stage", "setting"]),
        key=lambda panel: (panel[0][2] != "paper", DOMAINS.index(panel[0][0]), panel[0][1]),
    )
    if not panels:
        return _panels(["no run"])[0]
    titles = [
        f"{domain}{f', {setting}' if setting != 'paper' else ''}\n{stage}"
        for (domain, stage, setting), _ in panels
    ]
    figure, axes = _panels(titles)
    for (_, each), axis in zip(panels, axes, strict=True):
        _learning_panel(axis, each.sort_values(["seed", "system"]))
    return figure


def _learning_panel(axis: Axes, runs: pd.DataFrame) -> None:
    correlations = []
    right: Axes | None = None
    for run, dashes in zip(runs.itertuples(), cycle(DASHES)):
        epochs = pd.DataFrame(run.history[run.stage], columns=["epoch", "metric", "accuracy"])
        style: dict[str, Any] = {"linestyle": dashes, "linewidth": 0.8}
        axis.plot(epochs.epoch, epochs.metric, color=BLUE, **style)
        scored = epochs.dropna()
        if scored.empty:
            continue
        right = right or axis.twinx()
        right.plot(scored.epoch, scored.accuracy, color=ORANGE, **style)
        correlations.append(spearman(scored.metric, scored.accuracy))
    axis.set_xlabel("epoch")
    axis.set_ylabel(", ".join(map(metric_label, runs.history_metric.unique())), color=BLUE)
    if right is not None:
        right.spines["right"].set_visible(True)
        right.set_ylabel("accuracy, %", color=ORANGE)
    if not np.isnan(mean := pd.Series(correlations, dtype=float).mean()):
        axis.set_title(f"{axis.get_title()}: ρ = {mean:.2f}")


def ablations(runs: Runs) -> Figure:
    """Bars of ours over the domains that all measured rows of an ablation share; the paper's
    average over Overnight as crosses."""
    names = ("noise", "objectives", "rewards")
    figure, axes = _panels(names)
    for name, axis in zip(names, axes, strict=True):
        _bars(axis, sections(name), runs)
    figure.set_size_inches(PANEL[0] * len(names) + 1.6, PANEL[1] + 0.8)
    return figure


def _bars(axis: Axes, rows: pd.DataFrame, runs: Runs) -> None:
    measured = {system: runs.measured(system, DOMAINS) for system in rows.measured_as}
    there = [set(domains) for domains in measured.values() if domains]
    shared = [domain for domain in DOMAINS if there and domain in set.intersection(*there)]
    for place, row in enumerate(rows[::-1].itertuples()):
        if shared and measured[row.measured_as]:
            mean, deviation = runs.average(row.measured_as, shared)
            error = None if np.isnan(deviation) else deviation
            axis.barh(place, mean, color=BLUE, xerr=error, height=0.6)
        else:
            axis.text(99, place, "not measured", ha="right", va="center", color=GREY)
        if not pd.isna(row.average):
            axis.plot(row.average, place, color=ORANGE, marker="x", linestyle="none")
    axis.set_yticks(range(len(rows)), list(rows.label[::-1]))
    axis.set_xlim(0, 100)
    axis.set_ylim(-0.5, len(rows) - 0.5)
    ours = f"accuracy, %, {len(shared)} domains\n" if shared else "accuracy, %\n"
    axis.set_xlabel(f"{ours}(×: the paper's, {len(OVERNIGHT)})")


def risk_coverage(runs: Runs) -> Figure:
    """The share of wrong answers over the share of questions that are answered, seeds pooled."""
    cells = judged_runs(runs)
    figure, axes = _panels(list(cells) or ["no judged run"])
    for axis, each in zip(axes, cells.values()):
        judged = Judged(each)
        risk = 100 * risks(judged.confidence, judged.right)
        coverage = 100 * np.arange(1, len(risk) + 1) / len(risk)
        axis.plot(coverage, risk, color=BLUE)
        axis.axhline(risk[-1], color=GREY, linestyle=DASHES[1])
        given = 100 * judged.given.mean()
        axis.axvline(given, color=ORANGE, linestyle=DASHES[2])
        axis.set(xlim=(0, 100), ylim=(0, max(10.0, 1.3 * risk[-1])), xlabel="answered, %")
    axes[0].set_ylabel("wrong of these, %")
    return figure


DRAWERS = {
    "risk_coverage": risk_coverage,
    "labelled_share": labelled_share,
    "learning_curves": learning_curves,
    "ablations": ablations,
}
