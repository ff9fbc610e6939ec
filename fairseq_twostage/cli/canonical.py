"""``twostage canonical``: pairs of canonical utterance and logical form from a grammar."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path

from fairseq_twostage.cli.options import positive, seed
from fairseq_twostage.domains.domain import Domain
from fairseq_twostage.domains.lint import lint_domain
from fairseq_twostage.domains.pairs import type_check, unknown_constants
from fairseq_twostage.domains.placeholder_pairs import names_of, with_placeholders
from fairseq_twostage.domains.registry import domain_file, load_domain
from fairseq_twostage.domains.schemas import MOST_PAIRS, schema_grammar, schema_of
from fairseq_twostage.domains.worlds import database_world
from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.chart import DEFAULT_CAPACITY, MAX_APPLICATIONS, Chart, TypeCheck
from fairseq_twostage.grammar.generate import Pair, make_chart, sort_pairs, stream_pairs
from fairseq_twostage.grammar.lint import lint
from fairseq_twostage.grammar.reader import DEFAULT_TAGS, Grammar, read_grammar
from fairseq_twostage.grammar.typecheck import ExecutionCheck
from fairseq_twostage.writing import atomic_write


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    parser.description = "print canonical utterance<TAB>logical form for every pair of a grammar"
    add("folder", nargs="?", metavar="DIR", help="the same as --domain DIR")
    add("--rules", action="store_true", help="print the rules that a schema.yaml makes instead")
    add(
        "--grammar",
        nargs="+",
        type=Path,
        metavar="FILE",
        help=".grammar files (default: those that the domain.yaml of --domain names)",
    )
    add(
        "--domain",
        help="world on which sub-forms are executed to check types, or a domain.yaml or its "
        "folder (default: no check)",
    )
    add("--geo-db", type=Path, metavar="FILE", help="database of the domain geo")
    add(
        "--tags",
        nargs="+",
        metavar="TAG",
        help="what holds in 'when' conditions (default: the domain's, or generate general)",
    )
    add("--depth", type=positive, metavar="N", help="no deeper derivations")
    add("--budget", type=positive, metavar="N", help="stop after N pairs, the shallow ones first")
    add("--sample", type=positive, metavar="N", help="draw N random pairs")
    add("--seed", type=seed, default=1, help="of the sample (default: %(default)s)")
    add("--stream", action="store_true", help="print pairs as they are found, unsorted")
    add(
        "--capacity",
        type=positive,
        default=DEFAULT_CAPACITY,
        metavar="N",
        help="phrases kept in memory, about 1 kB each (default: %(default)s)",
    )
    add(
        "--placeholders",
        nargs="+",
        default=[],
        metavar="TYPE",
        help="write _TYPE_ in place of the names of entities of these types, as geo's data do: "
        "city state river lake mountain place",
    )
    add("--output", type=Path, metavar="FILE", help="default: standard output")
    add(
        "--lint",
        action="store_true",
        help="print warnings about the grammar instead of pairs: ambiguous utterances, logical "
        "forms with several utterances, rules that are never reached or never pass the check; of "
        "a domain of your own also constants without a fact, things without a type, names that "
        "the grammar has no place for",
    )


def main(args: argparse.Namespace) -> int:
    """Generate, or lint; returns 0."""
    args.domain = args.domain or args.folder
    if args.rules:
        return _print_rules(args)
    if args.budget is not None and args.sample is not None:
        raise UserError("choose one of them", where="--budget, --sample")
    if args.lint and (args.budget is not None or args.sample is not None):
        raise UserError("needs all pairs; bound them by --depth", where="--lint")
    if args.lint and args.placeholders:
        raise UserError(
            "lint reads the words of the grammar: leave out --placeholders",
            where="--lint --placeholders",
        )
    chart = _chart(args)
    with nullcontext(sys.stdout) if args.output is None else atomic_write(args.output) as output:
        found = _findings(chart, args.domain) if args.lint else _pair_lines(chart, args)
        lines = found if args.lint else _some(found, chart)
        output.writelines(f"{line}\n" for line in lines)
    return 0


def _some(lines: Iterator[str], chart: Chart) -> Iterator[str]:
    """The lines, of which there must be one."""
    first = next(lines, None)
    if first is None:
        raise UserError(
            "generates no pair: the type check refuses all; --lint names the rules",
            where=str(chart.grammar.files[-1]),
        )
    return chain([first], lines)


def _print_rules(args: argparse.Namespace) -> int:
    domain = load_domain(args.domain) if args.domain and domain_file(args.domain) else None
    if domain is None or domain.database is None:
        raise UserError("is for a domain with a schema.yaml", "--rules")
    from fairseq_twostage.databases.questions import grammar_text

    print(grammar_text(schema_of(domain, domain.base(Path()))), end="")
    return 0


def _chart(args: argparse.Namespace) -> Chart:
    if args.domain is not None and domain_file(args.domain) is not None:
        return _domain_chart(args, load_domain(args.domain))
    if args.grammar is None:
        raise UserError("give one, or a domain.yaml that does", where="--grammar")
    grammar = read_grammar(args.grammar, args.tags or DEFAULT_TAGS)
    _warn_of_unknown_tags(grammar, args.tags or DEFAULT_TAGS)
    check = None
    if args.domain is not None:
        from fairseq_twostage.semantics import load_world

        check = ExecutionCheck(load_world(args.domain, args.geo_db))
    return _bounded_chart(args, grammar, check, args.depth)


def _domain_chart(args: argparse.Namespace, domain: Domain) -> Chart:
    """The chart of a user's domain: its grammar, tags and depth unless the options differ."""
    base = domain.base(Path())
    if domain.database is not None and not domain.pairs and not args.grammar:
        args.budget = args.budget or (None if args.sample or args.lint else MOST_PAIRS)
        grammar = schema_grammar(domain, base)
        return make_chart(
            grammar, depth=args.depth or domain.depth, budgeted=True, capacity=args.capacity
        )
    files = args.grammar or [base / file for file in domain.grammar]
    if not files:
        raise UserError("the domain has pairs and no grammar", where=args.domain)
    tags = args.tags or domain.tags
    grammar = read_grammar(files, tags)
    _warn_of_unknown_tags(grammar, tags)
    world = database_world(domain, base)
    if not args.lint:  # which tells all of them
        for note in unknown_constants(domain, base, world):
            print(f"note: {note}", file=sys.stderr)
    check = type_check(domain, base, world)
    return _bounded_chart(args, grammar, check, args.depth or domain.depth)


