"""``twostage explain``: the value of every sub-form of logical forms."""

from __future__ import annotations

import argparse
import sys

from fairseq_twostage.cli.execute import add_world_arguments, read_forms, split_variables
from fairseq_twostage.cli.options import integer
from fairseq_twostage.domains.worlds import open_world
from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics import Answer, Failure
from fairseq_twostage.semantics.explain import Step, explain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_world_arguments(parser)
    add("--width", type=integer(10), default=100, help="cut longer texts (default: 100)")
    add(
        "file",
        nargs="?",
        default="-",
        metavar="FILE",
        help="forms as for execute; standard input if not given",
    )


def main(args: argparse.Namespace) -> int:
    """Print each form's calls, outermost first, indented, each with its value; then a blank."""
    world = open_world(args.domain, args.geo_db)
    for number, line in enumerate(read_forms(args.file), 1):
        try:
            form, variables = split_variables(line)
        except ValueError as error:
            raise UserError(str(error), f"{args.file}:{number}") from error
        for step in explain(form, world, variables):
            for text in step_lines(step, args.width):
                sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
        sys.stdout.buffer.write(b"\n")
    return 0


def step_lines(step: Step, width: int) -> tuple[str, str]:
    """The sub-form and, on the next line, its value; each cut after ``width`` characters."""
    indent = "  " * min(step.depth, 40)
    denotation = step.denotation
    value = ""
    if isinstance(denotation, Answer):
        value = denotation.text
    elif isinstance(denotation, Failure):
        value = f"{denotation.category} error: {denotation.message}"
        if denotation.counts_as_empty:
            value += " (counts as the empty list)"
    if step.length is not None:
        value = f"{step.length}: {value}"
    return indent + _cut(step.form, width), f"{indent}= {_cut(value, width)}"


def _cut(text: str, width: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"
