"""Writing files so that nothing half-written is ever left behind."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from fairseq_twostage.errors import UserError


@contextmanager
def atomic_write(path: str | os.PathLike[str], mode: str = "w") -> Iterator[IO]:
    """Open a temporary file beside ``path`` and rename it to ``path`` on success.

    On any exception the temporary file is removed and ``path`` is left as it was.
    Text is UTF-8 with ``\\n`` line ends.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    encoding, newline = (None, None) if "b" in mode else ("utf-8", "\n")
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


@contextmanager
def staged_folder(dest: Path) -> Iterator[Path]:
    """A temporary folder beside ``dest``, gone at the end unless it was renamed.

    Raises:
        UserError: it cannot be made.
    """
    try:
        dest.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{dest.name}.", dir=dest.parent))
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", where=str(dest)) from None
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


def sha256(path: str | os.PathLike[str]) -> str:
    """Hexadecimal SHA-256 of a file's bytes."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()
