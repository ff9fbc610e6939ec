"""How people name the rows of a table: by what is called a name, by a code, by a number."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fairseq_twostage.databases.guessed import Guessed, Kind, column_of, says_key
from fairseq_twostage.databases.guessing_columns import ColumnGuesser
from fairseq_twostage.databases.identifier_words import FAMILY, GIVEN, NAMING, OWN_NAMES
from fairseq_twostage.databases.reflection import ColumnFacts
from fairseq_twostage.databases.vocabulary import (
    AT_ADDRESSES,
    ORGANISED,
    PERSONS,
    REPRESENTATIVES,
    STOPS,
    SUPERIORS,
)

_CODES = ("code", "number", "reference")
"""By these people call what has no name, where they differ: batch *2024-051*."""
_LEAST_NAMES = {"name": 0.0, "full_name": 0.0, "title": 0.25}  # of the rows


class NameGuesser:
    """Says how rows are named: by a dimension, by two of them, or by a number.

    Args:
        guessed: has the tables.
        columns: forgets what is no dimension of its own.
        kinds: of all tables, by their names in the database.
    """

    def __init__(self, guessed: Guessed, columns: ColumnGuesser, kinds: Mapping[str, Kind]) -> None:
        self.guessed = guessed
        self.columns = columns
        self.kinds = kinds

    def join(self, kind: Kind, entry: dict[str, Any]) -> None:
        """One name of a first and a last one, which are properties all the same."""
        dimensions = entry.get("dimensions", {})
        first, last = (
            next((name for name in dimensions if _is_name(name, words)), None)
            for words in (GIVEN, FAMILY)
        )
        if first is None or last is None or "name" in dimensions:
            return
        columns = [dimensions[each].get("column", each) for each in (first, last)]
        for each in (first, last):
            dimensions[each].pop("unique", None)
            self.columns.forget(kind.name, each)
        entry["dimensions"] = {"name": {"columns": columns}} | dimensions
        entry |= {"person": True, "name": "name"}

    def add(self, kind: Kind, entry: dict[str, Any]) -> None:
        """What people name a row by: a dimension, or its number."""
        dimensions = entry.get("dimensions", {})
        if "name" not in entry and (names := self._naming(kind, dimensions)):
            entry["name"] = names[0]
            if names[1:]:
                entry["also_named_by"] = names[1:]
                dimensions[names[1]].pop("unique", None)
        if "name" in entry:
            dimensions[entry["name"]].pop("unique", None)
            self._id(kind, dimensions)
        else:
            self._number(kind, entry)
        if "name" in entry or "numbered_by" in entry:
            order = (
                *("table", "key", "repeated", "name", "also_named_by", "numbered_by"),
                *("noun", "plural", "person", "description"),
            )
            rest = {key: value for key, value in entry.items() if key not in order}
            first = {key: entry[key] for key in order if key in entry}
            entry.clear()
            entry.update(first | rest)

    def _naming(self, kind: Kind, dimensions: dict[str, Any]) -> list[str]:
        """The key if people say it, else what is called a name, else what is nearly unique.

        Of a key of codes and a name both, the name first: people say JFK and Kennedy Airport.
        """
        columns = {
            name: kind.facts.columns[each.get("column", name)]
            for name, each in dimensions.items()
            if "values" not in each and not each.get("aside")
        }
        columns = {name: facts for name, facts in columns.items() if _are_words(facts)}
        keys = [
            name
            for column in kind.key
            for name, facts in columns.items()
            if facts.name == column and facts.kind == "text" and not says_key(facts)
        ]
        rows = kind.facts.rows
        named = [
            name
            for name, facts in columns.items()
            if name.split("_")[-1] in NAMING and facts.distinct > 0.5 * rows
        ]
        # Several animals may be called Rex, and paintings Venus: people say names all the same,
        # where a row has a key.
        called = [
            name
            for name, least in _LEAST_NAMES.items()
            if name in columns and len(kind.key) == 1
            if columns[name].distinct > max(1, least * rows)
        ]
        nearly = [
            name
            for name, facts in columns.items()
            if facts.distinct > 0.8 * rows and facts.filled > 0.95 * rows
        ]
        described = ("description",) if len(kind.key) == 1 and columns else ()
        addressed = ("address", "street_address") if kind.words[-1] in AT_ADDRESSES else ()
        own_names = (*OWN_NAMES, kind.words[-1], kind.name, *described, *addressed)
        own = [name for name in nearly if name in own_names]
        named.sort(key=lambda name: _is_of_others(name, kind.words))
        if named and not keys and _is_of_others(named[0], kind.words):
            named = [*(name for name in nearly if name in ORGANISED), *named]
        found = [*keys, *named, *called, *nearly][:1]
        if found and own and own[0] != found[0] and _are_codes(columns[found[0]]):
            return [own[0], *found]
        coded = [
            name
            for name, facts in columns.items()
            if [facts.name] == kind.key and facts.kind == "text" and _are_codes(facts)
        ]
        if not found:
            found = [
                name
                for name, each in dimensions.items()
                if name in _CODES and each.get("unique") and "values" not in each
            ][:1] or self._numbers(kind, dimensions)
        if found and kind.words[-1] in STOPS:  # flights to Oslo, to OSL
            places = ("city", "town")
            short = [n for n, facts in columns.items() if n in places or _are_codes(facts)]
            coded += [name for name in short if columns[name].distinct == rows]
        return [*found, *(name for name in coded if found and name not in found)]

    @staticmethod
    def _numbers(kind: Kind, dimensions: dict[str, Any]) -> list[str]:
        """Numbers by which people call what has another key: rooms, of which each hotel has a
        *205*."""
        name = f"{kind.words[-1]}_number"
        if dimensions.get(name, {}).get("stored_as") != "text":
            return []
        facts = kind.facts.columns[column_of(dimensions, name)]
        if facts.name in kind.key or facts.filled < kind.facts.rows or facts.distinct < 2:
            return []
        dimensions[name] = {k: v for k, v in dimensions[name].items() if k == "column"}
        return [name]

    def _id(self, kind: Kind, dimensions: dict[str, Any]) -> None:
        """The number that is the key of what has a name: asked for, and never said."""
        column = kind.facts.columns.get(kind.key[0])
        if column is None:
            return
        whole = column.kind == "number" and column.whole and not column.stored_as_text
        own = len(kind.key) == 1 and kind.declared and column.name not in kind.linked
        if whole and own and not self.guessed.has(kind.name, "id"):
            dimensions["id"] = {"column": column.name, "values": "none"}

    def _number(self, kind: Kind, entry: dict[str, Any]) -> None:
        """The number by which people name a row, where they have no name for it and others refer
        to it."""
        others = [each for other in self.kinds.values() for each in other.references]
        if kind.facts.name not in {each.table for each in others}:
            return
        if len(kind.key) == 1 and kind.key[0] not in kind.linked and not kind.several:
            column = kind.facts.columns[kind.key[0]]
            if column.kind == "number" and column.whole and not column.stored_as_text:
                measures = entry.setdefault("measures", {})
                if not self.guessed.has(kind.name, "number"):
                    measures["number"] = {"column": column.name, "aside": True}
                    entry["numbered_by"] = "number"


def _is_name(dimension: str, words: Collection[str]) -> bool:
    """Whether it is the first, or the last, name of a person, as ``words`` say."""
    parts = dimension.split("_")
    return parts[-1] in words or (len(parts) > 1 and parts[-1] == "name" and parts[-2] in words)


def _is_of_others(dimension: str, words: Sequence[str]) -> bool:
    """Whether it is the name of somebody who belongs to a row: of a sponsor's *contact*."""
    owner = dimension.split("_")[:-1]
    return (
        bool(owner)
        and owner[-1] in PERSONS | REPRESENTATIVES | SUPERIORS
        and not ({*owner} & {*words})
    )


def _are_words(facts: ColumnFacts) -> bool:
    """Whether most values have a letter: no times of laps, 1:33.987."""
    values = [str(value) for value in facts.values]
    return 2 * sum(any(map(str.isalpha, value)) for value in values) >= len(values)


def _are_codes(facts: ColumnFacts) -> bool:
    """Whether values are JFK and B01: no blank, and letters with digits or capital letters."""
    values = [str(value) for value in facts.values]
    return bool(values) and all(
        " " not in value and (value.isupper() or any(map(str.isdigit, value))) for value in values
    )
