"""Names and values of a database as people say them: its lexicon."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from fairseq_twostage.databases.connecting import reason
from fairseq_twostage.databases.happening_words import ALSO_CALLED, LEFT, NOBODY, NOW
from fairseq_twostage.databases.inflection import plural, singular, third_person
from fairseq_twostage.databases.names import constant
from fairseq_twostage.databases.phrases import Phrases
from fairseq_twostage.databases.schema import Column, Dimension, Schema
from fairseq_twostage.databases.value_words import (
    american,
    are_nouns,
    in_letters,
    in_other_number,
    in_words,
    said_of,
)
from fairseq_twostage.databases.vocabulary import BRANDS, IDIOMS, OPPOSITES, ORGANISED, PAID, VERBS
from fairseq_twostage.databases.words import words_of
from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics.normalise import LONG_PREFIX
from fairseq_twostage.text.lexicon import CALLED, KEPT, NOTHING, Entry
from fairseq_twostage.text.normalisation import tokenize_utterance

MOST_MADE = 20_000  # things that are called by their makers, too
_ASKED_WITH = frozenset(("amount", "average", "count", "name", "number", "sum", "total"))
_YEAR = re.compile(r"(?:19|20)\d\d")
_LEADS = ("", *(f"{word} " for word in ("in", "of", "from", "within", "on", "by", "through")))
_BY = ("by", "through", "using", "via")
_NOT_YET = ("not yet", "not been", "not yet been")
_OF_DATES = ("after", "before", "between", "in", "on", "since")

if TYPE_CHECKING:
    from sqlalchemy import Engine


def entries(schema: Schema, engine: Engine, where: str) -> Iterator[Entry]:
    """What the database names and says: rows by their names, and the values of dimensions.

    A name that several rows share means all of them; with the rest of a key behind it, as in
    "austin texas", it means one.

    Args:
        schema: says which columns are said.
        engine: reads them.
        where: the schema's file, for messages.

    Raises:
        UserError: the database cannot be read.
    """
    from sqlalchemy.exc import SQLAlchemyError

    yield from _asides(schema)
    found: list[Entry] = []
    try:
        for entry in _of_rows(schema, engine):
            found.append(entry)
            yield entry
    except SQLAlchemyError as error:
        raise UserError(f"cannot be read: {reason(error, engine.url)}", where) from None
    yield from _kept(schema, {entry.phrase for entry in found})
    yield from _synonyms(schema)


def _of_rows(schema: Schema, engine: Engine) -> Iterator[Entry]:
    reader = _Reader(schema, engine)
    for table, described in schema.tables.items():
        for name in described.naming if described.key else ():
            yield from reader.rows(table, name)
        for name, part in described.dimensions.items():
            if part.listed and name not in described.naming:
                yield from reader.values(table, name, part)


def _kept(schema: Schema, values: Collection[str]) -> Iterator[Entry]:
    """Wordings of which a part is a value, too: in "shipped to bergen" nobody says a status."""
    said: list[str] = []
    for table in schema.tables.values():
        wordings = [part.wording for part in table.dimensions.values() if part.wording]
        said += [*wordings, *(f"paid {word}" for word in _BY if PAID in wordings)]
        for moment in table.time_dimensions.values():
            words = (moment.wording or "").removeprefix("that ")
            said += [f"{words} {after}" for after in _OF_DATES if words]
            said += [f"{before} {words}" for before in _NOT_YET if words]
        named = (*table.dimensions, *table.measures, *table.time_dimensions)
        said += [name.replace("_", " ") for name in named]  # a phone number, no channel
        for name, part in (*table.dimensions.items(), *table.measures.items()):
            word, _, number = name.partition("_")
            if part.aside and number == "number" and word not in values:  # no microchip implant
                yield Entry(word, KEPT, "-")
    for relation in schema.relationships.values():
        said += filter(None, [relation.phrase, *relation.synonyms, relation.inverse])
        preposition, _, role = (relation.phrase or "").partition(" ")
        if preposition == "with" and role:
            said += [f"{each} {role}" for each in ("per", "each", "every")]
    for phrase in dict.fromkeys(map(tokenize_utterance, said)):
        parts = phrase.split()
        spans = (parts[a:b] for a in range(len(parts)) for b in range(a + 1, len(parts) + 1))
        if len(parts) > 1 and any(" ".join(span) in values for span in spans):
            yield Entry(phrase, KEPT, "-")


def _synonyms(schema: Schema) -> Iterator[Entry]:
    """Other words for a kind of things, with its own; short ones for others."""
    phrases = Phrases(schema)
    yield Entry("avg", CALLED, "average")
    yield Entry("nr", CALLED, "number")
    yield Entry("no longer", CALLED, "not")
    for most in ("most", "biggest", "largest", "highest", "longest", "greatest", "best"):
        yield Entry(f"the single {most}", CALLED, f"the%20{most}")  # no room for one
    yield Entry("without a single", CALLED, "without%20a")
    yield Entry("no longer than", KEPT, "-")
    done = _done(schema)
    for words, called in [*NOBODY.items(), *(LEFT.items() if "left" in done else ())]:
        yield Entry(words, CALLED, called.replace(" ", "%20"))
    for called in dict.fromkeys(_denied_flags(schema, phrases)):
        if "-" in called:
            yield Entry(called.replace("-", " "), CALLED, called)
    for word, known in ALSO_CALLED.items():
        employed = word.endswith((" company", " firm"))  # whatever else may be joined
        if known in done and (employed or word.split()[0] not in done - {known}):
            yield Entry(word, CALLED, known)
    for table, described in schema.tables.items():
        nouns = phrases.noun(table), phrases.plural(table)
        one, many = (noun.replace(" ", "%20") for noun in nouns)
        for words in map(tokenize_utterance, described.synonyms):
            head, of, rest = words.partition(" of ")  # pieces of art
            *before, last = head.split()
            single = " ".join((*before, singular(last)))
            for phrase, noun in ((single, one), (plural(single), many)):
                for what in dict.fromkeys((rest, plural(rest))) if of else (rest,):
                    if phrase + of + what not in nouns:
                        yield Entry(phrase + of + what, CALLED, noun)


def _denied_flags(schema: Schema, phrases: Phrases) -> Iterator[str]:
    """How is said that something is not what a column of yes and no says: ``part-time``."""
    for name, table in schema.tables.items():
        for column, part in table.dimensions.items():
            said = phrases.nouns(name, column)[0].removeprefix("is ")
            if part.stored_as == "boolean" and said in OPPOSITES:
                yield OPPOSITES[said]


def _done(schema: Schema) -> set[str]:
    """What is said to have been done at the times of a schema: ``left``."""
    return {
        word
        for table in schema.tables.values()
        for name, moment in table.time_dimensions.items()
        for word in (moment.wording or name.replace("_", " ")).split()
    }


def _asides(schema: Schema) -> Iterator[Entry]:
    """What says nothing, with the words that lead to it."""
    means = NOW if "left" in _done(schema) else ()
    for idiom in IDIOMS:
        if idiom not in means:
            yield Entry(idiom, NOTHING, "-")
    for words in map(tokenize_utterance, schema.asides):
        for lead in _LEADS:
            for article in ("", "the "):
                yield Entry(f"{lead}{article}{words}", NOTHING, "-")


class _Reader:
    def __init__(self, schema: Schema, engine: Engine) -> None:
        self.schema = schema
        self.engine = engine
        phrases = Phrases(schema)
        self.placeholders = phrases.placeholders
        self.things = {
            tokenize_utterance(noun)
            for table in schema.tables
            for noun in (phrases.noun(table), phrases.plural(table))
        }

    def rows(self, table: str, name: str) -> Iterator[Entry]:
        """Names of rows, by a dimension that has them."""
        described = self.schema.tables[table]
        part = described.dimensions[name]
        kind = self.placeholders[table][1:-1]
        column = part.column or name
        alone = described.key == [column]
        found = [
            (phrase, value)
            for value in self._values(table, name, part)
            for phrase in said_of(value, part)
        ]
        if are_nouns(described.noun or table):
            found += in_other_number(found)
        found += self._by_makers(table, name, part)
        if (described.noun or table).split()[-1] in ORGANISED:
            found += in_letters(found)
        for phrase, value in found:
            yield Entry(phrase, kind, self.named(table, name, value, alone))
        rest = [other for other in described.key if other != column]
        if column in described.key and len(rest) == 1 and part.through is None:
            for value, other in self._distinct(table, part, [column, rest[0]]):
                phrase, further = in_words(value), in_words(other)
                if phrase and further:
                    values = {column: value, rest[0]: other}
                    key = [values[each] for each in described.key]
                    row = constant(self.schema.type_name(table), *key)
                    one = f"( call {LONG_PREFIX}.singleton {row} )"
                    yield Entry(f"{phrase} {further}", kind, one)

    def _by_makers(self, table: str, name: str, part: Dimension) -> Iterator[tuple[str, Any]]:
        """Names with who made it before them: a Ford Transit."""
        dimensions = self.schema.tables[table].dimensions
        for maker, other in dimensions.items():
            alike = maker != name and words_of(maker)[-1] in BRANDS and other.listed
            if alike and part.through is None and other.through is None and not part.columns:
                columns = [part.column or name, other.column or maker]
                made = list(islice(self._distinct(table, part, columns), MOST_MADE + 1))
                for value, made_by in made if len(made) <= MOST_MADE else ():
                    phrase, before = in_words(value), in_words(made_by)
                    if phrase and before and not phrase.startswith(f"{before} "):
                        yield f"{before} {phrase}", value

    def named(self, table: str, name: str, value: object, alone: bool) -> str:
        """The rows of a name: its key where that is the name, else all that have it."""
        if alone:  # a list, too, so that a name is always one
            row = constant(self.schema.type_name(table), value)
            return f"( call {LONG_PREFIX}.singleton {row} )"
        text = constant(self.schema.value_type(table, name), value)
        return f"( call {LONG_PREFIX}.getProperty {text} ( string !{table}.{name} ) )"

    def values(self, table: str, name: str, part: Dimension) -> Iterator[Entry]:
        """Values of a dimension."""
        kind = self.placeholders[f"{table}.{name}"][1:-1]
        type_name = self.schema.value_type(table, name)
        found = list(self._values(table, name, part))
        said = [(phrase, value) for value in found for phrase in said_of(value, part)]
        if are_nouns(name) or are_nouns(part.column or name):
            said += in_other_number(said)
        if part.wording == "noun":
            said += list(self._does(found))
        known = {phrase for phrase, _ in said}
        in_america = [(american(phrase), value) for phrase, value in said]
        said += [each for each in in_america if each[0] not in known]
        dated = bool(self.schema.tables[table].time_dimensions)
        for phrase, value in said:
            year = dated and _YEAR.fullmatch(phrase)  # of wines from 2008, not to drink then
            if year or phrase in _ASKED_WITH:
                phrase = f"{name.replace('_', ' ')} {phrase}"
            if phrase not in self.things:  # lecturers by position, one of which is lecturer
                yield Entry(phrase, kind, constant(type_name, value))
        for meant, words in part.said.items():
            for phrase in filter(None, map(in_words, words)):
                yield Entry(phrase, kind, constant(type_name, meant))

    def _does(self, values: Iterable[Any]) -> Iterator[tuple[str, Any]]:
        """What those do who are called so: who *manages* a shop, where no relationship says it."""
        ways = self.schema.relationships.values()
        said = [each for way in ways for each in (way.phrase, way.inverse) if each]
        said += [each for way in ways for each in (*way.synonyms, *way.inverses)]
        known = {word for phrase in said for word in phrase.split()}
        called = [(value, in_words(value).rpartition(" ")[2]) for value in values]
        often = Counter(word for _, word in called)
        for value, word in called:
            verb = VERBS.get(word, "").split()
            if verb and verb[0] not in known and often[word] == 1:
                yield third_person(verb[0]), value

    def _values(self, table: str, name: str, part: Dimension) -> Iterator[Any]:
        if part.members:
            return iter(part.members)
        if not part.columns:
            return (value for (value,) in self._distinct(table, part, [part.column or name]))
        rows = self._distinct(table, part, part.columns, some=True)
        joined = ("".join(f" {text}" for text in row if text is not None) for row in rows)
        return (text.lstrip(" ") for text in joined)  # as Tables.joined does it

    def _distinct(
        self, table: str, part: Column, columns: list[str], some: bool = False
    ) -> Iterator[Any]:
        """The distinct values of columns, none of them missing; ``some``: not all of them."""
        from sqlalchemy import and_, column, or_, select
        from sqlalchemy import table as table_of

        described = self.schema.tables[table]
        name = part.through or described.table or table
        source = table_of(name, *map(column, columns), schema=described.db_schema)
        chosen = [source.c[each] for each in columns]
        filled = (or_ if some else and_)(*(each.is_not(None) for each in chosen))
        with self.engine.connect() as connection:
            yield from connection.execute(
                select(*chosen).where(filled).distinct().order_by(*chosen)
            )
