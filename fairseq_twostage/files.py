"""Writing files so that nothing half-written is ever left behind."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


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


def sha256(path: str | os.PathLike[str]) -> str:
    """Hexadecimal SHA-256 of a file's bytes."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()
