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
from fairseq_twostage.reporting.statistics import mean_and_deviation, spearman
from fairseq_twostage.results import RunResult, read_results

FOLDER = "choices"
SPLITS = ("train", "valid")
_BEGIN = "<!-- made by twostage report: {} -->"
_MARK = re.compile(re.escape(_BEGIN).replace(r"\{\}", r"([\w-]+(?:, by training)?)"))
_BY_TRAINING = ", by training"


def fill_choices(text: str, results: Path, where: str) -> str:
    """``text`` with a table between the marks ``<!-- made by twostage report: CHOICE -->`` and
    the next :data:`.overview.END`; of ``CHOICE, by training`` with a line for each run.

    Args:
        text: of the page.
        results: folder that has the folder :data:`FOLDER`.
        where: the page, for messages.

    Raises:
        UserError: a choice has no results, or a mark no end.
    """
    for choice in _MARK.findall(text):
        name = choice.removesuffix(_BY_TRAINING)
        fill = choice_table if name == choice else training_table
        lines = fill(results / FOLDER / name)
        text = replace_block(text, lines, where, _BEGIN.format(choice))
    return text


def choice_table(folder: Path) -> list[str]:
    """A line for each variant: by domain, accuracy on training / development rows, percent.

    The number of seeds stands in brackets where there are several; the last column counts rows
    over all of the line.

    Raises:
        UserError: no variant, a split without results, or one that was scored on another.
    """
    runs = _read_variants(folder)
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


def training_table(folder: Path) -> list[str]:
    """A line for each training, the best frequency match on training rows first.

    Beside it the label-free metric and accuracy on training / development rows, percent; the last
    line has Spearman's ρ of either sign with the accuracy on training rows.

    Raises:
        UserError: as :func:`choice_table`, or a training without one of these.
    """
    trainings = []
    for path, by_split in _read_variants(folder).items():
        valid = {(run.domain, run.seed): run for run in by_split["valid"]}
        for run in by_split["train"]:
            if run.frequency_match is None or run.metric is None:
                raise UserError("no frequency match or no label-free metric", str(run.path(path)))
            if (run.domain, run.seed) not in valid:
                raise UserError("not scored on development rows", str(run.path(path)))
            name = f"{path.name.replace('_', ' ')}, {run.domain}, seed {run.seed}"
            other = valid[run.domain, run.seed]
            trainings.append((run.frequency_match, run.metric, run.percent, other.percent, name))
    trainings.sort(key=lambda training: (-training[0], training[-1]))
    lines = [
        [name, number(100 * match), number(metric, 2), f"{number(train)} / {number(valid)}"]
        for match, metric, train, valid, name in trainings
    ]
    matches, metrics, accuracies, *_ = zip(*trainings)
    lines.append(["ρ", *(number(spearman(s, accuracies), 2) for s in (matches, metrics)), ""])
    return table(
        [folder.name.replace("_", " "), "frequency match", "label-free metric", "rows right, %"],
        lines,
    )


def _read_variants(folder: Path) -> dict[Path, dict[str, Sequence[RunResult]]]:
    variants = sorted((path for path in folder.glob("*") if path.is_dir()), key=_natural)
    if not variants:
        raise UserError("no variants: folders VARIANT/train and VARIANT/valid", str(folder))
    return {path: {split: _read(path, split) for split in SPLITS} for path in variants}


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
