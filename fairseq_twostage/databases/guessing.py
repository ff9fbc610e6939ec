"""From a reflected database to its semantic layer: what tables, columns and keys seem to mean."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fairseq_twostage.databases.guessed import Guessed, Kind, says_key
from fairseq_twostage.databases.guessing_columns import ColumnGuesser
from fairseq_twostage.databases.guessing_details import add_running
from fairseq_twostage.databases.guessing_keys import KeyGuesser
from fairseq_twostage.databases.guessing_levels import add_levels
from fairseq_twostage.databases.guessing_nouns import add_usual_synonyms
from fairseq_twostage.databases.guessing_paths import PathGuesser
from fairseq_twostage.databases.guessing_references import ReferenceGuesser
from fairseq_twostage.databases.guessing_relationships import RelationshipGuesser
from fairseq_twostage.databases.guessing_sorts import add_sorts
from fairseq_twostage.databases.guessing_spans import add_spans
from fairseq_twostage.databases.reflection import ColumnFacts, Reference, Reflected, TableFacts
from fairseq_twostage.databases.vocabulary import (
    FAMILY,
    GIVEN,
    IDENTIFYING,
    MARKS,
    NAMING,
    OWN_NAMES,
    PERSONS,
)
from fairseq_twostage.databases.words import (
    RARE,
    identifier_of,
    is_short_for,
    plural,
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
        links = [kind for kind in self.kinds.values() if references.is_link(kind)]
        others = [kind for kind in self.kinds.values() if kind not in links]
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
        for kind in others:
            relationships.add(kind)
        bridges = [kind for kind in others if references.is_bridge(kind)]
        for kind in [*links, *bridges]:
            relationships.add_link(kind)
        add_sorts(self.guessed)
        paths = PathGuesser(self.guessed)
        paths.add()
        add_usual_synonyms(self.guessed)
        for kind in bridges:
            entry = self.guessed.tables.get(kind.name, {"name": kind.name})
            judged = any(MARKS & {*name.split("_")} for name in entry.get("measures", ()))
            if "name" not in entry and not judged:  # an order's items, but no student's grades
                entry["aside"] = True
        paths.add_far()

    def _drop_views(self) -> None:
        """Views that are called as a table is: they show its rows once more."""
        tables = {
            " ".join(kind.words): name for name, kind in self.kinds.items() if not kind.facts.view
        }
        for name, kind in list(self.kinds.items()):
            shown = tables.get(" ".join(kind.words))
            if kind.facts.view and shown is not None:
                del self.kinds[name]
                self.guessed.left_out.append(f"{name}: a view of rows of {shown}")

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
        self._full_name(kind, entry)
        add_spans(entry)
        add_running(kind, entry)
        add_levels(entry)
        self._name(kind, entry)

    def _full_name(self, kind: Kind, entry: dict[str, Any]) -> None:
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

    def _name(self, kind: Kind, entry: dict[str, Any]) -> None:
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
        # Several animals may be called Rex: people say names all the same, where a row has a key.
        called = [
            name
            for name, facts in columns.items()
            if name in ("name", "full_name") and facts.distinct > 1 and len(kind.key) == 1
        ]
        nearly = [
            name
            for name, facts in columns.items()
            if facts.distinct > 0.8 * rows and facts.filled > 0.95 * rows
        ]
        described = ("description",) if len(kind.key) == 1 and columns else ()
        own_names = (*OWN_NAMES, kind.words[-1], kind.name, *described)
        own = [name for name in nearly if name in own_names]
        found = [*keys, *named, *called, *nearly][:1]
        if found and own and own[0] != found[0] and _are_codes(columns[found[0]]):
            return [own[0], *found]
        coded = [
            name
            for name, facts in columns.items()
            if [facts.name] == kind.key and facts.kind == "text" and _are_codes(facts)
        ]
        return [*found, *(name for name in coded if found and name not in found)]

    def _id(self, kind: Kind, dimensions: dict[str, Any]) -> None:
        """The number that is the key of what has a name: asked for, and never said."""
        column = kind.facts.columns[kind.key[0]]
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


def _is_name(dimension: str, words: Collection[str]) -> bool:
    """Whether it is the first, or the last, name of a person, as ``words`` say."""
    parts = dimension.split("_")
    return parts[-1] in words or (len(parts) > 1 and parts[-1] == "name" and parts[-2] in words)


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
