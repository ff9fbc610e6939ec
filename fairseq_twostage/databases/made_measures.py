"""Measures of a table that are made of others: what a line costs, what rows add up to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fairseq_twostage.databases.expressions import quoted
from fairseq_twostage.databases.guessed import Guessed

COUNTS = ("quantity", "qty", "count", "units", "pieces")
_PRICES = ("price", "cost", "fare", "fee")
_OF_A_LINE = ("each", "ordered", "sold", "bought")  # behind what is said: price each


class MadeMeasures:
    """Finds measures of tables, and adds those that are made of others.

    Args:
        guessed: has the tables with their measures.
    """

    def __init__(self, guessed: Guessed) -> None:
        self.guessed = guessed

    def measures(self, table: str) -> dict[str, dict[str, Any]]:
        """The entries of a table's measures, by name."""
        found: dict[str, dict[str, Any]] = self.guessed.tables[table].setdefault("measures", {})
        return found

    def measure(self, table: str, words: Sequence[str]) -> str | None:
        """The first measure of a table whose name ends by one of some words."""
        for name in self._named(table):
            *before, last = name.split("_")
            if last in words or (last in _OF_A_LINE and before[-1:] and before[-1] in words):
                return name
        return None

    def amount(self, line: str) -> str | None:
        """The measure of what a line costs; made of number and price where there is none."""
        found = self.measure(line, ("amount", "total", "subtotal"))
        number, price = self.measure(line, COUNTS), self.measure(line, _PRICES)
        if found or not number or not price:
            return found
        measures = self.measures(line)
        columns = [str(measures[each].get("column", each)) for each in (number, price)]
        entry = {"expression": " * ".join(map(quoted, columns))}
        if "unit" in measures[price]:
            entry["unit"] = measures[price]["unit"]
        self.gather(line, "amount", entry)
        return "amount"

    def gather(self, table: str, name: str, entry: Mapping[str, Any]) -> None:
        """Add a measure, unless a table has one so named; a sum has the unit of what it sums."""
        if self.guessed.has(table, name):
            return
        of, _, measure = str(entry.get("sum_of", "")).partition(".")
        unit = self.measures(of).get(measure, {}).get("unit") if of else None
        self.measures(table)[name] = {**entry, **({"unit": unit} if unit else {}), "guessed": True}

    def total(self, table: str, name: str, ends: Iterable[str]) -> None:
        """A measure of rows added up for each of what they belong to."""
        entry = self.measures(table)[name]
        noun = entry.get("phrase") or name.replace("_", " ")
        plural = self.guessed.tables[table]["plural"]
        of = {"sum_of": f"{table}.{name}", "phrase": f"total {noun} of {plural}"}
        if "hours" in entry.get("synonyms", ()):
            of["synonyms"] = "total hours"
        for end in ends:
            self.gather(end, f"{table}_{name}", of)

    def _named(self, table: str) -> Iterator[str]:
        measures: Mapping[str, Any] = self.guessed.tables[table].get("measures", {})
        return (name for name, entry in measures.items() if not entry.get("aside"))
