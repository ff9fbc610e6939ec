"""Markdown tables, and how numbers are printed in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fairseq_twostage.reporting.statistics import Comparison

MISSING = "–"
UNLIKE = " †"
VERSIONS = " ‡"
METRICS = {
    "label_free": "label-free metric",
    "label_free_release": "released metric",
    "label_free_frequency": "frequency match",
}


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table; the first column is set left, the others right."""
    rules = [":--", *("--:" for _ in header[1:])]
    return [_line(header), _line(rules), *(_line(row) for row in rows)]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def number(value: float | None, digits: int = 1) -> str:
    """A number with so many decimals, or the mark of a missing one."""
    return MISSING if value is None else f"{value:.{digits}f}"


def spread(mean: float, deviation: float | None) -> str:
    """``52.8 ± 2.3``, or the mean alone where there is one value."""
    return number(mean) if deviation is None else f"{mean:.1f} ± {deviation:.1f}"


def metric_label(name: str) -> str:
    """The name in print of what chooses a checkpoint; ``exact match`` of ``exact_match``."""
    return METRICS.get(name, name.replace("_", " "))


def p_value(p: float) -> str:
    """``0.012``; below a thousandth only that."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def signed(points: float) -> str:
    """``+19.9``; what rounds to zero has a plus."""
    return f"{round(points, 1) + 0.0:+.1f}"


def points(comparison: Comparison) -> str:
    """``+19.9``, with :data:`UNLIKE` where the two sides answer by different rules, and with
    :data:`VERSIONS` where a stage that both have was trained in two ways.
    """
    unlike = "" if comparison.alike else UNLIKE
    versions = "" if comparison.one_version else VERSIONS
    return signed(comparison.difference) + unlike + versions


def difference(comparison: Comparison | None) -> str:
    """``+19.9 (p < 0.001)``, or the mark of a missing comparison."""
    if comparison is None:
        return MISSING
    p = p_value(comparison.p)
    return f"{points(comparison)} (p {p if p.startswith('<') else f'= {p}'})"
