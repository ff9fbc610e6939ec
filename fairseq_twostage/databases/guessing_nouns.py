"""Words that people have for a table's things, and the database has not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from fairseq_twostage.databases.guessed import GROUPS, Guessed
from fairseq_twostage.databases.identifier_words import NUMBERS
from fairseq_twostage.databases.inflection import singular
from fairseq_twostage.databases.vocabulary import OCCASIONS, PLAYED, REPRESENTATIVES, SOLD, TURNOVER
from fairseq_twostage.databases.words import words_of
from fairseq_twostage.text.function_words import word_set
from fairseq_twostage.text.normalisation import tokenize_utterance
from fairseq_twostage.text.question_words import often_asked
from fairseq_twostage.text.synonyms import OTHERWISE_CALLED

NO_NOUNS = word_set(
    "account customs insurance item licence license line member membership passport product "
    "reference registration row serial staff tax"
)
"""Numbers of these are no numbers of what has them."""
WITH_BANDS = word_set("album concert festival genre gig label performance record song tour track")
WITH_GENRES = PLAYED | {"album", "book", "game", "novel"}
NO_NAMED = word_set(
    "alias alternative artistic brand business common company contact display english family file "
    "first full given last latin legal local long maiden middle native nick official other own pen "
    "preferred public scientific second short stage street trade trading user working"
)
"""Names of these kinds say nothing of what has them."""
SHORTEST = 4  # letters of the end of a noun


def add_usual_synonyms(guessed: Guessed) -> None:
    """Add what people usually call a table's things, too, where nothing else is called so: *staff*
    are *employees*."""
    asked_of = [entry for entry in guessed.tables.values() if not entry.get("aside")]
    known = _called(guessed)
    taken = {word for entry in asked_of for word in entry.get("synonyms", ())}
    nouns = {str(entry["noun"]) for entry in asked_of}
    every = {word for noun in nouns for word in noun.split()}
    bought = _invoiced(guessed)
    served = _served(guessed)
    for entry in asked_of:
        # class sessions are sessions, and classes
        named = (word.split() for word in entry.get("synonyms", ()))
        begun = [words[0] for words in named if words[1:] and words[-1] in OCCASIONS]
        usual = OTHERWISE_CALLED.get(str(entry["noun"]), ())
        if entry["noun"] == "title" and not {"isbn", "pages"}.isdisjoint(_properties(entry)):
            usual = ("book", "novel")
        if entry["noun"] == "artist" and every.isdisjoint(WITH_BANDS):
            usual = ()  # of paintings
        own = [noun for noun in (_numbered(entry), _named(entry)) if noun and noun not in every]
        usual = (*usual, *own)
        if str(entry["noun"]) in served:
            usual = (*usual, "client")
        if str(entry["noun"]) in bought:
            usual = (*usual, *(noun for noun in ("client", "customer") if noun not in usual))
        if entry["noun"] == "category" and not WITH_GENRES.isdisjoint(nouns):
            usual = ("genre",)
        *of, last = str(entry["noun"]).split()
        if of and last in ("category", "kind", "type"):  # permit types
            usual = (*usual, *(f"{sort} of {' '.join(of)}" for sort in ("kind", "type")))
        for noun in (*usual, *begun):
            if noun not in known | taken or (noun in own and noun not in taken):
                entry.setdefault("synonyms", []).append(noun)
                taken.add(noun)
    for entry in asked_of:
        sums = entry.get("measures", {}) if entry["noun"] in SOLD else {}
        for measure in (each for name, each in sums.items() if name in ("total", "amount")):
            words = (word for word in TURNOVER if {word, singular(word)}.isdisjoint(known | taken))
            measure["synonyms"] = [*measure.get("synonyms", ()), *words]


def _invoiced(guessed: Guessed) -> set[str]:
    """The noun for those persons that invoices or orders are of, if they are of no other ones:
    *owner*, of animals."""
    persons = {
        str(guessed.tables[found["to"]]["noun"])
        for found in guessed.relationships.values()
        if guessed.tables[found["from"]].get("noun") in SOLD
        and guessed.tables[found["to"]].get("person")
        and "columns" in found
    }
    return persons if len(persons) == 1 else set()


def _served(guessed: Guessed) -> set[str]:
    """Nouns for persons who are of an agent, a broker or the like: actors are *clients*."""
    return {
        str(guessed.tables[found["from"]]["noun"])
        for found in guessed.relationships.values()
        if guessed.tables[found["from"]].get("person")
        and guessed.called(found["to"]) in REPRESENTATIVES
        and found.get("phrase") == "of"
        and "columns" in found
    }


def _numbered(entry: Mapping[str, Any]) -> str | None:
    """``consignment``, of shipments that have a consignment number."""
    words = words_of(entry["key"]) if isinstance(entry.get("key"), str) else []
    called = len(words) > 1 and words[-1] in (*NUMBERS, "number", "code")
    return words[0] if called and len(words) == 2 and words[0] not in NO_NOUNS else None


def _named(entry: Mapping[str, Any]) -> str | None:
    """``cider``, of bottlings that have a cider name."""
    words = str(entry.get("name", "")).split("_")
    called = len(words) == 2 and words[1] in ("name", "title")
    return words[0] if called and words[0] not in NO_NAMED | NO_NOUNS else None


def _called(guessed: Guessed) -> set[str]:
    """The words of all tables and columns."""
    asked_of = {name: entry for name, entry in guessed.tables.items() if not entry.get("aside")}
    known = {word for table in asked_of for word in words_of(table)}
    for entry in asked_of.values():
        known |= {word for name in _properties(entry) for word in name.split("_")}
    return known


def _properties(entry: Mapping[str, Any]) -> set[str]:
    return {name for group in GROUPS for name in entry.get(group, {})}


def add_synonyms(guessed: Guessed, questions: Sequence[str]) -> None:
    """Add the end of a table's noun by which questions ask for it: *works*, of artworks.

    Args:
        guessed: gets them.
        questions: as people typed them.
    """
    asked_of = {name: entry for name, entry in guessed.tables.items() if not entry.get("aside")}
    known = _called(guessed)
    tokens = [tokenize_utterance(question) for question in questions]
    done = {word for line in tokens for who, word in pairwise(line.split()) if who == "who"}
    for noun in often_asked(tokens):
        one = singular(noun)
        named = [entry for entry in asked_of.values() if str(entry["plural"]).endswith(noun)]
        if len(one) >= SHORTEST and one not in known and noun not in done and len(named) == 1:
            named[0].setdefault("synonyms", []).append(one)
