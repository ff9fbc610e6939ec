"""Three defects, planted to see whether the faults find them."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any
from unittest import mock

from tests.faults import commands, damage
from tests.faults.tally import Tally


@contextlib.contextmanager
def rename_without_fsync() -> Iterator[None]:
    """A file has its name while its bytes are in memory alone."""
    with mock.patch("fairseq_twostage.durable.sync_tree", lambda folder: None):
        yield


@contextlib.contextmanager
def field_outside_the_hash() -> Iterator[None]:
    """One field of an export can be another without a word."""
    from fairseq_twostage import schema
    from fairseq_twostage.inference import bundle

    real: Callable[[Any], str] = schema.checksum

    def partial(content: dict[str, Any]) -> str:
        return real({name: value for name, value in content.items() if name != "examples"})

    with (
        mock.patch.object(bundle, "checksum", partial),
        mock.patch.object(schema, "checksum", partial),
    ):
        yield


@contextlib.contextmanager
def swallowed_exception() -> Iterator[None]:
    """A full disk is passed over, and half a file has its name."""

    from fairseq_twostage import writing

    real = writing.to_disk

    def silent(file: IO) -> None:
        with contextlib.suppress(OSError):
            real(file)

    with mock.patch.object(writing, "to_disk", silent):
        yield


PLANTS = {
    "rename_without_fsync": rename_without_fsync,
    "field_outside_the_hash": field_outside_the_hash,
    "swallowed_exception": swallowed_exception,
}


def failures(name: str, domain: Path, base: Path) -> list[str]:
    """What a short trial reports while a defect is planted."""
    with tempfile.TemporaryDirectory(dir=base) as folder, PLANTS[name]():
        if name == "field_outside_the_hash":
            found = list(damage.all_files(domain, Path(folder), 20, 1.0, ("bundle.json",)))
        else:
            swallowed = name == "swallowed_exception"
            wanted = "canonical" if swallowed else "prepare"
            command = next(each for each in commands.COMMANDS if each.name == wanted)
            found = [Tally(name)]
            place = commands.Place(command, domain, Path(folder))
            if swallowed:
                commands.full(place, found[0], 1.0)
            else:
                commands.killed(place, found[0], 0.01)
    return [words for tally in found for _, words in tally.failures]
