"""How long names of a big table take to be found, on one core.

    python benchmarks/names.py [--names N] [--asked N]

Names are made of syllables (a first name of 2,000, a family name of 20,000, every third with a
middle one), the vocabulary of eight ordinary words. Each utterance has one name: as it is listed,
its family name alone, or with one or two slips of the hand. CPU time stands beside wall time, so
that the figures can be read on a busy machine.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import time
from collections.abc import Callable

from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.lexicon import Entry, Lexicon
from fairseq_twostage.text.reading import UtteranceReader
from fairseq_twostage.text.tokenisation import Words

SYLLABLES = [c + v + e for c in "bdfgklmnprstvwz" for v in "aeiou" for e in ("", "n", "r", "s")]
ORDINARY = ["which", "orders", "of", "were", "sent", "in", "the", "_customer_"]
QUESTION = "which orders of {} were sent in the _year_"
SEED = 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--names", type=int, default=200_000)
    parser.add_argument("--asked", type=int, default=200, help="utterances of each kind")
    args = parser.parse_args()
    source = random.Random(SEED)
    names = made_names(args.names, source)
    entries = [Entry(name, "customer", f"en.customer.{n}") for n, name in enumerate(names)]
    before = memory()
    started = time.perf_counter()
    reader = UtteranceReader(ORDINARY, Frontend(Words(), Lexicon(entries)))
    print(f"{len(names)} names: indexed in {time.perf_counter() - started:.1f} s", end="")
    print(f", {memory() - before} MB (process: {memory()} MB)")
    reader(QUESTION.format(names[0]))
    kinds: dict[str, Callable[[str], str]] = {
        "exact": str,
        "partial": lambda name: name.split()[-1],
        "one slip": lambda name: slip(name, source),
        "two slips": lambda name: slip(slip(name, source), source),
        "no name": lambda name: "".join(source.choices(SYLLABLES, k=5)),
    }
    print(f"{'':10}  {'p50':>8}  {'p95':>8}  {'CPU p50':>8}  found")
    for kind, change in kinds.items():
        wall, cpu, found = [], [], 0
        for name in source.sample(names, args.asked):
            text = QUESTION.format(change(name))
            started, used = time.perf_counter(), time.process_time()
            read = reader(text)
            wall.append(1000 * (time.perf_counter() - started))
            cpu.append(1000 * (time.process_time() - used))
            offered = {*read.phrases.values(), *(p for each in read.similar.values() for p in each)}
            found += name in offered or (kind == "partial" and bool(offered))
        p50, p95 = statistics.median(wall), statistics.quantiles(wall, n=20)[-1]
        median = statistics.median(cpu)
        print(f"{kind:10}  {p50:5.1f} ms  {p95:5.1f} ms  {median:5.1f} ms  {found} of {len(wall)}")


def made_names(count: int, source: random.Random) -> list[str]:
    """Names that differ."""
    first = ["".join(source.choices(SYLLABLES, k=2)) for _ in range(2_000)]
    family = ["".join(source.choices(SYLLABLES, k=3)) for _ in range(20_000)]
    made: dict[str, None] = {}
    while len(made) < count:
        middle = [source.choice(first)] if len(made) % 3 == 0 else []
        made[" ".join([source.choice(first), *middle, source.choice(family)])] = None
    return list(made)


def slip(name: str, source: random.Random) -> str:
    """One letter left out, doubled, replaced, or in the other order."""
    at = source.randrange(1, len(name) - 1)
    return source.choice(
        [
            name[:at] + name[at + 1 :],
            name[:at] + name[at] + name[at:],
            name[:at] + "q" + name[at + 1 :],
            name[: at - 1] + name[at] + name[at - 1] + name[at + 1 :],
        ]
    )


def memory() -> int:
    """Most memory that the process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
