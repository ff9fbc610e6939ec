"""What was looked at before an option was chosen: labelled training and development rows.

``results/choices/CHOICE/VARIANT/SPLIT/`` are folders of results files (``twostage evaluate --split
SPLIT --results …``), apart from the results proper, so that no table mixes the two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from fairseq_twostage.errors import UserError
from fairseq_twostage.reporting.markdown import MISSING, number, table
from fairseq_twostage.reporting.matrix import Matrix
from fairseq_twostage.reporting.overview import replace_block
from fairseq_twostage.reporting.paper import GEO, OVERNIGHT
from fairseq_twostage.reporting.statistics import mean_and_deviation
from fairseq_twostage.results import RunResult, read_results

FOLDER = "choices"
SPLITS = ("train", "valid")
_BEGIN = "<!-- made by twostage report: {} -->"
_MARK = re.compile(re.escape(_BEGIN).replace(r"\{\}", r"([\w-]+)"))


def fill_choices(text: str, results: Path, where: str) -> str:
    """``text`` with a table between the marks ``<!-- made by twostage report: CHOICE -->`` and
    the next :data:`.overview.END`.

    Args:
        text: of the page.
        results: folder that has the folder :data:`FOLDER`.
        where: the page, for messages.

    Raises:
        UserError: a choice has no results, or a mark no end.
    """
    for choice in _MARK.findall(text):
        lines = choice_table(results / FOLDER / choice)
        text = replace_block(text, lines, where, _BEGIN.format(choice))
    return text


def choice_table(folder: Path) -> list[str]:
    """A line for each variant: by domain, accuracy on training / development rows, percent.

    The number of seeds stands in brackets where there are several; the last column counts rows
    over all of the line.

    Raises:
        UserError: no variant, a split without results, or one that was scored on another.
    """
    variants = sorted((path for path in folder.glob("*") if path.is_dir()), key=_natural)
    if not variants:
        raise UserError("no variants: folders VARIANT/train and VARIANT/valid", str(folder))
    runs = {path: {split: _read(path, split) for split in SPLITS} for path in variants}
    seen = {
        run.domain for by_split in runs.values() for found in by_split.values() for run in found
    }
    domains = [domain for domain in (*OVERNIGHT, GEO) if domain in seen]
    lines = []
    for path, by_split in runs.items():
        matrices = {split: Matrix(found) for split, found in by_split.items()}
        everything = [run for found in by_split.values() for run in found]
        right, total = sum(run.correct for run in everything), sum(run.total for run in everything)
        lines.append(
            [
                path.name.replace("_", " "),
                *(_score(matrices, everything[0].system, domain) for domain in domains),
                f"{right:,} of {total:,}",
            ]
        )
    return table([folder.name.replace("_", " "), *domains, "rows right"], lines)


def _natural(path: Path) -> tuple[float, str]:
    """Numbers by their size, then names."""
    first = re.match(r"[\d.]+", path.name)
    return (float(first[0]) if first else float("inf"), path.name)


def _read(variant: Path, split: str) -> Sequence[RunResult]:
    found = read_results(variant / split)
    if {run.split for run in found} != {split} or len({run.system for run in found}) > 1:
        raise UserError(f"not results of one system on the split {split}", str(variant / split))
    return found


def _score(matrices: dict[str, Matrix], system: str, domain: str) -> str:
    cells = [matrix.cell(system, domain) for matrix in matrices.values()]
    means = [number(mean_and_deviation(cell.scores)[0]) if cell else MISSING for cell in cells]
    if not any(cells):
        return MISSING
    seeds = max(len(cell.seeds) for cell in cells if cell)
    return f"{' / '.join(means)} ({seeds})" if seeds > 1 else " / ".join(means)
