"""Files that grow by whole lines: what a killed server left of one is put aside."""

from __future__ import annotations

import codecs
import logging
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from fairseq_twostage.durable import append
from fairseq_twostage.writing import append_line

LOGGER = logging.getLogger(__name__)
HALF_ENDING = ".half"


def whole_lines(file: BinaryIO, path: Path, is_whole: Callable[[bytes], bool]) -> bytes:
    """The content of a file, whose last line has an end afterwards.

    A last line that is but half of one was never answered as saved: it goes to ``PATH.half``.

    Args:
        file: as :func:`.durable.appending` opens it.
        path: its name.
        is_whole: whether a last line without an end is a whole one.

    Raises:
        UnicodeDecodeError: it is no text.
        OSError: it cannot be read or written.
    """
    file.seek(0)
    content = file.read()
    codecs.getincrementaldecoder("utf-8")().decode(content)  # a last character may be half
    whole, end, last = content.rpartition(b"\n")
    if last and is_whole(last):
        append(file, b"\n")
    elif last:
        half = path.with_name(path.name + HALF_ENDING)
        append_line(half, last.decode(errors="replace"))
        LOGGER.warning("%s: ended in half a row, which is now in %s", path, half)
        file.truncate(file.seek(len(whole) + len(end)))
        return whole
    return content
