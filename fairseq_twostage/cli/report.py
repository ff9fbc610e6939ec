"""``twostage report``: tables and figures from results files, never typed in; case studies."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from fairseq_twostage.databin.folder import read_gold, read_manifest
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import atomic_write
from fairseq_twostage.reporting.case_study import listed_cases
from fairseq_twostage.reporting.cases import (
    find_predictions,
    named_predictions,
    parse_rows,
    show_cases,
)
from fairseq_twostage.reporting.choices import fill_choices
from fairseq_twostage.reporting.coverage import read_coverage
from fairseq_twostage.reporting.document import FIGURES, document
from fairseq_twostage.reporting.error_counts import read_error_counts
from fairseq_twostage.reporting.matrix import Matrix
from fairseq_twostage.reporting.overview import BEGIN, END, overview, replace_block
from fairseq_twostage.results import RunResult, read_results

LISTED = "list"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the subcommand."""
    parser.add_argument("--results", type=Path, default=Path("results"), help="results files")
    parser.add_argument(
        "--output", type=Path, default=Path("docs/results.md"), help="the Markdown to write"
    )
    parser.add_argument(
        "--preface", type=Path, help="Markdown put in front (default: OUTPUT with .preface.md)"
    )
    parser.add_argument(
        "--figures", type=Path, help="folder of the figures (default: figures beside OUTPUT)"
    )
    parser.add_argument(
        "--readme",
        type=Path,
        help=f"a page whose lines between {BEGIN} and {END} become a short table",
    )
    parser.add_argument(
        "--choices",
        type=Path,
        help=f"a page where lines between <!-- made by twostage report: CHOICE --> and {END} "
        "become the table of RESULTS/choices/CHOICE",
    )
    parser.add_argument("--no-figures", action="store_true", help="tables alone")
    study = parser.add_argument_group("case study, printed in place of a report")
    study.add_argument(
        "--cases",
        metavar="ROWS",
        help=f"rows of the split to show, as 3,17-19; {LISTED}: those of the report's case study",
    )
    study.add_argument("--run", type=Path, help="run folder that holds predictions")
    study.add_argument(
        "--predictions",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="predictions of twostage evaluate, shown under NAME; may be repeated",
    )
    study.add_argument("--data", help="data-bin, to show the gold z and y too")
    study.add_argument(
        "--split", default="test", help="of --data and of the predictions (default: test)"
    )


def main(args: argparse.Namespace) -> int:
    """Write the page and its figures; the same files give the same bytes."""
    if args.cases is not None:
        return print_cases(args)
    runs = read_results(args.results)
    folder = args.figures or args.output.parent / "figures"
    drawn = {} if args.no_figures else draw_figures(runs)
    where = Path(os.path.relpath(folder, args.output.parent))
    page = document(
        runs,
        read_error_counts(args.results),
        read_coverage(args.results),
        read_preface(args.preface, args.output),
        {name: (where / f"{name}.svg").as_posix() for name in drawn},
    )
    filled: dict[Path, str] = {}
    if args.readme is not None:
        text = _read(args.readme)
        filled[args.readme] = replace_block(text, overview(Matrix(runs)), str(args.readme))
    if args.choices is not None:
        text = _read(args.choices)
        filled[args.choices] = fill_choices(text, args.results, str(args.choices))
    for name, image in drawn.items():
        with atomic_write(folder / f"{name}.svg", "wb") as file:
            file.write(image)
    for path, text in {args.output: page, **filled}.items():
        with atomic_write(path) as file:
            file.write(text)
    print(f"{len(runs)} runs: {args.output}")
    return 0


def print_cases(args: argparse.Namespace) -> int:
    """Show the chosen rows."""
    points = listed_points(args) if args.cases == LISTED else {}
    rows = list(points) if args.cases == LISTED else parse_rows(args.cases)
    gold = read_gold(args.data, args.split) if args.data else None
    files, others = find_predictions(args.run, args.split, gold) if args.run else ({}, [])
    files |= named_predictions(args.predictions)
    if others and not files:
        raise UserError(f"none of its predictions are of {args.split}", str(args.run))
    lines = list(show_cases(rows, files, gold, points))
    if others:
        names = ", ".join(path.relative_to(args.run).as_posix() for path in others)
        print(f"twostage report: note: left out, not of {args.split}: {names}", file=sys.stderr)
    print(*lines, sep="\n")
    return 0


def listed_points(args: argparse.Namespace) -> dict[int, str]:
    """The rows of the case study that are of the domain of ``--data`` or ``--run``.

    Raises:
        UserError: none is, no domain is known, or rows of another split are asked for.
    """
    if args.split != "test":
        raise UserError(f"--cases {LISTED} are test rows, not of {args.split}", "--split")
    if args.data:
        domain = read_manifest(args.data).domain
    elif args.run:
        domain = args.run.resolve().name.split(".")[0]  # DOMAIN.SETTING.SEED
    else:
        raise UserError(f"give --data or --run: {LISTED} is by domain", "--cases")
    points = {case.row: case.point for case in listed_cases() if case.domain == domain}
    if not points:
        known = ", ".join(dict.fromkeys(case.domain for case in listed_cases()))
        raise UserError(f"no row of {domain} is listed, only of {known}", "--cases")
    return points


def draw_figures(runs: Sequence[RunResult]) -> dict[str, bytes]:
    """Every figure as SVG.

    Raises:
        UserError: matplotlib is not installed.
    """
    try:
        from fairseq_twostage.reporting.figures import draw
    except ImportError:
        raise UserError("install matplotlib, or give --no-figures", "figures") from None
    return {name: draw(name, runs) for name in FIGURES}


def read_preface(path: Path | None, output: Path) -> str:
    """The text in front: of ``path``, or of the file beside ``output`` if there is one."""
    chosen = path or output.with_suffix(".preface.md")
    if path is None and not chosen.exists():
        return ""
    return _read(chosen)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", str(path)) from None
