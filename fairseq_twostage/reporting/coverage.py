"""Which rows of a split ask for a program that training holds, and how systems fare on the others.

A canonical utterance that training does not have must be composed: where such rows are many, the
list of known ones is no answer.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import write_json
from fairseq_twostage.reporting.markdown import MISSING, number, table
from fairseq_twostage.reporting.matrix import Matrix
from fairseq_twostage.results import check_replaceable
from fairseq_twostage.semantics.normalise import program
from fairseq_twostage.text.rows import Row

PREFIX = "coverage."


@dataclass(frozen=True)
class Coverage:
    """The rows of a split whose program training does not hold.

    Attributes:
        domain: an Overnight domain or ``geo``.
        setting: where Z comes from, ``paper`` or ``grammar``.
        split: whose rows they are.
        total: rows of the split.
        new_rows: indices of those with a new program; no sentence of a dataset.
        commit: of the code.
        command: that made this file.
    """

    domain: str
    setting: str
    split: str
    total: int
    new_rows: list[int]
    commit: str
    command: str

    def write(self, folder: Path) -> Path:
        """Write ``folder/coverage.DOMAIN.SETTING.json``; returns its path.

        Raises:
            UserError: one of another split is there.
        """
        path = folder / f"{PREFIX}{self.domain}.{self.setting}.json"
        check_replaceable(path, self.split)
        return write_json(path, asdict(self))


def new_programs(rows: Sequence[Row], known: Collection[str]) -> list[int]:
    """Indices of the rows whose program, spacing and type guards aside, is none of ``known``."""
    forms = {program(form) for form in known}
    return [index for index, row in enumerate(rows) if program(row.logical_form) not in forms]


def read_coverage(folder: Path) -> dict[tuple[str, str], Coverage]:
    """What :meth:`Coverage.write` left in ``folder``, by domain and setting.

    Raises:
        UserError: a file of that name is none.
    """
    found = {}
    for path in sorted(folder.glob(f"{PREFIX}*.json")):
        try:
            coverage = Coverage(**json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, TypeError):
            raise UserError("not written by twostage coverage", str(path)) from None
        found[coverage.domain, coverage.setting] = coverage
    return found


def coverage_table(
    covered: Mapping[tuple[str, str], Coverage],
    systems: Mapping[str, str],
    matrix: Matrix,
) -> list[str]:
    """Accuracy on rows with a known program and on those with a new one, percent.

    Args:
        covered: of the domains that have new programs a line each.
        systems: that are shown, name to label.
        matrix: their runs; those on another split are left out.
    """
    lines = []
    for (domain, setting), coverage in sorted(covered.items()):
        if not coverage.new_rows:
            continue
        shares = [_shares(coverage, system, matrix) for system in systems]
        name = domain if setting == "paper" else f"{domain}, {setting}"
        known = coverage.total - len(coverage.new_rows)
        lines.append([name, str(known), str(len(coverage.new_rows)), *shares])
    return table(["test rows", "known", "new", *systems.values()], lines)


def _shares(coverage: Coverage, system: str, matrix: Matrix) -> str:
    cell = matrix.cell(system, coverage.domain, coverage.setting)
    if cell is None or cell.split != coverage.split:
        return MISSING
    right = cell.rows()
    if len(right) != coverage.total:
        raise UserError("coverage and results are of different rows", coverage.domain)
    known = sorted(set(range(coverage.total)) - set(coverage.new_rows))
    parts = (right[known], right[coverage.new_rows])
    return " / ".join(number(float(part.mean())) if len(part) else MISSING for part in parts)
