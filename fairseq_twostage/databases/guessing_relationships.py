"""How tables are related, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from fairseq_twostage.databases.guessed import Guessed, Kind, done_to
from fairseq_twostage.databases.guessing_ends import end_of
from fairseq_twostage.databases.happening_words import DONE_BY, TRAVELLED
from fairseq_twostage.databases.identifier_words import IDENTIFYING, NAMING
from fairseq_twostage.databases.inflection import participle, plural, present
from fairseq_twostage.databases.phrases import PREPOSITIONS, is_participle
from fairseq_twostage.databases.reflection import Reference
from fairseq_twostage.databases.vocabulary import (
    BUYERS,
    CONTAINERS,
    DEALS,
    HOMES,
    MAKERS,
    PERFORMERS,
    PERSONS,
    PETS,
    RECORDS,
    REPRESENTATIVES,
    STAFF,
    STOPS,
    SUPERIORS,
    TOGETHER,
    VERBS,
    WORK,
    WORKPLACES,
    WRITTEN,
)
from fairseq_twostage.databases.words import identifier_of, initial_id, is_short_for, words_of

HANDED = frozenset(("allocated", "assigned", "given", "issued", "lent", "loaned"))
ADDRESSED = frozenset(("address", "street", "postcode", "zip", "opens", "parking"))


_DONE_BY_PERSONS = frozenset(verb for verbs in VERBS.values() for verb in verbs.split(" ")[:1])


class RelationshipGuesser:
    """Adds relationships between the tables that have been guessed.

    Args:
        guessed: gets them.
        kinds: of all tables, by their names in the database.
    """

    def __init__(self, guessed: Guessed, kinds: Mapping[str, Kind]) -> None:
        self.guessed = guessed
        self.kinds = kinds

    def add(self, kind: Kind) -> None:
        """The references of a table."""
        if kind.name not in self.guessed.tables:
            return
        for reference in kind.references:
            other = self.kinds[reference.table]
            if other.name not in self.guessed.tables or reference is kind.extends:
                continue
            columns = list(reference.columns)
            role = other.words if reference.partial else self._role(columns[-1], other)
            entry: dict[str, Any] = {"from": kind.name, "to": other.name}
            if set(columns) & set(kind.several):
                entry["through"] = kind.facts.name
                entry["from_columns"] = {column: column for column in kind.key}
                entry["to_columns"] = dict(reference.columns)
            else:
                entry["columns"] = dict(reference.columns)
            if reference.partial:
                entry["partial"] = True
            self._phrased(entry, role, other)
            name = identifier_of([kind.name, *role])
            self._relate(name, entry, reference.guessed)

    def add_link(self, kind: Kind) -> None:
        """The relationships between the two tables that a third one links; more than one where a
        column refers to either of two."""
        for first, second in combinations(kind.references, 2):
            if not first.columns.keys() & second.columns.keys():
                self._add_link(kind, first, second)

    def _add_link(self, kind: Kind, first: Reference, second: Reference) -> None:
        one, two = self.kinds[first.table], self.kinds[second.table]
        if one.name not in self.guessed.tables or two.name not in self.guessed.tables:
            return
        role = two.words if second.partial else self._role(next(iter(second.columns)), two)
        part = kind.words[-1]
        deal, acted = DEALS.get(part), TOGETHER.get(part)
        own = part not in (*DEALS, *TOGETHER, two.words[-1])
        if role == two.words and own and kind.words[:-1] == one.words and self._is_person(two):
            role = [part]  # show_host
        done_to_it = done_to(kind.facts.name)
        *done, by = kind.in_full
        made = by == "by" and bool(done) and is_participle(done[-1])
        if made and one.words[-1] in PERSONS:
            first, second, one, two = second, first, two, one
            role = two.words
        entry: dict[str, Any] = {
            "from": one.name,
            "to": two.name,
            "through": kind.facts.name,
            "from_columns": dict(first.columns),
            "to_columns": dict(second.columns),
        }
        if first.partial or second.partial:
            entry["partial"] = True
        if made:
            entry["phrase"], entry["inverse"] = " ".join(kind.in_full), present(done[-1])
        elif done_to_it is not None:
            entry["phrase"], entry["inverse"] = " ".join(done_to_it), "with"
            entry["synonyms"] = [done_to_it[1]]
        elif part in _DONE_BY_PERSONS and self._is_person(one):
            entry["phrase"] = part
            entry["inverse"] = f"{participle(part)} by"
        elif acted and role == two.words and self._is_person(one) and not self._is_person(two):
            entry["phrase"] = acted
        elif deal and role == two.words and one.words[-1] in BUYERS:
            entry["phrase"] = deal
        elif deal and role == two.words and two.words[-1] in BUYERS:
            entry["phrase"], entry["inverse"] = f"{participle(deal)} by", deal
        elif role == two.words and one.words[-1] in PETS and self._is_person(two):
            entry |= {"phrase": "owned by", "synonyms": ["of"], "inverse": "own"}
            entry["inverses"] = ["have"]
        elif role == two.words and two.words[-1] in PETS and self._is_person(one):
            entry |= {"phrase": "own", "synonyms": ["have"], "inverse": "owned by"}
        elif role == two.words:
            entry["phrase"], entry["inverse"] = linked(one.words[-1], two.words[-1])
        else:
            entry["phrase"] = f"with {' '.join(role)}"
            entry["inverse"] = f"{' '.join(role)} of"
            if role[-1] in VERBS:
                entry["inverses"] = VERBS[role[-1]].split()
        if role == two.words and not (made or done_to_it):
            _say_deeds(entry, one.words[-1], two.words[-1])
            apart = {*kind.words}.isdisjoint((*one.words, *two.words))
            if apart and not (acted or deal) and part not in _DONE_BY_PERSONS:
                by = f"with {plural(' '.join(kind.words))} for"  # employees' certificates
                entry["synonyms"] = [*entry.get("synonyms", []), by]
        if one.words[-1] in STAFF and two.words[-1] in WORK:
            entry.setdefault("synonyms", []).append("work on")
        words = kind.words
        if kind.name in self.guessed.tables:  # a bridge has a type, too
            words = [*one.words, *(two.words if role == [part] else role)]
        self._relate(identifier_of(words), entry, first.guessed or second.guessed)

    def _role(self, column: str, other: Kind) -> list[str]:
        """What the rows of a reference are called: ``director`` of ``director_id``, and as their
        table where the column is called as its key, ``code``."""
        words = words_of(column)
        if len(words) == 1 and words == words_of(other.key[0]):
            return other.words
        stem = words[:-1] if words[-1] in (*IDENTIFYING, *NAMING) and len(words) > 1 else words
        acting = len(stem) > 1 and (stem[-2] in VERBS or stem[-2] in REPRESENTATIVES)
        if acting and other.has_value(" ".join(stem[:-1])):
            return stem  # there are others of this job who are nobody's
        if acting and (stem[-1:] == other.words[-1:] or self._shortened(stem[-1:], other)):
            return stem[:-1]  # the manager of manager_employee_id
        if len(stem) > 1 and stem[-1] not in PREPOSITIONS and self._shortened(stem[-1:], other):
            return [*stem[:-1], other.words[-1]]  # the home branch of home_br
        same = (stem[-1:] == other.words[-1:] and len(stem) == 1) or words == [
            initial_id(other.words)
        ]
        keyed = words == words_of(other.key[0]) and len(other.key) == 1
        return other.words if same or keyed or self._shortened(stem, other) else stem

    def _is_person(self, kind: Kind) -> bool:
        return kind.words[-1] in PERSONS or "person" in self.guessed.tables.get(kind.name, {})

    @staticmethod
    def _shortened(words: Sequence[str], other: Kind) -> bool:
        """Whether a column calls another table by the beginning of its noun, pat of patients, or
        else in short: appt of appointments."""
        noun, word = other.words[-1], words[0]
        begins = 2 <= len(word) < len(noun) and noun.startswith(word)
        return len(words) == 1 and (begins or is_short_for(word, noun, word=False))

    def _phrased(self, entry: dict[str, Any], role: Sequence[str], other: Kind) -> None:
        if role == other.words:
            entry["phrase"] = "in" if self._contains(other) else "of"
            if self.guessed.called(entry["from"]) == "language" and entry["phrase"] == "in":
                entry |= {"phrase": "spoken in", "inverse": "speak", "synonyms": ["used in"]}
                return
            if self.guessed.called(entry["from"]) in WRITTEN and self._is_person(other):
                entry |= {"synonyms": ["written by", "by"], "inverse": "write"}
                return
            if said := self._also(self.guessed.called(entry["from"]), other):
                entry["synonyms"] = [said]
            if other.words[-1] in BUYERS and (done := self._done(entry["from"])):
                entry["inverses"] = [done]
            if other.words[-1] in VERBS and self.guessed.called(entry["from"]) not in RECORDS:
                entry["inverses"] = VERBS[other.words[-1]].split()
            if other.words[-1] in STAFF and self.guessed.called(entry["from"]) in WORK:
                entry["inverses"] = ["work on", "handle"]
        elif role[-1] in PREPOSITIONS and len(role) > 1:
            entry["phrase"] = " ".join(role)
            if entry["phrase"] in ("reports to", "report to") and other.words[-1] in PERSONS:
                entry |= {"inverse": "manager of", "inverses": ["manage", "boss of"]}
                entry["synonyms"] = ["with manager"]
            if role[-1] == "by" and role[-2].endswith("ed"):
                entry["inverses"] = [present(role[-2])]
            if role[-1] == "to" and role[-2] in HANDED and other.words[-1] in PERSONS:
                entry["inverses"] = ["have"]
        elif role[0] in PREPOSITIONS and [*role[1:]] == other.words:
            entry["phrase"] = role[0]  # a transfer from a team
        else:
            entry["phrase"] = f"with {' '.join(role)}"
            entry["inverse"] = f"{' '.join(role)} of"
            if role[-1] in VERBS:
                entry["inverses"] = VERBS[role[-1]].split()
            if role[-1] in SUPERIORS:
                entry["synonyms"] = ["report to"]
                if role[-1] != "boss":
                    entry["inverses"] = [*entry.get("inverses", ()), "boss of"]
            served = self.guessed.called(entry["from"]).split()[-1] in BUYERS
            if not REPRESENTATIVES.isdisjoint(role[-2:]) and served and other.words[-1] in STAFF:
                entry["inverses"] = [*entry.get("inverses", ()), "look after"]
            visits = role[0] == "home" and self.guessed.called(entry["from"]) in BUYERS
            if role[0] in HOMES and self._contains(other) and not visits:
                based = ["based at", "based in", *(["stationed at"] * (role[0] != "home"))]
                entry["synonyms"] = [*entry.get("synonyms", ()), *based]
            if end := end_of(role, other.words[-1]):
                travelled = TRAVELLED[end] if other.words[-1] in STOPS else ()
                entry["synonyms"] = [end, *travelled]

    def _done(self, table: str) -> str | None:
        """What people did to have a row of a table: they booked what was *booked on* a date."""
        if self.guessed.called(table) in DEALS:
            return None
        moments = self.guessed.tables[table].get("time_dimensions", {}).values()
        said = (DONE_BY.get(moment.get("wording")) for moment in moments)
        return next(filter(None, said), None)

    def _contains(self, other: Kind) -> bool:
        """Whether things are in one of these: in a city, or in a studio that has an address."""
        columns = (words_of(column)[0] for column in other.facts.columns)
        placed = other.words[-1] == "studio" and not ADDRESSED.isdisjoint(columns)
        return placed or other.words[-1] in CONTAINERS

    def _also(self, one: str, other: Kind) -> str | None:
        """What one does with the other: an employee works in a department."""
        if one == "player" and other.words[-1] in ("team", "club"):
            return "play for"
        if self._contains(other) or other.words[-1] in WORKPLACES:
            return "work in" if one in STAFF else None
        return "by" if other.words[-1] in MAKERS else None

    def _relate(self, name: str, entry: dict[str, Any], guessed: bool) -> None:
        known = {*self.guessed.relationships, *self.guessed.tables}
        while name in known:
            name = f"{name}_2"
        if guessed:
            entry["guessed"] = True
        self.guessed.relationships[name] = entry


def _say_deeds(entry: dict[str, Any], first: str, second: str) -> None:
    """What those of a link do who are called by it: reviewers *review* films, which are *reviewed
    by* them."""
    doer = first if first in VERBS else second
    deeds = VERBS.get(doer, "").split()
    done = [f"{participle(deed)} by" for deed in deeds]
    ways = (deeds, done) if doer == first else (done, deeds)
    for kind, own, words in zip(("synonyms", "inverses"), ("phrase", "inverse"), ways):
        further = [each for each in words if each != entry.get(own)]
        if further:
            entry[kind] = [*entry.get(kind, []), *further]


def linked(first: str, second: str) -> tuple[str, str]:
    """How two things belong together by a third, by their nouns, seen from either: a film is in a
    category, a player in a match, a book by an author."""
    if second in CONTAINERS or (first in PERFORMERS and second not in PERSONS):
        return "in", "with"
    if first in CONTAINERS or (second in PERFORMERS and first not in PERSONS):
        return "with", "in"
    if second in MAKERS:
        return "by", "with"
    if first in MAKERS:
        return "with", "by"
    return "with", "with"
