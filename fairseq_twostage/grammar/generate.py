"""From grammar files to (canonical utterance, logical form) pairs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.analysis import productive_categories, recursive_rule
from fairseq_twostage.grammar.chart import DEFAULT_CAPACITY, DEFAULT_DEPTH, Chart, TypeCheck
from fairseq_twostage.grammar.reader import DEFAULT_TAGS, Grammar, read_grammar
from fairseq_twostage.grammar.rules import ROOT
from fairseq_twostage.grammar.sampling import sample as draw_phrases
from fairseq_twostage.grammar.streams import distinct, sorted_distinct
from fairseq_twostage.grammar.typecheck import ExecutionCheck

if TYPE_CHECKING:
    from fairseq_twostage.semantics import World

GrammarFiles = Iterable[str | os.PathLike[str]] | str | os.PathLike[str]


class Pair(NamedTuple):
    """A canonical utterance and its logical form, printed as :attr:`.terms.Term.text`."""

    utterance: str
    logical_form: str


def generate_pairs(
    grammar_files: GrammarFiles,
    domain: str | None = None,
    *,
    world: World | None = None,
    geo_db: str | os.PathLike[str] | None = None,
    tags: Iterable[str] = DEFAULT_TAGS,
    depth: int | None = None,
    budget: int | None = None,
    sample: int | None = None,
    seed: int = 1,
    capacity: int = DEFAULT_CAPACITY,
    ordered: bool = True,
) -> Iterator[Pair]:
    """Yield the distinct pairs of a grammar in bounded memory.

    Args:
        grammar_files: one ``.grammar`` file or several.
        domain: name of the world whose execution checks types (``calendar``, …, ``geo``).
        world: that world itself, instead of its name. With neither nothing is checked.
        geo_db: the database file that the world ``geo`` is read from.
        tags: what holds in the grammar's ``when`` conditions.
        depth: no deeper derivations; 30 unless given.
        budget: stop after so many pairs, the shallow ones first.
        sample: draw so many pairs at random instead of enumerating.
        seed: of the sample.
        capacity: how many phrases to keep in memory.
        ordered: sort the pairs (by code point, on disk where they are many); otherwise they
            come as they are found, and a repetition more than 250,000 pairs later stays.

    Raises:
        UserError: for a grammar that cannot be read, that has no ``$ROOT``, or that is
            recursive while neither depth nor budget bounds it.
    """
    grammar = read_grammar(grammar_files, tags)
    if world is None and domain is not None:
        from fairseq_twostage.semantics import load_world

        world = load_world(domain, geo_db)
    chart = make_chart(
        grammar,
        None if world is None else ExecutionCheck(world),
        depth=depth,
        budgeted=budget is not None and sample is None,
        capacity=capacity,
    )
    return stream_pairs(chart, budget=budget, sample=sample, seed=seed, ordered=ordered)


def make_chart(
    grammar: Grammar,
    type_check: TypeCheck | None = None,
    *,
    depth: int | None = None,
    budgeted: bool = False,
    capacity: int = DEFAULT_CAPACITY,
    limit: int | None = None,
) -> Chart:
    """A chart for a grammar, after a look at whether generation can work and will end.

    Raises:
        UserError: when no rules lead to words from ``$ROOT``, and when the grammar is recursive
            while there is neither a depth nor a budget.
    """
    where = str(grammar.files[-1]) if grammar.files else None
    if ROOT not in productive_categories(grammar):
        message = f"no rules lead from {ROOT} to words under the chosen tags"
        known = ", ".join(sorted(grammar.known_tags))
        raise UserError(f"{message}; tags of the grammar: {known or 'none'}", where=where)
    if depth is None and not budgeted:
        rule = recursive_rule(grammar)
        if rule is not None:
            raise UserError(
                f"{rule} is recursive, so its phrases have no end: give a depth, "
                "depth: in domain.yaml or --depth, or a budget",
                where=rule.source,
            )
    return Chart(grammar, type_check, DEFAULT_DEPTH if depth is None else depth, capacity, limit)


def stream_pairs(
    chart: Chart,
    *,
    budget: int | None = None,
    sample: int | None = None,
    seed: int = 1,
    ordered: bool = True,
) -> Iterator[Pair]:
    """The distinct pairs of a chart; see :func:`generate_pairs` for the arguments."""
    phrases = chart.roots() if sample is None else islice(draw_phrases(chart, seed), sample)
    pairs = distinct(Pair(phrase.utterance, phrase.term.text) for phrase in phrases)
    if budget is not None:
        pairs = islice(pairs, budget)
    return sort_pairs(pairs) if ordered else pairs


def sort_pairs(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield distinct pairs in the order of their lines ``utterance<TAB>logical form``."""
    for line in sorted_distinct("\t".join(pair) for pair in pairs):
        utterance, logical_form = line.split("\t")
        yield Pair(utterance, logical_form)
