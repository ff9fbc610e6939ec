"""What was tried, and how it went."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

LOST, SILENT, TRACEBACK = "lost", "silent", "traceback"


@dataclass
class Tally:
    """Counts of one area.

    Attributes:
        name: of the area.
        until: when it has to end, by the monotonic clock.
        tried: faults.
        failures: what went wrong, behind its kind.
        left_out: faults for which there was no time.
    """

    name: str
    until: float = float("inf")
    tried: int = 0
    left_out: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)

    def add(self, what: str, failure: tuple[str, str] | None) -> None:
        """One fault, and the kind and the words of what went wrong."""
        self.tried += 1
        if failure is not None:
            self.failures.append((failure[0], f"{self.name}: {what}: {failure[1]}"))

    @property
    def late(self) -> bool:
        return time.monotonic() > self.until

    def line(self) -> str:
        kinds = Counter(kind for kind, _ in self.failures)
        counts = [self.tried, self.tried - len(self.failures)]
        counts += [kinds[kind] for kind in (LOST, SILENT, TRACEBACK)]
        cells = "".join(f"{count:>10,}" for count in counts)
        return f"{self.name:<24}{cells}{self.left_out:>10,}"


def head() -> str:
    names = ("tried", "survived", LOST, SILENT, TRACEBACK, "left out")
    return f"{'':<24}" + "".join(f"{name:>10}" for name in names)


def noise(err: str, status: int) -> tuple[str, str] | None:
    """What standard error must not hold: a traceback, or more than one line of error."""
    if "Traceback (most recent call last)" in err:
        return TRACEBACK, err.strip().splitlines()[-1][:300]
    lines = [line for line in err.splitlines() if "error: " in line]
    # What a stage or the evaluation says stands above what twostage train says of it.
    once = len(lines) == 1 or (len(lines) == 2 and lines[1].startswith("twostage train: "))
    if status > 0 and not (once and lines[-1].startswith("twostage ")):
        return TRACEBACK, f"{len(lines)} lines of error with status {status}: {err[-300:]!r}"
    return None
