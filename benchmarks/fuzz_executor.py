"""Fuzz the executor: ``python -m benchmarks.fuzz_executor --minutes 10 --corpus FILE``.

Lines come from the strategies of ``tests/semantics``: nearly well-typed forms, token soup,
mutations and arbitrary text. Of each line it is checked that

* execution ends in a denotation, within a second;
* a world with warm indexes and a fresh one agree;
* the naive executor of the tests agrees;
* ``twostage execute`` would print exactly one line, and ``explain`` ends.

Of the inputs that reach a new kind of outcome (functions used x category or kind of value), short
to long, some hundreds are kept: a JSON array [domain, line, metric text or null, category or
null] per line. A violation is printed and ends the run with status 1.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
import warnings
from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from fairseq_twostage.cli.execute import result_line
from fairseq_twostage.semantics import Answer, Denotation, Failure, World, execute, load_world
from fairseq_twostage.semantics.explain import explain
from fairseq_twostage.semantics.overnight import generate
from tests.semantics.naive import NotMyBusiness, run
from tests.semantics.test_executor_properties import domains, lines, naive_world

FUNCTION = re.compile(r"SW\.(\w+)|\.size")
NOT_NAIVE = re.compile(r"[\"\\#\0'\t-\r\x1c-\x1f]|!\s*[()]")
MAX_CORPUS = 400


class Violation(Exception):
    """The executor broke a promise."""


@cache
def any_line(domain: str) -> st.SearchStrategy[str]:
    garbage = st.one_of(st.text(), st.text(alphabet='()"\\# \t\n\0ab!SW.3'))
    return st.one_of(*[lines(domain)] * 9, garbage)


def outcome(line: str, denotation: Denotation) -> tuple[object, ...]:
    functions = frozenset(match[0] for match in FUNCTION.finditer(line))
    if isinstance(denotation, Failure):
        message = " ".join(denotation.message.split()[:2])
        return len(functions), denotation.category, denotation.counts_as_empty, message
    kinds = frozenset(re.findall(r"\((\w+)", denotation.metric_text or ""))
    return functions, kinds


def check(domain: str, line: str) -> Denotation:
    start = time.monotonic()
    denotation = execute(line, load_world(domain))
    if time.monotonic() - start > 5:
        raise Violation("too slow")
    if not isinstance(denotation, (Answer, Failure)):
        raise Violation(f"not a denotation: {denotation!r}")
    if random.random() < 0.05 and execute(line, World(generate(domain))) != denotation:
        raise Violation("a fresh world disagrees")
    if "\n" in result_line(line, load_world(domain)):
        raise Violation("more than one line")
    if random.random() < 0.2:
        steps = explain(line, load_world(domain))
        if steps[0].denotation.metric_text != denotation.metric_text:
            raise Violation(f"explain disagrees: {steps[0].denotation}")
    if line.isascii() and not NOT_NAIVE.search(line):
        try:
            expected = run(line, naive_world(domain))
        except (NotMyBusiness, RecursionError):
            return denotation
        if expected != denotation.metric_text:
            raise Violation(f"the naive executor says {expected}, not {denotation}")
    return denotation


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--corpus", type=Path, help="where to keep inputs with new outcomes")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    warnings.filterwarnings("ignore")
    random.seed(args.seed)
    end = time.monotonic() + 60 * args.minutes
    kept: dict[tuple[object, ...], list[object]] = {}
    counts = {"lines": 0, "answers": 0, "non-empty answers": 0}
    round_number = 0
    while time.monotonic() < end:
        round_number += 1

        @seed(args.seed * 100_000 + round_number)
        @settings(
            max_examples=2000,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(st.data())
        def fuzz(data: st.DataObject) -> None:
            domain = data.draw(domains)
            line = data.draw(any_line(domain))
            if time.monotonic() > end:
                return
            try:
                denotation = check(domain, line)
            except Exception as error:
                print(f"VIOLATION {error!r}\n{json.dumps([domain, line])}", flush=True)
                raise SystemExit(1) from error
            counts["lines"] += 1
            counts["answers"] += isinstance(denotation, Answer)
            counts["non-empty answers"] += denotation.metric_text not in (None, "(list)")
            category = denotation.category if isinstance(denotation, Failure) else None
            row = [domain, line, denotation.metric_text, category]
            old = kept.get(outcome(line, denotation))
            if old is None or len(line) < len(str(old[1])):
                kept[outcome(line, denotation)] = row

        fuzz()
    rows = sorted(kept.values(), key=lambda row: (len(str(row[1])), str(row)))
    rows = rows[:: -(-len(rows) // MAX_CORPUS) or 1]
    if args.corpus:
        args.corpus.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    print(json.dumps({**counts, "outcomes": len(kept), "kept": len(rows)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
