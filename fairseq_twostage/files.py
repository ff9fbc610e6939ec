"""Reading files people bring, and writing so that nothing half-written is left behind."""

from __future__ import annotations

import codecs
import errno
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO

from fairseq_twostage.errors import UserError


def read_text(path: Path) -> str:
    """The whole file as UTF-8 text; :class:`UserError` if that cannot be."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UserError("no such file", where=str(path)) from None
    except UnicodeDecodeError as error:
        raise UserError(f"not UTF-8 text (byte {error.start})", where=str(path)) from None
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", where=str(path)) from None


def read_lines(path: Path) -> list[str]:
    """The lines of a text file, which a line feed alone ends; :class:`UserError` as above."""
    *lines, rest = read_text(path).split("\n")
    return [*lines, rest] if rest else lines


def stream_lines(file: str, errors: str = "surrogateescape") -> Iterator[str]:
    """The lines of a file (``-``: standard input) as they come, without line feeds.

    Args:
        file: its path.
        errors: what becomes of bytes that are no UTF-8, as :func:`bytes.decode` takes it.

    Raises:
        UserError: it cannot be read, or ``strict`` bytes are no text.
    """
    try:
        source = nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb")  # noqa: SIM115
        with source as stream:
            for number, line in enumerate(stream, start=1):
                line = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
                try:
                    yield line.removesuffix(b"\n").decode("utf-8", errors)
                except UnicodeDecodeError:
                    raise UserError("not UTF-8 text", f"{file}:{number}") from None
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file) from error


@contextmanager
def written_or_said(path: Path) -> Iterator[None]:
    """Turn an :class:`OSError` into a :class:`UserError` that names ``path``."""
    try:
        yield
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", where=str(path)) from None


def make_folder(path: Path) -> None:
    """Make a folder and those above it, where they are missing.

    Raises:
        UserError: it cannot be made, as where a file of that name stands.
    """
    with written_or_said(path):
        path.mkdir(parents=True, exist_ok=True)


def check_folder(path: Path) -> None:
    """Say now what :func:`make_folder` would find in the way later.

    Raises:
        UserError: the path, or the first one above it that exists, is no folder.
    """
    there = next(place for place in (path, *path.absolute().parents) if place.exists())
    if not there.is_dir():
        raise UserError("is a file where a folder is needed", where=str(there))


@contextmanager
def atomic_write(path: str | os.PathLike[str], mode: str = "w") -> Iterator[IO]:
    """Open a temporary file beside ``path`` and rename it to ``path`` on success.

    On any exception the temporary file is removed and ``path`` is left as it was.
    Text is UTF-8 with ``\\n`` line ends.

    Raises:
        UserError: ``path`` is a folder, or its folder cannot be written to.
    """
    target = Path(path)
    encoding, newline = (None, None) if "b" in mode else ("utf-8", "\n")
    with written_or_said(target):
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, mode, encoding=encoding, newline=newline) as file:
            yield file
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def write_json(path: Path, value: object) -> Path:
    """Write JSON whose bytes depend on the value alone; returns ``path``."""
    with atomic_write(path) as file:
        json.dump(value, file, indent=2, sort_keys=True, ensure_ascii=False)
        file.write("\n")
    return path


@contextmanager
def staged_folder(dest: Path) -> Iterator[Path]:
    """A temporary folder beside ``dest``, gone at the end unless it was renamed.

    Raises:
        UserError: it cannot be made.
    """
    with written_or_said(dest):
        dest.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{dest.name}.", dir=dest.parent))
    try:
        umask = os.umask(0)
        os.umask(umask)
        folder.chmod(0o777 & ~umask)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def replace_folder(folder: Path, dest: Path) -> None:
    """Rename ``folder`` to ``dest``; what was there is removed."""
    with tempfile.TemporaryDirectory(prefix=f".{dest.name}.old.", dir=dest.parent) as aside:
        if dest.exists():
            os.replace(dest, Path(aside) / dest.name)
        os.replace(folder, dest)


def digests(folder: Path, pattern: str = "**/*") -> Iterator[tuple[str, str]]:
    """Name and SHA-256 of each file below a folder, by name."""
    for path in sorted(folder.glob(pattern)):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), sha256(path)


def sha256(path: str | os.PathLike[str]) -> str:
    """Hexadecimal SHA-256 of a file's bytes."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()
