"""What a domain takes from its ``schema.yaml``: its questions, and the database's names."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fairseq_twostage.domains.domain import Domain
from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.generate import make_chart, stream_pairs
from fairseq_twostage.grammar.reader import Grammar, read_grammar
from fairseq_twostage.text.lexicon import Lexicon
from fairseq_twostage.text.lexicon_files import read_lexicon
from fairseq_twostage.text.placeholders import is_placeholder

if TYPE_CHECKING:
    from fairseq_twostage.databases.schema import Schema

Pairs = list[tuple[str, str]]
_ASKED = re.compile(r"call SW\.getProperty \( call .*\( string ([\w.^/]+) \) \) \)$")
_THERE_AND_BACK = re.compile(
    r"\( string !([\w^/]+) \) \( string = \) (?:\( call SW\.\w+ )+\( call SW\.singleton \S+ \) "
    r"\( string !type \) \) \( string ([\w^/]+) \) \( string = \)"
)
_ALL = (
    r"\( call SW\.filter \( call SW\.getProperty \( call SW\.singleton \S+ \) \( string !type \) \)"
)
_FELLOWS = re.compile(
    rf"\( string (!?)([\w^/]+) \) \( string = \) {_ALL} \( string (?!\1\2 )!?\2 \) \( string = \) "
    rf"{_ALL} \( string [\w.]+ \) \( string = \) _number_ \)"
)
"""Through others to what a number tells: orders with products of order 7."""
_GROUPED = re.compile(
    r"\( call SW\.group .* \( string ([\w.]+) \)(?: \( string (?:sum|avg) \).*)? \) \)$"
)
_WITH_AND_WITHOUT = re.compile(
    r"call SW\.without \( call SW\.filter .* \( string ([\w.]+) \) \( string = \) _\w+_ \) .*"
    r"\( string \1 \) \( string = \) \( call SW\.getProperty "
)
"""Of one value and of none: members of a category that have no category."""
_TOTAL_OF = re.compile(r"what is the total of (?!the |_|[\w ]+ _number_$)")
"""Of many, where each has one of that name: people mean the sum, "the total amount of"."""
MOST_PAIRS = 20_000
"""Questions of a schema that are always compared, the simple ones first."""
MOST_FURTHER = 200_000
"""Questions beyond them, of which those with the names of what is asked are compared."""


def domain_lexicon(domain: Domain, base: Path) -> Lexicon | None:
    """The domain's own lexicon, then what its database names.

    Raises:
        UserError: a file or the database cannot be read.
    """
    own = None if domain.lexicon is None else read_lexicon(base / domain.lexicon)
    if domain.database is None:
        return own
    from fairseq_twostage.databases.connecting import open_database
    from fairseq_twostage.databases.values import entries

    path = base / domain.database
    schema = schema_of(domain, base)
    engine = open_database(schema.database, path.parent, f"{path}: database")
    return Lexicon([*(own.entries if own else ()), *entries(schema, engine, str(path))])


def schema_grammar(domain: Domain, base: Path) -> Grammar:
    """The rules that a domain's schema makes, and its own grammar's.

    Raises:
        UserError: a file cannot be read.
    """
    from fairseq_twostage.databases.questions import grammar_text

    path = base / str(domain.database)
    files = [base / file for file in domain.grammar]
    return read_grammar(files, domain.tags, (grammar_text(schema_of(domain, base)), path))


def schema_pairs(domain: Domain, base: Path, most: int = MOST_PAIRS + MOST_FURTHER) -> Pairs:
    """The questions of a domain's schema with their logical forms, the simple ones first:
    ``most`` of them.

    A question that can mean two things means the first; one that has a placeholder twice is none,
    nor is one that says its answer: the city of customers with city _city_; nor a list of totals.
    """
    chart = make_chart(schema_grammar(domain, base), depth=domain.depth, budgeted=True)
    relations = schema_of(domain, base).relationships.items()
    to_one = {name for name, relation in relations if relation.columns is not None}
    forms: dict[str, str] = {}
    more = False
    for pair in stream_pairs(chart, ordered=False):
        names = list(filter(is_placeholder, pair.utterance.split()))
        listed = _TOTAL_OF.match(pair.utterance) and " ( string sum ) " not in pair.logical_form
        if listed or _answers_itself(pair.logical_form, to_one):
            continue
        if len(names) == len(set(names)):
            if len(forms) == most:
                more = most == MOST_PAIRS + MOST_FURTHER
                break
            forms.setdefault(pair.utterance, pair.logical_form)
    if more:
        print(
            f"note: {base / str(domain.database)}: it makes more than {len(forms)} questions; the "
            "simplest are taken (aside: true leaves a property out)",
            file=sys.stderr,
        )
    return sorted(forms.items(), key=_steps)


def _steps(pair: tuple[str, str]) -> int:
    """How far a question is from a simple one: by its words and the operations of its form."""
    return len(pair[0].split()) + pair[1].count("( call ")


def _answers_itself(form: str, to_one: Collection[str]) -> bool:
    """Whether a form asks for a property of things that it chooses by a value of it, or for what
    can be none of them, or goes to others and straight back: customers with orders of _customer_,
    orders of the customer of an order."""
    found = _ASKED.search(form)
    if found is not None and f"( string {found[1]} ) ( string = )" in form:
        return True
    if _FELLOWS.search(form) or _WITH_AND_WITHOUT.search(form):
        return True
    grouped = _GROUPED.search(form)
    if grouped is not None and f"( string {grouped[1]} ) ( string = )" in form:
        return True  # so many of Oslo for each city
    return any(there in to_one and there == back for there, back in _THERE_AND_BACK.findall(form))


def schema_of(domain: Domain, base: Path) -> Schema:
    """The domain's schema.

    Raises:
        UserError: with ``file:line`` for what cannot be; what it needs is not installed.
    """
    try:
        from fairseq_twostage.databases.schema_file import read_schema
    except ModuleNotFoundError as error:
        raise UserError(
            f"a database needs {error.name}: pip install 'fairseq-twostage[database]'",
            str(domain.database),
        ) from None
    return read_schema(base / str(domain.database))


def example_questions(pairs: Sequence[tuple[str, str]], most: int) -> list[str]:
    """Some of the canonical utterances, spread over all."""
    step = max(1, len(pairs) // most)
    return [utterance for utterance, _ in pairs[::step][:most]]
