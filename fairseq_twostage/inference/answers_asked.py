"""What a question says, and what an answer is, by which the two are compared."""

from __future__ import annotations

import re
from itertools import pairwise

from fairseq_twostage.inference.answer import answer_values
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.semantics.values import Date, Name, Number, Time
from fairseq_twostage.text.function_words import FUNCTION_WORDS
from fairseq_twostage.text.money import asks_one_sum
from fairseq_twostage.text.placeholders import is_placeholder, parts_of
from fairseq_twostage.text.question_words import asked_thing, asks_people, says_total
from fairseq_twostage.text.unit_words import EACH
from fairseq_twostage.text.word_forms import base

_WHETHER = re.compile(
    r"(?:is|are|was|were|does|did|has) (?:the |our )?(?:[a-z]+ )?_(?!number|date|time)\w+_ [a-z]"
)
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
    ``en.tv_series.scandal``, ``driver`` of ``en.van.usual_driver.ann``; nothing where it is
    anything else."""
    values = list(answer_values(reading.answer))
    names = [value.id.split(".") for value in values if isinstance(value, Name)]
    whole = len(names) == len(values) and all(len(parts) > 2 for parts in names)
    return {sort_of(parts[-2]) for parts in names} if whole else set()


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
    if thing is None or base(thing) in said or tokens.startswith("who "):
        return False
    return any(
        is_placeholder(value) and value in said and parts_of(value)[0] == word not in said
        for word, value in pairwise(z.split())
    )


def unanswered(tokens: str, reading: Reading) -> str | None:
    """Why the answer is of another kind than the question: names of how many, a number of who,
    where or whether it is so; None: it may be of the same."""
    asked = _asked(tokens, reading.paraphrase)
    values = list(answer_values(reading.answer)) if asked else []
    if values and all(isinstance(value, (Number, Date, Time)) for value in values):
        return f"it asks {asked}, and what was understood asks for something else"
    return _no_number(tokens, reading)


def _asked(tokens: str, z: str) -> str | None:
    """What is not answered by a number, a date or a time, if that is asked; how many there are does
    answer whether there is one."""
    if tokens.split()[:1] == ["who"] or asks_people(tokens):
        return "who"
    if tokens.startswith("where "):
        return "where"
    counts = z.startswith(("how many ", "number of ")) or "or" in tokens.split()
    return "whether it is so" if _WHETHER.match(tokens) and not counts else None


def _no_number(tokens: str, reading: Reading) -> str | None:
    """Why it is not answered how many: by names alone, gold and silver of "how many medals",
    or by several numbers."""
    counts = reading.paraphrase.startswith(("how many ", "number of "))
    many = tokens.startswith("how many ") and not counts
    once = asks_one_sum(tokens)
    values = list(answer_values(reading.answer)) if many or once else []
    if many and values and all(isinstance(value, Name) for value in values):
        return "it asks how many, and what was understood asks for something else"
    several = len(values) > 1 and all(isinstance(value, Number) for value in values)
    if several and EACH.isdisjoint(tokens.split()):
        return f"it asks how {'many' if many else 'much'}, and what was understood of each"
    return None
