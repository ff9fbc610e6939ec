"""``twostage export``: a trained parser as one folder of safetensors and JSON."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from fairseq_twostage.cli.by_hand import add_by_hand, by_options, pipeline_by_hand, refuse_by_hand
from fairseq_twostage.cli.options import share
from fairseq_twostage.cli.parse import hush
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.pipeline import CANONICAL, placed
from fairseq_twostage.systems.record import SystemRecord, by_hand, read_record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--run", type=Path, help="run folder of twostage train: what it says of itself is exported")
    add("--system", help="of a run that has several")
    add("--data", type=Path, help="data-bin (default: that of the run)")
    add("--output", type=Path, required=True, metavar="DIR", help="folder to write")
    add(
        "--precision",
        type=share,
        metavar="P",
        help="share of right answers among those that are given, 0 to 1: what is less sure is "
        "refused (default: 0.9)",
    )
    add(
        "--marks",
        type=Path,
        metavar="FILE",
        help="labelled.tsv of twostage serve or of one's own: confidence is fitted to its rows, "
        "and to what was marked as wrong in the file beside it",
    )
    add("--lexicon", type=Path, help="phrases that become placeholders (default: the data-bin's)")
    add("--force", action="store_true", help="replace an exported parser in DIR")
    add_by_hand(parser)


def main(args: argparse.Namespace) -> int:
    """Load what reads, parse what can be known beforehand, write the folder."""
    hush()
    from fairseq_twostage.inference.exporting import check_destination, write_bundle

    check_destination(args.output, args.force)
    record = _record(args)
    data = Path(args.data or record.data)
    from fairseq_twostage import plugin

    plugin.require_fairseq()
    from fairseq_twostage.durable import keep_numbered
    from fairseq_twostage.inference.labels import read_labels, understood
    from fairseq_twostage.inference.learning import recalibrated
    from fairseq_twostage.inference.learnt import LEARNT
    from fairseq_twostage.inference.loading import load_pipeline, remember_canonicals
    from fairseq_twostage.inference.trust_fitting import fit_trust
    from fairseq_twostage.systems.opening import load_run

    if args.run is not None and not by_options(args):
        parser = load_run(record, args.run, data, args.lexicon)
    else:
        parser = load_pipeline(placed(record.pipeline, Path()), data, lexicon=args.lexicon)
        if record.pipeline.source != CANONICAL:
            parser.trust = fit_trust(parser, data)
    if args.marks is not None:
        parser.trust = recalibrated(parser, understood(parser, read_labels(args.marks, marks=True)))
    if args.precision is not None and parser.trust is not None:
        parser.trust = parser.trust.promising(args.precision)
    started = time.monotonic()
    remember_canonicals(parser, data)
    known = len(parser.parse.known)
    print(f"parsed {known} known canonical utterances in {time.monotonic() - started:.1f} s")
    taught = (args.output / LEARNT).is_file()
    kept = keep_numbered(args.output) if taught else None
    size = write_bundle(parser, args.output, args.force, record.system)
    if kept is not None:
        print(
            f"note: {args.output} had learnt from labels, and this parser has not; the one before "
            f"is {kept}; twostage improve teaches this one",
            file=sys.stderr,
        )
    print(f"{args.output}: written ({record.system} of {parser.domain}, {size / 1e6:.1f} MB)")
    return 0


def _record(args: argparse.Namespace) -> SystemRecord:
    if not by_options(args):
        if args.run is None:
            raise UserError("give --run, or both --paraphraser and --parser")
        refuse_by_hand(args, add_arguments)
        return read_record(args.run, args.system)
    if args.data is None or not (args.parser and (args.paraphraser or args.rerank)):
        raise UserError("checkpoints by hand need --data, --paraphraser and --parser")
    return by_hand(args.data, pipeline_by_hand(args), args.system or "by_hand")
