"""From a reflected database to its semantic layer: what tables, columns and keys seem to mean."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fairseq_twostage.databases.guessed import Guessed, Kind
from fairseq_twostage.databases.guessing_columns import ColumnGuesser
from fairseq_twostage.databases.guessing_details import add_running, put_start_first
from fairseq_twostage.databases.guessing_ends import add_ends
from fairseq_twostage.databases.guessing_keys import KeyGuesser
from fairseq_twostage.databases.guessing_levels import add_levels
from fairseq_twostage.databases.guessing_names import NameGuesser
from fairseq_twostage.databases.guessing_nouns import add_usual_synonyms
from fairseq_twostage.databases.guessing_paths import PathGuesser
from fairseq_twostage.databases.guessing_references import ReferenceGuesser
from fairseq_twostage.databases.guessing_relationships import RelationshipGuesser
from fairseq_twostage.databases.guessing_sorts import add_sorts
from fairseq_twostage.databases.guessing_spans import add_spans
from fairseq_twostage.databases.identifier_words import IDENTIFYING
from fairseq_twostage.databases.inflection import plural
from fairseq_twostage.databases.reflection import Reference, Reflected, TableFacts
from fairseq_twostage.databases.tables import NUMBERED, ROW
from fairseq_twostage.databases.vocabulary import MARKS, PERSONS
from fairseq_twostage.databases.words import (
    RARE,
    identifier_of,
    is_short_for,
    table_words,
    words_of,
)
from fairseq_twostage.text.function_words import zipf


def guess(database: Reflected) -> Guessed:
    """The semantic layer of a database."""
    guesser = _Guesser(database)
    return guesser.guessed


class _Guesser:
    def __init__(self, database: Reflected) -> None:
        self.guessed = Guessed()
        self.kinds: dict[str, Kind] = {}
        self.keys = KeyGuesser(database)
        self.columns = ColumnGuesser(self.guessed)
        self.names = NameGuesser(self.guessed, self.columns, self.kinds)
        from_files = all(facts.view for facts in database.tables.values())  # DuckDB reads them so
        references = ReferenceGuesser(database, self.kinds)
        relationships = RelationshipGuesser(self.guessed, self.kinds)
        called = {" ".join(table_words(name)) for name in database.tables}
        for facts in database.tables.values():
            self._add(facts, called)
        if not from_files:
            self._drop_views()
        for kind in self.kinds.values():
            kind.references = list(references.declared(kind))
            kind.extends = references.extended(kind)
        for kind in self.kinds.values():
            kind.references += references.contained(kind)
        for kind in self.kinds.values():
            if kind.extends is not None and any(
                each.columns.keys() - {*kind.key} for each in kind.references
            ):
                kind.references = [kind.extends, *(r for r in kind.references if r != kind.extends)]
                kind.extends = None  # it says of each row what other it belongs to
        loose = [kind for kind in self.kinds.values() if references.is_loose_link(kind)]
        links = [kind for kind in self.kinds.values() if kind in loose or references.is_link(kind)]
        why = "nothing tells the table's rows apart; give it a key by hand"
        self.guessed.left_out += [
            f"{kind.facts.name}.{column}: {why}"
            for kind in loose
            for column in kind.facts.columns
            if column not in kind.linked
        ]
        others = [kind for kind in self.kinds.values() if kind not in links]
        if database.engine.dialect.name in NUMBERED:
            for kind in others:
                if not (kind.key or kind.facts.view) and kind.facts.rows:
                    kind.key = [ROW]
        for kind in others:
            if kind.extends is None:
                self._table(kind)
        for kind in others:
            if kind.extends is not None and kind.facts.view and not from_files:
                of = kind.extends.table
                self.guessed.left_out.append(f"{kind.facts.name}: a view of rows of {of}")
            elif kind.extends is not None:
                self._extension(kind, kind.extends)
        self.columns.share_types()
        add_ends(self.guessed)
        for kind in others:
            relationships.add(kind)
        bridges = [kind for kind in others if references.is_bridge(kind)]
        for kind in [*links, *bridges]:
            relationships.add_link(kind)
        add_sorts(self.guessed)
        rows = {kind.name: kind.facts.rows for kind in self.kinds.values()}
        paths = PathGuesser(self.guessed, rows)
        paths.add()
        add_usual_synonyms(self.guessed)
        for kind in bridges:
            entry = self.guessed.tables.get(kind.name, {"name": kind.name})
            judged = any(MARKS & {*name.split("_")} for name in entry.get("measures", ()))
            known = "name" in entry or kind.key == [ROW]  # what it says, nothing else does
            said = any("values" not in each for each in entry.get("dimensions", {}).values())
            told = said and "measures" not in entry  # who is where on the stage
            if not (known or judged or told):  # an order's items, but no student's grades
                entry["aside"] = True
        paths.add_far()

    def _drop_views(self) -> None:
        """Views that are called as a table is, or have columns of one alone: they show its rows
        once more."""
        tables = {
            " ".join(kind.words): name for name, kind in self.kinds.items() if not kind.facts.view
        }
        for name, kind in list(self.kinds.items()):
            shown = tables.get(" ".join(kind.words)) or self._selected(kind)
            if kind.facts.view and shown is not None:
                del self.kinds[name]
                self.guessed.left_out.append(f"{name}: a view of rows of {shown}")

    def _selected(self, view: Kind) -> str | None:
        """The one table that has all columns of a view, of which there are several."""
        columns = {name.lower() for name in view.facts.columns}
        found = [
            name
            for name, kind in self.kinds.items()
            if not kind.facts.view and columns <= {column.lower() for column in kind.facts.columns}
        ]
        return found[0] if len(columns) > 1 and len(found) == 1 else None

    def _add(self, facts: TableFacts, called: Collection[str]) -> None:
        if not facts.columns:
            self.guessed.left_out.append(f"{facts.name}: it has no column")
            return
        in_full = _parted(table_words(facts.name), called)
        words = _called_by_name(_called_by_key(in_full, facts), facts, called)
        if " ".join(words) in called:  # sprint results by result_id, where there are results
            words = in_full
        names = {kind.name for kind in self.kinds.values()}
        name = identifier_of(words)
        while name in names:
            name += "_2"
        key = self.keys.shared_key(facts) or facts.key
        kind = Kind(facts, words, name, key, bool(facts.key), in_full)
        if not kind.key:
            kind.key = self.keys.guessed_key(facts, words)
        if len(kind.key) != 1 and not kind.declared:
            self.keys.one_of_several(kind)
        self.kinds[facts.name] = kind

    def _table(self, kind: Kind) -> None:
        facts = kind.facts
        noun = " ".join(kind.words)
        entry: dict[str, Any] = {} if facts.name == kind.name else {"table": facts.name}
        if not kind.key:
            reason = "it is empty" if not facts.rows else "nothing tells its rows apart"
            self.guessed.left_out.append(f"{facts.name}: {reason}; give it a key by hand")
            return
        entry["key"] = kind.key[0] if len(kind.key) == 1 else list(kind.key)
        if kind.several:
            entry["repeated"] = True
        entry["noun"], entry["plural"] = noun, plural(noun)
        if kind.in_full != kind.words:
            entry["synonyms"] = [" ".join(kind.in_full)]
        if kind.words[-1] in PERSONS or "nationality" in map(str.lower, facts.columns):
            entry["person"] = True
        if facts.comment:
            entry["description"] = facts.comment
        self.guessed.tables[kind.name] = entry
        at = ("tables", kind.name)
        if not kind.declared:
            several = f"; a row for each {kind.several[0]}" if kind.several else ""
            self.guessed.notes[(*at, "key")] = f"guessed{several}"
        for column in facts.columns.values():
            if column.name not in kind.several:
                self.columns.add(kind, column, kind.name, {})
        self.names.join(kind, entry)
        add_spans(entry)
        add_running(kind, entry)
        put_start_first(entry)
        add_levels(entry)
        self.names.add(kind, entry)

    def _extension(self, kind: Kind, reference: Reference) -> None:
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
                self.columns.add(kind, column, other.name, through)


def _parted(words: list[str], called: Collection[str]) -> list[str]:
    """A word that begins with what another table is called, in two: *country language*."""
    if len(words) != 1 or zipf(words[0]):  # membership
        return words
    for other in called:
        rest = words[0].removeprefix(other)
        if rest != words[0] and min(len(other), len(rest)) > 2 and zipf(rest) >= RARE:
            return [other, rest]
    return words


def _called_by_name(words: list[str], facts: TableFacts, called: Collection[str]) -> list[str]:
    """A country language that has a ``Language`` is a language, where nothing else is one."""
    whose, last = " ".join(words[:-1]), words[-1]
    columns = {" ".join(words_of(name)) for name in facts.columns}
    return [last] if whose in called and last in columns and last not in called else words


def _called_by_key(words: list[str], facts: TableFacts) -> list[str]:
    """A customer order whose key is ``ORDER_ID`` is an order; of leaves, by ``LEAVE_ID``, a
    leave."""
    if len(facts.key) == 1:
        *stem, last = words_of(facts.key[0])
        if stem and last in IDENTIFYING and stem == words[-len(stem) :]:
            return stem
        if len(stem) == 1 and last in IDENTIFYING and is_short_for(stem[0], words[-1], word=False):
            return words[-1:]
        if len(stem) == 1 and last in IDENTIFYING and f"{stem[0]}s" == words_of(facts.name)[-1]:
            return [*words[:-1], stem[0]]
    return words
