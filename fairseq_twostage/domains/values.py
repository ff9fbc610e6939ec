"""Which numbers, dates and times a domain reads: those that its grammar has a place for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from fairseq_twostage.databases.words import words_of
from fairseq_twostage.domains.domain import Domain
from fairseq_twostage.domains.measures import spec_of, table, unlike_its_name
from fairseq_twostage.domains.worlds import database_world
from fairseq_twostage.errors import nearest
from fairseq_twostage.semantics import TripleStore, World
from fairseq_twostage.semantics.values import UNITLESS, Date, Number, Time, Value
from fairseq_twostage.semantics.world import Triple, degree, exact_degree
from fairseq_twostage.text.lexicon import Lexicon
from fairseq_twostage.text.moments import DMY, date_text, time_text
from fairseq_twostage.text.money import MONEY
from fairseq_twostage.text.numbers import pieces, value_of
from fairseq_twostage.text.placeholders import is_placeholder, parts_of
from fairseq_twostage.text.value_settings import DATE, KINDS, TIME, Said, Unit, ValueSettings
from fairseq_twostage.text.values import ValueReader

if TYPE_CHECKING:
    from fairseq_twostage.databases.schema import Measure

_NO_LABEL = re.compile(
    r"(than|least|most|exactly|of|in|at|is|to|and|or|over|under|above|below|after|before|by|with|from)"
)


def value_reader(
    domain: Domain, raw: Path, canonicals: Iterable[str], lexicon: Lexicon | None
) -> ValueReader | None:
    """What reads the values of a domain's questions; None where no canonical utterance has one.

    Args:
        domain: says what its units are.
        raw: folder of raw data.
        canonicals: the canonical utterances that a grammar or the user gives.
        lexicon: a type of it that is called as a kind of values hides that.
    """
    lines = [line.split() for line in canonicals]
    named = {entry.type for entry in lexicon.entries} if lexicon else set()
    there = {parts_of(word)[0] for line in lines for word in line if is_placeholder(word)}
    kinds = tuple(kind for kind in KINDS if kind in there - named)
    if not kinds:
        return None
    world = database_world(domain, raw)
    facts = list(_facts(world))
    units, said = _units(domain, facts, _units_of_columns(world), _has_prices(world))
    return ValueReader(
        ValueSettings(
            kinds,
            units,
            said,
            tuple(sorted(set(_counted(lines)) - said.keys())),
            tuple(sorted(set(_labels(lines)))),
            domain.dates or DMY,
            _span(fact.year for fact in facts if isinstance(fact, Date)),
            _span(fact.hour * 60 + fact.minute for fact in facts if isinstance(fact, Time)),
            _examples(facts),
        )
    )


def doubtful_units(domain: Domain, known: Collection[str]) -> Iterator[str]:
    """A line for each unit of the domain file that no fact has, or that is called otherwise.

    Args:
        domain: says what its units are.
        known: units of its facts.
    """
    for unit, told in domain.units.items():
        if unit not in known:
            yield f"units: no fact has a number in {unit}{nearest(unit, sorted(known))}"
        elif odd := unlike_its_name(unit, told):
            yield f"units: {odd}"


def units_of(world: World) -> set[str]:
    """Those of the numbers of a world of triples, and of the columns of a database."""
    numbers = (fact for fact in _facts(world) if isinstance(fact, Number))
    found = {str(number.unit) for number in numbers if number.unit not in (None, UNITLESS)}
    return {*found, *_units_of_columns(world)}


def _triples(world: World | None) -> Iterator[Triple]:
    """Those of a world of triples, each as often as it stands there."""
    if world is not None and isinstance(world.database, TripleStore):
        yield from world.database


def _facts(world: World | None) -> Iterator[Value]:
    """The numbers, dates and times of a world of triples."""
    yield from (value for _, _, value in _triples(world))


def _units_of_columns(world: World | None) -> Iterator[str]:
    """The units that the schema of a database says."""
    yield from (measure.unit for _, measure in _measures(world) if measure.unit)


def _measures(world: World | None) -> Iterator[tuple[str, Measure]]:
    """The measures that the schema of a database has, with their names."""
    schema = getattr(world, "schema", None)
    for each in schema.tables.values() if schema else ():
        yield from each.measures.items()


def _has_prices(world: World | None) -> bool:
    """Whether the schema of a database has a measure that is money by its name."""
    return any(
        not MONEY.isdisjoint(words_of(f"{name}_{part.column or ''}"))
        for name, part in _measures(world)
        if not part.unit
    )


def _units(
    domain: Domain, facts: Iterable[Value], columns: Iterable[str], priced: bool
) -> tuple[dict[str, Unit], dict[str, Said]]:
    numbers: dict[str, dict[str, float]] = {}
    for fact in facts:
        if isinstance(fact, Number) and fact.unit not in (None, UNITLESS):
            numbers.setdefault(str(fact.unit), {})[fact.numeral()] = fact.value
    told = dict(domain.units)
    specs = {unit: spec_of(unit, told.get(unit)) for unit in sorted({*numbers, *columns, *told})}
    return table(specs, {unit: _spread(found) for unit, found in numbers.items()}, priced)


def _spread(texts: Mapping[str, float]) -> tuple[str, ...]:
    """A small, a middling and a large one of the texts, by what they are worth."""
    ordered = sorted(texts, key=lambda text: (texts[text], text))
    size = len(ordered)
    return tuple(dict.fromkeys(ordered[size * share // 4] for share in (1, 2, 3)))


def _counted(lines: Iterable[list[str]]) -> Iterator[str]:
    """Words right behind ``_number_``."""
    for line in lines:
        for word, following in pairwise(line):
            if is_placeholder(word) and parts_of(word)[0] == KINDS[0] and following.isalpha():
                yield following


def _labels(lines: Iterable[list[str]]) -> Iterator[tuple[str, str]]:
    """A word and the number that canonical utterances have behind it, as in ``hall two``."""
    for line in lines:
        for one, two in pairwise(pieces(line)):
            if (
                value_of(two.text) is not None
                and one.text.isalpha()
                and not _NO_LABEL.fullmatch(one.text)
            ):
                yield one.text, two.text


def _span(numbers: Iterable[int]) -> tuple[int, int] | None:
    known = [number for number in numbers if number >= 0]
    return (min(known), max(known)) if known else None


def _examples(facts: Iterable[Value]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, float]] = {}
    for fact in facts:
        if isinstance(fact, Time):
            found.setdefault(TIME, {})[time_text(fact.hour, fact.minute)] = exact_degree(fact)
        elif isinstance(fact, Date):
            found.setdefault(DATE, {})[date_text(fact.year, fact.month, fact.day)] = degree(fact)
    return {kind: _spread(texts) for kind, texts in found.items()}
