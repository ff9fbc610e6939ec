"""From a reflected database to its semantic layer: what tables, columns and keys seem to mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from fairseq_twostage.databases.reflection import ColumnFacts, Reference, Reflected, TableFacts
from fairseq_twostage.databases.words import (
    ADJECTIVAL,
    CONTAINERS,
    IDENTIFYING,
    NAMING,
    column_words,
    comparison_of,
    comparison_rank,
    identifier_of,
    plural,
    singular,
    table_words,
    words_of,
)

MOST_ADJECTIVES = 500  # distinct values that stand before a noun
MOST_LETTERS = 60  # of a value that somebody would say
MOST_KEY_COLUMNS = 8  # columns of which pairs are tried as a key
LEAST_CONTAINED = 3  # distinct values that must be contained where no name agrees
_FLAGS = ("is", "has", "can", "was", "with", "in")
_TEXT_FLAGS = ({"y", "n"}, {"yes", "no"}, {"true", "false"}, {"t", "f"})


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


@dataclass
class _Kind:
    """A table on its way to a type.

    Attributes:
        words: how people call a row.
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
    several: list[str] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    extends: Reference | None = None

    @property
    def linked(self) -> set[str]:
        """Columns of references."""
        return {column for reference in self.references for column in reference.columns}


def guess(database: Reflected) -> Guessed:
    """The semantic layer of a database."""
    guesser = _Guesser(database)
    return guesser.guessed


