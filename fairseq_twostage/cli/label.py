"""``twostage label``: pseudo-labelled rows to train on, where there are no labels."""

from __future__ import annotations

import argparse
from pathlib import Path

from fairseq_twostage.pairing.pseudo_labels import label_by_distance, write_rows
from fairseq_twostage.plugin import require_fairseq

METHODS = {"wmd": label_by_distance}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--data", type=Path, required=True, help="data-bin of twostage prepare")
    add("--dest", type=Path, required=True, help="folder for the rows")
    add(
        "--method",
        choices=tuple(METHODS),
        default="wmd",
        help="wmd: the canonical utterance nearest by Word Mover's Distance",
    )


def main(args: argparse.Namespace) -> int:
    """Label X of train and valid; the data-bin's gold rows stay closed."""
    require_fairseq()
    rows = METHODS[args.method](args.data)
    write_rows(args.data, args.dest, rows)
    counts = ", ".join(f"{len(labelled)} of {split}" for split, labelled in rows.items())
    print(f"labelled {counts}: {args.dest}")
    return 0
