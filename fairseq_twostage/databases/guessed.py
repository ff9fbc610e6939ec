"""What is guessed of a reflected database, and a table on its way to a type."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fairseq_twostage.databases.identifier_words import IDENTIFYING
from fairseq_twostage.databases.phrases import PREPOSITIONS
from fairseq_twostage.databases.reflection import ColumnFacts, Reference, TableFacts
from fairseq_twostage.databases.words import RARE, words_of
from fairseq_twostage.text.function_words import zipf

GROUPS = ("dimensions", "time_dimensions", "measures")


@dataclass
class Guessed:
    """What is written into ``schema.yaml``.

    Attributes:
        tables, relationships: as the file has them.
        notes: path in the file -> what stands as a comment behind it.
        left_out: what of the database the file does not have, and why.
    """

    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    relationships: dict[str, dict[str, Any]] = field(default_factory=dict)
    notes: dict[tuple[str, ...], str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    def called(self, table: str) -> str:
        """The last word of what a row is called, which says what it is."""
        return str(self.tables[table]["noun"]).split()[-1]

    def has(self, table: str, name: str) -> bool:
        """Whether a table has a property of this name."""
        return any(name in self.tables[table].get(group, {}) for group in GROUPS)


@dataclass
class Kind:
    """A table on its way to a type.

    Attributes:
        words: how people call a row; ``in_full`` by all words of the table's name.
        name: in the file.
        key: what names a row; ``declared`` or guessed.
        several: columns that differ among rows of one key.
        references: its own and guessed.
    """

    facts: TableFacts
    words: list[str]
    name: str
    key: list[str]
    declared: bool
    in_full: list[str] = field(default_factory=list)
    several: list[str] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    extends: Reference | None = None

    @property
    def short(self) -> str | None:
        """How the key calls a row by the beginning of its noun: ``ev`` of events' ``ev_id``."""
        words = words_of(self.facts.key[0]) if len(self.facts.key) == 1 else []
        short = words[0] if len(words) == 2 and len(words[0]) > 1 else ""
        begins = self.words[-1].startswith(short) and short != self.words[-1]
        return short if short and begins and zipf(short) < RARE else None

    @property
    def linked(self) -> set[str]:
        """Columns of references."""
        return {column for reference in self.references for column in reference.columns}

    def has_value(self, words: str) -> bool:
        """Whether a text column says so of some rows: sales rep, as a job title."""
        texts = (column for column in self.facts.columns.values() if column.kind == "text")
        return any(str(value).strip().lower() == words for text in texts for value in text.values)


def done_to(table: str) -> tuple[str, str] | None:
    """``live`` and ``in`` of a table that is called Lives_in; None of things."""
    verb, *rest = words_of(table)
    if len(rest) != 1 or rest[0] not in PREPOSITIONS or not verb.endswith(("s", "ed")):
        return None
    return verb.removesuffix("s"), rest[0]


def says_key(column: ColumnFacts) -> bool:
    """Whether a column's name is one of keys."""
    return words_of(column.name)[-1] in IDENTIFYING


def first_named(names: Iterable[str], words: Collection[str]) -> str | None:
    """The first property whose name has one of the words."""
    return next((name for name in names if not {*words}.isdisjoint(name.split("_"))), None)


def column_of(group: Mapping[str, Any], name: str) -> str:
    """The column of a property in its group."""
    return str(group[name].get("column", name))
