"""What a grammar's rules say without generating anything: which categories matter, and loops."""

from __future__ import annotations

from collections.abc import Iterable

from fairseq_twostage.grammar.reader import Grammar
from fairseq_twostage.grammar.rules import ROOT, Rule


def reachable_categories(grammar: Grammar, start: str = ROOT) -> set[str]:
    """``start`` and every category that generating rules lead to from it."""
    reachable, pending = {start}, [start]
    while pending:
        for rule in grammar.by_category.get(pending.pop(), ()):
            new = set(rule.categories) - reachable if rule.is_generating else set()
            reachable |= new
            pending.extend(new)
    return reachable


def productive_categories(grammar: Grammar) -> set[str]:
    """Categories that derive at least one phrase, the type check aside."""
    productive: set[str] = set()
    while True:
        new = {rule.left for rule in grammar.rules if _can_fire(rule, productive)} - productive
        if not new:
            return productive
        productive |= new


def recursive_rule(grammar: Grammar) -> Rule | None:
    """A rule under which its own category can occur again, so that depth has no bound, or None.

    Renaming rules alone do not count: a cycle of them adds no phrase.
    """
    productive = productive_categories(grammar)
    live = Grammar(tuple(rule for rule in grammar.rules if _can_fire(rule, productive)))
    reachable = reachable_categories(live)
    for rule in live.rules:
        if rule.left in reachable and not rule.is_renaming:
            below: Iterable[str] = rule.categories
            if any(rule.left in reachable_categories(live, category) for category in below):
                return rule
    return None


def _can_fire(rule: Rule, productive: set[str]) -> bool:
    needed = {part.symbol for part in rule.parts if not part.optional} & set(rule.categories)
    return rule.is_generating and needed <= productive
