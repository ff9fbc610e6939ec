"""``twostage holdout``: the naive parser's training pairs in parts without a common program."""

from __future__ import annotations

import argparse
from pathlib import Path

from fairseq_twostage.cli.options import integer, seed
from fairseq_twostage.databin.folder import data_bin_lines, read_manifest
from fairseq_twostage.databin.held_out import cut_by_program
from fairseq_twostage.pairing.pseudo_labels import write_rows
from fairseq_twostage.plugin import require_fairseq
from fairseq_twostage.text.rows import Row


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the subcommand."""
    parser.add_argument("--data", type=Path, required=True, help="data-bin of twostage prepare")
    parser.add_argument(
        "--dest",
        type=Path,
        required=True,
        help="folder; 1 to N in it are for --pairs",
    )
    parser.add_argument(
        "--parts", type=integer(2), default=4, metavar="N", help="how many (default: 4)"
    )
    parser.add_argument("--seed", type=seed, default=1, help="of the cut (default: 1)")


def main(args: argparse.Namespace) -> int:
    """In folder K part K is ``valid``, and all others are ``train``."""
    require_fairseq()
    read_manifest(args.data)
    sides = [data_bin_lines(args.data / "text" / f"train.cf-lf.{side}") for side in ("cf", "lf")]
    pairs = [Row(z, z, y) for z, y in zip(*sides)]
    cut = cut_by_program(pairs, args.parts, args.seed)
    for number, held_out in enumerate(cut, start=1):
        left = sorted(set(range(len(pairs))) - set(held_out))
        rows = {"train": [pairs[index] for index in left], "valid": [pairs[i] for i in held_out]}
        write_rows(args.data, args.dest / str(number), rows)
        print(f"{args.dest / str(number)}: {len(left)} pairs to train on, {len(held_out)} held out")
    return 0
