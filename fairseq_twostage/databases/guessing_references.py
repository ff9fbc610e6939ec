"""Which tables refer to which, and what a table is by its references: a link, a bridge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations

from fairseq_twostage.databases.guessed import Kind, done_to
from fairseq_twostage.databases.identifier_words import IDENTIFYING, NAMING
from fairseq_twostage.databases.inflection import singular
from fairseq_twostage.databases.reflection import ColumnFacts, Reference, Reflected
from fairseq_twostage.databases.tables import ROW
from fairseq_twostage.databases.vocabulary import PERSONS
from fairseq_twostage.databases.words import column_words, initial_id, words_of

DONE = ("by", "to")  # approved by, assigned to: somebody
NAMED = 3  # the likeness of a column that is called as a table and its key
LEAST_CONTAINED = 3  # distinct values that must be contained where no name agrees


def _has_name(kind: Kind) -> bool:
    """Whether a table has a column that names its rows, by what it is called."""
    columns = map(words_of, kind.facts.columns)
    return any(words[-1] in (*NAMING, kind.words[-1]) for words in columns)


def _key(kind: Kind) -> tuple[str, str]:
    """A table and its key column."""
    return kind.facts.name, kind.key[0]


def _key_facts(kind: Kind) -> ColumnFacts:
    return kind.facts.columns[kind.key[0]]


def _alike(one: ColumnFacts, two: ColumnFacts) -> bool:
    """Whether the values of two columns can be compared in the database."""
    return one.kind == two.kind and one.stored_as_text == two.stored_as_text


def _may_hold(column: ColumnFacts, keys: Sequence[ColumnFacts]) -> bool:
    """Whether a column's values may be those of two of the keys, by how many there are and by the
    least and the most of them."""
    if len(keys) < 2 or column.distinct > sum(sorted(key.distinct for key in keys)[-2:]):
        return False
    if None in (column.least, column.most, *(key.least for key in keys)):
        return True
    within = min(key.least for key in keys) <= column.least
    return bool(within and column.most <= max(key.most for key in keys))


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
        self._known_apart: dict[tuple[str, str], bool] = {}

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
            if other.facts.view and not kind.facts.view and likeness < NAMED:
                continue  # sums by city say nothing of a customer but what the city does
            pairs = {column.name: other.key[0]}
            if self.database.contained(kind.facts.name, pairs, other.facts.name):
                yield Reference(pairs, other.facts.name, guessed=True)
                return

    def _of_either(self, kind: Kind, column: ColumnFacts) -> list[Reference]:
        """The two tables of which each value is one's key: ids that films and series share."""
        if not column.name.lower().endswith(IDENTIFYING) or column.distinct < LEAST_CONTAINED:
            return []
        if [column.name] == kind.key:
            return []
        at = kind.facts.name, column.name
        others = [
            other
            for other in self._named
            if other is not kind and _alike(column, _key_facts(other))
        ]
        if not _may_hold(column, list(map(_key_facts, others))):
            return []
        touched = [other for other in others if self.database.share(at, _key(other))]
        found = [
            (one, two)
            for one, two in combinations(touched, 2)
            if self._apart(one, two) and self.database.has_no_other(*at, _key(one), _key(two))
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
        target = _key_facts(other)
        if not _alike(column, target):
            return False
        if column.distinct > target.distinct:
            return False
        # Its own key is another's only where the name says so, and never one by which others
        # are declared to refer to it.
        own_key = [column.name] == kind.key
        if own_key and kind.facts.name in self._referred:
            return False
        same_name = words_of(column.name) == words_of(other.key[0])
        return not own_key or same_name or self._likeness(column, other, own_key) == NAMED

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
        if words == [initial_id(other.words)] and _has_name(other):
            return 2
        if words[-1] in DONE and len(words) > 1 and self._persons == [other.name]:
            return 1
        return 0

    @cached_property
    def _named(self) -> list[Kind]:
        """Tables with a key of one column and with a name."""
        return [
            kind
            for kind in self.kinds.values()
            if kind.extends is None and len(kind.key) == 1 and kind.facts.rows and _has_name(kind)
        ]

    def _apart(self, one: Kind, two: Kind) -> bool:
        """Whether the keys of two tables have no value in common; asked once."""
        both = one.facts.name, two.facts.name
        if both not in self._known_apart:
            self._known_apart[both] = not self.database.share(_key(one), _key(two))
        return self._known_apart[both]

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
        told = [kind.facts.columns[name] for name in kind.facts.key]
        keys = {column.name for column in told if len(told) == 1 or column.kind != "text"}
        beside = set(kind.facts.columns) - kind.linked - keys
        return not beside and kind.name not in {
            self.kinds[each.table].name
            for other in self.kinds.values()
            for each in other.references
        }

    def is_loose_link(self, kind: Kind) -> bool:
        """A table that is called as what somebody does, Lives_in, with two references to two
        tables and nothing that tells its rows apart, whatever else stands there: the room."""
        if kind.key or not kind.facts.rows or len(kind.references) != 2:
            return False
        return done_to(kind.facts.name) is not None and len({r.table for r in kind.references}) == 2

    def is_bridge(self, kind: Kind) -> bool:
        """A link table with more to say, as an order's items with their number."""
        columns = [column for reference in kind.references for column in reference.columns]
        told = sorted(columns) == sorted(kind.key) or kind.key == [ROW]
        return len(kind.references) == 2 and told and not kind.several