def _bounded_chart(
    args: argparse.Namespace, grammar: Grammar, check: TypeCheck | None, depth: int | None
) -> Chart:
    bounded = args.budget is not None or args.sample is not None or args.stream
    return make_chart(
        grammar,
        check,
        depth=depth,
        budgeted=args.budget is not None,
        capacity=args.capacity,
        limit=None if bounded else MAX_APPLICATIONS,
    )


def _warn_of_unknown_tags(grammar: Grammar, tags: Iterable[str]) -> None:
    """Overnight's default tags are no mistake in a grammar without any ``when``."""
    unknown = set(tags) - grammar.known_tags - set(DEFAULT_TAGS)
    if unknown:
        names = ", ".join(sorted(unknown))
        print(f"twostage canonical: warning: no 'when' knows the tag {names}", file=sys.stderr)


def _pair_lines(chart: Chart, args: argparse.Namespace) -> Iterator[str]:
    unsorted = stream_pairs(
        chart, budget=args.budget, sample=args.sample, seed=args.seed, ordered=False
    )
    found = _watched(unsorted, args.budget, args.sample)
    if args.placeholders:
        found = with_placeholders(found, names_of(chart.grammar.rules, args.placeholders))
    pairs = found if args.stream else sort_pairs(found)
    return ("\t".join(pair) for pair in pairs)


def _watched(pairs: Iterator[Pair], budget: int | None, sample: int | None) -> Iterator[Pair]:
    """Show a progress bar where standard error is a terminal; warn of a sample cut short."""
    from tqdm import tqdm

    count = 0
    unless_a_terminal = None
    for pair in tqdm(pairs, total=budget or sample, unit=" pairs", disable=unless_a_terminal):
        yield pair
        count += 1
    if sample is not None and count < sample:
        print(f"twostage canonical: warning: found {count} pairs, not {sample}", file=sys.stderr)


def _findings(chart: Chart, domain: str | None) -> Iterator[str]:
    if domain is not None and domain_file(domain) is not None:
        yield from map(str, lint_domain(load_domain(domain), chart.grammar))
    yield from map(str, lint(chart, chart.roots()))
