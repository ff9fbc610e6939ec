"""The counts of errors that lie beside the results files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_text
from fairseq_twostage.reporting.error_classes import ErrorClass
from fairseq_twostage.reporting.first_release import FIELD
from fairseq_twostage.results import ERRORS_SUFFIX


@dataclass(frozen=True)
class ErrorCounts:
    """Of one run.

    Attributes:
        system: of the run, as the next two.
        domain: it was scored on.
        setting: ``paper`` or ``grammar``.
        split: whose rows were counted.
        errors: of each class.
        first_release: accuracy by the score of :mod:`.first_release`, percent; None where that
            was not counted.
    """

    system: str
    domain: str
    setting: str
    split: str
    errors: Mapping[ErrorClass, int]
    first_release: float | None

    def with_split(self) -> ErrorCounts:
        """The same, the domain with the split behind it unless that is the test."""
        if self.split == "test":
            return self
        return replace(self, domain=f"{self.domain} ({self.split})")


def read_error_counts(folder: Path) -> list[ErrorCounts]:
    """Every file of counts under a folder of results, by name.

    Raises:
        UserError: a file is not counts of errors.
    """
    return [_read(path) for path in sorted(folder.glob(f"*/*{ERRORS_SUFFIX}"))]


def _read(path: Path) -> ErrorCounts:
    text = read_text(path)
    try:
        content = json.loads(text)
        domain, setting, _ = path.name.removesuffix(ERRORS_SUFFIX).rsplit(".", 2)
        errors = {error: int(content["errors"][error.value]) for error in ErrorClass}
        split = str(content["split"])
        released = 100 * int(content[FIELD]) / int(content["total"]) if FIELD in content else None
    except (ValueError, KeyError, TypeError, ZeroDivisionError):
        raise UserError("not counts of errors", str(path)) from None
    return ErrorCounts(path.parent.name, domain, setting, split, errors, released)
