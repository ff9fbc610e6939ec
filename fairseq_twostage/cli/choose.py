"""``twostage choose``: which of several trainings to keep, without a label."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from fairseq_twostage import durable
from fairseq_twostage.cli.options import positive
from fairseq_twostage.databin.folder import data_bin_lines, read_manifest
from fairseq_twostage.errors import UserError
from fairseq_twostage.scoring.frequency_match import frequency_match
from fairseq_twostage.writing import check_folder, staged_folder

TABLE = "choice.tsv"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--data", required=True, help="data-bin of twostage prepare")
    add(
        "--paraphraser",
        nargs="+",
        action="extend",
        required=True,
        metavar="CHECKPOINT",
        help="of each training, as runs/calendar.paper.*/cycle/checkpoint_best.pt",
    )
    add(
        "--dest",
        type=Path,
        metavar="FOLDER",
        help=f"folder for the best one, under its name, and {TABLE}, what was printed",
    )
    add("--beam", type=positive, default=5, help="beam (default: 5)")


def main(args: argparse.Namespace) -> int:
    """Print each checkpoint behind its frequency match in percent, the best first; copy that."""
    if args.dest:
        check_folder(args.dest)
        if args.dest.resolve() in {Path(path).resolve().parent for path in args.paraphraser}:
            raise UserError("holds one of the trainings; choose another folder", str(args.dest))
    from fairseq_twostage import plugin

    plugin.load()
    from fairseq_twostage.inference.checkpoints import load_paraphraser
    from fairseq_twostage.inference.loading import beam_of

    if not read_manifest(args.data).frequent_as_meant:
        print(
            "twostage choose: note: Z was generated, and may not be as frequent as what the "
            "utterances mean",
            file=sys.stderr,
        )
    text = Path(args.data) / "text"
    natural, canonical = (data_bin_lines(text / f"train.{side}") for side in ("nl", "cf"))
    matches = {}
    for path in args.paraphraser:
        paraphrase = beam_of(load_paraphraser(path, args.data), args.beam)
        matches[path] = frequency_match((found[0] for found in paraphrase(natural)), canonical)
    ranked = sorted(matches, key=lambda each: -matches[each])
    lines = [f"{100 * matches[path]:.1f}\t{path}" for path in ranked]
    print(*lines, sep="\n")
    if args.dest:
        stage = args.dest.is_dir()  # which holds records of twostage train, too
        with staged_folder(args.dest / "choice" if stage else args.dest) as folder:
            table = ["frequency_match\tcheckpoint", *lines, ""]
            (folder / TABLE).write_text("\n".join(table), encoding="utf-8", newline="\n")
            shutil.copyfile(ranked[0], folder / Path(ranked[0]).name)
            if not stage:
                durable.install(folder, args.dest)
                return 0
            durable.sync_tree(folder)  # whole before either has its name
            for name in (TABLE, Path(ranked[0]).name):
                durable.rename(folder / name, args.dest / name)
    return 0
