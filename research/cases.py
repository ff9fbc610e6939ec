"""The case study: test rows by index, which systems answer them, and, printed only, what they say.

``python -m research.cases --data DATA-BIN --predictions RUN/predictions/*.tsv`` prints rows in
full. These are sentences of a dataset: nothing of it belongs into a page.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fairseq_twostage.databin.folder import read_gold, read_manifest
from fairseq_twostage.errors import UserError
from fairseq_twostage.scoring.predictions import Prediction, read_predictions
from fairseq_twostage.text.rows import Row
from research import in_one_line
from research.paper import label_of, read_table
from research.runs import Runs
from research.tables import MISSING, SUPERVISED, table

SYSTEMS = ("complete", "minus_cycle_learning", *SUPERVISED, "words_only", "sentence_encoder")


def cases_table(runs: Runs) -> str:
    """How many of each system's seeds answer each row of ``cases.tsv``; rows that nobody was
    scored on are left out."""
    lines = []
    for domain, row, point in read_table("cases.tsv").itertuples(index=False):
        seeds = [_seeds(domain, row, system, runs) for system in SYSTEMS]
        if set(seeds) != {MISSING}:
            lines.append([f"{domain} {row}: {point}", *seeds])
    return table(["test row", *map(label_of, SYSTEMS)], lines)


def _seeds(domain: str, row: int, system: str, runs: Runs) -> str:
    cell = runs.cell(system, domain)
    if cell is None or cell.split.iloc[0] != "test" or row >= cell.total.iloc[0]:
        return MISSING
    return f"{sum(row in rows for rows in cell.correct_rows)} of {len(cell)}"


def show_cases(
    rows: Mapping[int, str], files: Mapping[str, Path], gold: Sequence[Row]
) -> Iterator[str]:
    """The lines that show rows.

    Args:
        rows: indices into the split, and what to look at in each; may be empty.
        files: predictions by system.
        gold: the split's annotated rows.

    Raises:
        UserError: an index outside the split, or predictions of another one; before any line.
    """
    systems = {name: read_predictions(path) for name, path in files.items()}
    for system, predictions in systems.items():
        if [row.utterance for row in predictions] != [row.utterance for row in gold]:
            raise UserError("not of the rows of this split", str(files[system]))
    for index in rows:
        if not 0 <= index < len(gold):
            raise UserError(f"row {index} is not among 0 to {len(gold) - 1}", "ROW")
    for index, point in rows.items():
        yield f"row {index}: {gold[index].utterance}"
        if point:
            yield f"  ({point})"
        yield "  gold"
        yield f"    z  {gold[index].canonical or '(none)'}"
        yield f"    y  {gold[index].logical_form}"
        for system, predictions in systems.items():
            yield from _predicted(system, predictions[index])
        yield ""


def _predicted(system: str, prediction: Prediction) -> Iterator[str]:
    yield f"  {system}: {'right' if prediction.correct else 'wrong'}"
    if prediction.canonical:
        yield f"    ẑ  {prediction.canonical}"
    yield f"    ŷ  {prediction.logical_form}"
    yield f"    =  {prediction.denotation}"


@in_one_line
def main(argv: list[str] | None = None) -> None:
    """Print rows with what systems made of them."""
    parser = argparse.ArgumentParser(prog="python -m research.cases", description=main.__doc__)
    add = parser.add_argument
    add("rows", type=int, nargs="*", help="default: those of the report's case study")
    add("--data", required=True, help="data-bin, whose gold z and y are shown too")
    add("--split", default="test", help="default: test")
    add("--predictions", type=Path, nargs="+", required=True, help="of twostage evaluate")
    args = parser.parse_args(argv)
    rows = dict.fromkeys(args.rows, "") or listed(read_manifest(args.data).domain)
    files = {path.stem: path for path in args.predictions}
    print(*show_cases(rows, files, read_gold(args.data, args.split)), sep="\n")


def listed(domain: str) -> dict[int, str]:
    """The rows of ``cases.tsv`` that are of a domain, and what to look at.

    Raises:
        UserError: none is.
    """
    cases = read_table("cases.tsv")
    found = cases[cases.domain == domain]
    if found.empty:
        known = ", ".join(dict.fromkeys(cases.domain))
        raise UserError(f"no row of {domain} is listed, only of {known}", "ROW")
    return dict(zip(found.row, found.point))


if __name__ == "__main__":
    sys.exit(main())
