"""Results of the earlier layout, a file for each run, as lines of this folder's files.

``python -m research.from_old_layout OLD`` adds ``OLD/SYSTEM/DOMAIN.SETTING.SEED.json`` with its
``.errors.json``, ``OLD/choices/CHOICE/VARIANT/SPLIT/…``, ``OLD/coverage.*.json`` and the lines of
``OLD/test-scorings.jsonl``. A line of the same run is replaced.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fairseq_twostage.errors import UserError
from fairseq_twostage.results import FILE, KEY, read_objects, to_result, write_lines
from research import in_one_line

HERE = Path(__file__).parent
CHOICES, COVERAGE, SCORINGS = "choices.jsonl", "coverage.jsonl", "test-scorings.jsonl"


def old_results(folder: Path) -> Iterator[dict[str, Any]]:
    """The results of one folder of systems, with their counts of errors.

    Raises:
        UserError: a file is no result, or does not lie where its run belongs.
    """
    for path in sorted(folder.glob("*/*.*.*.json")):
        if path.name.endswith(".errors.json"):
            continue
        line = _read(path)
        counts = path.with_suffix(".errors.json")
        if counts.exists():
            line |= _read(counts)
        result = to_result(line, str(path))
        name = f"{result.domain}.{result.setting}.{result.seed}.json"
        if (path.parent.name, path.name) != (result.system, name):
            raise UserError(f"belongs at {folder / result.system / name}", str(path))
        yield asdict(result)


def old_choices(folder: Path) -> Iterator[dict[str, Any]]:
    """The results of ``CHOICE/VARIANT/SPLIT/``, with the first two as fields."""
    for split in sorted(folder.glob("*/*/*")):
        for line in old_results(split):
            choice, variant = split.parts[-3:-1]
            yield {"choice": choice, "variant": variant} | line


def merge(path: Path, lines: list[dict[str, Any]], key: tuple[str, ...]) -> None:
    """Add ``lines`` to those of a file, sorted; one of the same ``key`` is replaced."""
    before = [line for _, line in read_objects(path)] if path.exists() else []
    merged = {tuple(line.get(name) for name in key): line for line in [*before, *lines]}
    write_lines(path, [merged[each] for each in sorted(merged)])
    print(f"{path}: {len(before)} lines before, {len(merged)} now")


def convert(old: Path, dest: Path) -> None:
    """Add all that lies in ``old`` to the files in ``dest``."""
    choice = ("choice", "variant", "split", *KEY)
    coverage = [_read(path) for path in sorted(old.glob("coverage.*.json"))]
    merge(dest / FILE, list(old_results(old)), KEY)
    merge(dest / CHOICES, list(old_choices(old / "choices")), choice)
    merge(dest / COVERAGE, coverage, ("domain", "setting"))
    if (old / SCORINGS).exists():
        scorings = [line for _, line in read_objects(old / SCORINGS)]
        merge(dest / SCORINGS, scorings, ("date", *KEY, "command"))


def _read(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")).items())
    except (OSError, ValueError, AttributeError):
        raise UserError("not a result of the earlier layout", str(path)) from None


@in_one_line
def main(argv: list[str] | None = None) -> None:
    """Convert what the command line names."""
    parser = argparse.ArgumentParser(prog="python -m research.from_old_layout")
    parser.add_argument("old", type=Path, help="folder of results files")
    parser.add_argument("--dest", type=Path, default=HERE, help="folder of the lines")
    args = parser.parse_args(argv)
    convert(args.old, args.dest)


if __name__ == "__main__":
    sys.exit(main())