class _Guesser:
    def __init__(self, database: Reflected) -> None:
        self.database = database
        self.guessed = Guessed()
        self.kinds: dict[str, _Kind] = {}
        for facts in database.tables.values():
            self._add(facts)
        for kind in self.kinds.values():
            kind.references = list(self._declared(kind))
            kind.extends = self._extended(kind)
        for kind in self.kinds.values():
            kind.references += self._contained(kind)
        links = [kind for kind in self.kinds.values() if self._is_link(kind)]
        others = [kind for kind in self.kinds.values() if kind not in links]
        for kind in others:
            if kind.extends is None:
                self._table(kind)
        for kind in others:
            if kind.extends is not None:
                self._extension(kind, kind.extends)
        for kind in others:
            self._relationships(kind)
        for kind in [*links, *(kind for kind in others if self._is_bridge(kind))]:
            self._link(kind)

    # Tables and their keys

    def _add(self, facts: TableFacts) -> None:
        if not facts.columns:
            self.guessed.left_out.append(f"{facts.name}: it has no column")
            return
        words = table_words(facts.name)
        names = {kind.name for kind in self.kinds.values()}
        name = identifier_of(words)
        while name in names:
            name += "_2"
        kind = _Kind(facts, words, name, facts.key, bool(facts.key))
        if not kind.key:
            kind.key = self._guessed_key(facts, words)
        if len(kind.key) != 1 and not kind.declared:
            self._one_of_several(kind)
        self.kinds[facts.name] = kind

    def _guessed_key(self, facts: TableFacts, words: Sequence[str]) -> list[str]:
        """One column without equal values, else two of few; nothing where there are none."""
        if not facts.rows:
            return []
        candidates = [
            column
            for column in facts.columns.values()
            if column.filled == facts.rows
            and column.kind in ("text", "number")
            and not (column.kind == "number" and not column.whole)
        ]
        single = [column for column in candidates if column.distinct == facts.rows]
        single = [column for column in single if column.kind == "text" or self._says_key(column)]
        if single:
            best = min(single, key=lambda column: self._keyness(column, words))
            return [best.name]
        texts = [c for c in candidates if c.kind == "text" or self._says_key(c)]
        texts = [c for c in texts if c.distinct > 1][:MOST_KEY_COLUMNS]
        for one, two in combinations(texts, 2):
            if one.distinct * two.distinct >= facts.rows:
                both = [one.name, two.name]
                if self.database.distinct(facts.name, both) == facts.rows:
                    return both
        return []

    def _says_key(self, column: ColumnFacts) -> bool:
        return words_of(column.name)[-1] in IDENTIFYING

    def _keyness(self, column: ColumnFacts, words: Sequence[str]) -> tuple[bool, bool, bool]:
        own = column_words(column.name, words)[0]
        return (
            own[-1] not in IDENTIFYING,
            own[-1] not in NAMING,
            words_of(column.name)[: len(words)] != [*words],
        )

    def _one_of_several(self, kind: _Kind) -> None:
        """Where one column alone tells all others but one, rows of it are one thing several times:
        a river, once for each state that it runs through."""
        facts = kind.facts
        others = [c.name for c in facts.columns.values() if c.distinct > 1 and c.kind != "other"]
        for column in kind.key or others:
            own = facts.columns[column]
            if own.kind != "text" or own.filled < facts.rows or own.distinct >= facts.rows - 1:
                continue
            rest = [other for other in others if other != column]
            told = [
                c for c in rest if self.database.distinct(facts.name, [column, c]) == own.distinct
            ]
            if told and len(rest) - len(told) == 1:
                kind.several = [other for other in rest if other not in told]
                kind.key = [column]
                return

    # References

    def _declared(self, kind: _Kind) -> Iterator[Reference]:
        for reference in kind.facts.references:
            if reference.table in self.kinds:
                yield reference

    def _contained(self, kind: _Kind) -> Iterator[Reference]:
        """Columns whose values all are the key of another table, by name or by what they hold."""
        known = {column for each in kind.facts.references for column in each.columns}
        for column in kind.facts.columns.values():
            if column.name not in known:
                yield from self._guessed_reference(kind, column)

    def _guessed_reference(self, kind: _Kind, column: ColumnFacts) -> Iterator[Reference]:
        """The table whose key a column's values are, if there is one."""
        if column.kind not in ("text", "number") or not column.filled:
            return
        found = [
            (self._likeness(column, other), other)
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

    def _may_refer(self, kind: _Kind, column: ColumnFacts, other: _Kind) -> bool:
        if len(other.key) != 1 or not other.facts.rows:
            return False
        target = other.facts.columns[other.key[0]]
        if target.kind != column.kind or target.stored_as_text != column.stored_as_text:
            return False
        if column.distinct > target.distinct:
            return False
        # Its own key is another's only where the name says so.
        own_key = [column.name] == kind.key
        return not own_key or self._likeness(column, other) > 0

    def _likeness(self, column: ColumnFacts, other: _Kind) -> int:
        """3: named as the table and its key; 2: as the table at the end; 1: as the table."""
        words = words_of(column.name)
        target = [*other.words, *column_words(other.key[0], other.words)[0]] if other.key else []
        if words == target or (words[-1] in IDENTIFYING and words[:-1] == other.words):
            return 3
        stem = words[:-1] if words[-1] in (*IDENTIFYING, *NAMING) else words
        if stem and singular(stem[-1]) == other.words[-1]:
            return 2
        return 0

    def _extended(self, kind: _Kind) -> Reference | None:
        """The table of which this one says more, row by row."""
        if len(kind.key) != 1 or kind.several or kind.facts.rows < 2:
            return None
        tables = self.database.tables.values()
        declared = {each.table for facts in tables for each in facts.references}
        if kind.facts.name in declared:
            return None
        own = kind.facts.columns[kind.key[0]]
        found = [*kind.references, *self._guessed_reference(kind, own)]
        for reference in found:
            other = self.kinds[reference.table]
            if list(reference.columns) == kind.key and [*reference.columns.values()] == other.key:
                return reference
        return None

    def _is_link(self, kind: _Kind) -> bool:
        """Two references, and no more than a key or a date beside them."""
        if len(kind.references) != 2 or kind.extends is not None:
            return False
        first, second = kind.references
        if set(first.columns) & set(second.columns):
            return False
        beside = set(kind.facts.columns) - kind.linked - set(kind.facts.key)
        return not beside and kind.name not in {
            self.kinds[each.table].name
            for other in self.kinds.values()
            for each in other.references
        }

    def _is_bridge(self, kind: _Kind) -> bool:
        """A link table with more to say, as an order's items with their number."""
        columns = [column for reference in kind.references for column in reference.columns]
        return (
            len(kind.references) == 2 and sorted(columns) == sorted(kind.key) and not kind.several
        )

    # Types

    def _table(self, kind: _Kind) -> None:
        facts = kind.facts
        noun = " ".join(kind.words)
        entry: dict[str, Any] = {} if facts.name == kind.name else {"table": facts.name}
        if facts.view and not kind.key:
            self.guessed.left_out.append(f"{facts.name}: a view without a key")
            return
        if not kind.key:
            reason = "it is empty" if not facts.rows else "nothing tells its rows apart"
            self.guessed.left_out.append(f"{facts.name}: {reason}; give it a key by hand")
            return
        entry["key"] = kind.key[0] if len(kind.key) == 1 else list(kind.key)
        if kind.several:
            entry["repeated"] = True
        entry["noun"], entry["plural"] = noun, plural(noun)
        if facts.comment:
            entry["description"] = facts.comment
        self.guessed.tables[kind.name] = entry
        at = ("tables", kind.name)
        if not kind.declared:
            several = f"; a row for each {kind.several[0]}" if kind.several else ""
            self.guessed.notes[(*at, "key")] = f"guessed{several}"
        for column in facts.columns.values():
            if column.name not in kind.several:
                self._column(kind, column, kind.name, {})
        self._name(kind, entry)

    def _name(self, kind: _Kind, entry: dict[str, Any]) -> None:
        """The dimension that people name a row by."""
        dimensions = entry.get("dimensions", {})
        said = [
            name
            for name, each in dimensions.items()
            if "values" not in each and not each.get("aside")
        ]
        rows = kind.facts.rows
        by_column = {each.get("column", name): name for name, each in dimensions.items()}
        for column in kind.key:
            if by_column.get(column) in said and kind.facts.columns[column].kind == "text":
                entry["name"] = by_column[column]
                break
        else:
            named = [name for name in said if name.split("_")[-1] in NAMING]
            nearly = [
                name
                for name in said
                if kind.facts.columns[dimensions[name].get("column", name)].distinct > 0.8 * rows
            ]
            found = [*named, *nearly]
            if found:
                entry["name"] = found[0]
        if "name" in entry:
            order = ("table", "key", "repeated", "name", "noun", "plural", "description")
            rest = {key: value for key, value in entry.items() if key not in order}
            first = {key: entry[key] for key in order if key in entry}
            entry.clear()
            entry.update(first | rest)

    def _extension(self, kind: _Kind, reference: Reference) -> None:
        """Columns of a second table as properties of the first."""
        other = self.kinds[reference.table]
        if other.name not in self.guessed.tables:
            return
        through = {
            "through": kind.facts.name,
            "from_columns": dict(reference.columns),
        }
        for column in kind.facts.columns.values():
            if column.name not in reference.columns:
                self._column(kind, column, other.name, through)

    def _column(
        self, kind: _Kind, column: ColumnFacts, table: str, through: dict[str, Any]
    ) -> None:
        """A dimension, a time dimension or a measure."""
        at = f"{kind.facts.name}.{column.name}"
        if column.kind == "other":
            self.guessed.left_out.append(f"{at}: nothing can be asked of its type")
            return
        words, unit = column_words(column.name, kind.words)
        only_key = column.name in kind.key and (column.kind != "text" or self._says_key(column))
        if column.name in kind.linked or only_key:
            return
        entry: dict[str, Any] = {"column": column.name, **through}
        name = identifier_of(words)
        group = self._group(column, words, entry)
        if group == "measures":
            if unit:
                entry["unit"] = unit
            self._compared(entry, words, table)
        if column.comment:
            entry["description"] = column.comment
        groups = self.guessed.tables[table]
        if not through and column.name == name:
            del entry["column"]
        while any(name in groups.get(each, {}) for each in _GROUPS):
            name = f"{kind.name}_{name}"
        groups.setdefault(group, {})[name] = entry
        self._note(column, ("tables", table, group, name))

    def _compared(self, entry: dict[str, Any], words: Sequence[str], table: str) -> None:
        """Words of comparison: of two measures with the same ones, for one: size before number."""
        found = comparison_of(words)
        if found is None:
            return
        for name, other in self.guessed.tables[table].get("measures", {}).items():
            if other.get("most") == found.most:
                if comparison_rank(words) >= comparison_rank(name.split("_")):
                    return
                for key in found._fields:
                    del other[key]
        entry |= found._asdict()

    def _note(self, column: ColumnFacts, at: tuple[str, ...]) -> None:
        if not column.filled:
            self.guessed.notes[at] = "always missing"
        elif column.distinct == 1:
            self.guessed.notes[at] = f"always {str(column.values[0])[:40]}"
        elif column.kind in ("number", "date", "timestamp") and column.least is not None:
            least, most = (_short(value) for value in (column.least, column.most))
            self.guessed.notes[at] = f"{least} to {most}"
        else:
            some = ", ".join(str(value)[:20] for value in column.values[:3])
            self.guessed.notes[at] = f"{column.distinct} values: {some}, …"

    def _group(self, column: ColumnFacts, words: Sequence[str], entry: dict[str, Any]) -> str:
        """Which kind of property a column is; adds to the entry how it is stored."""
        last = words[-1]
        if column.kind in ("date", "timestamp", "time"):
            if column.stored_as_text:
                entry["stored_as"] = column.kind
            return "time_dimensions"
        if column.kind == "number":
            flag = (
                not column.stored_as_text and column.whole and {column.least, column.most} <= {0, 1}
            )
            if flag and (words[0] in _FLAGS or column.distinct == 2):
                entry["stored_as"] = "boolean"
                return "dimensions"
            years = column.least is not None and column.least >= 1000 and column.most <= 2200
            if column.whole and "year" in words and years:
                entry["stored_as"] = "year"
                return "time_dimensions"
            if last in IDENTIFYING or last in ("zip", "phone", "postcode", "isbn", "fax"):
                entry |= {"values": "none", "aside": True}
                if column.stored_as_text:
                    entry["stored_as"] = "text"
                return "dimensions"
            if column.stored_as_text:
                entry["stored_as"] = "number"
            return "measures"
        if column.kind == "boolean":
            return "dimensions"
        self._text(column, words, entry)
        return "dimensions"

    def _text(self, column: ColumnFacts, words: Sequence[str], entry: dict[str, Any]) -> None:
        values = [str(value) for value in column.values]
        if {value.lower() for value in values} in _TEXT_FLAGS and column.all_listed:
            entry["stored_as"] = "boolean"
            return
        mean = sum(map(len, values)) / max(1, len(values))
        if column.distinct < 2:
            entry |= {"values": "none", "aside": True}
        elif mean > MOST_LETTERS or words[-1] in (
            "url",
            "email",
            "description",
            "comment",
            "notes",
        ):
            entry |= {"values": "none"}
        elif words[-1] in ADJECTIVAL and column.distinct <= MOST_ADJECTIVES:
            entry["wording"] = "adjective"

    # Relationships

    def _relationships(self, kind: _Kind) -> None:
        if kind.name not in self.guessed.tables:
            return
        for reference in kind.references:
            other = self.kinds[reference.table]
            if other.name not in self.guessed.tables or reference is kind.extends:
                continue
            columns = list(reference.columns)
            role = self._role(columns[-1], other)
            entry: dict[str, Any] = {"from": kind.name, "to": other.name}
            if set(columns) & set(kind.several):
                entry["through"] = kind.facts.name
                entry["from_columns"] = {column: column for column in kind.key}
                entry["to_columns"] = dict(reference.columns)
            else:
                entry["columns"] = dict(reference.columns)
            self._phrased(entry, role, other)
            name = identifier_of([kind.name, *role])
            self._relate(name, entry, reference.guessed)

    def _link(self, kind: _Kind) -> None:
        first, second = kind.references
        one, two = self.kinds[first.table], self.kinds[second.table]
        if one.name not in self.guessed.tables or two.name not in self.guessed.tables:
            return
        entry: dict[str, Any] = {
            "from": one.name,
            "to": two.name,
            "through": kind.facts.name,
            "from_columns": dict(first.columns),
            "to_columns": dict(second.columns),
        }
        role = self._role(next(iter(second.columns)), two)
        if role == two.words:
            entry["phrase"], entry["inverse"] = "with", "with"
        else:
            entry["phrase"] = f"with {' '.join(role)}"
            entry["inverse"] = f"{' '.join(role)} of"
        words = kind.words
        if kind.name in self.guessed.tables:  # a bridge has a type, too
            words = [*one.words, *role]
        self._relate(identifier_of(words), entry, first.guessed or second.guessed)

    def _role(self, column: str, other: _Kind) -> list[str]:
        """What the rows of a reference are called: ``director`` of ``director_id``."""
        words = words_of(column)
        stem = words[:-1] if words[-1] in (*IDENTIFYING, *NAMING) and len(words) > 1 else words
        return other.words if stem[-1:] == other.words[-1:] and len(stem) == 1 else stem

    def _phrased(self, entry: dict[str, Any], role: Sequence[str], other: _Kind) -> None:
        if role == other.words:
            entry["phrase"] = "in" if other.words[-1] in CONTAINERS else "of"
        elif role[-1] == "by":
            entry["phrase"] = " ".join(role)
        else:
            entry["phrase"] = f"with {' '.join(role)}"
            entry["inverse"] = f"{' '.join(role)} of"

    def _relate(self, name: str, entry: dict[str, Any], guessed: bool) -> None:
        known = {*self.guessed.relationships, *self.guessed.tables}
        while name in known:
            name = f"{name}_2"
        if guessed:
            entry["guessed"] = True
        self.guessed.relationships[name] = entry


_GROUPS = ("dimensions", "time_dimensions", "measures")


def _short(value: Any) -> str:
    return f"{value:.10g}" if isinstance(value, (int, float)) else str(value)
