"""How long something lasts, and how old somebody is: measures that dates make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairseq_twostage.databases.expressions import quoted
from fairseq_twostage.databases.guessed import column_of, first_named
from fairseq_twostage.databases.happening_words import SPANS
from fairseq_twostage.databases.tables import TODAY
from fairseq_twostage.databases.words import comparison_of

_MARKS = ("date", "on", "at")
_BIRTH, _DEATH = frozenset(("born", "birth")), frozenset(("died", "death"))


def add_spans(entry: dict[str, Any]) -> None:
    """Add to what is guessed of a table its duration and its age, where it has the dates."""
    moments: Mapping[str, Any] = entry.get("time_dimensions", {})
    found = {"duration": _duration(entry, moments), "age": _age(moments)}
    for name, measure in found.items():
        known = any(name in entry.get(group, {}) for group in ("measures", "dimensions"))
        if measure is not None and not known:
            entry.setdefault("measures", {})[name] = measure | {"guessed": True}


def _duration(entry: Mapping[str, Any], moments: Mapping[str, Any]) -> dict[str, Any] | None:
    dates = {
        " ".join(word for word in name.split("_") if word not in _MARKS): name
        for name, moment in moments.items()
        if moment.get("stored_as") not in ("time", "year")
    }
    both = next((ends for ends in SPANS if {*ends} <= dates.keys()), None)
    if both is None:
        return None
    first, last = (quoted(column_of(moments, dates[end])) for end in both)
    measure: dict[str, Any] = {"expression": f"days({first}, {last})", "unit": "day"}
    others = entry.get("measures", {}).values()
    words = comparison_of(["duration"])
    if words is not None and not any(other.get("most") == words.most for other in others):
        measure |= words._asdict()
    return measure


def _age(moments: Mapping[str, Any]) -> dict[str, Any] | None:
    born, died = first_named(moments, _BIRTH), first_named(moments, _DEATH)
    if born is None:
        return None
    until = TODAY if died is None else quoted(column_of(moments, died))
    return {
        "expression": f"years({quoted(column_of(moments, born))}, {until})",
        "unit": "year",
        "asked": "how old is" if died is None else "how old was",
        "more": "older",
        "less": "younger",
    }
