"""How long generation takes and how much memory it needs.

    TWOSTAGE_DATA=… python -m benchmarks.grammar published
    python -m benchmarks.grammar million [--shape product|recursive] [--sorted] [--capacity N]

``published`` generates the eight Overnight sets and GeoGranno's grammar to depth 4, each with
type checks in a fresh process, reading included. ``million`` streams 1,000,000 pairs from a
small grammar and prints, per 100,000, the time of those and the peak memory so far: both
should stay level.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from fairseq_twostage.grammar import generate_pairs
from fairseq_twostage.semantics.loading import OVERNIGHT

WORDS = "(for @x (a b c d e f g h i j) (rule $N (@x) (ConstantFn @x)))\n"
SHAPES = {
    # 10 ** 6 combinations of phrases that all fit into memory
    "product": """
(rule $P ($N $N $N) (lambda x (lambda y (lambda z (call f (var x) (var y) (var z))))))
(rule $ROOT ($P and $P) (lambda x (lambda y (call g (var x) (var y)))))
""",
    # far more phrases than fit into memory, on every level
    "recursive": """
(rule $N (not $N) (lambda x (call not (var x))))
(rule $N ($N and $N) (lambda x (lambda y (call and (var x) (var y)))))
(rule $ROOT ($N) (lambda x (call show (var x))))
""",
}
MILLION = 1_000_000


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(file: Path, domain: str, depth: int | None) -> tuple[int, float, float]:
    """(pairs, seconds, peak megabytes) of one published grammar."""
    start = time.perf_counter()
    count = sum(1 for _ in generate_pairs(file, domain, depth=depth))
    return count, time.perf_counter() - start, peak_megabytes()


def published() -> None:
    data = Path(os.environ["TWOSTAGE_DATA"]) / "grammar"
    jobs = [(data / "overnight" / f"{name}.grammar", name, None) for name in sorted(OVERNIGHT)]
    jobs.append((data / "geogranno" / "geo880.grammar", "geo", 4))
    print(f"{'grammar':<16}{'pairs':>8}{'seconds':>10}{'peak MB':>10}")
    for job in jobs:
        with get_context("spawn").Pool(1) as pool:
            count, seconds, memory = pool.apply(measure, job)
        print(f"{job[1]:<16}{count:>8}{seconds:>10.2f}{memory:>10.0f}", flush=True)


def million(shape: str, ordered: bool, capacity: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "g.grammar"
        file.write_text(WORDS + SHAPES[shape], encoding="utf-8")
        pairs = generate_pairs(file, budget=MILLION, capacity=capacity, ordered=ordered)
        print(f"{'pairs':>10}{'seconds':>10}{'peak MB':>10}")
        start = time.perf_counter()
        for total in range(100_000, MILLION + 1, 100_000):
            for pair in islice(pairs, 100_000):
                last = pair
            now = time.perf_counter()
            print(f"{total:>10}{now - start:>10.2f}{peak_megabytes():>10.0f}", flush=True)
            start = now
    print(f"last pair: {last.utterance}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["published", "million"])
    parser.add_argument("--shape", choices=SHAPES, default="product")
    parser.add_argument("--sorted", action="store_true")
    parser.add_argument("--capacity", type=int, default=100_000)
    args = parser.parse_args()
    if args.what == "published":
        published()
    else:
        million(args.shape, args.sorted, args.capacity)


if __name__ == "__main__":
    main()
