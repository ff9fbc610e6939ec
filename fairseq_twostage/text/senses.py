"""A name that is several things: the other ways to read an utterance."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import TYPE_CHECKING

from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.function_words import word_set
from fairseq_twostage.text.lexicon import Entry
from fairseq_twostage.text.moments import YEAR
from fairseq_twostage.text.placeholders import parts_of, placeholder
from fairseq_twostage.text.value_settings import DATE

if TYPE_CHECKING:
    from fairseq_twostage.text.utterance import Utterance

MAX_SENSES = 8
_YEAR = re.compile(YEAR)
_BEFORE_YEAR = word_set("after before by during from in of since until")
MOST_COMPARED = 256  # of which these are chosen


def senses(
    utterance: Utterance, frontend: Frontend, vocabulary: Collection[str] = ()
) -> Iterator[Utterance]:
    """The utterance with other things that its names are, too; at most seven, and one in which
    names are words: an order that was *shipped*, where that is also the name of a state.

    Args:
        utterance: in one reading.
        frontend: of the domain; its lexicon says what a phrase names.
        vocabulary: words that the domain has besides its names.
    """
    words = _words_of_names(utterance, frontend, vocabulary)
    if words:
        yield _as_words(utterance, words)
    tokens = dict.fromkeys(utterance.tokens.split())
    names = [token for token in tokens if token in utterance.variables]
    choices = [[None, *_others(name, utterance, frontend)] for name in names]
    if all(len(choice) == 1 for choice in choices):
        return
    own = [parts_of(name)[0] for name in names]
    ways = list(islice(product(*choices), 1, MOST_COMPARED))
    # Both ends of a way are of one kind, from Hull to Leeds, whatever else they are.
    ways.sort(key=lambda way: len({e.type if e else of for e, of in zip(way, own)}))
    for chosen in ways[: MAX_SENSES - 1]:
        yield _with(utterance, {name: e for name, e in zip(names, chosen) if e is not None})


def _others(name: str, utterance: Utterance, frontend: Frontend) -> Sequence[Entry]:
    """What else the phrase of a placeholder may name, in the order of the lexicon."""
    constant = utterance.variables[name]
    phrase = frontend.tokeniser.words(utterance.phrases.get(name, "")).split()
    known = frontend.names.senses
    groups = [known[tuple(phrase)]] if tuple(phrase) in known else known.values()
    found: dict[str, Entry] = {}
    for entries in groups:
        if any(entry.constant == constant for entry in entries):
            found.update((e.constant, e) for e in entries if e.constant != constant)
    words = utterance.tokens.split()
    lead = words[words.index(name) - 1] if words.index(name) else ""
    if len(phrase) == 1 and _YEAR.fullmatch(phrase[0]) and lead in _BEFORE_YEAR:
        date = Entry(phrase[0], DATE, f"(date {phrase[0]} -1 -1)")
        if parts_of(name)[0] != DATE:
            found.setdefault(date.constant, date)
    return list(found.values())


def _words_of_names(
    utterance: Utterance, frontend: Frontend, vocabulary: Collection[str]
) -> dict[str, str]:
    said = {
        name: " ".join(
            next((each for each in (word, word.replace("-", "")) if each in vocabulary), word)
            for word in frontend.encode(frontend.tokeniser.words(phrase)).split()
        )
        for name, phrase in utterance.phrases.items()
        if name in utterance.variables
    }
    return {
        name: words
        for name, words in said.items()
        if words and all(word in vocabulary for word in words.split())
    }


def _as_words(utterance: Utterance, words: Mapping[str, str]) -> Utterance:
    """Some placeholders as the words that were said."""
    named = {n: value for n, value in utterance.variables.items() if n not in words}
    left = replace(
        utterance,
        tokens=" ".join(words.get(token, token) for token in utterance.tokens.split()),
        variables=named,
        phrases={n: phrase for n, phrase in utterance.phrases.items() if n not in words},
        names_as_words=True,
    )
    return _with(left, {})


def _with(utterance: Utterance, changed: dict[str, Entry]) -> Utterance:
    """Some placeholders as other things; those of a type are numbered in the utterance's order."""
    constants: dict[str, list[str]] = {}
    renamed: dict[str, str] = {}
    for name in dict.fromkeys(utterance.tokens.split()):
        if name in utterance.variables:
            entry = changed.get(name)
            type = parts_of(name)[0] if entry is None else entry.type
            constant = utterance.variables[name] if entry is None else entry.constant
            known = constants.setdefault(type, [])
            if constant not in known:
                known.append(constant)
            renamed[name] = placeholder(type, known.index(constant) + 1)
    return replace(
        utterance,
        tokens=" ".join(renamed.get(token, token) for token in utterance.tokens.split()),
        variables={
            placeholder(type, number): constant
            for type, known in constants.items()
            for number, constant in enumerate(known, start=1)
        },
        phrases={new: utterance.phrases[name] for name, new in reversed(renamed.items())},
    )
