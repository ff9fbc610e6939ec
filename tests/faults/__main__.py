"""Every fault, bounded in time: what was tried, survived, lost.

    python -m tests.faults [--seconds 900] [--share 1] [--only AREA] [--plant NAME]

First three defects are planted, each of which has to be reported; then the same is tried without.
The last line is the sum; the status is 0 if nothing was lost, silent or a traceback.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.faults import commands, damage, hostile, plants
from tests.faults.clients import clients
from tests.faults.forks import preload, run, twostage
from tests.faults.tally import LOST, Tally, head

POINTS = Path(__file__).with_name("points.json")
AREAS = ("commands", "damage", "hostile", "clients")
DIM = 4


def make_domain(base: Path) -> Path:
    """The skeleton's domain, with word vectors of its own."""
    assert run(twostage("init", "dom"), base).status == 0
    domain = base / "dom"
    text = " ".join(path.read_text(encoding="utf-8") for path in sorted(domain.iterdir()))
    draw = random.Random(1)
    lines = [
        " ".join([word, *(f"{draw.gauss(0, 1):.3f}" for _ in range(DIM))])
        for word in sorted(set(re.findall(r"[a-z]+", text.lower())))
    ]
    (domain / "vectors.txt").write_text("\n".join([*lines, ""]))
    described = domain / "domain.yaml"
    described.write_text(described.read_text().replace("sentence-encoder", "vectors.txt"))
    return domain


def tallies(args: argparse.Namespace, domain: Path, base: Path) -> Iterator[Tally]:
    ends = time.monotonic() + args.seconds
    areas = [area for area in AREAS if args.only in (None, area)]
    only = None if args.only in (None, *AREAS) else args.only
    areas = areas or ["commands"]
    points = json.loads(POINTS.read_text())
    counted: dict[str, int] = {}
    shares = {"commands": 0.7, "damage": 0.2, "hostile": 0.08, "clients": 0.02}
    total = sum(shares[area] for area in areas)
    for area in areas:
        seconds = (ends - time.monotonic()) * shares[area] / total
        total -= shares[area]
        if area == "commands":
            for tally, steps in commands.all_commands(domain, base, seconds, args.share, only):
                counted[tally.name] = steps
                if steps < points.get(tally.name, 0):
                    fewer = f"{steps} points, and {points[tally.name]} once"
                    tally.add("points of injection", (LOST, fewer))
                yield tally
        elif area == "damage":
            yield from damage.all_files(domain, base, seconds, args.share)
        elif area == "hostile":
            yield hostile.all_inputs(domain, base, seconds)
        else:
            yield clients(domain, base)
    if args.write_points:
        POINTS.write_text(json.dumps(points | counted, indent=1, sort_keys=True) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--seconds", type=float, default=840, help="in all (default: 840)")
    parser.add_argument("--share", type=float, default=1.0, help="of the steps (default: all)")
    parser.add_argument("--only", help="commands, damage, hostile, clients or one command's name")
    parser.add_argument("--plant", choices=plants.PLANTS, help="try with this defect alone")
    parser.add_argument("--no-plants", action="store_true", help="do not try the planted defects")
    parser.add_argument("--write-points", action="store_true", help="store the counts of steps")
    args = parser.parse_args()
    began = time.monotonic()
    preload()
    args.seconds -= time.monotonic() - began
    with tempfile.TemporaryDirectory(prefix="faults.") as folder:
        base = Path(folder)
        domain = make_domain(base)
        if args.plant is None and not args.no_plants:
            for name in plants.PLANTS:
                before = time.monotonic()
                found = plants.failures(name, domain, base)
                args.seconds -= time.monotonic() - before
                print(f"planted {name}: {'reported' if found else 'NOT REPORTED'}", *found[:1])
                if not found:
                    return 2
        if args.plant is not None:
            found = plants.failures(args.plant, domain, base)
            print(*found, sep="\n")
            return int(bool(found))
        print(head(), flush=True)
        every = Tally("all")
        for tally in tallies(args, domain, base):
            print(tally.line(), flush=True)
            for kind, words in tally.failures:
                print(f"  {kind}: {words}", flush=True)
            every.tried += tally.tried
            every.left_out += tally.left_out
            every.failures += tally.failures
    print(every.line())
    print(f"{time.monotonic() - began:.0f} s")
    return int(bool(every.failures))


if __name__ == "__main__":
    sys.exit(main())
