"""Word counts and the four dictionaries' words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path


def count_words(lines: Iterable[str]) -> Counter[str]:
    """How often each word occurs in tokenised lines."""
    return Counter(word for line in lines for word in line.split())


def by_frequency(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """(word, count), most frequent first, words of one count in code-point order."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def write_counts(path: Path, counts: Mapping[str, int]) -> None:
    """Write ``word TAB count`` lines, most frequent first."""
    lines = (f"{word}\t{count}\n" for word, count in by_frequency(counts))
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
