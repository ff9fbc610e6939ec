"""Training pairs cut so that each part asks for programs that the others do not.

How well P_nsp reads programs that it was not trained on can be seen so before any utterance is:
train it on all parts but one, read that one. ``python -m research.holdout --data DATA-BIN --dest
FOLDER`` writes them; ``FOLDER/K`` is for ``--pairs``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fairseq_twostage.databin.folder import data_bin_lines, read_manifest
from fairseq_twostage.errors import UserError
from fairseq_twostage.pairing.pseudo_labels import write_rows
from fairseq_twostage.plugin import require_fairseq
from fairseq_twostage.semantics.normalise import program
from fairseq_twostage.text.rows import Row
from research import in_one_line


def cut_by_program(pairs: Sequence[Row], parts: int, seed: int) -> list[list[int]]:
    """Indices of the pairs in each part; pairs of one program stay together.

    Programs are dealt out in random order, so parts have as many of them, give or take one.

    Args:
        pairs: (z, y), repeated or not.
        parts: how many, at least two.
        seed: of the order.

    Raises:
        UserError: there are fewer programs than parts.
    """
    programs = [program(row.logical_form) for row in pairs]
    distinct = sorted(set(programs))
    if not 2 <= parts <= len(distinct):
        raise UserError(f"{parts} parts of {len(distinct)} programs", "--parts")
    order = np.random.default_rng(seed).permutation(len(distinct))
    part_of = {distinct[which]: at % parts for at, which in enumerate(order)}
    return [
        [index for index, found in enumerate(programs) if part_of[found] == part]
        for part in range(parts)
    ]


def write_parts(data: Path, dest: Path, parts: int, seed: int) -> None:
    """Cut the pairs of a data-bin; in folder K part K is ``valid``, all others are ``train``."""
    require_fairseq()
    read_manifest(data)
    sides = [data_bin_lines(data / "text" / f"train.cf-lf.{side}") for side in ("cf", "lf")]
    pairs = [Row(z, z, y) for z, y in zip(*sides)]
    for number, part in enumerate(cut_by_program(pairs, parts, seed), start=1):
        left = sorted(set(range(len(pairs))) - set(part))
        rows = {"train": [pairs[index] for index in left], "valid": [pairs[i] for i in part]}
        write_rows(data, dest / str(number), rows)
        print(f"{dest / str(number)}: {len(left)} pairs to train on, {len(part)} held out")


@in_one_line
def main(argv: list[str] | None = None) -> None:
    """Cut the naive parser's training pairs into parts without a common program."""
    parser = argparse.ArgumentParser(prog="python -m research.holdout", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="data-bin of twostage prepare")
    parser.add_argument("--dest", type=Path, required=True, help="folder, made with 1 to N in it")
    parser.add_argument("--parts", type=int, default=4, metavar="N", help="how many (default: 4)")
    parser.add_argument("--seed", type=int, default=1, help="of the cut (default: 1)")
    args = parser.parse_args(argv)
    write_parts(args.data, args.dest, args.parts, args.seed)


if __name__ == "__main__":
    sys.exit(main())
