"""``twostage ask-for-labels``: the questions whose label would help most, as a sheet to fill in."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fairseq_twostage.cli.options import positive
from fairseq_twostage.cli.own_parser import add_place, find_place, given_labels, logged_questions
from fairseq_twostage.cli.parse import hush
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_lines
from fairseq_twostage.inference.labels import HEADER, NONE_OF_THEM, OFFERED
from fairseq_twostage.writing import atomic_write, check_folder

if TYPE_CHECKING:
    from fairseq_twostage.inference.asking import Asked
    from fairseq_twostage.inference.parser import TwoStageParser
    from fairseq_twostage.text.utterance import Utterance


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_place(parser)
    add = parser.add_argument
    add(
        "--utterances",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="further questions, one per line; may be repeated",
    )
    add("-n", type=positive, default=20, metavar="N", help="questions wanted (default: 20)")
    add("--output", type=Path, metavar="FILE", help="the sheet (default: standard output)")


def main(args: argparse.Namespace) -> int:
    """Write the sheet; standard error says how to fill it in."""
    hush()
    place = find_place(args)
    if args.output is not None:
        check_folder(args.output.parent)
        if args.output.exists():
            raise UserError("exists already; labels may stand in it", str(args.output))
    texts = [*logged_questions(args.log), *place.utterances()]
    texts += [line for path in args.utterances for line in read_lines(path) if line.strip()]
    if not texts:
        raise UserError(
            "no questions to choose from: give --log, --utterances or a domain with some"
        )
    given = given_labels(args)
    from fairseq_twostage.inference.asking import worth_a_label
    from fairseq_twostage.inference.bundle import read_bundle

    parser = read_bundle(place.folder)
    known = _tokens(parser, (each.question for each in given))
    questions = _questions(parser, texts, known)
    found = worth_a_label(parser, questions, args.n, len(OFFERED))
    lines = ["\t".join(HEADER), *(_row(parser, each) for each in found)]
    with (
        contextlib.nullcontext(sys.stdout)
        if args.output is None
        else atomic_write(args.output) as file
    ):
        file.write("".join(f"{line}\n" for line in lines))
    where = args.output or "FILE"
    print(
        f"{len(found)} of {len(questions)} questions without a label; write behind each, as its "
        "label, the number of the right reading, canonical words, a logical form, SQL, or "
        f"{NONE_OF_THEM} if none is right; then: twostage improve {args.dir} --labels {where}",
        file=sys.stderr,
    )
    return 0


def _tokens(parser: TwoStageParser, texts: Iterable[str]) -> set[str]:
    found = set()
    for text in texts:
        with contextlib.suppress(UserError):
            found.add(parser.reader(text).tokens)
    return found


def _questions(
    parser: TwoStageParser, texts: Sequence[str], known: set[str]
) -> list[tuple[Utterance, int]]:
    """Questions without a label, each with how often it is there; those of one kind are one."""
    times: Counter[str] = Counter()
    first: dict[str, Utterance] = {}
    for text in texts:
        with contextlib.suppress(UserError):  # no words, or too many
            utterance = parser.reader(text)
            if utterance.tokens not in known:
                times[utterance.tokens] += 1
                first.setdefault(utterance.tokens, utterance)
    return [(utterance, times[tokens]) for tokens, utterance in first.items()]


def _row(parser: TwoStageParser, asked: Asked) -> str:
    parse = asked.parse
    write_out = parser.reader.write_out
    offered = [write_out(reading.canonical, parse.utterance) for reading in parse.readings]
    confidence = parse.verdict.confidence
    sure = "" if confidence is None else f"{confidence:.2f}"
    question = " ".join(parse.utterance.text.split())
    cells = [question, "", sure, *offered, *[""] * (len(OFFERED) - len(offered))]
    return "\t".join(" ".join(cell.split()) for cell in cells)
