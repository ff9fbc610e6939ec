"""Whole questions for what happened at a time: what somebody bought in 2022, what sold best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fairseq_twostage.databases.happening_words import HAPPENED
from fairseq_twostage.databases.inflection import participle
from fairseq_twostage.databases.phrases import clause, is_verb
from fairseq_twostage.databases.rule_writing import RuleWriter
from fairseq_twostage.databases.rules import DATE, DATE2, SIZE, listed, rule
from fairseq_twostage.databases.schema import Relationship, path_between
from fairseq_twostage.databases.vocabulary import DEALS
from fairseq_twostage.semantics.world import reverse

_HAPPENING = DEALS.keys() | HAPPENED.keys()
_IN = (("=", DATE),)
_TIMES = (
    (f"in {DATE}", _IN),
    (f"after {DATE}", ((">", DATE),)),
    (f"since {DATE}", ((">=", DATE),)),
    (f"before {DATE}", (("<", DATE),)),
    (f"between {DATE} and {DATE2}", ((">=", DATE), ("<=", DATE2))),
)


class _Event(NamedTuple):
    """A table on the way of a relationship that says when.

    Attributes:
        moment: ``table.time_dimension``.
        there, back: the ways from the first and from the last table to its rows.
    """

    moment: str
    there: Sequence[str]
    back: Sequence[str]


class EventRules(RuleWriter):
    """Questions about a relationship over several tables, one of which has a time."""

    def lines(self, t: str) -> Iterator[str]:
        """The rules of one type."""
        yield from self._amounts(t)
        yield from self._most(t)
        for relation in self.schema.relationships.values():
            if relation.from_table != t or relation.to not in self.types or not relation.path:
                continue
            event = self._event(relation)
            if event is None or not relation.phrase or not is_verb(relation.phrase):
                continue
            for phrase in (relation.phrase, *relation.synonyms):
                yield from self._asked(relation, clause(phrase).predicate, event)
                yield from self._ends(relation, clause(phrase).predicate, event)

    def _most(self, t: str) -> Iterator[str]:
        """What has the most of what happened at a time: tickets resolved in 2026."""
        asked = [
            f"which {self.phrases.noun(t)}",
            *(["who"] if self.schema.tables[t].person else []),
        ]
        for way, other, _ in self.relations(t):
            if self.several(way) and self.times(other):
                best = f"(call @countSuperlative {self.all(t)} (string max) (string {way}) (var s))"
                for who in asked:
                    yield rule("$ROOT", f"{who} has the most ${other}_In", listed(best, "s"))

    def _asked(self, relation: Relationship, predicate: str, event: _Event) -> Iterator[str]:
        first, last = relation.from_table, relation.to
        verb = predicate.removesuffix(" {x}")
        subjects = [f"${first}_All", *([f"${first}_Named"] if self.named(first) else [])]
        objects = [f"${last}_All", f"${last}_Adjp"]
        objects += [f"${last}_Named"] if self.named(last) else []
        for when, comparisons in _TIMES:
            found = _reached(
                _during("(var s)", event.there, event.moment, comparisons), _backwards(event.back)
            )
            for x in subjects:
                auxiliary = "do" if x.endswith("_All") else "does"
                said = f"which {self.phrases.plural(last)} {auxiliary} {x} {verb} {when}"
                yield rule("$ROOT", said, listed(found, "s"))
                if self.schema.tables[first].person and x.endswith("_Named"):
                    yield rule("$ROOT", f"what does {x} {verb} {when}", listed(found, "s"))
            found = _reached(
                _during("(var s)", event.back, event.moment, comparisons), _backwards(event.there)
            )
            size = SIZE.replace("(var s)", found)
            for x in objects:
                said = f"{self.phrases.plural(first)} {verb} {x} {when}"
                yield rule("$ROOT", f"which {said}", listed(found, "s"))
                yield rule("$ROOT", f"how many {said}", listed(size, "s"))

    def _ends(self, relation: Relationship, predicate: str, event: _Event) -> Iterator[str]:
        """When it happened first and last."""
        verb, *rest = predicate.removesuffix(" {x}").split()
        sides = [
            (relation.from_table, "when did", " ".join((verb, *rest)), event.there),
            (relation.to, "when was", " ".join((participle(verb), *rest)), event.back),
        ]
        for table, asked, said, way in sides:
            for words, mode in (("first", "min"), ("last", "max")) if self.named(table) else ():
                found = _reached("(var s)", way)
                best = f"(call @superlative {found} (string {mode}) (string {event.moment}))"
                form = listed(f"(call @getProperty {best} (string {event.moment}))", "s")
                yield rule("$ROOT", f"{asked} ${table}_Named {words} {said}", form)

    def _amounts(self, t: str) -> Iterator[str]:
        """Sums and counts over what happened at a time, of a thing and the largest."""
        all_of = self.all(t)
        for name, part in self.schema.tables[t].measures.items():
            if part.gathered is None or part.gathered[0] == "avg" or part.aside:
                continue
            noun = self.phrases.nouns(t, name)[0]
            times = self.times(t) if self.phrases.noun(t).split()[-1] in _HAPPENING else ()
            if times:  # the biggest order of a year is an order of that year
                then = _during(all_of, (), f"{t}.{times[0]}", _IN)
                best = f"(call @superlative {then} (string max) (string {t}.{name}))"
                yield from self._largest(t, noun, part.most, best)
                continue
            found = self._happened(t, *part.gathered)
            if found is None:
                continue
            rows, relation, measure = found
            inner = f"(call @filter {rows} (string {relation}) (string =) (var s))"
            if measure is None:
                amount = f"(call .size {inner})"
                best = f"(call @countSuperlative {all_of} (string max) (string !{relation}) {rows})"
            else:
                got = f"(call @getProperty {inner} (string {measure}))"
                amount = f"(call @aggregate (string sum) {got})"
                best = (
                    f"(call @groupSuperlative {rows} (string max) (string {relation}) "
                    f"(string sum) (string {measure}))"
                )
            yield from self._largest(t, noun, part.most, best)
            if self.named(t):
                for said in (f"what is the {noun} of", *part.asked):
                    words = f"{said} ${t}_Named in {DATE}"
                    yield rule("$ROOT", words, listed(amount, "s"))

    def _largest(self, t: str, noun: str, most: Sequence[str], best: str) -> Iterator[str]:
        one, largest = self.phrases.noun(t), f"(ConstantFn (call @listValue {best}))"
        yield rule("$ROOT", f"which {one} has the highest {noun} in {DATE}", largest)
        for said in most:
            yield rule("$ROOT", f"what is the {said} {one} in {DATE}", largest)

    def _happened(
        self, t: str, mode: str, table: str, measure: str
    ) -> tuple[str, str, str | None] | None:
        """The rows of a date that a measure is gathered from, their relationship to the things,
        and their measure; None where nothing says when, or the things are further away."""
        path = path_between(self.schema, table, t)
        if not path:
            return None
        rows, amount = self.schema.relationships[path[-1]].from_table, f"{table}.{measure}"
        if rows != table:
            same = (
                name
                for name, part in self.schema.tables[rows].measures.items()
                if part.gathered == (mode, table, measure)
            )
            if mode == "count" or (found := next(same, None)) is None:
                return None
            amount = f"{rows}.{found}"
        property_ = None if mode == "count" else amount
        if times := self.times(rows):
            made = _during(self.all(rows), (), f"{rows}.{times[0]}", _IN)
            return made, path[-1], property_
        for name, relation in self.schema.relationships.items():
            if relation.columns is None or relation.from_table != rows or relation.to == t:
                continue
            if times := self.times(relation.to):
                then = _during(self.all(relation.to), (), f"{relation.to}.{times[0]}", _IN)
                made = f"(call @filter {self.all(rows)} (string {name}) (string =) {then})"
                return made, path[-1], property_
        return None

    def _event(self, relation: Relationship) -> _Event | None:
        """The first table between both ends that has a time."""
        path = list(relation.path or ())
        for place in range(1, len(path)):
            table = self.reached(path[place - 1])
            if times := self.times(table):
                moment = f"{table}.{times[0]}"
                return _Event(moment, path[:place], _backwards(path[place:]))
        return None


def _backwards(path: Sequence[str]) -> list[str]:
    return [reverse(step) for step in reversed(path)]


def _reached(start: str, path: Sequence[str]) -> str:
    for step in path:
        start = f"(call @getProperty {start} (string {step}))"
    return start


def _during(
    start: str, path: Sequence[str], moment: str, comparisons: Sequence[tuple[str, str]]
) -> str:
    """The rows of an event that are reached, of a time."""
    found = _reached(start, path)
    for comparison, value in comparisons:
        found = f"(call @filter {found} (string {moment}) (string {comparison}) {value})"
    return found
