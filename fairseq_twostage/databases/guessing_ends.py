"""From where to where a row goes, where two columns of places say it: shipments *from Hull to
Leeds*."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairseq_twostage.databases.guessed import Guessed
from fairseq_twostage.databases.happening_words import ENDS, PLACE_ENDS
from fairseq_twostage.databases.vocabulary import ON_THE_WAY

_TYPE = "place"  # of the values of both


def add_ends(guessed: Guessed) -> None:
    """Word both columns by the end that they are, and give their values one type."""
    for entry in guessed.tables.values():
        dimensions: dict[str, Any] = entry.get("dimensions", {})
        said = {name: _end(name) for name, each in dimensions.items() if _free(each)}
        found = {end: [name for name in said if said[name] == end] for end in ENDS.values()}
        if any(len(names) != 1 for names in found.values()):
            continue
        types = {dimensions[name].get("type") for names in found.values() for name in names}
        if len(types) > 1:  # of a harbour and of a town
            continue
        for end, (name,) in found.items():
            dimensions[name]["wording"] = end
            if _TYPE not in guessed.tables:
                dimensions[name].setdefault("type", _TYPE)


def _free(entry: dict[str, Any]) -> bool:
    """Whether nothing else has been found out about a column whose values people say."""
    return entry.keys() <= {"column", "type"}


def end_of(words: Sequence[str], place: str) -> str | None:
    """*from* or *to*, of what is called by words that say which end of a way a place is."""
    said = {*ENDS.items(), *(PLACE_ENDS.items() if place in ON_THE_WAY else ())}
    found = {end for called, end in said if not {*called}.isdisjoint(words)}
    return found.pop() if len(found) == 1 else None


def _end(name: str) -> str | None:
    words = name.split("_")
    return words[0] if words[0] in ("from", "to") else end_of(words[:1], words[-1])
