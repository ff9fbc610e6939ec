"""How the paper's code, as it was first released, scores GeoGranno.

There the values of an utterance's placeholders are looked up, but the forms are executed without
them. So a form with a placeholder prints an error, and two rows are told apart by its text alone:
on 171 of the 278 test rows a prediction is right if it fails like the gold form. Gold forms fail in
two ways: by a name without a type (``filter`` by a placeholder), or by one that the world lacks
(``getProperty`` of it).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from fairseq_twostage.corpora.lexicon import is_placeholder
from fairseq_twostage.errors import UserError
from fairseq_twostage.results import ERRORS_SUFFIX
from fairseq_twostage.semantics import Denotation, Failure, World, execute

FIELD = "first_release_correct"


def first_release_counts(
    predictions: Iterable[tuple[str, str, Mapping[str, str]]], world: World
) -> dict[str, int]:
    """How many rows that code counts as right, under :data:`FIELD`; nothing where no row has a
    placeholder, which is where it counts as we do.

    Args:
        predictions: predicted form, gold form and the variables of each row.
        world: in which both are executed.
    """
    rows = list(predictions)
    if not any(variables for _, _, variables in rows):
        return {}
    right = (
        printed(execute(predicted, world)) == printed(execute(gold, world))
        for predicted, gold, _ in rows
    )
    return {FIELD: sum(right)}


def printed(denotation: Denotation) -> str:
    """What SEMPRE prints, up to the wording of its errors.

    Java 8 says of an index that is out of range which index, but not in which name.
    """
    if not isinstance(denotation, Failure):
        return denotation.metric_text or ""
    words = denotation.message.split()
    if denotation.category == "index":
        words = [word for word in words if not is_placeholder(word)]
    return " ".join(("ERROR", denotation.category, *words))


def read_first_release(folder: Path) -> dict[tuple[str, str], list[float]]:
    """What :func:`first_release_counts` found beside the results files, setting ``paper``.

    Returns:
        By (system, domain): accuracy of each seed, percent.

    Raises:
        UserError: a file is not counts of errors.
    """
    found: dict[tuple[str, str], list[float]] = {}
    for path in sorted(folder.glob(f"*/*.paper.*{ERRORS_SUFFIX}")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            if FIELD in content:
                domain = path.name.removesuffix(ERRORS_SUFFIX).rsplit(".", 2)[0]
                accuracy = 100 * int(content[FIELD]) / int(content["total"])
                found.setdefault((path.parent.name, domain), []).append(accuracy)
        except (ValueError, KeyError, TypeError):
            raise UserError("not counts of errors", str(path)) from None
    return found
