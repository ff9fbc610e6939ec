"""GeoQuery's questions against its real database: answers by sets of rows, errors by class.

    python -m benchmarks.geoquery PARSER FOLDER [--split test] [--predictions FILE]

PARSER is an exported folder or a run; FOLDER holds ``geography.sqlite`` and ``questions.tsv``.
Questions whose gold query does not run or answers nothing do not count. Rows compare as a set:
numbers as numbers, text after trimming. A gold query that compares a text column of elevations is
scored as it stands, and by numbers.
"""

from __future__ import annotations

import argparse
import csv
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairseq_twostage.databases.names import parts_of
from fairseq_twostage.inference.answer import answer_values
from fairseq_twostage.semantics.values import Boolean, Name, Number
from fairseq_twostage.systems.opening import open_parser

ELEVATION = re.compile(r"(\w+alias\d+)\.(HIGHEST_ELEVATION|LOWEST_ELEVATION)", re.IGNORECASE)
Rows = frozenset[Any]


def plain(value: Any) -> Any:
    """A number, or text without blanks around it."""
    try:
        return round(float(value), 6)
    except (TypeError, ValueError):
        return str(value).strip()


def gold(folder: Path, split: str) -> Iterator[tuple[str, Rows, Rows, str]]:
    """Question, its rows, the same with elevations as numbers, and the query."""
    uri = f"{(folder / 'geography.sqlite').absolute().as_uri()}?mode=ro"
    with open(folder / "questions.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    with sqlite3.connect(uri, uri=True) as connection:
        for row in rows:
            if row["split"] != split:
                continue
            numbers = ELEVATION.sub(r"CAST(\1.\2 AS REAL)", row["sql"])
            try:
                found = [rows_of(connection, sql) for sql in (row["sql"], numbers)]
            except sqlite3.Error:
                continue
            if found[0]:
                yield row["question"].strip(), found[0], found[1], row["sql"]


def rows_of(connection: sqlite3.Connection, sql: str) -> Rows:
    """What a query of one column answers, nulls apart."""
    return frozenset(plain(row[0]) for row in connection.execute(sql) if row[0] is not None)


class Shown:
    """An answer's values as the database has them."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema

    def __call__(self, value: Any) -> Any:
        if isinstance(value, Number):
            return plain(value.value)
        if isinstance(value, Boolean):
            return value.value
        if not isinstance(value, Name):
            return plain(value)
        for name, table in self.schema.tables.items():
            if value.type == self.schema.type_name(name):
                key = dict(zip(table.key, parts_of(value.id, value.type)))
                own = table.dimensions[table.name].column or table.name
                return plain(key.get(own, value.id))
        return plain(parts_of(value.id, value.type)[0])


def main() -> None:
    """Score, and count what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parser", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="test")
    parser.add_argument("--predictions", type=Path)
    args = parser.parse_args()
    found = open_parser(args.parser)
    shown = Shown(getattr(found.world, "schema"))  # noqa: B009
    rows = list(gold(args.folder, args.split))
    started = time.monotonic()
    parses = found.parse_batch([question for question, *_ in rows])
    seconds = time.monotonic() - started
    right = by_number = 0
    classes: Counter[str] = Counter()
    lines = []
    for (question, wanted, numbers, sql), parse in zip(rows, parses):
        answer = frozenset(map(shown, answer_values(parse.answer)))
        kind = "right" if answer == wanted else error_class(answer, wanted)
        right += answer == wanted
        by_number += answer == numbers if ELEVATION.search(sql) else answer == wanted
        classes[kind] += 1
        score = f"{parse.readings[0].canonical_score:.2f}"
        lines.append("\t".join((kind, question, parse.canonical, score)))
    if args.predictions:
        args.predictions.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"read {len(rows)} questions in {seconds:.1f} s")
    for kind, count in classes.most_common():
        print(f"{kind}\t{count}")
    print(f"elevations as numbers: {by_number} of {len(rows)}")
    print(f"{args.split}: {100 * right / len(rows):.1f} % ({right} of {len(rows)})")


def error_class(answer: Rows, wanted: Rows) -> str:
    """How an answer differs."""
    if not answer:
        return "no answer"
    if answer < wanted:
        return "too few rows"
    if answer > wanted:
        return "too many rows"
    kinds = ({type(value) for value in rows} for rows in (answer, wanted))
    return (
        "other rows" if len({frozenset(kind) for kind in kinds}) == 1 else "another kind of answer"
    )


if __name__ == "__main__":
    main()
