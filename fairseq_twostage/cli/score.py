"""``twostage score``: denotation accuracy of predicted against gold logical forms."""

from __future__ import annotations

import argparse
import json
from itertools import repeat

from fairseq_twostage.cli.execute import add_world_arguments, parse_variables, read_lines
from fairseq_twostage.corpora.worlds import open_world
from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics.accuracy import DenotationAccuracy


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of the command."""
    add_world_arguments(parser)
    parser.add_argument("--hyp", required=True, metavar="FILE", help="predicted forms, by line")
    parser.add_argument("--ref", required=True, metavar="FILE", help="gold forms, by line")
    parser.add_argument(
        "--variables", metavar="FILE", help="a JSON object of variables for each gold form"
    )
    parser.add_argument(
        "--nbest",
        type=int,
        default=1,
        metavar="N",
        help="the file of predictions has N lines for each gold form, best first: "
        "the first executable one counts (default: 1)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def main(args: argparse.Namespace) -> int:
    """Print the accuracy in percent."""
    if args.nbest < 1:
        raise UserError("must be at least 1", "--nbest")
    world = open_world(args.domain, args.geo_db)
    references = list(read_lines(args.ref))
    hypotheses = list(read_lines(args.hyp))
    if len(hypotheses) != args.nbest * len(references):
        raise UserError(
            f"{len(hypotheses)} lines, but {args.ref} has {len(references)}"
            + (f" and --nbest is {args.nbest}" if args.nbest > 1 else ""),
            args.hyp,
        )
    if not references:
        raise UserError("no logical form to score", args.ref)
    accuracy = DenotationAccuracy()
    variables = _read_variables(args.variables, len(references))
    for row, reference in enumerate(references):
        nbest = hypotheses[row * args.nbest : (row + 1) * args.nbest]
        accuracy.add(nbest, reference, world, variables[row])
    print(json.dumps(accuracy.summary()) if args.json else accuracy)
    return 0


def _read_variables(file: str | None, rows: int) -> list[dict[str, str] | None]:
    if file is None:
        return list(repeat(None, rows))
    variables: list[dict[str, str] | None] = []
    for number, line in enumerate(read_lines(file), 1):
        try:
            variables.append(parse_variables(line))
        except ValueError as error:
            raise UserError(str(error), f"{file}:{number}") from error
    if len(variables) != rows:
        raise UserError(f"{len(variables)} lines, but there are {rows} gold forms", file)
    return variables
