"""What lies below a level of its own: of what there is less than at which it is ordered anew."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from fairseq_twostage.databases.expressions import quoted
from fairseq_twostage.databases.guessed import column_of, first_named
from fairseq_twostage.text.function_words import word_set

_STOCK = word_set("stock inventory hand")
_LEAST = word_set("reorder minimum min safety par")
_SPENT = word_set("spent spend actual cost costs expenses")
_PLANNED = word_set("budget budgeted planned estimated estimate")


def add_levels(entry: dict[str, Any]) -> None:
    """Add to what is guessed of a table the rows below their minimum and over their budget.

    Each is a filter by the difference of two columns, of which no other question is made.
    """
    measures: Mapping[str, Any] = entry.get("measures", {})
    least, planned = _named(measures, _LEAST), _named(measures, _PLANNED)
    if least is not None:
        said = " ".join(least.split("_"))
        words = [f"{word} their {said}" for word in ("below", "under")]
        _add(entry, _named(measures, _STOCK, besides=_LEAST), least, "below", words)
    if planned is not None:
        words = ["over budget", f"over their {' '.join(planned.split('_'))}"]
        _add(entry, _named(measures, _SPENT, besides=_PLANNED), planned, "above", words)


def _add(
    entry: dict[str, Any], there: str | None, level: str, bound: str, words: list[str]
) -> None:
    measures: dict[str, Any] = entry["measures"]
    if there is None or measures[there].get("unit") != measures[level].get("unit"):
        return
    columns = [column_of(measures, name) for name in (there, level)]
    name, condition = f"{there}_beyond_{level}", "_".join(words[0].split())
    taken = any(name in group for group in entry.values() if isinstance(group, dict))
    if taken:
        return
    unit = {key: value for key, value in measures[there].items() if key == "unit"}
    difference = {
        "expression": " - ".join(map(quoted, columns)),
        "aside": True,
        "guessed": True,
        **unit,
    }
    measures[name] = difference
    said = {"synonyms": words[1:]} if words[1] != words[0] else {}
    entry.setdefault("filters", {})[condition] = {"dimension": name, bound: 0, **said}


def _named(
    measures: Mapping[str, Any], words: Collection[str], besides: Collection[str] = ()
) -> str | None:
    """The first measure that is a column, with one of the words and none of the others."""
    others = {name for name in measures if not {*besides}.isdisjoint(name.split("_"))}
    columns = (name for name in measures if "expression" not in measures[name])
    return first_named([name for name in columns if name not in others], words)
