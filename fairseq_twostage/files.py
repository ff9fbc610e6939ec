"""Reading files that people bring: text, lines, JSON, columns, digests."""

from __future__ import annotations

import codecs
import errno
import hashlib
import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any

from fairseq_twostage.errors import UserError

MARK = "\ufeff"
MAX_TEXT = 1 << 28  # bytes of a file that is read at once; one read line by line has no limit
_FOREIGN = {
    b"\xff\xfe": "is UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "is UTF-16 text; save it as UTF-8",
    b"SQLite format 3": "is an SQLite database, no text file",
    b"PK\x03\x04": "is a ZIP archive or a spreadsheet's own format; save it as text",
    b"\x1f\x8b": "is compressed; unpack it first",
}


def read_text(path: str | os.PathLike[str], limit: int = MAX_TEXT, pipe: bool = True) -> str:
    """The whole file as UTF-8 text, its line ends as ``\\n``.

    Args:
        path: a regular file or a pipe.
        limit: bytes at most.
        pipe: whether it may be a pipe.

    Raises:
        UserError: it is none, is too large, or is no text.
    """
    with readable(path, pipe) as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise UserError(f"larger than {limit} bytes", where=str(path))
    lines = content.split(b"\n")
    return "\n".join(decoded(line, number, path) for number, line in enumerate(lines, start=1))


def read_lines(path: str | os.PathLike[str]) -> list[str]:
    """The lines of a text file without their ends; :class:`UserError` as :func:`read_text`."""
    return list(iterate_lines(path))


def iterate_lines(path: str | os.PathLike[str]) -> Iterator[str]:
    """The same, one after the other."""
    with readable(path) as file:
        for number, line in enumerate(file, start=1):
            yield decoded(line.removesuffix(b"\n"), number, path)


def load_json(text: str) -> Any:
    """What JSON says; whatever is wrong with it, as nesting without end, is a ``ValueError``."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def read_columns(
    path: str | os.PathLike[str], *numbers: int, names: str = ""
) -> Iterator[tuple[str, list[str]]]:
    """``FILE:LINE`` and the tab-separated columns of every line that is not blank.

    Columns are stripped. A quoted one is read as a spreadsheet means it (:func:`unquoted`).
    Empty ones at the end count where ``numbers`` wants so many. ``names`` is for the error.

    Raises:
        UserError: as :func:`read_text`, or a line has another number of columns.
    """
    for number, line in enumerate(iterate_lines(path), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        columns = [unquoted(column.strip(), where) for column in line.split("\t")]
        while len(columns) > min(numbers) and not columns[-1]:
            columns.pop()
        if len(columns) not in numbers:
            raise UserError(
                f"expected {' or '.join(map(str, numbers))} tab-separated columns"
                f"{names and f' ({names})'}, found {len(columns)}",
                where=where,
            )
        yield where, columns


def unquoted(field: str, where: str) -> str:
    """A field without the quotation marks that a spreadsheet put around it.

    Inside, it doubles them. ``"tom" and "ada"`` has none around it.

    Raises:
        UserError: a mark is opened and never closed: the field holds a tab or a line break.
    """
    if not field.startswith('"'):
        return field
    inside = field[1:-1] if field.endswith('"') and len(field) > 1 else None
    if inside is not None and '"' not in inside.replace('""', ""):
        return inside.replace('""', '"').strip()
    if field.count('"') % 2:
        raise UserError(
            "a quotation mark is not closed on this line; take tabs and line breaks out of the "
            "field, or the quotation mark",
            where=where,
        )
    return field


@contextmanager
def readable(path: str | os.PathLike[str], pipe: bool = True) -> Iterator[IO[bytes]]:
    """A file that people bring, opened: a regular one or, if it may be, a pipe, never a device.

    Raises:
        UserError: it cannot be read, or is none.
    """
    try:
        check_regular(path, pipe)
        with open(path, "rb") as file:
            yield file
    except FileNotFoundError:
        raise UserError("no such file", where=str(path)) from None
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", where=str(path)) from None
    except ValueError as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"is no name of a file: {error}", where=repr(path)) from None


def check_regular(path: str | os.PathLike[str], pipe: bool = False) -> None:
    """Refuse a device, which may have no end, and a pipe, at which one may wait without end.

    Args:
        path: of what is there.
        pipe: whether a pipe is as good.

    Raises:
        UserError: it is none.
        OSError: there is nothing.
    """
    mode = os.stat(path).st_mode
    if not (stat.S_ISREG(mode) or (pipe and stat.S_ISFIFO(mode))):
        what = os.strerror(errno.EISDIR) if stat.S_ISDIR(mode) else "Is no regular file"
        raise UserError(f"cannot be read: {what}", where=str(path))


def unmarked(start: bytes, path: str | os.PathLike[str]) -> bytes:
    """The start of a file without a byte-order mark.

    Raises:
        UserError: it is that of a file of another kind.
    """
    for magic, reason in _FOREIGN.items():
        if start.startswith(magic):
            raise UserError(reason, where=str(path))
    return start.removeprefix(codecs.BOM_UTF8)


def decoded(line: bytes, number: int, path: str | os.PathLike[str]) -> str:
    """A line as text, without a byte-order mark and the carriage return of Windows.

    Raises:
        UserError: it is no UTF-8 text.
    """
    where = f"{path}:{number}"
    if number == 1:
        line = unmarked(line, path)
    try:
        text = line.decode("utf-8").removesuffix("\r").removeprefix(MARK)
    except UnicodeDecodeError as error:
        raise UserError(f"not UTF-8 text (byte {error.start + 1} of the line)", where) from None
    if "\0" in text:
        raise UserError("holds a NUL character, so it is no UTF-8 text file", where)
    check_line_ends(text, where)
    return text


def check_line_ends(text: str, where: str | None = None) -> None:
    """Refuse several lines of an old Macintosh in one; a :class:`UserError` says so."""
    if "\r" in text:
        raise UserError("holds a carriage return inside a line; end lines with line feeds", where)


def stream_lines(
    file: str, errors: str = "surrogateescape", any_bytes: bool = False
) -> Iterator[str]:
    """The lines of a file (``-``: standard input) as they come, without line feeds.

    Args:
        file: its path.
        errors: what becomes of bytes that are no UTF-8, as :func:`bytes.decode` takes it; with
            ``strict`` lines are as :func:`iterate_lines` has them.
        any_bytes: whether a carriage return may stand inside a line.

    Raises:
        UserError: it cannot be read, or a line cannot be one of its kind.
    """
    name = "standard input" if file == "-" else file
    try:
        with nullcontext(sys.stdin.buffer) if file == "-" else readable(file) as stream:
            for number, line in enumerate(stream, start=1):
                line = line.removesuffix(b"\n")
                if errors == "strict":
                    yield decoded(line, number, name)
                    continue
                text = (unmarked(line, name) if number == 1 else line).decode("utf-8", errors)
                if not any_bytes:
                    check_line_ends(text.removesuffix("\r"), f"{name}:{number}")
                yield text
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", name) from error


def reason(error: OSError) -> str:
    """What the system says of an error, without its number."""
    return error.strerror or " ".join(str(error).split()) or type(error).__name__


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
