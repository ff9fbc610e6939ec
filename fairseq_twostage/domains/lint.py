"""Whether grammar, facts and names of a domain name the same things."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fairseq_twostage.domains.domain import Domain
from fairseq_twostage.domains.lexicon_types import names_of, unused_types
from fairseq_twostage.domains.values import doubtful_units
from fairseq_twostage.grammar.lint import Finding
from fairseq_twostage.grammar.reader import Grammar
from fairseq_twostage.grammar.terms import Term
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.gold_forms import why_unmeant
from fairseq_twostage.semantics.loading import located_triples, read_value
from fairseq_twostage.semantics.values import UNITLESS, Name, Number, Value
from fairseq_twostage.text.lexicon import Entry

SEVERAL = 0.1  # share of things with several numbers above which a property may have them
FEW = 4  # things, of which nothing is usual
EXTREMES_AND_SUMS = ("max", "min", "avg", "sum")  # texts of functions, no property


@dataclass
class _Facts:
    """What a file of facts has, and for each thing the first line where it has a property."""

    names: set[str] = field(default_factory=set)
    units: set[str] = field(default_factory=set)
    properties: set[str] = field(default_factory=lambda: {"type"})
    things: dict[str, str] = field(default_factory=dict)
    typed: set[str] = field(default_factory=set)
    numbers: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """Of a property, of each thing, the lines with a number."""

    @classmethod
    def read(cls, path: Path) -> _Facts:
        facts = cls()
        for where, (entity, name, value) in located_triples(path):
            facts.properties.add(name)
            for each in (entity, value):
                if isinstance(each, Name):
                    facts.names.add(each.id)
                elif isinstance(each, Number) and each.unit is not None:
                    facts.units.add(each.unit)
            if isinstance(entity, Name):
                facts.things.setdefault(entity.id, where)
                if name == "type":
                    facts.typed.add(entity.id)
                if isinstance(value, Number):
                    lines = facts.numbers.setdefault(name, {}).setdefault(entity.id, [])
                    lines.append(where)
        return facts

    def lack(self, value: Value) -> str | None:
        """What is said of a value that no fact has; None: one has it, or it needs none."""
        if isinstance(value, Name) and value.id not in self.names:
            return f"no fact has {value.id}"
        if isinstance(value, Number) and value.unit not in {None, UNITLESS, *self.units}:
            return f"no fact has a number in {value.unit}"
        return None


def lint_domain(domain: Domain, grammar: Grammar) -> Iterator[Finding]:
    """What one file of a domain names and another one lacks.

    Facts count where they are a ``.tsv``.

    Raises:
        UserError: a file cannot be read.
    """
    base = domain.base(Path())
    facts = None
    if domain.world_file is not None and domain.world_file.endswith(".tsv"):
        facts = _Facts.read(base / domain.world_file)
    names = names_of(domain, base)
    yield from unused_types(domain, grammar, base)
    if facts is not None:
        yield from _unknown_constants(names, grammar, facts)
        yield from (Finding("", said) for said in doubtful_units(domain, facts.units))
        for thing, where in facts.things.items():
            if thing not in facts.typed:
                yield Finding(where, f"{thing} has no line 'type': no question finds it by type")
        yield from _second_numbers(facts)


def _second_numbers(facts: _Facts) -> Iterator[Finding]:
    """Things that have two numbers of a property of which nearly all have one."""
    for name, things in facts.numbers.items():
        several = {thing: lines for thing, lines in things.items() if len(lines) > 1}
        if len(several) > max(1, SEVERAL * len(things)) or len(things) < FEW:
            continue
        for thing, lines in several.items():
            first = lines[0].rpartition(":")[2]
            yield Finding(lines[1], f"{thing} has {name} in line {first} already; both count")


def _unknown_constants(
    names: list[tuple[str, Entry]], grammar: Grammar, facts: _Facts
) -> Iterator[Finding]:
    for rule in grammar.rules:
        terms = [term for term in vars(rule.function).values() if isinstance(term, Term)]
        for message in dict.fromkeys(each for term in terms for each in _lacks(term, facts)):
            yield Finding(rule.source, f"{rule}: {message}")
    for where, entry in names:
        value = _value(entry.constant)
        lack = None if value is None else facts.lack(value)
        if lack is not None:
            yield Finding(where, f"{entry.phrase!r}: {lack}")


def _lacks(term: Term, facts: _Facts) -> Iterator[str]:
    if term.head == "string" and term.parts is not None:
        name = term.parts[1].atom.removeprefix("!")
        if name.isidentifier() and name not in {*facts.properties, *EXTREMES_AND_SUMS}:
            yield f"no fact has the property {name}"
    elif term.parts is None or term.head in ("number", "date", "time", "boolean"):
        value = _value(term.text)
        lack = None if value is None else facts.lack(value) or why_unmeant(term.text)
        if lack is not None:
            yield lack
    else:
        yield from (each for part in term.parts for each in _lacks(part, facts))


def _value(text: str) -> Value | None:
    """The value that a constant stands for; None: none that facts need to have."""
    if not text.startswith("(") and ("." not in text[1:] or text.startswith(("SW.", ".", "@"))):
        return None
    try:
        return read_value(text)
    except ExecutionError:
        return None
