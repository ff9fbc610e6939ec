"""From where to where a row goes, where two columns of places say it: shipments *from Hull to
Leeds*."""

from __future__ import annotations

from typing import Any

from fairseq_twostage.databases.guessed import Guessed
from fairseq_twostage.databases.vocabulary import ENDS

_TYPE = "place"  # of the values of both


def add_ends(guessed: Guessed) -> None:
    """Word both columns by the end that they are, and give their values one type."""
    for entry in guessed.tables.values():
        dimensions: dict[str, Any] = entry.get("dimensions", {})
        said = {name: _end(name) for name, each in dimensions.items() if _free(each)}
        found = {end: [name for name in said if said[name] == end] for end in ENDS.values()}
        if any(len(names) != 1 for names in found.values()):
            continue
        for end, (name,) in found.items():
            dimensions[name]["wording"] = end
            if _TYPE not in guessed.tables:
                dimensions[name]["type"] = _TYPE


def _free(entry: dict[str, Any]) -> bool:
    """Whether nothing else has been found out about a column whose values people say."""
    return entry.keys() <= {"column"}


def _end(name: str) -> str | None:
    words = name.split("_")
    ends = (end for called, end in ENDS.items() if words[0] in (*called, end))
    return next(ends, None)
