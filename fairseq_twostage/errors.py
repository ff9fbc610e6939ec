"""The one exception a user is meant to see."""

from __future__ import annotations

import errno
import sys
from collections.abc import Sequence
from types import TracebackType

DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)  # no fault of the program
LONGEST = 2_000  # characters of a message
MOST_NAMED = 12


class UserError(ValueError):
    """Input that cannot be used: what is wrong, where, and what to do, in one line.

    Args:
        message: what is wrong and what to do about it.
        where: a file, ``file:line``, option or field; printed first when given.
    """

    def __init__(self, message: str, where: str | None = None) -> None:
        self.where = where
        if len(message) > LONGEST:
            message = f"{message[:LONGEST]} …"
        self.message = message
        super().__init__(f"{where}: {message}" if where else message)


def nearest(name: str, known: Sequence[str]) -> str:
    """What a message about an unknown name ends with: the name that was meant, or those known."""
    from rapidfuzz import process

    found = process.extractOne(name, known, score_cutoff=60)
    if found:
        return f"; did you mean {found[0]!r}?"
    others = " and others" if len(known) > MOST_NAMED else ""
    return f"; there are {', '.join(known[:MOST_NAMED])}{others}" if known else ""


def print_user_errors_in_one_line() -> None:
    """Let an uncaught :class:`UserError`, or a full disk, end the process with one line, status 1.

    fairseq's own commands know nothing of :class:`UserError`; the plugin calls this when
    it is loaded, so that ``fairseq-train`` shows the line and no traceback.
    """
    previous = sys.excepthook

    def hook(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, UserError):
            print(f"error: {error}", file=sys.stderr)
        elif isinstance(error, OSError) and error.errno in DISK:
            where = f"{error.filename}: " if error.filename else ""
            print(f"error: {where}cannot be written: {error.strerror}", file=sys.stderr)
        else:
            previous(kind, error, traceback)

    sys.excepthook = hook
