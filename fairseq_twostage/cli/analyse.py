"""``twostage analyse``: what is wrong with the predictions of a run, counted by class."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fairseq_twostage.cli.options import add_split
from fairseq_twostage.databin.folder import read_gold, read_manifest
from fairseq_twostage.databin.world import world_of
from fairseq_twostage.errors import UserError
from fairseq_twostage.scoring.error_classes import ErrorClass, error_of
from fairseq_twostage.scoring.first_release import first_release_correct
from fairseq_twostage.scoring.predictions import read_predictions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--data", required=True, help="data-bin made by twostage prepare")
    add_split(parser)
    add("--predictions", type=Path, required=True, help="TSV of twostage evaluate --predictions")
    add("--result", help=argparse.SUPPRESS)
    add("--rows", action="store_true", help="also print the class of each error")


def main(args: argparse.Namespace) -> int:
    """Print the counts, the most frequent class first."""
    if args.result:  # of version 0.1
        gone = "--result is ignored: twostage evaluate --results writes the counts itself"
        print(f"twostage analyse: warning: {gone}", file=sys.stderr)
    rows = read_gold(args.data, args.split)
    predictions = read_predictions(args.predictions)
    if [row.utterance for row in rows] != [each.utterance for each in predictions]:
        raise UserError(f"not of the rows of {args.split}", str(args.predictions))
    world = world_of(args.data)
    predicted = [
        (each.logical_form, row.logical_form, row.variables)
        for each, row in zip(predictions, rows, strict=True)
    ]
    found = [error_of(*each, world) for each in predicted]
    counts = {error.value: found.count(error) for error in ErrorClass}
    if args.rows:
        for index, error in enumerate(found):
            if error:
                print(f"row {index}\t{error.label}")
    for error in sorted(ErrorClass, key=lambda error: -counts[error.value]):
        print(f"{counts[error.value]:5d}  {error.label}")
    released = first_release_correct(predicted, world, read_manifest(args.data).domain)
    if released is not None:
        print(f"{released:5d}  right of {len(rows)} as the paper's code was first released")
    return 0
