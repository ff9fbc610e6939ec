"""A domain's (canonical utterance, logical form) pairs: from its grammar, or from a file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from fairseq_twostage.domains.domain import Domain
from fairseq_twostage.domains.lexicon_types import unused_types
from fairseq_twostage.domains.schemas import MOST_PAIRS, Pairs, schema_pairs
from fairseq_twostage.domains.tsv import read_pairs
from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.chart import MAX_APPLICATIONS, TypeCheck
from fairseq_twostage.grammar.generate import make_chart, stream_pairs
from fairseq_twostage.grammar.lint import idle_rules
from fairseq_twostage.grammar.reader import read_grammar
from fairseq_twostage.grammar.typecheck import ExecutionCheck
from fairseq_twostage.semantics import World
from fairseq_twostage.semantics.foreign import ForeignWorld
from fairseq_twostage.semantics.gold_forms import first_of, why_unfit
from fairseq_twostage.semantics.values import Date, Number, Time, Value
from fairseq_twostage.semantics.world import TripleStore, degree
from fairseq_twostage.text.lexicon import MAX_NUMBER, NAMELESS
from fairseq_twostage.text.lexicon_files import located_entries, read_lexicon
from fairseq_twostage.text.normalisation import tokenize_utterance
from fairseq_twostage.text.placeholders import placeholder
from fairseq_twostage.text.value_settings import ANY_UNIT, DATE, NUMBER, TIME
from fairseq_twostage.writing import atomic_write

# Some constant for each placeholder of a number, a date or a time.
VALUES = {
    NUMBER: f"(number {{}} {ANY_UNIT})",
    DATE: "(date 2000 1 {})",
    TIME: "(time 12 {})",
}
_KINDS = {Number: NUMBER, Date: DATE, Time: TIME}
MOST_VALUES = 30  # of each kind, of the facts: two of them in a form are 870 combinations


def domain_pairs(domain: Domain, raw: Path, world: World | None) -> tuple[Pairs, Pairs]:
    """The pairs, types checked in ``world`` where that is a database; and further ones of it.

    Where a published grammar gives one utterance two logical forms the first one counts, and a
    note says so: nobody here can mend it.

    Raises:
        UserError: the domain has neither pairs nor grammar; the grammar cannot be read, does
            not end, yields nothing, or, if it is a user's own, gives one utterance two forms.
    """
    base = domain.base(raw)
    if domain.pairs is not None:
        return read_pairs(base / domain.pairs), []
    if domain.database is not None:
        found = schema_pairs(domain, base)
        return sorted(found[:MOST_PAIRS]), sorted(found[MOST_PAIRS:])
    if not domain.grammar:
        raise UserError(f"{domain.name} needs --pairs FILE", where="--canonical grammar")
    files = [base / file for file in domain.grammar]
    grammar = read_grammar(files, domain.tags)
    chart = make_chart(
        grammar, type_check(domain, raw, world), depth=domain.depth, limit=MAX_APPLICATIONS
    )
    pairs = [(pair.utterance, pair.logical_form) for pair in stream_pairs(chart)]
    if domain.folder is None and not Path(domain.grammar[-1]).is_absolute():
        pairs = _first_forms(pairs, str(files[-1]))
    else:
        idle = [*idle_rules(chart), *unused_types(domain, grammar, base)]
        more = "so it is with {} more; twostage canonical --lint tells all"
        for note in first_of([*map(str, idle)], more):
            print(f"note: {note}", file=sys.stderr)
    _check_unambiguous(pairs, str(files[-1]))
    return pairs, []


def type_check(domain: Domain, raw: Path, world: World | None) -> TypeCheck | None:
    """Whether a sub-form executes; a database or a user's own executor judges no sub-forms.

    With placeholders it passes if it executes with some constants of the lexicon, and with some
    numbers, dates and times of the facts (:class:`.ExecutionCheck`). The lexicon's own types hide
    these.
    """
    if world is None or isinstance(world, ForeignWorld):
        return None
    names: dict[str, list[str]] = {}
    if domain.lexicon is not None:
        names = read_lexicon(domain.base(raw) / domain.lexicon).constants()
    return ExecutionCheck(world, _values(world) | names)


def _of_any_unit(value: Value) -> str:
    if isinstance(value, Number):
        return replace(value, unit=ANY_UNIT).text
    return value.text


def _values(world: World) -> dict[str, list[str]]:
    """Constants for the placeholders of values: the least, the middle and the greatest of each
    property, so that no condition need find nothing."""
    found: dict[str, dict[str, list[Value]]] = {kind: {} for kind in VALUES}
    if isinstance(world.database, TripleStore):
        for _, property, value in world.database:
            if (kind := _KINDS.get(type(value))) is not None:
                found[kind].setdefault(property, []).append(value)
    constants: dict[str, list[str]] = {}
    for kind, by_property in found.items():
        texts: dict[str, None] = {}
        for values in by_property.values():
            ordered = sorted(set(values), key=degree)
            for value in (ordered[0], ordered[len(ordered) // 2], ordered[-1]):
                texts[_of_any_unit(value)] = None
        for number in range(1, MAX_NUMBER + 1):
            some = [VALUES[kind].format(number), *texts][:MOST_VALUES]
            constants[placeholder(kind, number)] = some
    return constants


def unknown_constants(domain: Domain, raw: Path, world: World | None) -> Iterator[str]:
    """A line for each of the first lines of the lexicon whose constant the world lacks."""
    if world is None or isinstance(world, ForeignWorld) or not domain.lexicon:
        return
    found = [
        f"{where}: {problem}"
        for where, entry in located_entries(domain.base(raw) / domain.lexicon)
        if entry.type not in NAMELESS and (problem := why_unfit(entry.constant, world))
    ]
    yield from first_of(found, "the world lacks the constants of {} more lines of the lexicon")


def _first_forms(pairs: Sequence[tuple[str, str]], where: str) -> list[tuple[str, str]]:
    forms: dict[str, str] = {}
    kept = [
        (utterance, form)
        for utterance, form in pairs
        if forms.setdefault(tokenize_utterance(utterance), form) == form
    ]
    if len(kept) < len(pairs):
        print(
            f"note: {where}: {len(pairs) - len(kept)} pairs give another logical form to an "
            "utterance that has one; the first one counts",
            file=sys.stderr,
        )
    return kept


def _check_unambiguous(pairs: Iterable[tuple[str, str]], where: str) -> None:
    forms: dict[str, str] = {}
    for utterance, form in pairs:
        z = tokenize_utterance(utterance)
        if forms.setdefault(z, form) != form:
            raise UserError(
                f"two logical forms for {z!r}: {forms[z]} and {form}; "
                "twostage canonical --lint finds all of these",
                where=where,
            )
    if not forms:
        raise UserError("the grammar generates nothing", where=where)


def write_pairs(pairs: Iterable[tuple[str, str]], path: Path) -> None:
    """Write ``canonical utterance TAB logical form`` per line."""
    with atomic_write(path) as file:
        file.writelines(f"{utterance}\t{form}\n" for utterance, form in pairs)
