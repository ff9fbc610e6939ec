"""How fast the executor is: ``python -m benchmarks.executor [command|rates|growth]``.

``command``: ``twostage execute`` on all rows of socialnetwork, train and test, process start
included. ``rates``: forms per second in a running process, by domain, for distinct forms with no
memory of whole forms, and for repeated ones. Both need the data (``TWOSTAGE_DATA``). ``growth``:
the cost of single operations in worlds of ten thousand and a million triples. One core; rates are
given by wall and by processor time, because other work on the machine shows in the former only.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from fairseq_twostage.domains.overnight import read_overnight
from fairseq_twostage.semantics import DOMAINS, TripleStore, World, execute, load_world
from fairseq_twostage.semantics.executor import execute_uncached
from fairseq_twostage.semantics.values import Name, Number


def best(work: Callable[[], object], times: int = 5) -> tuple[float, float]:
    """Least wall and processor seconds of several runs."""
    walls, cpus = [], []
    for _ in range(times):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return min(walls), min(cpus)


def data_folder() -> Path:
    folder = os.environ.get("TWOSTAGE_DATA")
    if not folder:
        sys.exit("set TWOSTAGE_DATA to the folder with the datasets")
    return Path(folder)


def command() -> None:
    rows = [
        row.logical_form
        for split in ("train", "test")
        for row in read_overnight(
            data_folder() / "overnight" / f"socialnetwork.paraphrases.{split}.examples"
        )
    ]
    run = [sys.executable, "-m", "fairseq_twostage.cli.main", "execute", "--domain"]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(f"{row}\n" for row in rows))
        file.flush()
        arguments = [*run, "socialnetwork", file.name]
        wall, _ = best(lambda: subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL))
    print(f"twostage execute, {len(rows)} rows of socialnetwork: {wall:.2f} s (wall, best of 5)")


def rates() -> None:
    print("distinct forms per second           by the wall   by the processor   first time")
    totals = []
    for domain in DOMAINS:
        path = data_folder() / "denotations" / f"{domain}.dataset.tsv"
        forms = [line.split("\t")[0] for line in path.read_text().splitlines()]
        database = load_world(domain).database

        def run(world: World, forms: list[str] = forms) -> None:
            for form in forms:
                execute_uncached(form, world)

        cold, _ = best(lambda: run(World(database)))  # noqa: B023 (called at once)
        world = World(database)
        wall, cpu = best(lambda: run(world))  # noqa: B023
        totals.append([len(forms) / seconds for seconds in (wall, cpu, cold)])
        print(
            f"  {domain:14}{len(forms):5} forms {totals[-1][0]:15,.0f} {totals[-1][1]:18,.0f}",
            end="",
        )
        print(f"{totals[-1][2]:13,.0f}")
    means = [sum(column) / len(totals) for column in zip(*totals)]
    print(f"  {'average':26}{means[0]:15,.0f} {means[1]:18,.0f}{means[2]:13,.0f}")
    world = load_world("socialnetwork")
    path = data_folder() / "denotations" / "socialnetwork.dataset.tsv"
    forms = [line.split("\t")[0] for line in path.read_text().splitlines()] * 200
    wall, cpu = best(lambda: [execute(form, world) for form in forms])
    print(f"repeated forms per second: {len(forms) / wall:,.0f} (wall)", end="")
    print(f", {len(forms) / cpu:,.0f} (processor)")


def big_world(triples: int) -> World:
    """Items with a type, an owner, a size and a colour; half of the items are red."""
    store = TripleStore()
    items = triples // 4
    for i in range(items):
        item = Name(f"en.item.{i}")
        colour = "red" if i % 2 else f"c{i % 50}"
        store.add(item, "type", Name("en.item"))
        store.add(item, "owner", Name(f"en.owner.{i // 30}"))
        store.add(item, "size", Number(float(i * 7919 % 1000), "en.cm"))
        store.add(item, "colour", Name(f"en.colour.{colour}"))
    return World(store)


OWNED = "( call SW.getProperty en.owner.7 ( string !owner ) )"
ALL = "( call SW.domain ( string colour ) )"
OPERATIONS = {
    "join: one entity's value": "( call SW.getProperty en.item.77 ( string owner ) )",
    "join: 30 results": OWNED,
    "30 filtered by a rare value": f"( call SW.filter {OWNED} ( string size ) ( string = ) "
    "( number 5 en.cm ) )",
    "30 filtered by the value of half the world": f"( call SW.filter {OWNED} ( string colour ) "
    "( string = ) en.colour.red )",
    "30 filtered by < ": f"( call SW.filter {OWNED} ( string size ) ( string < ) "
    "( number 500 en.cm ) )",
    "30: superlative": f"( call SW.superlative {OWNED} ( string max ) ( string size ) )",
    "all filtered by the value of half the world": f"( call .size ( call SW.filter {ALL} "
    "( string colour ) ( string = ) en.colour.red ) )",
    "all: superlative": f"( call .size ( call SW.superlative {ALL} ( string max ) "
    "( string size ) ) )",
}


def growth() -> None:
    for triples in (10_000, 1_000_000):
        start = time.perf_counter()
        world = big_world(triples)
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        seconds = time.perf_counter() - start
        print(f"{len(world.database):,} triples: built in {seconds:.2f} s, ", end="")  # type: ignore
        print(f"process at {megabytes:,.0f} MB; microseconds, first time and then:")
        for what, form in OPERATIONS.items():
            first, _ = best(lambda: execute_uncached(form, world), 1)  # noqa: B023
            again, _ = best(lambda: execute_uncached(form, world), 20)  # noqa: B023
            assert execute_uncached(form, world).executable, what
            print(f"  {what:45}{first * 1e6:14,.0f}{again * 1e6:12,.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = {"command": command, "rates": rates, "growth": growth}
    parser.add_argument("part", nargs="?", choices=parts)
    part = parser.parse_args().part
    for name, run in parts.items():
        if part in (None, name):
            run()


if __name__ == "__main__":
    main()
