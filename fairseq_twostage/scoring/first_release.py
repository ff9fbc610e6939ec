"""How the paper's code, as it was first released, scores GeoGranno.

There the values of an utterance's placeholders are looked up, but the forms are executed without
them. So a form with a placeholder prints an error, and two rows are told apart by its text alone:
on 171 of the 278 test rows a prediction is right if it fails like the gold form. Gold forms fail in
two ways: by a name without a type (``filter`` by a placeholder), or by one that the world lacks
(``getProperty`` of it).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fairseq_twostage.domains.registry import GEO
from fairseq_twostage.semantics import Denotation, Failure, World, execute
from fairseq_twostage.text.placeholders import is_placeholder


def first_release_correct(
    predictions: Iterable[tuple[str, str, Mapping[str, str]]], world: World, domain: str
) -> int | None:
    """How many rows that code counts as right; None where it counts as we do: in other domains,
    and where no row has a placeholder.

    Args:
        predictions: predicted form, gold form and the variables of each row.
        world: in which both are executed.
        domain: of the rows.
    """
    rows = list(predictions)
    if domain != GEO or not any(variables for _, _, variables in rows):
        return None
    return sum(
        printed(execute(predicted, world)) == printed(execute(gold, world))
        for predicted, gold, _ in rows
    )


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
