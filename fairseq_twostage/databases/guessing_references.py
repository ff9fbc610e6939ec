"""Which tables refer to which, and what a table is by its references: a link, a bridge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import combinations

from fairseq_twostage.databases.guessed import Kind
from fairseq_twostage.databases.reflection import ColumnFacts, Reference, Reflected
from fairseq_twostage.databases.vocabulary import IDENTIFYING, NAMING, PERSONS
from fairseq_twostage.databases.words import column_words, initial_id, singular, words_of

DONE = ("by", "to")  # approved by, assigned to: somebody
LEAST_CONTAINED = 3  # distinct values that must be contained where no name agrees


def is_thing(kind: Kind) -> bool:
    """Whether a table has a column that names its rows, by what it is called."""
    columns = map(words_of, kind.facts.columns)
    return any(words[-1] in (*NAMING, kind.words[-1]) for words in columns)


def _initials_id(one: Kind, two: Kind) -> str:
    """How ids of either of two tables are called by their first letters: ``msid``."""
    return f"{one.words[0][0]}{two.words[-1][0]}id"


class ReferenceGuesser:
    """Finds references, declared and by what columns hold.

    Args:
        database: counts and compares values.
        kinds: of all its tables, by their names there.
    """

    def __init__(self, database: Reflected, kinds: Mapping[str, Kind]) -> None:
        self.database = database
        self.kinds = kinds

    def declared(self, kind: Kind) -> Iterator[Reference]:
        """Foreign keys to tables that have a type."""
        for reference in kind.facts.references:
            if reference.table in self.kinds:
                yield reference

    def contained(self, kind: Kind) -> Iterator[Reference]:
        """Columns whose values all are the key of another table, by name or by what they hold."""
        known = {column for each in kind.facts.references for column in each.columns}
        for column in kind.facts.columns.values():
            if column.name not in known:
                found = [*self._guessed_reference(kind, column)]
                yield from found or self._of_either(kind, column)

    def _guessed_reference(self, kind: Kind, column: ColumnFacts) -> Iterator[Reference]:
        """The table whose key a column's values are, if there is one."""
        if column.kind not in ("text", "number") or not column.filled:
            return
        found = [
            (self._likeness(column, other, [column.name] == kind.key), other)
            for other in self.kinds.values()
            if other is not kind and other.extends is None and self._may_refer(kind, column, other)
        ]
        for likeness, other in sorted(found, key=lambda item: -item[0]):
            if not likeness and (column.kind == "number" or column.distinct < LEAST_CONTAINED):
                continue
            pairs = {column.name: other.key[0]}
            if self.database.contained(kind.facts.name, pairs, other.facts.name):
                yield Reference(pairs, other.facts.name, guessed=True)
                return

    def _of_either(self, kind: Kind, column: ColumnFacts) -> list[Reference]:
        """The two tables of which each value is one's key: ids that films and series share."""
        if not column.name.lower().endswith(IDENTIFYING) or column.distinct < LEAST_CONTAINED:
            return []
        others = [
            other
            for other in self.kinds.values()
            if other is not kind and other.extends is None and [column.name] != kind.key
            if len(other.key) == 1 and other.facts.rows and is_thing(other)
            if other.facts.columns[other.key[0]].kind == column.kind
        ]
        found = [
            pair
            for pair in combinations(others, 2)
            if self.database.told_apart(
                kind.facts.name,
                column.name,
                *((other.facts.name, other.key[0]) for other in pair),
            )
        ]
        called = [pair for pair in found if words_of(column.name) == [_initials_id(*pair)]]
        if len(called or found) != 1:
            return []
        return [
            Reference({column.name: other.key[0]}, other.facts.name, guessed=True, partial=True)
            for other in (called or found)[0]
        ]

    def _may_refer(self, kind: Kind, column: ColumnFacts, other: Kind) -> bool:
        if len(other.key) != 1 or not other.facts.rows:
            return False
        target = other.facts.columns[other.key[0]]
        if target.kind != column.kind or target.stored_as_text != column.stored_as_text:
            return False
        if column.distinct > target.distinct:
            return False
        # Its own key is another's only where the name says so, and never one by which others
        # are declared to refer to it.
        own_key = [column.name] == kind.key
        if own_key and kind.facts.name in self._referred:
            return False
        same_name = words_of(column.name) == words_of(other.key[0])
        return not own_key or same_name or self._likeness(column, other, own_key) == 3

    def _likeness(self, column: ColumnFacts, other: Kind, own_key: bool) -> int:
        """3: named as the table and its key; 2: as the table at the end, or as its key; 1: as what
        a person does, where one table alone is of persons."""
        words = words_of(column.name)
        target = [*other.words, *column_words(other.key[0], other.words)[0]] if other.key else []
        if words == target or (words[-1] in IDENTIFYING and words[:-1] == other.words):
            return 3
        stem = words[:-1] if words[-1] in (*IDENTIFYING, *NAMING) else words
        if stem and singular(stem[-1]) == other.words[-1]:
            return 2
        own_words = words_of(other.key[0]) if other.key else []
        if not own_key and words == own_words and words[0] not in (*IDENTIFYING, *NAMING):
            return 2  # gid, where genres have a gid
        if words == [initial_id(other.words)] and is_thing(other):
            return 2
        if words[-1] in DONE and len(words) > 1 and self._persons == [other.name]:
            return 1
        return 0

    @property
    def _persons(self) -> list[str]:
        return [kind.name for kind in self.kinds.values() if kind.words[-1] in PERSONS]

    def extended(self, kind: Kind) -> Reference | None:
        """The table of which this one says more, row by row."""
        if len(kind.key) != 1 or kind.several or kind.facts.rows < 2:
            return None
        if kind.facts.name in self._referred:
            return None
        own = kind.facts.columns[kind.key[0]]
        found = [*kind.references, *self._guessed_reference(kind, own)]
        for reference in found:
            other = self.kinds[reference.table]
            if list(reference.columns) == kind.key and [*reference.columns.values()] == other.key:
                return reference
        return None

    @cached_property
    def _referred(self) -> set[str]:
        """Tables to which others are declared to refer."""
        tables = self.database.tables.values()
        return {each.table for facts in tables for each in facts.references}

    def is_link(self, kind: Kind) -> bool:
        """Two references, and no more than a key or a date beside them."""
        if len(kind.linked) != 2 or kind.extends is not None:
            return False
        if len({(*reference.columns,) for reference in kind.references}) != 2:
            return False
        beside = set(kind.facts.columns) - kind.linked - set(kind.facts.key)
        return not beside and kind.name not in {
            self.kinds[each.table].name
            for other in self.kinds.values()
            for each in other.references
        }

    def is_bridge(self, kind: Kind) -> bool:
        """A link table with more to say, as an order's items with their number."""
        columns = [column for reference in kind.references for column in reference.columns]
        return (
            len(kind.references) == 2 and sorted(columns) == sorted(kind.key) and not kind.several
        )
