"""``twostage export``: a trained parser as one folder of safetensors and JSON."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from fairseq_twostage.cli.parse import hush
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.picks import DEFAULT_PICK, PICKS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of the command."""
    add = parser.add_argument
    add("--data", type=Path, required=True, help="data-bin made by twostage prepare")
    add(
        "--run",
        type=Path,
        help="run folder: its cycle (else warm, else dae) and parser stages are exported",
    )
    add(
        "--paraphraser",
        type=Path,
        nargs="+",
        action="extend",
        metavar="CHECKPOINT",
        help="of the paraphraser, in place of --run's; of several the mixture is exported",
    )
    add("--parser", type=Path, help="checkpoint of the naive parser, in place of --run's")
    add("--output", type=Path, required=True, metavar="DIR", help="folder to write")
    add("--beam", type=int, default=5, help="beam of each stage (default: 5)")
    add(
        "--pick",
        choices=PICKS,
        default=DEFAULT_PICK,
        help="which logical form is the answer, as in twostage evaluate: the best, the best that "
        "executes, or the best that executes over all rewritings of the beam (default)",
    )
    add("--lexicon", type=Path, help="phrases that become placeholders (default: the data-bin's)")
    add("--force", action="store_true", help="replace an exported parser in DIR")


def main(args: argparse.Namespace) -> int:
    """Load the checkpoints, parse what can be known beforehand, write the folder."""
    hush()
    if args.beam < 1:
        raise UserError("must be at least 1", "--beam")
    from fairseq_twostage.inference.bundle import check_destination, write_bundle
    from fairseq_twostage.inference.checkpoints import load_checkpoints, remember_canonicals

    check_destination(args.output, args.force)
    paraphrasers, naive_parser = _checkpoints(args)
    parser = load_checkpoints(
        args.data, paraphrasers, naive_parser, args.beam, args.pick, args.lexicon
    )
    started = time.monotonic()
    remember_canonicals(parser, args.data)
    known = len(parser.parse.known)
    print(f"parsed {known} known canonical utterances in {time.monotonic() - started:.1f} s")
    size = write_bundle(parser, args.output, args.force)
    print(f"{args.output}: written ({parser.domain}, {size / 1e6:.1f} MB)")
    return 0


def _checkpoints(args: argparse.Namespace) -> tuple[list[Path], Path]:
    from fairseq_twostage.inference.checkpoints import run_paraphraser, run_parser

    paraphrasers, naive_parser = args.paraphraser, args.parser
    if args.run is not None and paraphrasers is None:
        paraphrasers = [run_paraphraser(args.run)]
    if args.run is not None and naive_parser is None:
        naive_parser = run_parser(args.run)
    if paraphrasers is None or naive_parser is None:
        raise UserError("give --run, or both --paraphraser and --parser")
    return paraphrasers, naive_parser
