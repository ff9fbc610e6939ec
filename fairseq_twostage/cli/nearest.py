"""``twostage nearest``: the nearest canonical utterance by Word Mover's Distance.

The pseudo-labels of Cao et al.'s WmdSamples systems, read as predictions. What an untrained start
achieves by a better similarity: ``twostage train --config untrained``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from fairseq_twostage.cli.options import add_results, add_split
from fairseq_twostage.databin.folder import data_bin_lines, known_forms, read_gold, read_manifest
from fairseq_twostage.databin.frontend import load_frontend
from fairseq_twostage.databin.world import world_of
from fairseq_twostage.pairing.pseudo_labels import nearest_in
from fairseq_twostage.results import check_replaceable
from fairseq_twostage.systems.record import by_hand

SYSTEM = "nearest"  # in results


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--data", type=Path, required=True, help="data-bin of twostage prepare")
    add_split(parser)
    add_results(parser)


def main(args: argparse.Namespace) -> int:
    """Print the accuracy; write it, too, with ``--results``."""
    from fairseq_twostage.inference.candidates import NearestWords
    from fairseq_twostage.inference.parser import TwoStageParser
    from fairseq_twostage.inference.pipeline import BEST, Pipeline
    from fairseq_twostage.systems.scoring import score
    from fairseq_twostage.text.reading import UtteranceReader

    manifest = read_manifest(args.data)
    rows = read_gold(args.data, args.split)
    pipeline = Pipeline(lookup=True)
    record = by_hand(args.data, pipeline, SYSTEM, config="", split=args.split)
    if args.results:
        identity = SYSTEM, manifest.domain, manifest.canonical, record.seed
        check_replaceable(args.results, identity, args.split)

    def nearest(utterances: Sequence[str]) -> list[str]:
        return [row.canonical for row in nearest_in(args.data, utterances)]

    words = [line.split(" ")[0] for line in data_bin_lines(args.data / "dict.utterance.txt")]
    parser = TwoStageParser(
        UtteranceReader(words, load_frontend(args.data)),
        NearestWords(nearest),
        None,
        world_of(args.data),
        manifest.domain,
        BEST,
        known_forms(args.data),
    )
    scored = score(parser, rows)
    if args.results:
        from fairseq_twostage.systems.results_of import run_result, write_result

        path = write_result(args.results, run_result(record, scored), scored)
        print(f"results: {path}")
    print(f"nearest canonical utterance (Word Mover's Distance), {scored}")
    return 0
