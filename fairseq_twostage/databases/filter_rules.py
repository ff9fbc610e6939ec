"""Conditions that a schema's filters name, and of what is not known."""

from __future__ import annotations

from collections.abc import Iterator

from fairseq_twostage.databases.inflection import with_article
from fairseq_twostage.databases.measure_words import SCALES
from fairseq_twostage.databases.phrases import clause, is_participle
from fairseq_twostage.databases.rule_writing import RuleWriter
from fairseq_twostage.databases.rules import (
    apply,
    having,
    rule,
)
from fairseq_twostage.databases.schema import Dimension, Filter, Measure, TimeDimension
from fairseq_twostage.databases.words import undone


class FilterRules(RuleWriter):
    """Those that a schema names, and those without something."""

    def lines(self, t: str) -> Iterator[str]:
        """The rules of one type."""
        yield from self._filters(t)
        yield from self._missing(t)

    def _missing(self, t: str) -> Iterator[str]:
        """Those of which a property is not known, or zero."""
        table = self.schema.tables[t]
        for name, part in table.columns.items():
            gathered = isinstance(part, Measure) and part.gathered is not None
            if part.aside or gathered or name in table.naming or part.stored_as == "boolean":
                continue
            if (part.column or name) in table.key:
                continue
            known = having(f"{t}.{name}")
            noun = self.phrases.nouns(t, name)[0]
            scale = not SCALES.isdisjoint(noun.split())
            if isinstance(part, Measure) and not scale:  # who has none of it has zero of it
                zero = _number(0, part.unit)
                known = f"(call @filter (var s) (string {t}.{name}) (string !=) {zero})"
            form = f"(ConstantFn (lambda s (call @without (var s) {known})))"
            yield rule(f"${t}_Isno", f"have no {noun}", form)
            unsaid = isinstance(part, Dimension) and part.values == "none"
            if isinstance(part, Measure) or unsaid:
                yield rule(
                    f"${t}_Isno", f"have {with_article(noun)}", f"(ConstantFn (lambda s {known}))"
                )
            done = part.wording if isinstance(part, TimeDimension) else None
            if done and " " not in done and is_participle(done):
                yield rule(f"${t}_Is0", f"are not yet {done}", form)
                if done != "born" and (word := undone(done)):
                    yield rule(f"${t}_Adj1", word, form)
            if done == "left" and table.person:
                yield rule(f"${t}_Is0", "still work", form)
                yield rule(f"${t}_Is0", "have left", f"(ConstantFn (lambda s {known}))")

    def _filters(self, t: str) -> Iterator[str]:
        table = self.schema.tables[t]
        for name, condition in table.filters.items():
            form = f"(ConstantFn {self._condition(t, condition)})"
            for words in (name.replace("_", " "), *condition.synonyms):
                if len(words.split()) == 1:
                    yield rule(f"${t}_Adj1", words, form)
                    yield rule(f"${t}_Is1", f"are {words}", form)
                else:
                    yield from self.post(t, 1, clause(words), "", form)
                    if self.named(t):
                        yield rule(f"${t}_Filter", words, form)
                        yield apply(f"${t}_Fits", f"is ${t}_Named ${t}_Filter", "backward")

    def _condition(self, t: str, condition: Filter) -> str:
        property_ = f"{t}.{condition.dimension}"
        part = self.schema.tables[t].columns[condition.dimension]
        unit = part.unit if isinstance(part, Measure) else None
        inner = "(var s)"
        if condition.equals is not None:
            value = self.phrases.constant(t, condition.dimension, condition.equals)
            inner = f"(call @filter {inner} (string {property_}) (string =) {value})"
        for bound, comparison in ((condition.above, ">"), (condition.below, "<")):
            if bound is not None:
                value = _number(bound, unit)
                inner = f"(call @filter {inner} (string {property_}) (string {comparison}) {value})"
        if condition.missing:
            inner = f"(call @without {inner} {having(property_, inner)})"
        return f"(lambda s {inner})"


def _number(value: float, unit: str | None) -> str:
    return f"(number {value:g} {unit})" if unit else f"(number {value:g})"
