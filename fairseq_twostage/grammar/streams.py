"""Long streams of lines without duplicates, in bounded memory."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import TextIO, TypeVar

from fairseq_twostage.durable import scratch_folder

T = TypeVar("T")


def distinct(items: Iterable[T], window: int = 250_000) -> Iterator[T]:
    """Yield items in order, without those that came among the last ``window`` distinct ones.

    Exact for streams of at most ``window`` distinct items; of longer ones it remembers the
    hashes of between ``window`` and twice as many, about 100 bytes each.
    """
    recent: set[int] = set()
    older: set[int] = set()
    for item in items:
        key = hash(item)
        if key in recent or key in older:
            continue
        if len(recent) >= window:
            recent, older = set(), recent
        recent.add(key)
        yield item


def sorted_distinct(lines: Iterable[str], chunk: int = 50_000) -> Iterator[str]:
    """Yield the distinct lines in order of their code points, by merging sorted files.

    Keeps ``chunk`` lines in memory at a time. The lines must not contain newlines; as many
    files are open at once as there are chunks of distinct lines (64 at most: beyond that
    files are merged into one).
    """
    with ExitStack() as stack:
        folder = stack.enter_context(scratch_folder("sort"))
        runs: list[Path] = []
        pending: set[str] = set()
        for line in lines:
            pending.add(line)
            if len(pending) >= chunk:
                runs.append(_write_run(sorted(pending), folder, len(runs)))
                pending.clear()
                if len(runs) == 64:
                    runs = [_merge_runs(runs, folder)]
        files = [stack.enter_context(run.open(encoding="utf-8", newline="\n")) for run in runs]
        yield from _without_repeats(heapq.merge(sorted(pending), *map(_lines, files)))


def _lines(file: TextIO) -> Iterator[str]:
    return (line.rstrip("\n") for line in file)


def _write_run(lines: Iterable[str], folder: Path, number: int) -> Path:
    path = folder / f"run-{number}"
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
    return path


def _merge_runs(runs: list[Path], folder: Path) -> Path:
    with ExitStack() as stack:
        files = [stack.enter_context(run.open(encoding="utf-8", newline="\n")) for run in runs]
        merged = _write_run(_without_repeats(heapq.merge(*map(_lines, files))), folder, len(runs))
    for run in runs:
        run.unlink()
    return merged.rename(runs[0])


def _without_repeats(lines: Iterable[str]) -> Iterator[str]:
    return (line for line, _ in groupby(lines))
