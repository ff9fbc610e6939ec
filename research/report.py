"""``python -m research.report``: tables and figures from results, never typed in.

A page is prose with marks: what stands between ``<!-- made by research.report: NAME -->`` and the
next ``<!-- end -->`` becomes the table NAME. The same results give the same bytes.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_text
from fairseq_twostage.results import FILE, read_results
from fairseq_twostage.writing import atomic_write
from research import in_one_line, tables
from research.cases import cases_table
from research.choices import choice_table, read_choices, training_table
from research.coverage import coverage_table
from research.left import left_table
from research.overview import overview, recipes_minus, sources
from research.paper import HERE, PAPER, sections
from research.runs import Runs
from research.tables import MAIN, SUPERVISED, scores_table
from research.trust import baselines_table, confidence_table, scope_table

ROOT = HERE.parent
RESULTS = ROOT / "docs" / "results.md"
PAGES = (RESULTS, ROOT / "README.md", HERE / "log.md")
END = "<!-- end -->"
MARK = re.compile(r"^( *)(<!-- made by research\.report: (.+) -->)$", re.M)
BLOCK = re.compile(f"{MARK.pattern}\\n(?s:.*?)^ *{END}", re.M)
BY_TRAINING = ", by training"

Table = Callable[[Runs], str]


def _scores(*names: str) -> Table:
    return partial(scores_table, sections(*names))


def _recipes(runs: Runs) -> str:
    compared = PAPER.system.isin(["complete", "two_stage_supervised"]) & PAPER.section.isin(MAIN)
    return scores_table(PAPER[compared | (PAPER.section == "beyond")], runs)


TABLES: dict[str, Table] = {
    "overview": overview,
    "recipes minus": recipes_minus,
    "sources": sources,
    "left": left_table,
    "main": _scores(*MAIN),
    "beyond the paper": tables.beyond_paper_table,
    "further": lambda runs: scores_table(tables.further(runs), runs),
    "first release": tables.first_release_table,
    "recipes": _recipes,
    **{name: _scores(name) for name in ("techniques", "shares", "noise", "objectives", "rewards")},
    "orderings": tables.orderings_table,
    "complete minus": tables.comparisons_table,
    **{
        f"{name} minus": partial(tables.comparisons_table, reference=name, others=SUPERVISED)
        for name in ("sentence_encoder", "words_only")
    },
    "settings": tables.settings_table,
    "correlations": tables.correlation_table,
    "errors": tables.errors_table,
    "cases": cases_table,
    "coverage": coverage_table,
    "runs": tables.runs_table,
    "confidence": confidence_table,
    "scope": scope_table,
    "baselines": baselines_table,
}


def make_table(name: str, runs: Runs) -> str:
    """The table NAME of a mark: of :data:`TABLES`, or ``choice CHOICE[, by training]``.

    Raises:
        UserError: there is none.
    """
    if name.startswith("choice "):
        choice = name.removeprefix("choice ")
        fill = training_table if choice.endswith(BY_TRAINING) else choice_table
        return fill(choice.removesuffix(BY_TRAINING), read_choices())
    if name not in TABLES:
        raise UserError(f"no such table; there are {', '.join(TABLES)}", name)
    return TABLES[name](runs)


def fill(text: str, runs: Runs, where: str) -> str:
    """A page with its tables made anew; a table is as far to the right as its mark.

    Raises:
        UserError: it has no mark, a mark no end, or a name no table.
    """
    marks, blocks = MARK.findall(text), BLOCK.findall(text)
    if not marks:
        raise UserError("has no <!-- made by research.report: TABLE -->", where)
    if len(marks) != len(blocks):
        raise UserError(f"a table has no {END}: {len(marks)} begin, {len(blocks)} end", where)

    def made(found: re.Match[str]) -> str:
        indent, mark, name = found[1], found[2], found[3]
        lines = [mark, *make_table(name, runs).splitlines(), END]
        return "\n".join(f"{indent}{line}".rstrip() for line in lines)

    return BLOCK.sub(made, text)


def draw_figures(runs: Runs) -> dict[str, bytes]:
    """Every figure as SVG, by name.

    Raises:
        UserError: matplotlib is not installed.
    """
    try:
        from research.figures import DRAWERS, draw
    except ImportError:
        raise UserError("install matplotlib, or give --no-figures", "figures") from None
    return {name: draw(name, runs) for name in DRAWERS}


def stale(page: str, filled: str) -> list[str]:
    """Names of the tables of a page that are others in the page filled anew."""
    tables = ([(found[3], found[0]) for found in BLOCK.finditer(text)] for text in (page, filled))
    return [old[0] for old, new in zip(*tables) if old != new]


def check(results: Path, pages: Sequence[Path]) -> None:
    """Compare the tables of the pages with those of the results; nothing is written.

    Raises:
        UserError: as :func:`report`, or a table is another one. Prose is not looked at.
    """
    runs = Runs(read_results(results))
    for page in pages:
        text = read_text(page)
        if others := stale(text, fill(text, runs, str(page))):
            what = f"not of these results: {', '.join(others)}; run python -m research.report"
            raise UserError(what, str(page))
    print(f"{len(runs.frame)} runs: {', '.join(map(str, pages))}: up to date")


def report(results: Path, pages: Sequence[Path], dest: Path | None, figures: bool) -> None:
    """Make the tables of the pages, and the figures beside the page of results.

    Args:
        results: file of results, or its folder.
        pages: to be filled.
        dest: folder to which the page of results and its figures go, other pages staying as they
            are; None: every page where it lies.
        figures: whether these are drawn.

    Raises:
        UserError: as :func:`.results.read_results` and :func:`fill`; nothing is written then.
    """
    runs = Runs(read_results(results))
    chosen = {page: page for page in pages} if dest is None else {RESULTS: dest / RESULTS.name}
    filled = {out: fill(read_text(page), runs, str(page)) for page, out in chosen.items()}
    drawn = draw_figures(runs) if figures else {}
    for name, image in drawn.items():
        with atomic_write((dest or RESULTS.parent) / "figures" / f"{name}.svg", "wb") as file:
            file.write(image)
    for path, text in filled.items():
        with atomic_write(path) as file:
            file.write(text)
    print(f"{len(runs.frame)} runs: {', '.join(map(str, filled))}")


@in_one_line
def main(argv: list[str] | None = None) -> None:
    """Fill in the tables of the pages and draw the figures."""
    parser = argparse.ArgumentParser(prog="python -m research.report", description=main.__doc__)
    add = parser.add_argument
    add("pages", type=Path, nargs="*", default=PAGES, help="default: all that have tables")
    add("--results", type=Path, default=HERE / FILE, help="file of results, or its folder")
    add("--no-figures", action="store_true", help="tables alone")
    add = parser.add_mutually_exclusive_group().add_argument
    add("--dest", type=Path, help="write results.md and its figures into this folder alone")
    add("--check", action="store_true", help="write nothing; fail if a table is another one")
    args = parser.parse_args(argv)
    if args.check:
        return check(args.results, args.pages)
    report(args.results, args.pages, args.dest, not args.no_figures)


if __name__ == "__main__":
    sys.exit(main())
