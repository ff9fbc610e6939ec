"""Types of names that a domain's lexicon has and its grammar lacks, and the reverse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fairseq_twostage.domains.domain import Domain
from fairseq_twostage.grammar.lint import Finding
from fairseq_twostage.grammar.reader import Grammar
from fairseq_twostage.text.lexicon import NAMELESS, Entry
from fairseq_twostage.text.lexicon_files import located_entries
from fairseq_twostage.text.placeholders import is_placeholder, parts_of
from fairseq_twostage.text.value_settings import KINDS


def names_of(domain: Domain, base: Path) -> list[tuple[str, Entry]]:
    """The names of the lexicon in the folder ``base``, each behind ``FILE:LINE``."""
    if domain.lexicon is None:
        return []
    found = located_entries(base / domain.lexicon)
    return [(where, entry) for where, entry in found if entry.type not in NAMELESS]


def unused_types(domain: Domain, grammar: Grammar, base: Path) -> Iterator[Finding]:
    """A warning for each type that one of both alone has; none without a lexicon."""
    if domain.lexicon is None:
        return
    used: dict[str, str] = {}
    for rule in grammar.rules:
        for part in rule.parts:
            if is_placeholder(part.symbol):
                used.setdefault(parts_of(part.symbol)[0], rule.source)
    listed: dict[str, str] = {}
    for where, entry in names_of(domain, base):
        listed.setdefault(entry.type, where)
    for type, where in listed.items():
        if type not in used:
            yield Finding(where, f"the grammar has no _{type}_: no name of this type is understood")
    for type, where in used.items():
        if type not in listed and type not in KINDS:
            yield Finding(where, f"{domain.lexicon} has no name of the type {type}")
