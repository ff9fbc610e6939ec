"""What the rules of all kinds of phrases need to know of a schema."""

from __future__ import annotations

from collections.abc import Iterator

from fairseq_twostage.databases.inflection import is_plural
from fairseq_twostage.databases.phrases import Clause, Phrases, clause, is_verb, passive
from fairseq_twostage.databases.rules import EXTREMES, ordered, rule
from fairseq_twostage.databases.schema import Measure, Relationship, Schema, TimeDimension

_ENDS = frozenset(("from", "to"))  # synonyms of the roles of both ends of a way


class RuleWriter:
    """Writes rules of a schema's types.

    Attributes:
        types: tables that rules are written of.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.phrases = Phrases(schema)
        self.types = [
            name for name, table in schema.tables.items() if table.key and not table.aside
        ]

    def all(self, name: str) -> str:
        """The form of all rows of a table."""
        kind = self.schema.type_name(name)
        return f"(call @getProperty (call @singleton {kind}) (string !type))"

    def those(self, name: str, property_: str) -> str:
        """The form of a table's rows that have a value, which is still to come."""
        return f"(lambda v (call @filter {self.all(name)} (string {property_}) (string =) (var v)))"

    def reached(self, step: str) -> str:
        """The table at the end of a relationship, ``!`` before one that is followed backwards."""
        relation = self.schema.relationships[step.removeprefix("!")]
        return relation.from_table if step.startswith("!") else relation.to

    def named(self, name: str) -> bool:
        """Whether people name one row: by a name, or by a number."""
        table = self.schema.tables[name]
        return table.name is not None or table.numbered_by is not None

    def happens(self, name: str) -> bool:
        """Whether rows are what happens, at a time: they have one, and no name."""
        table = self.schema.tables[name]
        return table.name is None and bool(self.times(name))

    def times(self, name: str) -> list[str]:
        """When a row is: its dates, the usual one first."""
        return [
            moment
            for moment, part in self.schema.tables[name].time_dimensions.items()
            if not part.aside and part.stored_as != "time"
        ]

    def roles(self, name: str, relation: Relationship) -> Iterator[tuple[str, str, str, str]]:
        """What is "director of" something: from, to, the word, the property."""
        for inverse in filter(None, [relation.inverse, *relation.inverses]):
            if inverse.endswith(" of"):
                yield relation.from_table, relation.to, inverse[:-3], name
        phrase = relation.phrase or ""
        if phrase.endswith(" of"):
            yield relation.to, relation.from_table, phrase[:-3], f"!{name}"

    def relations(self, t: str) -> Iterator[tuple[str, str, list[Clause]]]:
        """Property, type of its values, and the ways to say it of a ``t``."""
        for name, relation in self.schema.relationships.items():
            if relation.from_table not in self.types or relation.to not in self.types:
                continue
            there = [*filter(None, [relation.phrase]), *relation.synonyms]
            back = [*filter(None, [relation.inverse]), *relation.inverses]
            if relation.from_table == t:
                found = [clause(phrase) for phrase in there if not phrase.endswith(" of")]
                found += [
                    clause(inverse).turned
                    for inverse in back
                    if not found or (is_verb(inverse) and not inverse.endswith(" of"))
                ]
                found += filter(None, map(passive, back))
                yield name, relation.to, found or [clause("with")]
            if relation.to == t:
                found = [
                    clause(f"are {inverse}" if inverse.endswith(" of") else inverse)
                    for inverse in back
                ]
                found += [
                    clause(phrase).turned
                    for phrase in there
                    if not phrase.endswith(" of") and not (found and phrase.startswith("with "))
                ]
                found += filter(None, map(passive, there))
                of = any(inverse.endswith(" of") for inverse in back)
                placed = any(clause(phrase).place for phrase in there)
                if (of or placed) and self.plain(name) and relation.from_table != t:
                    found.append(clause("have"))
                if relation.from_table != t or self._directed(relation):
                    yield f"!{name}", relation.from_table, found or [clause("with")]

    def plain(self, property_: str) -> bool:
        """Whether "have" means this relation: it has no role, or no other one between both types
        has none, nor are both the ends of a way. Who has projects rather is assigned to them than
        leads them; a depot sends shipments, or receives them."""
        name = property_.removeprefix("!")
        relation = self.schema.relationships[name]
        both = {relation.from_table, relation.to}
        end = not _ENDS.isdisjoint(relation.synonyms)
        return not _has_role(relation) or not any(
            {other.from_table, other.to} == both
            for each, other in self.schema.relationships.items()
            if each != name
            and (not _has_role(other) or (end and not _ENDS.isdisjoint(other.synonyms)))
        )

    def _directed(self, relation: Relationship) -> bool:
        """Whether it means another thing the other way round; a border does not."""
        return relation.inverse != relation.phrase

    def several(self, property_: str) -> bool:
        """Whether a row can have several values of a relation."""
        if property_.startswith("!"):
            return True
        relation = self.schema.relationships[property_]
        return relation.through is not None or any(map(self.several, relation.path or ()))

    def ranked(
        self, t: str
    ) -> Iterator[tuple[str, Measure | TimeDimension, list[tuple[str, str, bool]]]]:
        """What a type's things are ranked by: name, part, and its :meth:`tops`."""
        for name, part in ordered(self.schema.tables[t]).items():
            if not part.aside:
                yield name, part, list(self.tops(t, name, part))

    def tops(
        self, t: str, name: str, part: Measure | TimeDimension
    ) -> Iterator[tuple[str, str, bool]]:
        """Words, mode, and whether they stand before the noun."""
        if isinstance(part, TimeDimension):
            noun = self.phrases.nouns(t, name)[0]
            first = name == next(iter(self.schema.tables[t].time_dimensions))
            person = self.schema.tables[t].person  # whose age another date does not tell
            for mode, said, usual in (
                ("max", part.most, ("latest", "newest", "last")),
                (
                    "min",
                    part.least,
                    ("earliest", "first") if person else ("earliest", "oldest", "first"),
                ),
            ):
                for words in said or (usual if first else ()):
                    yield words, mode, True
                yield f"with the {usual[0]} {noun}", mode, False
            return
        noun = self.phrases.nouns(t, name)[0]
        counts = part.unit is None and part.gathered is None and is_plural(noun)
        for mode, said, others in (
            ("max", part.most, ("most", "highest") if counts else ("highest", "largest")),
            ("min", part.least, ("fewest", "lowest") if counts else ("lowest", "smallest")),
        ):
            for words in said:
                yield words, mode, len(words.split()) < 3 and not words.startswith("with ")
            for noun in self.phrases.nouns(t, name)[:1]:
                lead = noun.split()[0]
                if lead in EXTREMES:
                    if EXTREMES[lead] == mode:
                        yield f"with the {noun}", mode, False
                    continue
                yield from ((f"with the {other} {noun}", mode, False) for other in others)

    def post(
        self, t: str, level: int, each: Clause, x: str, form: str, rank: int = 0
    ) -> Iterator[str]:
        """A condition behind the nouns of a type: which ones are such, who is such."""
        post = "Post" if rank == 0 else "Other"
        for number, words in (("p", each.many), ("s", each.one)):
            yield rule(f"${t}_{post}{level}{number}", words.replace("{x}", x), form)
        yield rule(f"${t}_Is{level}", each.predicate.replace("{x}", x), form)
        if level == 1 and each.one.startswith("that ") and not each.inverted:
            yield rule(f"${t}_Who", each.one.removeprefix("that ").replace("{x}", x), form)
        elif level == 1 and each.inverted and is_verb(each.phrase):
            yield rule(f"${t}_Who", each.predicate.replace("{x}", x), form)


def _has_role(relation: Relationship) -> bool:
    """Whether it says as what one has the other: "with lead"."""
    return (relation.phrase or "").startswith("with ")
