"""Files that somebody might bring to do harm: bounded in time and memory, and told in one line."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from tests.faults.forks import run, twostage
from tests.faults.tally import LOST, SILENT, Tally, noise

MEMORY = 6 << 30  # of address space; PyTorch's libraries take some of it
SECONDS = 60
PREPARE = ("prepare", "--domain", "dom", "--embedding-dim", "4", "--dest", "bin")
CANONICAL = ("canonical", "--domain", "dom", "--output", "z")


def bomb(levels: int = 9) -> str:
    """YAML of a few hundred bytes that stands for a thousand million words."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(lines)


def replaced(name: str, text: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        (root / "dom" / name).write_text(text)

    return change


def added(name: str, text: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        with open(root / "dom" / name, "a") as file:
            file.write(text)

    return change


RULES = "".join(f"(rule $Any{n} (a{n} b{n}) (ConstantFn x))\n" for n in range(50_000))
RECURSION = "(rule $Type ($Type $Type) (ConcatFn))\n" * 20
# What is done to the domain, the command that reads it, and whether it may succeed.
INPUTS: dict[str, tuple[Callable[[Path], None], tuple[str, ...], bool]] = {
    "aliases": (added("domain.yaml", "\n" + bomb()), PREPARE, False),
    "nested YAML": (added("domain.yaml", "\nx: " + "[" * 50_000), PREPARE, False),
    "huge integer": (added("domain.yaml", "\nseed: " + "9" * 100_000), PREPARE, False),
    "depth of a string": (added("domain.yaml", "\ndepth: many"), PREPARE, False),
    "name is a path": (
        replaced("domain.yaml", "name: ../../x\ngrammar: words.grammar"),
        PREPARE,
        False,
    ),
    "grammar /dev/zero": (added("words.grammar", "\n(include /dev/zero)\n"), CANONICAL, False),
    "lexicon /dev/zero": (added("domain.yaml", "\nlexicon: /dev/zero"), PREPARE, False),
    "50,000 rules": (added("words.grammar", RULES), CANONICAL, True),
    "binary recursion": (added("words.grammar", RECURSION), CANONICAL, True),
    "nested grammar": (added("words.grammar", "(" * 100_000), CANONICAL, False),
    "grammar of NULs": (replaced("words.grammar", "\0" * 10_000), CANONICAL, False),
    "lexicon of one word": (replaced("lexicon.tsv", "x\n" * 1_000), PREPARE, False),
    "nested variables": (added("test.tsv", f"a\tb\t( c )\t{'[' * 100_000}\n"), PREPARE, False),
    "an executor of any module": (added("domain.yaml", "\nexecutor: os:system"), PREPARE, False),
}


def all_inputs(domain: Path, base: Path, seconds: float) -> Tally:
    tally = Tally("hostile", time.monotonic() + seconds)
    for name, (change, command, may_succeed) in INPUTS.items():
        if tally.late:
            tally.left_out += 1
            continue
        root = base / "hostile"
        shutil.copytree(domain, root / "dom")
        change(root)
        done = run(twostage(*command), root, seconds=SECONDS, memory=MEMORY)
        problem = noise(done.err, done.status)
        if done.status < 0:
            problem = LOST, f"ended by signal {-done.status} after {done.seconds:.0f} s"
        elif done.status == 0 and not may_succeed:
            problem = SILENT, "accepted"
        tally.add(name, problem)
        shutil.rmtree(root)
    return tally
