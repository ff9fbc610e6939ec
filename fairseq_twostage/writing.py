"""Writing files and folders whole, or not at all."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from fairseq_twostage import durable
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import reason


@contextmanager
def written_or_said(path: Path) -> Iterator[None]:
    """Turn an :class:`OSError` into a :class:`UserError` that names ``path``."""
    try:
        yield
    except BrokenPipeError:  # of standard output
        raise
    except OSError as error:
        what = f"cannot be written: {reason(error)}"
        name = Path(str(error.filename or path)).name
        other = "" if name.startswith((path.name, f".{path.name}.")) else f" ({error.filename})"
        raise UserError(f"{what}{other}", where=str(path)) from None


def make_folder(path: Path) -> None:
    """Make a folder and those above it, where they are missing.

    Raises:
        UserError: it cannot be made, as where a file of that name stands.
    """
    with written_or_said(path):
        path.mkdir(parents=True, exist_ok=True)


def check_folder(path: Path) -> None:
    """Say now what :func:`make_folder` and a first file would find in the way later.

    Raises:
        UserError: the path, or the first one above it that exists, is no folder or takes no file,
            as on a full disk.
    """
    there = next(place for place in (path, *path.absolute().parents) if place.exists())
    if not there.is_dir():
        raise UserError("is a file where a folder is needed", where=str(there))
    with written_or_said(there):
        durable.check_writable(there)


@contextmanager
def atomic_write(path: str | os.PathLike[str], mode: str = "w") -> Iterator[IO]:
    """Open a temporary file beside ``path`` and rename it to ``path`` on success.

    On any exception the temporary file is removed and ``path`` is left as it was.
    Text is UTF-8 with ``\\n`` line ends. The bytes are on the disk before the name is.

    Raises:
        UserError: ``path`` is a folder, or its folder cannot be written to, or is full.
    """
    target = Path(path)
    encoding, newline = (None, None) if "b" in mode else ("utf-8", "\n")
    with written_or_said(target):
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        target.parent.mkdir(parents=True, exist_ok=True)
        with (
            durable.temporary_file(target) as (descriptor, made),
            os.fdopen(descriptor, mode, encoding=encoding, newline=newline) as file,
        ):
            yield file
            os.fchmod(descriptor, 0o666 & ~umask())
            to_disk(file)
            durable.rename(made, target)


def to_disk(file: IO) -> None:
    """Bring what was written so far to the disk, where a full one shows.

    Files that belong together are nested ``with atomic_write``, each :func:`to_disk` before the
    first of them takes its name: either all do or none.
    """
    file.flush()
    os.fsync(file.fileno())


def umask() -> int:
    """The permissions that new files of this process lack."""
    found = os.umask(0)
    os.umask(found)
    return found


def write_json(path: Path, value: object) -> Path:
    """Write JSON whose bytes depend on the value alone; returns ``path``."""
    with atomic_write(path) as file:
        json.dump(value, file, indent=2, sort_keys=True, ensure_ascii=False)
        file.write("\n")
    return path


def append_line(path: Path, line: str) -> None:
    """Add a line to a file that other processes may add to; it is on the disk afterwards.

    Raises:
        UserError: it cannot be; the file is as it was.
    """
    make_folder(path.parent)
    with written_or_said(path), durable.appending(path) as file:
        start = "\n" if durable.ends_within_a_line(file) else ""
        durable.append(file, f"{start}{line}\n".encode())


@contextmanager
def staged_folder(dest: Path) -> Iterator[Path]:
    """A temporary folder beside ``dest``, gone at the end unless it was renamed.

    Raises:
        UserError: it cannot be made or filled, as on a full disk.
    """
    with written_or_said(dest):
        dest.parent.mkdir(parents=True, exist_ok=True)
        durable.recover(dest)
        with durable.temporary_folder(dest) as folder:
            folder.chmod(0o777 & ~umask())
            yield folder
