"""How long something lasts, and how old somebody is: measures that dates make."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from fairseq_twostage.databases.tables import TODAY
from fairseq_twostage.databases.vocabulary import SPANS
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
    first, last = (_column(moments, dates[end]) for end in both)
    measure: dict[str, Any] = {"expression": f"days({first}, {last})", "unit": "day"}
    others = entry.get("measures", {}).values()
    words = comparison_of(["duration"])
    if words is not None and not any(other.get("most") == words.most for other in others):
        measure |= words._asdict()
    return measure


def _age(moments: Mapping[str, Any]) -> dict[str, Any] | None:
    born, died = _named(moments, _BIRTH), _named(moments, _DEATH)
    if born is None:
        return None
    until = TODAY if died is None else _column(moments, died)
    return {
        "expression": f"years({_column(moments, born)}, {until})",
        "unit": "year",
        "asked": "how old is" if died is None else "how old was",
        "more": "older",
        "less": "younger",
    }


def _named(moments: Mapping[str, Any], words: Collection[str]) -> str | None:
    return next((name for name in moments if not {*words}.isdisjoint(name.split("_"))), None)


def _column(moments: Mapping[str, Any], name: str) -> str:
    return str(moments[name].get("column", name))
