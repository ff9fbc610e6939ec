"""Small files of an export, of a data-bin and of a run with one bit or one field changed."""

from __future__ import annotations

import json
import random
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.faults.commands import EXPORT, RUN, START, prepare
from tests.faults.forks import run, twostage
from tests.faults.tally import SILENT, TRACEBACK, Tally

QUESTIONS = ("show me every dog", "how many cats are there ?", "which animal weighs most", "pip")
VALUES = (None, True, 0, -1, 1e300, "", "x", "../x", [], {}, [[]], {"a": None}, 10**40)
SECONDS = 20


def answers(open_parser: Callable[[], Any]) -> list[str]:
    """What a parser says, and of what confidence: all that a person gets."""
    parser = open_parser()
    found = []
    for question in QUESTIONS:
        try:
            parse = parser(question)
            found.append(repr([(r.canonical, r.logical_form) for r in parse.readings]))
        except ValueError as error:
            found.append(str(error))
    return found


def verdict(open_parser: Callable[[], Any], expected: list[str] | None) -> tuple[str, str] | None:
    """Whether damage is refused; ``expected``: the answers that are right all the same."""
    from fairseq_twostage.errors import UserError

    def late(number: int, frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        found = answers(open_parser)
    except UserError:
        return None
    except BaseException as error:
        return TRACEBACK, f"{type(error).__name__}: {error}"[:200]
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    if expected is None:
        return None
    return (SILENT, "accepted") if found != expected else None


def bits(path: Path, share: float) -> Iterator[tuple[str, bytes]]:
    """The file with each of its bits changed alone, in random order."""
    content = path.read_bytes()
    places = list(range(8 * len(content)))
    random.Random(1).shuffle(places)
    for place in places[: max(8, round(share * len(places)))]:
        changed = bytearray(content)
        changed[place // 8] ^= 1 << place % 8
        yield f"{path.name}: bit {place % 8} of byte {place // 8}", bytes(changed)


def cuts(path: Path) -> Iterator[tuple[str, bytes]]:
    content = path.read_bytes()
    for size in sorted({0, 1, len(content) // 2, len(content) - 1}):
        yield f"{path.name}: cut after {size} bytes", content[:size]


def changed_fields(content: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Copies of a JSON value with one field replaced or gone."""
    items = (
        list(content.items())
        if isinstance(content, dict)
        else list(enumerate(content))[:2]
        if isinstance(content, list)
        else []
    )
    for key, value in items:
        where = ".".join(map(str, (*at, key)))
        for other in VALUES:
            copy = content.copy()
            copy[key] = other
            yield f"{where} is {json.dumps(other)[:20]}", copy
        if isinstance(content, dict):
            yield f"{where} is missing", {name: content[name] for name in content if name != key}
        for what, inner in changed_fields(value, (*at, key)):
            copy = content.copy()
            copy[key] = inner
            yield what, copy


def fields(path: Path) -> Iterator[tuple[str, bytes]]:
    content = json.loads(path.read_text(encoding="utf-8"))
    found = list(changed_fields(content))
    random.Random(2).shuffle(found)
    for what, value in found:
        yield f"{path.name}: {what}", json.dumps(value).encode()


def resummed(path: Path) -> Iterator[tuple[str, bytes]]:
    """The fields of an export's description under a right sum, as somebody might edit it."""
    from fairseq_twostage.inference.bundle import CHECKSUM, checksum

    for what, changed in fields(path):
        content = json.loads(changed)
        content[CHECKSUM] = checksum(content)
        yield f"{what}, under a new sum", json.dumps(content).encode()


def tried(
    tally: Tally,
    path: Path,
    kinds: Sequence[Iterator[tuple[str, bytes]]],
    open_parser: Callable[[], Any],
    expected: list[str] | None,
    same: Callable[[bytes], bool] = lambda _: False,
) -> None:
    whole = path.read_bytes()
    for kind in kinds:
        path.write_bytes(whole)  # which each kind reads when it begins
        for what, damaged in kind:
            if tally.late:
                tally.left_out += 1
                continue
            if damaged == whole or same(damaged):
                continue
            path.write_bytes(damaged)
            tally.add(what, verdict(open_parser, expected))
    path.write_bytes(whole)


def all_files(
    domain: Path, base: Path, seconds: float, share: float, only: Sequence[str] = ()
) -> Iterator[Tally]:
    """A tally of each folder: the export's, the data-bin's and the run's."""
    from fairseq_twostage.inference.bundle import read_bundle
    from fairseq_twostage.systems.opening import open_parser

    root = base / "damage"
    root.mkdir()
    shutil.copytree(domain, root / "dom")
    for work in (prepare(), START, twostage(*EXPORT)):
        done = run(work, root)
        assert done.status == 0, done.err
    exported, data, folder = root / "exported", root / "bin", root / RUN

    def exported_parser() -> Any:
        return read_bundle(exported)

    def run_parser() -> Any:
        return open_parser(folder, data, "untrained_words")

    def same_json(path: Path) -> Callable[[bytes], bool]:
        content = json.loads(path.read_text(encoding="utf-8"))

        def same(damaged: bytes) -> bool:
            try:
                return bool(json.loads(damaged) == content)
            except ValueError:
                return False

        return same

    ends = time.monotonic() + seconds
    bundle = exported / "bundle.json"
    small = sorted(p for p in exported.rglob("*") if p.is_file() and p.stat().st_size < 20_000)
    tally = Tally("damaged export", time.monotonic() + seconds / 2)
    impossible = ["damage was accepted"]
    tried(
        tally, bundle, [bits(bundle, share), cuts(bundle), fields(bundle)],
        exported_parser, impossible, same_json(bundle),
    )  # fmt: skip
    if not only:
        for path in small:
            if path != bundle:
                few = min(share, 400 / (8 * path.stat().st_size + 1))
                tried(tally, path, [bits(path, few), cuts(path)], exported_parser, impossible)
        tried(tally, bundle, [resummed(bundle)], exported_parser, None)
    yield tally
    if only:
        shutil.rmtree(root)
        return
    expected = answers(run_parser)
    tally = Tally("damaged data-bin", time.monotonic() + (ends - time.monotonic()) / 2)
    from fairseq_twostage.systems.record import LATER

    for path in sorted(p for p in data.rglob("*") if p.is_file() and p.stat().st_size < 20_000):
        if str(path.relative_to(data)).startswith(LATER) and path.name != "manifest.json":
            continue  # may come later, without training: not what a run was trained on
        few = min(share, 40 / (8 * path.stat().st_size + 1))
        kinds = [bits(path, few), cuts(path)]
        kinds += [fields(path)] if path.suffix == ".json" else []
        tried(tally, path, kinds, run_parser, expected)
    yield tally
    tally = Tally("damaged run", ends)
    for path in sorted(folder.glob("*.json")):
        few = min(share, 400 / (8 * path.stat().st_size + 1))
        tried(tally, path, [bits(path, few), cuts(path), fields(path)], run_parser, expected)
    yield tally
    shutil.rmtree(root)
