"""How a schema's things, properties and relationships are said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from fairseq_twostage.databases.inflection import base_form, participle, plural, third_person
from fairseq_twostage.databases.names import constant
from fairseq_twostage.databases.schema import Schema
from fairseq_twostage.text.function_words import word_set
from fairseq_twostage.text.word_forms import PARTICIPLES

PREPOSITIONS = word_set(
    "about above across after against along among around at before behind below beside "
    "between by during for from in inside into near of off on onto outside over past through "
    "to toward under until upon with within without "
)
PLACES = frozenset(("in", "located", "at", "on", "found", "inside"))
_DONE = frozenset(("born", *PARTICIPLES.values()))
_PRESENT = ("need", "feed", "bring", "sing")  # of verbs that end like participles
_PLACEHOLDER_PART = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Clause:
    """A condition on things, in words; ``{x}`` is what they are compared with.

    Attributes:
        many: behind a plural noun: "that run through {x}", "in {x}".
        one: behind a singular one: "that runs through {x}".
        predicate: behind "how many rivers": "run through {x}", "are in {x}".
        denied: likewise: "do not run through {x}", "are not in {x}".
        negated_one: behind one: "that does not run through {x}", "not in {x}".
        phrase: as the schema has it; ``inverted``: x is its subject.
        place: whether it says where something is.
    """

    many: str
    one: str
    predicate: str
    denied: str
    negated_one: str
    phrase: str
    inverted: bool = False
    place: bool = False

    @property
    def counted(self) -> str:
        """Behind one thing, of a number of others: "that the most rivers run through"."""
        if self.inverted and is_verb(self.phrase):
            return f"that {{x}} {base_form(self.phrase)}"
        return self.one

    @property
    def question(self) -> str:
        """Of one thing ``{n}``: "does {n} run through {x}", "is {n} in {x}"."""
        verb = base_form(self.phrase)
        if not is_verb(self.phrase):
            lead = self.phrase.split()[0]
            return (
                f"does {{n}} have{verb[4:]} {{x}}" if lead == "with" else f"is {{n}} {verb} {{x}}"
            )
        return (
            f"is {{n}} {verb[4:]} {{x}}" if verb.startswith("are ") else f"does {{n}} {verb} {{x}}"
        )

    @property
    def turned(self) -> Clause:
        """The same relation seen from the other side: "that {x} runs through"."""
        phrase = self.phrase
        if is_verb(phrase):
            verb = base_form(phrase)
            said, asked = third_person(verb), f"does {{x}} {verb}"
            denied, not_asked = f"does not {verb}", f"does {{x}} not {verb}"
        else:
            said, asked = f"is {phrase}", f"is {{x}} {phrase}"
            denied, not_asked = f"is not {phrase}", f"is {{x}} not {phrase}"
        if phrase.split()[0] in ("with", "of") and not is_verb(phrase):
            word = phrase.split()[0]
            other = "of" if word == "with" else "with"
            return clause(other)
        many = f"that {{x}} {said}"
        return Clause(many, many, asked, not_asked, f"that {{x}} {denied}", phrase, True)


def of_several(words: str) -> str:
    """A condition of which ``{x}``, several things, is the subject: "are {x} in"."""
    for one, many in (("is {x}", "are {x}"), ("does {x}", "do {x}")):
        if words.startswith(one):
            return many + words[len(one) :]
    return words


def passive(phrase: str) -> Clause | None:
    """Of a verb, said of what it is done to: deliver, "delivered by {x}"."""
    verb = base_form(phrase)
    if not is_verb(phrase) or len(verb.split()) > 1 or verb in ("have", "are"):
        return None
    return clause(f"{participle(verb)} by")


def is_participle(word: str) -> bool:
    """Whether a word says what was done: "placed", "sold"; of its form alone."""
    return word in _DONE or (word.endswith("ed") and word not in _PRESENT)


def is_verb(phrase: str) -> bool:
    """Whether a phrase starts with a verb: "border", "run through"; not "in", "directed by"."""
    first = phrase.split()[0]
    done = first in _DONE and len(phrase.split()) > 1 and first not in ("run", "cut")
    # "need", "lead" and the like aside, what ends so and goes on with a preposition is no verb.
    regular = first.endswith(("ed", "ing")) and first not in _PRESENT
    return not (first in PREPOSITIONS or done or regular)


def clause(phrase: str) -> Clause:
    """Of a phrase that reads on from the thing it is said of."""
    words = " ".join(phrase.split())
    if is_verb(words):
        verb = base_form(words)
        one = third_person(verb)
        if verb.split()[0] == "are":
            denied, denied_one = f"are not {verb[4:]} {{x}}", f"that is not {verb[4:]} {{x}}"
            many, single = f"that {verb} {{x}}", f"that {one} {{x}}"
            return Clause(many, single, f"{verb} {{x}}", denied, denied_one, words)
        return Clause(
            f"that {verb} {{x}}",
            f"that {one} {{x}}",
            f"{verb} {{x}}",
            f"do not {verb} {{x}}",
            f"that does not {verb} {{x}}",
            words,
        )
    said = f"{words} {{x}}"
    negated = "without" + words[4:] if words.split()[0] == "with" else f"not {words}"
    predicate, denied = f"are {said}", f"are not {said}"
    if words.split()[0] == "with":
        predicate, denied = f"have{words[4:]} {{x}}", f"do not have{words[4:]} {{x}}"
    place = words.split()[0] in PLACES
    return Clause(said, said, predicate, denied, f"{negated} {{x}}", words, place=place)


class Phrases:
    """Nouns, and the placeholders of names and values.

    Args:
        schema: the semantic layer.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def noun(self, table: str) -> str:
        """How one row is called."""
        found = self.schema.tables[table].noun
        return found or table.replace("_", " ")

    def plural(self, table: str) -> str:
        """How many are called."""
        return self.schema.tables[table].plural or plural(self.noun(table))

    def nouns(self, table: str, column: str) -> list[str]:
        """How a property is called, the first the usual way."""
        part = self.schema.tables[table].columns[column]
        return [part.phrase or column.replace("_", " "), *part.synonyms]

    def constant(self, table: str, column: str, value: object) -> str:
        """A value in a logical form."""
        part = self.schema.tables[table].columns[column]
        if isinstance(value, bool):
            return f"(boolean {str(value).lower()})"
        if isinstance(value, (int, float)) and part in self.schema.tables[table].measures.values():
            return f"(number {value:g})"
        return constant(self.schema.value_type(table, column), value)

    @cached_property
    def placeholders(self) -> dict[str, str]:
        """Table, or ``table.dimension``, to the placeholder of its names or values."""
        found: dict[str, str] = {}
        taken: set[str] = set()
        for table in self.schema.tables:
            name = _free(_plain(table), taken)
            found[table] = f"_{name}_"
        for table, described in self.schema.tables.items():
            for column, part in described.dimensions.items():
                if column == described.name:
                    continue
                short, full = _plain(part.type or column), _plain(f"{table}_{column}")
                alone = part.type or self._alone(column)
                if part.type and f"_{short}_" in found.values():
                    found[f"{table}.{column}"] = f"_{short}_"
                    continue
                name = short if alone and short not in taken else full
                found[f"{table}.{column}"] = f"_{_free(name, taken)}_"
        return found

    def _alone(self, column: str) -> bool:
        return sum(column in table.dimensions for table in self.schema.tables.values()) == 1


def _plain(name: str) -> str:
    """A name as placeholders have it: small letters, digits and single underscores within."""
    plain = _PLACEHOLDER_PART.sub("_", name.lower()).strip("_")
    plain = plain if plain and plain[0].isalpha() else f"n{plain}"
    return f"{plain}x" if plain[-1].isdigit() else plain


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "x"
    taken.add(name)
    return name
