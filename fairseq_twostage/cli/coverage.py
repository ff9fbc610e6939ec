"""``twostage coverage``: which rows of a split ask for a program that training does not hold."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fairseq_twostage.databin.folder import data_bin_lines, read_gold, read_manifest
from fairseq_twostage.reporting.coverage import Coverage, new_programs
from fairseq_twostage.results import current_commit, portable_command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the subcommand."""
    parser.add_argument("--data", type=Path, required=True, help="data-bin of twostage prepare")
    parser.add_argument("--split", default="test", help="test, valid or train (default: test)")
    parser.add_argument(
        "--results", type=Path, help="folder of results files; the report reads it from there"
    )


def main(args: argparse.Namespace) -> int:
    """Print how many there are; write which, too, with ``--results``."""
    manifest = read_manifest(args.data)
    rows = read_gold(args.data, args.split)
    new = new_programs(rows, data_bin_lines(args.data / "text" / "train.cf-lf.lf"))
    if args.results:
        coverage = Coverage(
            domain=manifest.domain,
            setting=manifest.canonical,
            split=args.split,
            total=len(rows),
            new_rows=new,
            commit=current_commit(),
            command=portable_command(sys.argv[1:]),
        )
        print(f"coverage: {coverage.write(args.results)}")
    print(f"{len(new)} of {len(rows)} rows have a program that training does not hold")
    return 0
