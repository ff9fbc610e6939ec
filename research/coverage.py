"""Which rows of a split ask for a program that training does not hold, and how systems fare there.

A canonical utterance that training does not have must be composed: where such rows are many, the
list of known ones is no answer. ``python -m research.coverage --data DATA-BIN`` adds a line to
``coverage.jsonl``; no sentence of a dataset.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fairseq_twostage.databin.folder import data_bin_lines, read_gold, read_manifest
from fairseq_twostage.errors import UserError
from fairseq_twostage.provenance import current_commit
from fairseq_twostage.results import read_objects
from fairseq_twostage.semantics.normalise import program
from fairseq_twostage.text.rows import Row
from research import in_one_line
from research.from_old_layout import COVERAGE, HERE, merge
from research.paper import label_of
from research.runs import Runs
from research.tables import MISSING, SUPERVISED, number, table

KEY = ("domain", "setting")
SYSTEMS = (*SUPERVISED, "complete", "words_only", "sentence_encoder")


def new_programs(rows: Sequence[Row], known: Collection[str]) -> list[int]:
    """Indices of the rows whose program, spacing and type guards aside, is none of ``known``."""
    forms = {program(form) for form in known}
    return [index for index, row in enumerate(rows) if program(row.logical_form) not in forms]


def coverage_table(runs: Runs, covered: Path = HERE / COVERAGE) -> str:
    """Accuracy on rows with a known program and on those with a new one, percent.

    Of the domains that have new programs a line each.
    """
    lines = []
    for _, line in read_objects(covered):
        if not (new := line["new_rows"]):
            continue
        shares = [_shares(line, system, runs) for system in SYSTEMS]
        name = line["domain"] + ("" if line["setting"] == "paper" else f", {line['setting']}")
        lines.append([name, str(line["total"] - len(new)), str(len(new)), *shares])
    return table(["test rows", "known", "new", *map(label_of, SYSTEMS)], lines)


def _shares(covered: Mapping[str, Any], system: str, runs: Runs) -> str:
    domain, setting = covered["domain"], covered["setting"]
    cell = runs.cell(system, domain, setting)
    if cell is None or cell.split.iloc[0] != covered["split"]:
        return MISSING
    right = runs.rows(system, domain, setting)
    if len(right) != covered["total"]:
        raise UserError("coverage and results are of different rows", domain)
    new = np.isin(np.arange(len(right)), covered["new_rows"])
    return " / ".join(
        number(part.mean() if len(part) else None) for part in (right[~new], right[new])
    )


@in_one_line
def main(argv: list[str] | None = None) -> None:
    """Print how many rows ask for a new program, and add which."""
    parser = argparse.ArgumentParser(prog="python -m research.coverage", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="data-bin of twostage prepare")
    parser.add_argument("--split", default="test", help="test, valid or train (default: test)")
    parser.add_argument("--dest", type=Path, default=HERE / COVERAGE, help="file of the lines")
    args = parser.parse_args(argv)
    manifest = read_manifest(args.data)
    rows = read_gold(args.data, args.split)
    new = new_programs(rows, data_bin_lines(args.data / "text" / "train.cf-lf.lf"))
    line = {
        "domain": manifest.domain,
        "setting": manifest.canonical,
        "split": args.split,
        "total": len(rows),
        "new_rows": new,
        "commit": current_commit(),
        "command": f"python -m research.coverage --data .../{args.data.name} --split {args.split}",
    }
    merge(args.dest, [line], KEY)
    print(f"{len(new)} of {len(rows)} rows have a program that training does not hold")


if __name__ == "__main__":
    sys.exit(main())
