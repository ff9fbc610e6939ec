"""``twostage score``: denotation accuracy of predicted against gold logical forms."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import repeat
from pathlib import Path

from fairseq_twostage.cli.execute import (
    add_world_arguments,
    note_of_strays,
    parse_variables,
    read_forms,
    split_variables,
)
from fairseq_twostage.cli.options import positive
from fairseq_twostage.cli.predictions import check_forms, read_predictions
from fairseq_twostage.databin.folder import GOLD, read_gold
from fairseq_twostage.databin.world import world_of
from fairseq_twostage.domains.worlds import open_world
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import stream_lines
from fairseq_twostage.semantics import World
from fairseq_twostage.semantics.accuracy import DenotationAccuracy
from fairseq_twostage.semantics.foreign import ForeignWorld
from fairseq_twostage.semantics.gold_forms import GoldForm, by_value, check_alone, doubtful
from fairseq_twostage.semantics.sexp import stray

OF_TWO_FILES = ("domain", "geo_db", "ref", "variables")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--hyp",
        required=True,
        metavar="FILE",
        help="predicted forms, by line; with --data also what twostage parse --format jsonl wrote",
    )
    data = parser.add_argument_group("against the rows of a data-bin")
    data.add_argument("--data", metavar="DATA_BIN", help="made by twostage prepare")
    data.add_argument("--split", help="test, valid or train (default: test)")
    files = parser.add_argument_group("against a file")
    add_world_arguments(files, required=False)
    files.add_argument("--ref", metavar="FILE", help="gold forms, by line")
    files.add_argument(
        "--variables", metavar="FILE", help="a JSON object of variables for each gold form"
    )
    add(
        "--nbest",
        type=positive,
        default=1,
        metavar="N",
        help="the first executable of N predictions counts: of N lines for each gold form, best "
        "first, or of a record's first N readings (default: 1)",
    )
    add("--json", action="store_true", help="print one JSON object")


def main(args: argparse.Namespace) -> int:
    """Print the accuracy in percent."""
    if args.data is not None:
        for name in OF_TWO_FILES:
            if getattr(args, name) is not None:
                option = f"--{name.replace('_', '-')}"
                raise UserError("the data-bin of --data has it; leave one of them out", option)
        accuracy = score_rows(args)
        percent = f"{accuracy.percent:.1f} % ({accuracy.correct} of {accuracy.total})"
        print(json.dumps(accuracy.summary()) if args.json else f"denotation accuracy: {percent}")
        return 0
    if args.split is not None:
        raise UserError("is of a data-bin; give --data", "--split")
    for name in ("domain", "ref"):
        if getattr(args, name) is None:
            raise UserError("give it, or a data-bin with --data", f"--{name}")
    accuracy = score_file(args)
    print(json.dumps(accuracy.summary()) if args.json else accuracy)
    return 0


def score_rows(args: argparse.Namespace) -> DenotationAccuracy:
    """The accuracy on a split of a data-bin."""
    split = args.split or "test"
    rows = read_gold(args.data, split)
    world = world_of(args.data)
    accuracy = DenotationAccuracy()
    predictions = read_predictions(args.hyp, rows, f"split {split} of {args.data}", args.nbest)
    file = Path(args.data) / GOLD / f"{split}.tsv"
    gold = [
        GoldForm(row.logical_form, row.variables, f"{file}:{number}")
        for number, row in enumerate(rows, 1)
    ]
    note_without_value(gold, world)
    for row, prediction in zip(rows, predictions):
        accuracy.add(prediction.forms, row.logical_form, world, row.variables, prediction.variables)
    return accuracy


def score_file(args: argparse.Namespace) -> DenotationAccuracy:
    """The accuracy against a file of gold forms."""
    world = open_world(args.domain, args.geo_db)
    references, gold_variables = _read_forms(args.ref)
    hypotheses, own_variables = _read_forms(args.hyp)
    if len(hypotheses) != args.nbest * len(references):
        raise UserError(
            f"{len(hypotheses)} lines, but {args.ref} has {len(references)}"
            + (f" and --nbest is {args.nbest}" if args.nbest > 1 else ""),
            args.hyp,
        )
    if not references:
        raise UserError("no logical form to score", args.ref)
    if not isinstance(world, ForeignWorld):
        for number, reference in enumerate(references, 1):
            check_alone(reference, f"{args.ref}:{number}")
        check_forms(hypotheses, references, args.hyp)
        found = enumerate(map(stray, hypotheses), 1)
        if strays := [(number, why) for number, why in found if why]:
            note_of_strays(args.hyp, strays)
    accuracy = DenotationAccuracy()
    variables = _read_variables(args.variables, len(references))
    gold = [
        GoldForm(form, variables[row] or gold_variables[row], f"{args.ref}:{row + 1}")
        for row, form in enumerate(references)
    ]
    for note in doubtful(note_without_value(gold, world), world):
        print(f"note: {note}", file=sys.stderr)
    for row, reference in enumerate(references):
        start = row * args.nbest
        accuracy.add(
            hypotheses[start : start + args.nbest],
            reference,
            world,
            gold[row].variables,
            variables[row] or own_variables[start],
        )
    return accuracy


def note_without_value(gold: Sequence[GoldForm], world: World) -> list[GoldForm]:
    """Say on standard error of how many gold forms nothing can be right, and why of the first.

    Returns:
        the others.
    """
    sound, failed = by_value(gold, world)
    if failed:
        share = f"{len(failed)} of {len(gold)} gold forms have no value, and count as wrong"
        print(f"note: {failed[0]} ({share})", file=sys.stderr)
    return sound


def _read_forms(file: str) -> tuple[list[str], list[dict[str, str] | None]]:
    """The forms of a file, and the variables that stand behind them."""
    found = []
    for number, line in enumerate(read_forms(file), 1):
        try:
            found.append(split_variables(line))
        except ValueError as error:
            raise UserError(str(error), f"{file}:{number}") from error
    return [form for form, _ in found], [variables for _, variables in found]


def _read_variables(file: str | None, rows: int) -> list[dict[str, str] | None]:
    if file is None:
        return list(repeat(None, rows))
    variables: list[dict[str, str] | None] = []
    for number, line in enumerate(stream_lines(file), 1):
        try:
            variables.append(parse_variables(line))
        except ValueError as error:
            raise UserError(str(error), f"{file}:{number}") from error
    if len(variables) != rows:
        raise UserError(f"{len(variables)} lines, but there are {rows} gold forms", file)
    return variables
