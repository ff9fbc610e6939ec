"""What is said of gold forms that may not be meant as they stand: of annotation, of references."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics.denotation import Answer, Denotation, Failure
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.executor import execute
from fairseq_twostage.semantics.foreign import ForeignWorld
from fairseq_twostage.semantics.gold_rows import is_gold
from fairseq_twostage.semantics.loading import read_value
from fairseq_twostage.semantics.normalise import fill
from fairseq_twostage.semantics.sexp import stray
from fairseq_twostage.semantics.values import ListValue, Name
from fairseq_twostage.semantics.world import World
from fairseq_twostage.semantics.written import check_written

SHOWN = 3  # lines of one kind
_CONSTANT = re.compile(r"(en|fb:en)\..+")
_VALUE = re.compile(r"\(\s*(?:number|date|time|boolean)\s[^()]*\)")


class GoldForm(NamedTuple):
    """A gold form, the values of its placeholders, and ``file:line``."""

    form: str
    variables: Mapping[str, str] | None
    where: str


def check_alone(form: str, where: str | None = None) -> None:
    """Raise :class:`UserError` where a text is no form alone, though one could be read of it."""
    if why := stray(form):
        raise UserError(why.partition(",")[0], where)


def by_value(rows: Iterable[GoldForm], world: World) -> tuple[list[GoldForm], list[str]]:
    """The forms that have a value which could be an answer; of the others where, and why.

    A query or rows are no form and in neither: they are told when they are compared.
    """
    sound: list[GoldForm] = []
    failed: list[str] = []
    for row in rows:
        if is_gold(row.form):
            continue
        if why := why_without_value(row.form, row.variables, world):
            failed.append(f"{row.where}: {why}")
        else:
            sound.append(row)
    return sound, failed


def why_without_value(form: str, variables: Mapping[str, str] | None, world: World) -> str | None:
    """Why a form has no value that could be an answer; None: it has one."""
    denotation = execute(form, world, variables)
    if isinstance(denotation, Failure) and denotation.metric_text is None:
        return denotation.message
    unknown = _unknown_name(denotation, world)
    return f"the world has no {unknown}" if unknown else None


def _unknown_name(denotation: Denotation, world: World) -> str | None:
    """A name in a value that no fact has, as where a word stands for a logical form."""
    value = denotation.value if isinstance(denotation, Answer) else None
    if isinstance(world, ForeignWorld) or value is None:
        return None
    names = value.values if isinstance(value, ListValue) else (value,)
    unknown = (each.id for each in names if isinstance(each, Name))
    return next((id for id in unknown if not world.database.knows(Name(id))), None)


def doubtful(rows: Iterable[GoldForm], world: World) -> Iterator[str]:
    """A line for each of the first forms whose value is hardly the one that was meant; those that
    :func:`by_value` finds to have one are to be given.

    Of worlds in which nothing can be looked up nothing is said.
    """
    if isinstance(world, ForeignWorld):
        return
    found = [f"{row.where}: {why}" for row in rows if (why := _doubt(row, world))]
    yield from first_of(found, "so it is with {} more logical forms")


def _doubt(row: GoldForm, world: World) -> str | None:
    form = fill(row.form, row.variables or {})
    if "(" not in form:
        return f"{form[:80]} is a name alone, no logical form"
    constants = (*constants_of(form), *_VALUE.findall(form))
    problems = (why_unfit(constant, world) for constant in constants)
    return next(filter(None, problems), None)


def first_of(found: Sequence[str], more: str) -> Iterator[str]:
    """The first lines of one kind, then ``more`` with the number of the others."""
    yield from found[:SHOWN]
    if found[SHOWN:]:
        yield more.format(len(found) - SHOWN)


def why_unfit(constant: str, world: World) -> str | None:
    """Why a constant cannot be meant; numbers, dates and times need not stand in the world."""
    if not constant.startswith("(") and not world.database.knows(Name(constant)):
        return f"the world has no {constant}"
    return why_unmeant(constant)


def why_unmeant(constant: str) -> str | None:
    """Why nobody means a value in brackets, as a date that no calendar has; None: it may be meant,
    or it is a name."""
    if not constant.startswith("("):
        return None
    try:
        check_written(constant, read_value(constant))
    except ExecutionError as error:
        return error.message
    return None


def constants_of(form: str) -> list[str]:
    """The names of things in a form: what is neither a property nor a unit nor a function."""
    tokens = form.split()
    return [
        token
        for two, one, token in zip(["", "", *tokens], ["", *tokens], tokens)
        if _CONSTANT.fullmatch(token) and one not in ("string", "call") and two != "number"
    ]
