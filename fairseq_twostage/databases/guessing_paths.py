"""What lies several tables away: what people bought and spent, and who made a part of a thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from fairseq_twostage.databases.guessed import Guessed
from fairseq_twostage.databases.guessing_relationships import linked
from fairseq_twostage.databases.identifier_words import IDENTIFYING
from fairseq_twostage.databases.made_measures import COUNTS, MadeMeasures
from fairseq_twostage.databases.measure_words import ADDITIVE
from fairseq_twostage.databases.vocabulary import (
    ACTED,
    BIDS,
    BUYERS,
    CONTAINERS,
    DEALS,
    HOSTS,
    MAKERS,
    PERSONS,
    RATED,
    SOLD,
    STAFF,
    TOGETHER,
    WORK,
)
from fairseq_twostage.text.question_words import ORGANISATIONS

COPIES = ("copy", "exemplar", "inventory")
FARTHEST = 3  # tables from a row to what it belongs to


class _Step(NamedTuple):
    """A relationship by a column: its name, from where, to where."""

    name: str
    start: str
    end: str


class PathGuesser:
    """Adds measures and relationships over several tables.

    Args:
        guessed: has the tables and the relationships between two of them.
        rows: how many a table has.
    """

    def __init__(self, guessed: Guessed, rows: Mapping[str, int]) -> None:
        self.guessed = guessed
        self.made = MadeMeasures(guessed)
        self.rows = rows
        self._called = guessed.called
        self._fullest = sorted(guessed.tables, key=self._brings_less)
        self.steps = [
            _Step(name, entry["from"], entry["to"])
            for name, entry in guessed.relationships.items()
            if "columns" in entry and entry["from"] != entry["to"]
        ]

    def add(self) -> None:
        """All that is found."""
        for first in list(self.steps):
            if self._called(first.end) in MAKERS:
                for before in self._to(first.start):
                    self._maker(before, first)
            elif self._called(first.start) in DEALS and self._called(first.end) in BUYERS:
                self._purchase(first)
            elif self._called(first.start) == "payment" and self._called(first.end) in BUYERS:
                self._payment(first)
        for table in self._fullest:
            self._shared(table)
        for table in self.guessed.tables:
            self._totals(table)
            self._averages(table)

    def _brings_less(self, table: str) -> tuple[bool, int]:
        """Orders tables that bring the same together: a trip says who drives, no accident."""
        return self._called(table) in BIDS, -self.rows.get(table, 0)

    def _to(self, table: str) -> list[_Step]:
        return [step for step in self.steps if step.end == table]

    def _from(self, table: str) -> list[_Step]:
        return [step for step in self.steps if step.start == table]

    def _maker(self, first: _Step, second: _Step) -> None:
        """A track of an album by an artist is by that artist."""
        direct = any(step.end == second.end for step in self._from(first.start))
        if "name" in self.guessed.tables[first.start] and not direct and first.start != second.end:
            self._relate(first.start, second.end, [first.name, second.name], {"phrase": "by"})

    def _shared(self, table: str) -> None:
        """What the rows of a table that have no name bring together: an employee and a project by
        an assignment, a student and a course by an enrolment."""
        by_columns: dict[tuple[str, ...], list[_Step]] = {}
        for step in self._from(table):
            columns = (*self.guessed.relationships[step.name]["columns"],)
            by_columns.setdefault(columns, []).append(step)
        if len(by_columns) == 2 and "name" not in self.guessed.tables[table]:
            for ends in product(*by_columns.values()):  # one each, but of ids of either of two
                self._share(table, ends)

    def _share(self, table: str, ends: Sequence[_Step]) -> None:
        if ends[0].end == ends[1].end:
            return
        if not all("name" in self.guessed.tables[step.end] for step in ends):
            return
        if len(self._steps(table)) < 2:  # who approved an expense works on no project by that
            return
        one, two = sorted(ends, key=lambda step: self._called(step.end) not in PERSONS)
        if self._linked(one.end, two.end):
            return
        one, two = self._in_full(one, two)
        first, second = self._called(one.end), self._called(two.end)
        work = "work on" if first in STAFF and second in WORK else None
        if any(
            work in self.guessed.relationships[step.name].get("inverses", ())
            for step in self._from(two.end)
        ):
            work = None  # the ticket itself says who works on it
        together = TOGETHER.get(self._called(table))
        phrases = [*filter(None, [together, work]), *ACTED.get(together or "", ())]
        said: dict[str, Any]
        if phrases:
            said = {"phrase": phrases[0], **({"synonyms": phrases[1:]} if phrases[1:] else {})}
            if together in ACTED:
                said["inverses"] = ["feature"]
        else:
            said = dict(zip(("phrase", "inverse"), linked(first, second)))
        self._relate(one.end, two.end, [f"!{one.name}", two.name], said)

    def add_far(self) -> None:
        """What a row belongs to by others, once it is known which tables are aside."""
        for table, entry in self.guessed.tables.items():
            if not entry.get("aside"):
                self._far(table)

    def _far(self, table: str) -> None:
        """What a row belongs to by what it belongs to: a review of a booking of a room of a hotel
        is of that hotel; a place, of whatever is in what is there."""
        direct = {table, *(step.end for step in self._steps(table))}
        ways = [[step] for step in self._steps(table)]
        found: dict[str, list[list[_Step]]] = {}
        for way in ways:
            if len(way) > 1 and "name" in self.guessed.tables[way[-1].end]:
                found.setdefault(way[-1].end, []).append(way)
            if len(way) < FARTHEST:
                passed = {table, *(step.end for step in way)}
                ways += [
                    [*way, step] for step in self._steps(way[-1].end) if step.end not in passed
                ]
        name = str(self.guessed.tables[table].get("name", ""))
        named = name.split("_")[-1] not in ("", *IDENTIFYING)  # a claim's number is no name
        for end, there in found.items():
            phrase = self.guessed.relationships[there[0][-1].name].get("phrase")
            if end in direct or len(there) > 1:
                continue
            if phrase == "of" and (named or (len(there[0]) == FARTHEST and not self._owns(end))):
                continue
            self._relate(table, end, [step.name for step in there[0]], {"phrase": phrase})

    def _owns(self, table: str) -> bool:
        """Whether what is far away belongs to a table's things: payments to a hotel or guest."""
        return self._called(table) in PERSONS | ORGANISATIONS | CONTAINERS | HOSTS

    def _steps(self, table: str) -> list[_Step]:
        """Relationships to one row of which it is not said what it is for a row."""
        return [
            step
            for step in self._from(table)
            if self.guessed.relationships[step.name].get("phrase") in ("of", "in", "at")
        ]

    def _in_full(self, one: _Step, two: _Step) -> tuple[_Step, _Step]:
        """The same by the table that brings most together: the results of a race by driver and
        team, and not its standings."""
        ways = [
            {step.end: step for step in self._steps(table)}
            for table in self._fullest
            if "name" not in self.guessed.tables[table]
        ]
        fullest = max((way for way in ways if {one.end, two.end} <= way.keys()), key=len)
        return fullest[one.end], fullest[two.end]

    def _linked(self, one: str, other: str) -> bool:
        """Whether a table is known that links two others."""
        return any(
            "through" in entry and {entry["from"], entry["to"]} == {one, other}
            for entry in self.guessed.relationships.values()
        )

    def _purchase(self, buyer: _Step) -> None:
        """What the lines of an order, or the order itself, say of who ordered and of what."""
        order, person = buyer.start, buyer.end
        total: str | None = self.made.measure(order, ("total", "amount"))
        if total is not None:
            total = self.made.measures(order)[total].get("sum_of", f"{order}.{total}")
        verb = DEALS[self._called(order)]
        said = {"phrase": verb, **({"synonyms": "order"} if verb == "buy" else {})}
        lined = False
        for line in self._to(order):
            for thing in filter(self._is_thing, self._from(line.start)):
                if thing.end == order:  # named by its number
                    continue
                lined = True
                amount = self.made.amount(line.start)
                if amount and total is None:
                    total = f"{line.start}.{amount}"
                    self.made.gather(order, "total", {"sum_of": total})
                if amount:
                    of = {"sum_of": f"{line.start}.{amount}"}
                    self.made.gather(thing.end, "revenue", of)
                if number := self.made.measure(line.start, COUNTS):
                    of = {"sum_of": f"{line.start}.{number}", "phrase": "pieces sold"}
                    self.made.gather(thing.end, "sold", {**of, "most": "best selling"})
                path = [f"!{buyer.name}", f"!{line.name}", thing.name]
                self._relate(person, thing.end, path, said)
        for thing in () if lined else self._steps(order):  # not where it is picked up
            ways = [[thing]]
            if self._is_copy(thing.end):  # of a film, not the film, nor the shop that it is in
                ways = [[thing, further] for further in self._from(thing.end) if self._of(further)]
            for way in ways:
                if self._is_thing(way[-1]):
                    path = [f"!{buyer.name}", *(step.name for step in way)]
                    self._relate(person, way[-1].end, path, said)
        if total is not None:
            spent = {"phrase": "money spent", "asked": "how much was spent by"}
            self.made.gather(person, "spent", {"sum_of": total, **spent})

    def _payment(self, payer: _Step) -> None:
        """What somebody has paid; of payments of which some are not yet, what they come to."""
        if amount := self.made.measure(payer.start, ("amount", "total")):
            flags = self.guessed.tables[payer.start].get("dimensions", {})
            if flags.get("paid", {}).get("stored_as") == "boolean":
                self.made.total(payer.start, amount, [payer.end])
                return
            paid = {"phrase": "money paid", "asked": "how much was paid by"}
            if not any(self._called(step.start) in SOLD for step in self._to(payer.end)):
                paid["synonyms"] = "money spent"
            self.made.gather(payer.end, "paid", {"sum_of": f"{payer.start}.{amount}", **paid})

    def _totals(self, table: str) -> None:
        """What the rows of a table without names add up to for what they belong to: the honey of
        the harvests of a hive."""
        if "name" in self.guessed.tables[table] or self._called(table) in (*DEALS, "payment"):
            return
        belongs = {step.end for step in self._steps(table)}
        for name, entry in [*self.guessed.tables[table].get("measures", {}).items()]:
            if entry.get("unit") in ADDITIVE and "sum_of" not in entry:
                named = (end for end in belongs if "name" in self.guessed.tables[end])
                self.made.total(table, name, named)

    def _averages(self, table: str) -> None:
        """What the ratings and grades of a table without names are on average, for what they
        belong to."""
        if "name" in self.guessed.tables[table]:
            return
        for name in [*self.guessed.tables[table].get("measures", {})]:
            *_, last = name.split("_")
            if last in RATED:
                of = {"avg_of": f"{table}.{name}", "phrase": f"average {name.replace('_', ' ')}"}
                if last == "stars":
                    of["synonyms"] = "average rating"
                for end in {step.end: None for step in self._steps(table)}:
                    if "name" in self.guessed.tables[end]:
                        self.made.gather(end, f"average_{name}", of)

    def _is_thing(self, step: _Step) -> bool:
        """Whether a relationship leads to what has a name and is no person."""
        named = "name" in self.guessed.tables[step.end]
        return named and self._called(step.end) not in PERSONS | BUYERS

    def _of(self, step: _Step) -> bool:
        return self.guessed.relationships[step.name].get("phrase") == "of"

    def _is_copy(self, table: str) -> bool:
        """Whether its things have no names of their own but what they are copies of."""
        barcode = self._called(table) in COPIES and bool(self._from(table))
        return barcode or "name" not in self.guessed.tables[table]

    def _relate(self, start: str, end: str, path: list[str], said: Mapping[str, Any]) -> None:
        name = f"{start}_{end}"
        known = {*self.guessed.relationships, *self.guessed.tables}
        if name not in known:
            entry = {"from": start, "to": end, "path": path, **said, "guessed": True}
            self.guessed.relationships[name] = entry
