"""The case study: test rows by index, which systems answer them, and, printed only, what they say.

``python -m research.cases ROWS --run RUN`` prints rows in full from the predictions of a run. These
are sentences of a dataset: nothing of it belongs into a page.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fairseq_twostage.corpora.databin import read_gold, read_manifest
from fairseq_twostage.corpora.rows import Row
from fairseq_twostage.errors import UserError
from fairseq_twostage.scoring.predictions import SPLITS, Prediction, read_predictions
from research.paper import label_of, read_table
from research.runs import Runs
from research.tables import MISSING, SUPERVISED, table

LISTED = "list"
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


def parse_rows(text: str) -> list[int]:
    """Row indices of ``3,17-19``.

    Raises:
        UserError: it is something else.
    """
    rows: list[int] = []
    for piece in text.split(","):
        first, dash, last = piece.partition("-")
        try:
            found = range(int(first), int(last if dash else first) + 1)
        except ValueError:
            found = range(0)
        if not found:
            raise UserError(f"{text!r} is no list of rows such as 3,17-19", "ROWS")
        rows += found
    return rows


def find_predictions(run: Path, split: str) -> dict[str, Path]:
    """Predictions of a split in a run's folder: ``predictions/SYSTEM[.SPLIT].tsv`` by system,
    ``STAGE/predictions.SPLIT.tsv`` by stage.

    Raises:
        UserError: there are none.
    """
    found: dict[str, Path] = {}
    for path in [*sorted(run.glob("*/predictions*.tsv")), *sorted(run.glob("predictions/*.tsv"))]:
        name, _, told = path.stem.rpartition(".")
        if told not in SPLITS:
            name, told = path.stem, "test"
        if told == split:
            found[name if path.parent.name == "predictions" else path.parent.name] = path
    if not found:
        raise UserError(f"no predictions of {split}; --predictions NAME=FILE names some", str(run))
    return found


def named_predictions(pairs: Sequence[str]) -> dict[str, Path]:
    """``NAME=FILE`` options as a mapping."""
    named = {}
    for pair in pairs:
        name, mark, path = pair.partition("=")
        if not (name and mark and path):
            raise UserError(f"{pair!r} is not NAME=FILE", "--predictions")
        named[name] = Path(path)
    return named


def show_cases(
    rows: Mapping[int, str], files: Mapping[str, Path], gold: Sequence[Row] | None = None
) -> Iterator[str]:
    """The lines that show rows.

    Args:
        rows: indices into the split, and what to look at in each; may be empty.
        files: predictions by system, of the same split.
        gold: the split's annotated rows, shown first where given.

    Raises:
        UserError: an index outside the split, or files of different splits; before the first line.
    """
    systems = {name: read_predictions(path) for name, path in files.items()}
    reference: Sequence[Prediction | Row] = gold or next(iter(systems.values()))
    for system, predictions in systems.items():
        if [row.utterance for row in predictions] != [row.utterance for row in reference]:
            raise UserError("not of the same rows as the others or --data", str(files[system]))
    for index in rows:
        if not 0 <= index < len(reference):
            raise UserError(f"row {index} is not among 0 to {len(reference) - 1}", "ROWS")
    for index, point in rows.items():
        yield f"row {index}: {reference[index].utterance}"
        if point:
            yield f"  ({point})"
        if gold is not None:
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


def listed(domain: str) -> dict[int, str]:
    """The rows of ``cases.tsv`` that are of a domain, and what to look at.

    Raises:
        UserError: none is.
    """
    cases = read_table("cases.tsv")
    found = cases[cases.domain == domain]
    if found.empty:
        known = ", ".join(dict.fromkeys(cases.domain))
        raise UserError(f"no row of {domain} is listed, only of {known}", LISTED)
    return dict(zip(found.row, found.point))


def main(argv: list[str] | None = None) -> int:
    """Print rows with what systems made of them."""
    parser = argparse.ArgumentParser(prog="python -m research.cases", description=main.__doc__)
    add = parser.add_argument
    add("rows", help=f"as 3,17-19; {LISTED}: those of the report's case study")
    add("--run", type=Path, help="run folder that holds predictions")
    add("--predictions", action="append", default=[], metavar="NAME=FILE", help="may be repeated")
    add("--data", help="data-bin, to show the gold z and y too")
    add("--split", default="test", help="default: test")
    args = parser.parse_args(argv)
    try:
        if not (args.run or args.predictions):
            raise UserError("give one of them", "--run, --predictions")
        files = find_predictions(args.run, args.split) if args.run else {}
        files |= named_predictions(args.predictions)
        gold = read_gold(args.data, args.split) if args.data else None
        if args.rows != LISTED:
            rows = dict.fromkeys(parse_rows(args.rows), "")
        elif not (args.data or args.run):
            raise UserError(f"give --data or --run: {LISTED} is by domain", "ROWS")
        elif args.split != "test":
            raise UserError(f"{LISTED} are test rows, not of {args.split}", "--split")
        else:  # a run's folder is DOMAIN.SETTING.SEED
            name = args.run.resolve().name.split(".")[0] if args.run else ""
            rows = listed(read_manifest(args.data).domain if args.data else name)
        print(*show_cases(rows, files, gold), sep="\n")
    except UserError as error:
        print(f"cases: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
