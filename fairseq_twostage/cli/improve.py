"""``twostage improve``: learn from logs, marks and labels; keep what is better."""

from __future__ import annotations

import argparse
import contextlib
import io
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fairseq_twostage.cli.build import logged_runner, run_twostage, scaled_limits
from fairseq_twostage.cli.options import add_changes, add_jobs, share
from fairseq_twostage.cli.own_parser import (
    Place,
    add_place,
    find_place,
    given_labels,
    logged_questions,
)
from fairseq_twostage.cli.parse import hush
from fairseq_twostage.errors import UserError
from fairseq_twostage.systems.processes import usual_jobs
from fairseq_twostage.writing import atomic_write, make_folder

if TYPE_CHECKING:
    from fairseq_twostage.inference.labels import Label
    from fairseq_twostage.inference.parser import TwoStageParser
    from fairseq_twostage.text.utterance import Utterance

HELD_OUT = 0.2
QUESTIONS, LABELLED = "questions.txt", "labelled.tsv"
AGAIN = "improved"  # folder of a run: its data prepared with logged questions, and its run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_place(parser)
    add = parser.add_argument
    add(
        "--held-out",
        type=share,
        default=HELD_OUT,
        metavar="SHARE",
        help="of the labelled questions, by which old and new are compared (default: %(default)s)",
    )
    add(
        "--train",
        action="store_true",
        help="train the networks anew, with the logged questions and the labels; a system without "
        "networks is fitted anew to logged questions in any case",
    )
    add_changes(parser)
    add_jobs(parser, usual_jobs())


def main(args: argparse.Namespace) -> int:
    """Learn, compare, install the better one; the last line says which one that is."""
    hush()
    if not (args.log or args.marks or args.labels):
        raise UserError("nothing to learn from: give --log, --marks or --labels")
    place = find_place(args)
    given = given_labels(args)
    logged = logged_questions(args.log)
    if not given and not logged:
        files = [*args.labels, *args.marks, *args.log]
        raise UserError("no question has a label yet", ", ".join(map(str, files)))
    from fairseq_twostage.inference.bundle import read_bundle, read_description
    from fairseq_twostage.inference.labels import understood
    from fairseq_twostage.inference.learning import held_out
    from fairseq_twostage.systems.improving import improved

    system = str(read_description(place.folder)["system"])
    old = read_bundle(place.folder)
    labels = understood(old, given)
    learn, held = held_out(labels, args.held_out, args.seed)
    print(
        f"{len(labels)} labelled questions, {len(held)} of them held out; "
        f"{len(set(logged))} logged questions",
        flush=True,
    )
    hidden = {label.tokens for label in held}
    questions = _read(old, [*logged, *place.utterances()])
    start, seen = old, False
    if place.domain is not None:
        more = [each.text for each in _read(old, logged) if each.tokens not in hidden]
        start, seen = _anew(args, place, system, old, more, learn)
    new, compared = improved(old, start, learn, held, questions, seen)
    if not compared.better:
        print(f"not better: {compared}; {place.folder} stays as it is")
        return 0
    kept = install(new, place.folder, system)
    print(f"better: {compared}; installed in {place.folder}, the one before is {kept}")
    return 0


def install(parser: TwoStageParser, folder: Path, system: str) -> Path:
    """Put a parser in the place of another one, of which a numbered copy is kept.

    At every moment the folder holds one or the other, whole.
    """
    from fairseq_twostage.durable import keep_numbered
    from fairseq_twostage.inference.exporting import write_bundle

    kept = keep_numbered(folder)
    write_bundle(parser, folder, force=True, system=system)
    return kept


def _read(parser: TwoStageParser, texts: Sequence[str]) -> list[Utterance]:
    """Questions as the parser reads them, those of one kind once; those without words left out."""
    found: dict[str, Utterance] = {}
    for text in texts:
        with contextlib.suppress(UserError):
            utterance = parser.reader(text)
            found.setdefault(utterance.tokens, utterance)
    return list(found.values())


def _anew(
    args: argparse.Namespace,
    place: Place,
    system: str,
    old: TwoStageParser,
    more: Sequence[str],
    learn: Sequence[Label],
) -> tuple[TwoStageParser, bool]:
    """The system of data prepared with further questions, and whether it has seen the labels.

    The old one where there are none, or where networks would have to be trained and are not to be.
    """
    from fairseq_twostage.systems.config import load_system
    from fairseq_twostage.systems.config_files import find_config
    from fairseq_twostage.systems.record import read_record

    record = read_record(place.run, system)
    config = find_config(record.config)
    trained = bool(load_system(config, domain=old.domain).needed_stages())
    if not (more or (args.train and learn)) or (trained and not args.train):
        return old, False
    from fairseq_twostage.systems.retraining import retrained, write_labelled

    folder = place.run / AGAIN
    make_folder(folder / "logs")
    data = folder / "data"
    words: list[object] = ["--domain", place.name, "--dest", data, "--force"]
    if more:
        with atomic_write(folder / QUESTIONS) as file:
            file.writelines(f"{' '.join(text.split())}\n" for text in more)
        words += ["--more-utterances", folder / QUESTIONS]
    with_labels = trained and write_labelled(old, learn, folder / LABELLED) > 0
    if with_labels:
        words += ["--labelled", folder / LABELLED]
    started = time.monotonic()
    with contextlib.redirect_stdout(io.StringIO()):
        run_twostage("prepare", *words)
    changes = [*(scaled_limits(data, config, old.domain) if trained else ()), *args.changes]
    runner = logged_runner(folder / "logs", started)
    with contextlib.redirect_stdout(io.StringIO()):
        parser = retrained(config, data, folder, args.seed, changes, runner, with_labels, args.jobs)
    print(f"prepared and fitted anew after {time.monotonic() - started:.0f} s", flush=True)
    return parser, with_labels
