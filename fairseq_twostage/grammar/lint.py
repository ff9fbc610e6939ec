"""Warnings about a grammar: what its author would want to know before collecting data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fairseq_twostage.grammar.analysis import reachable_categories, recursive_rule
from fairseq_twostage.grammar.chart import Chart, Phrase
from fairseq_twostage.grammar.rules import ROOT


class Finding(NamedTuple):
    """One warning; ``where`` is ``file:line`` of a rule, or empty for a pair."""

    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


def lint(chart: Chart, phrases: Iterable[Phrase]) -> Iterator[Finding]:
    """Yield warnings about the chart's grammar and the phrases of ``$ROOT`` it generates.

    Args:
        chart: the chart that ``phrases`` come from.
        phrases: all of them; consumed here, and their pairs are held in memory.
    """
    forms: dict[str, dict[str, None]] = {}
    utterances: dict[str, dict[str, None]] = {}
    used = 0
    for phrase in phrases:
        forms.setdefault(phrase.utterance, {})[phrase.term.text] = None
        utterances.setdefault(phrase.term.text, {})[phrase.utterance] = None
        used |= phrase.rules
    yield from _several(forms, "ambiguous utterance", "logical forms")
    yield from _several(utterances, "logical form", "utterances")
    for term in getattr(chart.type_check, "unproven", ()):
        yield Finding("", f"no names that were tried give {term.text!r} a value; it is kept")
    reachable = reachable_categories(chart.grammar)
    useless = "is part of no pair: the type check refuses all that is built with it"
    if recursive_rule(chart.grammar) is not None:
        useless = f"is part of no pair up to depth {chart.depth}"
    for index, rule in enumerate(chart.grammar.rules):
        problem = _idle_rule(chart, index, reachable)
        if problem is None and not rule.is_renaming and not used >> index & 1:
            problem = useless
        if problem is not None:
            yield Finding(rule.source, f"{rule} {problem}")


def idle_rules(chart: Chart) -> Iterator[Finding]:
    """A warning for each rule of which no phrase comes, once the chart's phrases were made."""
    reachable = reachable_categories(chart.grammar)
    for index, rule in enumerate(chart.grammar.rules):
        problem = _idle_rule(chart, index, reachable)
        if problem is not None:
            yield Finding(rule.source, f"{rule} {problem}")


def _several(
    groups: Mapping[str, Mapping[str, None]], name: str, of_what: str
) -> Iterator[Finding]:
    for key, values in groups.items():
        if len(values) > 1:
            listed = "; ".join(sorted(values))
            yield Finding("", f"{name} {key!r} has {len(values)} {of_what}: {listed}")


def _idle_rule(chart: Chart, index: int, reachable: set[str]) -> str | None:
    rule = chart.grammar.rules[index]
    if not rule.is_generating:
        return "needs an input utterance: it generates nothing"
    if rule.left not in reachable:
        return f"is never reached from {ROOT}"
    empty = [c for c in rule.categories if not _has_phrases(chart, c)]
    if empty and not all(part.optional for part in rule.parts if part.symbol in empty):
        return f"never applies: there are no phrases of {', '.join(dict.fromkeys(empty))}"
    use = chart.uses[index]
    if use.applied and not use.passed:
        first = "" if use.refused is None else f"; twostage execute says why: {use.refused.text}"
        return f"never passes the type check ({use.applied} applications){first}"
    return None


def _has_phrases(chart: Chart, category: str) -> bool:
    return any(chart.size(category, depth) for depth in range(1, chart.depth + 1))
