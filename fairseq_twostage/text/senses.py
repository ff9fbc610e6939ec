"""A name that is several things: the other ways to read an utterance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import TYPE_CHECKING

from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.lexicon import Entry, parts_of, placeholder

if TYPE_CHECKING:
    from fairseq_twostage.text.reading import Utterance

MAX_SENSES = 8


def senses(utterance: Utterance, frontend: Frontend) -> Iterator[Utterance]:
    """The utterance with other things that its names are, too; at most seven.

    Args:
        utterance: in one reading.
        frontend: of the domain; its lexicon says what a phrase names.
    """
    tokens = dict.fromkeys(utterance.tokens.split())
    names = [token for token in tokens if token in utterance.variables]
    choices = [[None, *_others(name, utterance, frontend)] for name in names]
    if all(len(choice) == 1 for choice in choices):
        return
    for chosen in islice(product(*choices), 1, MAX_SENSES):
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
    return list(found.values())


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
