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
from fairseq_twostage.semantics import execute, same_denotation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the subcommand."""
    parser.add_argument("--data", type=Path, required=True, help="data-bin of twostage prepare")
    parser.add_argument("--split", default="test", help="test, valid or train (default: test)")


def main(args: argparse.Namespace) -> int:
    """Print the accuracy."""
    rows = read_gold(args.data, args.split)
    world = world_of(args.data)
    predicted = nearest_in(args.data, [row.utterance for row in rows])
    correct = sum(
        same_denotation(
            execute(found.logical_form, world, row.variables),
            execute(row.logical_form, world, row.variables),
        )
        for found, row in zip(predicted, rows)
    )
    share = f"{100 * correct / len(rows):.1f} % ({correct} of {len(rows)})"
    print(f"nearest canonical utterance (Word Mover's Distance), denotation accuracy: {share}")
    return 0
