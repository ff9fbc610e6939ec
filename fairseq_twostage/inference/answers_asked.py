"""What a question says, and what an answer is, by which the two are compared."""

from __future__ import annotations

import re
from itertools import pairwise

from fairseq_twostage.inference.answer import answer_values
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.semantics.values import Name, Number
from fairseq_twostage.text.function_words import FUNCTION_WORDS
from fairseq_twostage.text.placeholders import is_placeholder, parts_of
from fairseq_twostage.text.question_words import asked_thing, says_total
from fairseq_twostage.text.word_forms import base

_SPENT = re.compile(r"^how much was (?:paid|spent) by |\bmoney (?:paid|spent) |\brevenue of ")


def plurals(tokens: str) -> set[str]:
    """What is there in the plural, in the singular."""
    words = (word for word in tokens.split() if word not in FUNCTION_WORDS)
    return {base(word) for word in words if base(word) != word}


def answers_total(tokens: str, z: str) -> bool:
    """Whether z asks for a total, too; what somebody spent is one, and so is a number of things,
    where a number is asked for."""
    if _SPENT.search(z):
        return True
    counts = z.startswith(("how many ", "number of "))
    counted = tokens.startswith(("how many ", "count ")) or "number of " in tokens
    return says_total(z) or (counts and counted)


def sort_of(type_name: str) -> str:
    """What a type's things are, by the last word of what it is called."""
    return type_name.split("_")[-1]


def types_of(reading: Reading) -> set[str]:
    """Of what sort the things of an answer are, ``film`` of ``en.film.red_kites``, ``series`` of
    ``en.tv_series.scandal``; nothing where it is anything else."""
    values = list(answer_values(reading.answer))
    names = [value.id.split(".") for value in values if isinstance(value, Name)]
    whole = len(names) == len(values) and all(len(parts) > 2 for parts in names)
    return {sort_of(parts[1]) for parts in names} if whole else set()


def are_plain_numbers(reading: Reading) -> bool:
    """Whether the answer is numbers, and none of them a year."""
    values = list(answer_values(reading.answer))
    return bool(values) and all(
        isinstance(value, Number) and not (value.value.is_integer() and 1000 <= value.value <= 2200)
        for value in values
    )


def has_names(reading: Reading) -> bool:
    """Whether there are names in the answer."""
    return any(isinstance(value, Name) for value in answer_values(reading.answer))


def names_unsaid(tokens: str, z: str) -> bool:
    """Whether z is of a thing by a property of which the question says neither: "breeds that have
    species _species_", of rabbits."""
    said = {*map(base, tokens.split())}
    thing = asked_thing(z)
    if thing is None or base(thing) in said:
        return False
    return any(
        is_placeholder(value) and value in said and parts_of(value)[0] == word not in said
        for word, value in pairwise(z.split())
    )
