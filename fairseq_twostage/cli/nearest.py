"""``twostage nearest``: what no training at all achieves, to compare a trained parser with.

Each utterance of a split takes the logical form of the canonical utterance that is nearest by
Word Mover's Distance: the pseudo-labels of Cao et al.'s WmdSamples systems, read as predictions.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fairseq_twostage.corpora.databin import read_gold, read_manifest
from fairseq_twostage.corpora.pseudo_labels import nearest_in
from fairseq_twostage.corpora.worlds import world_of
from fairseq_twostage.results import (
    RunResult,
    check_replaceable,
    current_commit,
    portable_command,
    result_path,
)
from fairseq_twostage.semantics.accuracy import DenotationAccuracy

SYSTEM, SEED = "nearest", 1  # in results files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the subcommand."""
    parser.add_argument("--data", type=Path, required=True, help="data-bin of twostage prepare")
    parser.add_argument("--split", default="test", help="test, valid or train (default: test)")
    parser.add_argument("--results", type=Path, help="folder of results files, as results/")


def main(args: argparse.Namespace) -> int:
    """Print the accuracy; write it, too, with ``--results``."""
    manifest = read_manifest(args.data)
    rows = read_gold(args.data, args.split)
    if args.results:
        identity = SYSTEM, manifest.domain, manifest.canonical, SEED
        check_replaceable(result_path(args.results, *identity), args.split)
    world = world_of(args.data)
    predicted = nearest_in(args.data, [row.utterance for row in rows])
    score = DenotationAccuracy()
    for found, row in zip(predicted, rows):
        score.add(found.logical_form, row.logical_form, world, row.variables)
    if args.results:
        result = RunResult(
            system=SYSTEM,
            domain=manifest.domain,
            setting=manifest.canonical,
            seed=SEED,
            split=args.split,
            accuracy=round(score.percent, 2),
            correct=score.correct,
            total=score.total,
            correct_rows=score.correct_rows,
            metric=None,
            history={},
            commit=current_commit(),
            command=portable_command(sys.argv[1:]),
            config="",
            seconds=None,
            peak_mb=None,
        )
        print(f"results: {result.write(args.results)}")
    share = f"{score.percent:.1f} % ({score.correct} of {score.total})"
    print(f"nearest canonical utterance (Word Mover's Distance), denotation accuracy: {share}")
    return 0
