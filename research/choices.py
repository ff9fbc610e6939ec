"""What was looked at before an option was chosen: labelled training and development rows.

They lie in ``choices.jsonl``, apart from the results proper, so that no table mixes the two: lines
of results with two more fields, ``choice`` and ``variant``. ``python -m research.choices CHOICE
VARIANT FILE`` adds what ``twostage evaluate --split train`` and ``--split valid`` wrote to FILE.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import asdict
from functools import cache
from pathlib import Path

import pandas as pd

from fairseq_twostage.errors import UserError
from fairseq_twostage.results import KEY, read_objects, read_results, to_result
from research import in_one_line
from research.from_old_layout import CHOICES, HERE, merge
from research.paper import DOMAINS
from research.runs import spearman
from research.tables import MISSING, number, table

FIELDS = ("choice", "variant", "split", *KEY)  # one line of the file each
SPLITS = ["train", "valid"]


@cache
def read_choices(path: Path = HERE / CHOICES) -> pd.DataFrame:
    """All of them, variants sorted by the numbers that they begin with, then by name.

    Raises:
        UserError: a line is no result, or names no choice.
    """
    lines = []
    for where, line in read_objects(path):
        if not {"choice", "variant"} <= set(line):
            raise UserError("names no choice or no variant", where)
        result = to_result(line, where)
        names = {"choice": line["choice"], "variant": line["variant"]}
        lines.append(names | asdict(result) | {"percent": result.percent})
    return pd.DataFrame(lines).sort_values("variant", key=lambda names: names.map(_natural))


def _natural(name: str) -> tuple[float, str]:
    first = re.match(r"[\d.]+", name)
    return (float(first[0]) if first else float("inf"), name)


def choice_table(choice: str, choices: pd.DataFrame) -> str:
    """A line for each variant: by domain, accuracy on training / development rows, percent.

    The number of seeds stands in brackets where there are several; the last column counts rows
    over all of the line.

    Raises:
        UserError: nothing was looked at, a variant has several systems, or no rows of a split.
    """
    looked_at = _of(choice, choices)
    domains = [domain for domain in DOMAINS if domain in set(looked_at.domain)]
    lines = []
    for variant, runs in looked_at.groupby("variant", sort=False):
        by = runs.pivot_table(index="domain", columns="split", values="percent", sort=False)
        seeds = runs.groupby(["domain", "split"]).size().groupby("domain").max()
        cells = [
            " / ".join(map(number, by.loc[domain, SPLITS]))
            + (f" ({seeds[domain]})" if seeds[domain] > 1 else "")
            if domain in seeds
            else MISSING
            for domain in domains
        ]
        right = f"{runs.correct.sum():,} of {runs.total.sum():,}"
        lines.append([variant.replace("_", " "), *cells, right])
    return table([choice.replace("_", " "), *domains, "rows right"], lines)


def training_table(choice: str, choices: pd.DataFrame) -> str:
    """A line for each training, the best frequency match on training rows first.

    Beside it the label-free metric and accuracy on training / development rows, percent; the last
    line has Spearman's ρ of either sign with the accuracy on training rows.

    Raises:
        UserError: as :func:`choice_table`, or a training without one of these.
    """
    runs = _of(choice, choices)
    runs = runs.assign(
        name=runs.variant.str.replace("_", " ") + ", " + runs.domain + ", seed "
        + runs.seed.astype(str)
    )  # fmt: skip
    train = runs[runs.split == "train"].set_index("name")
    train = train.assign(valid=runs[runs.split == "valid"].set_index("name").percent)
    signs = ["frequency_match", "metric"]
    if train[[*signs, "valid"]].isna().any(axis=None):
        raise UserError("a training lacks a sign, or development rows", choice)
    lines = [
        [
            *(run.Index, number(100 * run.frequency_match), number(run.metric, 2)),
            f"{number(run.percent)} / {number(run.valid)}",
        ]
        for run in train.sort_index()
        .sort_values("frequency_match", ascending=False, kind="stable")
        .itertuples()
    ]
    lines.append(["ρ", *(number(spearman(train[sign], train.percent), 2) for sign in signs), ""])
    header = [choice.replace("_", " "), "frequency match", "label-free metric", "rows right, %"]
    return table(header, lines)


def _of(choice: str, choices: pd.DataFrame) -> pd.DataFrame:
    found = choices[choices.choice == choice]
    if found.empty:
        raise UserError("nothing of that choice", f"{CHOICES}: {choice}")
    for variant, runs in found.groupby("variant"):
        if sorted(set(runs.split)) != SPLITS or runs.system.nunique() > 1:
            raise UserError(f"not one system on {' and '.join(SPLITS)}", f"{choice}: {variant}")
    return found


@in_one_line
def main(argv: list[str] | None = None) -> None:
    """Add results to what was looked at."""
    parser = argparse.ArgumentParser(prog="python -m research.choices", description=main.__doc__)
    parser.add_argument("choice")
    parser.add_argument("variant")
    parser.add_argument("results", type=Path, nargs="+", help="files of twostage evaluate")
    parser.add_argument("--choices", type=Path, default=HERE / CHOICES)
    args = parser.parse_args(argv)
    names = {"choice": args.choice, "variant": args.variant}
    lines = [names | asdict(run) for path in args.results for run in read_results(path)]
    merge(args.choices, lines, FIELDS)


if __name__ == "__main__":
    sys.exit(main())
