"""``twostage execute``: logical forms in, denotations out, line by line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from fairseq_twostage.domains.overnight import read_overnight
from fairseq_twostage.domains.worlds import open_world
from fairseq_twostage.files import load_json, stream_lines, unquoted
from fairseq_twostage.semantics import DOMAINS, Denotation, Failure, World, execute
from fairseq_twostage.semantics.foreign import ForeignWorld
from fairseq_twostage.semantics.sexp import stray

Variables = dict[str, str]


def add_world_arguments(parser: argparse._ActionsContainer, required: bool = True) -> None:
    """The options that choose a world."""
    parser.add_argument(
        "--domain",
        required=required,
        metavar="DOMAIN",
        help=f"one of {', '.join(DOMAINS)}, a domain.yaml or its folder, or a .tsv file of triples",
    )
    parser.add_argument("--geo-db", metavar="FILE", help="where geo880.db lies")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_world_arguments(parser)
    parser.add_argument(
        "file",
        nargs="?",
        default="-",
        metavar="FILE",
        help="one logical form per line, optionally a tab and a JSON object of variables; "
        "standard input if not given",
    )


def main(args: argparse.Namespace) -> int:
    """Print one line per line: the value, or ERROR, category and message."""
    world = open_world(args.domain, args.geo_db)
    output = sys.stdout.buffer
    strays: list[tuple[int, str]] = []
    # What a decoder writes to a pipe, for a published world, may be anything.
    any_bytes = args.file == "-" and not world.exact
    watched = not isinstance(world, ForeignWorld) and not any_bytes
    for number, line in enumerate(read_forms(args.file, any_bytes), 1):
        if watched and (why := stray(line)):
            strays.append((number, why))
        output.write(_encode(result_line(line, world)) + b"\n")
        if args.file == "-":
            output.flush()  # whoever writes line by line may wait for the answer
    output.flush()
    if strays:
        note_of_strays(args.file, strays)
    return 0


def note_of_strays(file: str, strays: Sequence[tuple[int, str]]) -> None:
    """Say on standard error which lines are no logical forms, and what is read of them."""
    (number, why), *more = strays
    others = f"; so are {len(more)} more lines" if more else ""
    print(f"note: {file}:{number}: {why}{others}", file=sys.stderr)


def _encode(line: str) -> bytes:
    try:
        return line.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that JSON variables brought in
        return line.encode("utf-8", "replace")


def read_forms(file: str, any_bytes: bool = False) -> Iterator[str]:
    """The lines of a file (``-``: standard input) as they are, without their ``\\n``.

    Of an ``.examples`` file it is the logical forms. A form in the quotation marks of a
    spreadsheet loses them. With ``any_bytes`` a line may hold a carriage return.
    """
    if file.endswith(".examples"):
        yield from (row.logical_form for row in read_overnight(Path(file)))
        return
    for number, line in enumerate(stream_lines(file, any_bytes=any_bytes), 1):
        if line.startswith('"('):
            columns = line.removesuffix("\r").split("\t")
            yield "\t".join(unquoted(column, f"{file}:{number}") for column in columns)
        else:
            yield line


def result_line(line: str, world: World) -> str:
    """The output line for an input line."""
    try:
        form, variables = split_variables(line)
    except ValueError as error:
        return f"ERROR\tparse\t{error}"
    return _report(execute(form, world, variables))


def split_variables(line: str) -> tuple[str, Variables | None]:
    """A form and the variables behind its last tab, if what follows begins like a JSON object.

    Raises:
        ValueError: it is no JSON object of strings.
    """
    form, tab, rest = line.rpartition("\t")
    if not tab or not rest.startswith("{"):
        return line, None
    return form, parse_variables(rest)


def parse_variables(text: str) -> Variables:
    """Variables written as a JSON object of strings.

    Raises:
        ValueError: they are not.
    """
    try:
        variables = load_json(text)
    except ValueError:
        variables = None
    if not isinstance(variables, dict):
        raise ValueError("variables must be a JSON object of strings")
    if not all(isinstance(value, str) for value in variables.values()):
        raise ValueError("variables must be a JSON object of strings")
    return variables


def _report(denotation: Denotation) -> str:
    text = denotation.shown
    if text is None and isinstance(denotation, Failure):
        return f"ERROR\t{denotation.category}\t{denotation.message}"
    return str(text)
