"""``twostage sql``: logical forms as queries of the domain's database, and what they answer."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from fairseq_twostage.cli.execute import read_forms, split_variables
from fairseq_twostage.cli.options import add_database, integer, positive
from fairseq_twostage.databases.opening import SCHEMA_FILE, open_schema
from fairseq_twostage.domains.worlds import open_world
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.answer import (
    Table,
    aligned,
    answer_table,
    names_in_answer,
    shown_table,
)
from fairseq_twostage.semantics import execute
from fairseq_twostage.semantics.foreign import QueriedWorld


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("dir", metavar="DIR", help="a domain's folder or domain.yaml, a schema.yaml, an export")
    add(
        "form",
        metavar="FORM|FILE",
        help="a logical form, or a file of one per line (-: standard input)",
    )
    add(
        "--answer",
        choices=("text", "csv", "json"),
        help="run it, and print the table of its answer in place of the query",
    )
    add("--rows", type=positive, default=20, help="of a table at most (default: 20)")
    add("--skip", type=integer(0), default=0, help="rows to leave out before them (default: 0)")
    add_database(parser)


def main(args: argparse.Namespace) -> int:
    """Print the query or table of each form; the status is 1 if one is refused."""
    world = _open(args.dir)
    status = 0
    for line in _forms(args.form):
        form, variables = split_variables(line)
        denotation = execute(form, world, variables)
        table = answer_table(denotation, None, world.phrases(names_in_answer(denotation)))
        if table.message:
            print(f"twostage sql: error: {table.message}", file=sys.stderr)
            status = 1
        elif args.answer:
            shown = world.show(form, variables, args.rows, args.skip)
            _FORMATS[args.answer](table if shown is None else shown_table(shown))
        else:
            print((world.sql(form, variables) or "-- needs no query") + ";")
    return status


def _open(name: str) -> QueriedWorld:
    schema = Path(name) / SCHEMA_FILE
    world = open_schema(schema) if schema.is_file() else open_world(name)
    if not isinstance(world, QueriedWorld):
        raise UserError("is no domain with a database", name)
    return world


def _forms(text: str) -> Iterator[str]:
    if text.lstrip().startswith("("):
        yield text
    else:
        yield from (line for line in read_forms(text) if line.strip())


def _text(table: Table) -> None:
    print("\n".join(aligned(table.columns, table.rows)))
    more = table.total - len(table.rows)
    if more > 0:
        print(f"… {more} more (--rows, --skip)")
    if table.note:
        print(table.note)


def _csv(table: Table) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerows([table.columns, *table.rows])


def _json(table: Table) -> None:
    print(json.dumps(table.record(), ensure_ascii=False))


_FORMATS = {"text": _text, "csv": _csv, "json": _json}
