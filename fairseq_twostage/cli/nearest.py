"""``twostage nearest``: what no training at all achieves, to compare a trained parser with.

Each utterance of a split takes the logical form of the canonical utterance that is nearest by
Word Mover's Distance: the pseudo-labels of Cao et al.'s WmdSamples systems, read as predictions.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from fairseq_twostage.corpora.databin import read_gold
from fairseq_twostage.corpora.pseudo_labels import nearest_in
from fairseq_twostage.corpora.worlds import world_of
from fairseq_twostage.semantics.accuracy import DenotationAccuracy


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the subcommand."""
    parser.add_argument("--data", type=Path, required=True, help="data-bin of twostage prepare")
    parser.add_argument("--split", default="test", help="test, valid or train (default: test)")


def main(args: argparse.Namespace) -> int:
    """Print the accuracy."""
    rows = read_gold(args.data, args.split)
    world = world_of(args.data)
    predicted = nearest_in(args.data, [row.utterance for row in rows])
    score = DenotationAccuracy()
    for found, row in zip(predicted, rows):
        score.add(found.logical_form, row.logical_form, world, row.variables)
    share = f"{score.percent:.1f} % ({score.correct} of {score.total})"
    print(f"nearest canonical utterance (Word Mover's Distance), denotation accuracy: {share}")
    return 0
