"""CSV files as programs write them: their encodings, and whether their first lines name columns."""

from __future__ import annotations

import codecs
import csv
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fairseq_twostage.databases.written_numbers import literal, select_of_csv
from fairseq_twostage.errors import UserError

if TYPE_CHECKING:
    from sqlalchemy import Connection

_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_OTHER = "cp1252"  # what spreadsheets write on Windows where it is not UTF-8
_BLOCK = 1 << 20
_DELIMITERS = ";,\t|"


def select_of_file(connection: Connection, file: Path, where: str) -> tuple[str, Path]:
    """A query of a CSV file, and the file that it reads: a copy where it is not UTF-8.

    Args:
        connection: of DuckDB.
        file: as people have it.
        where: who names it, for messages.

    Raises:
        UserError: its first line does not name its columns.
    """
    read = _in_utf8(file)
    _check_header(connection, read, f"{where}: {file}")
    return select_of_csv(connection, str(read)), read


def _in_utf8(file: Path) -> Path:
    encoding = _encoding(file)
    if encoding is None:
        return file
    copy = Path(tempfile.mkdtemp(dir=_copies().name)) / file.name
    with (
        open(file, encoding=encoding, errors="replace", newline="") as text,
        open(copy, "w", encoding="utf-8", newline="") as out,
    ):
        while block := text.read(_BLOCK):
            out.write(block)
    return copy


@cache
def _copies() -> tempfile.TemporaryDirectory[str]:
    """Where this process keeps its copies; gone with it."""
    return tempfile.TemporaryDirectory(prefix="twostage-csv-")


def _encoding(file: Path) -> str | None:
    """In what a file is written; None: in UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with open(file, "rb") as bytes_:
        block = bytes_.read(_BLOCK)
        if block[:2] in _MARKS:
            return _MARKS[block[:2]]
        try:
            while block:
                decoder.decode(block)
                block = bytes_.read(_BLOCK)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return _OTHER
    return None


def _check_header(connection: Connection, file: Path, where: str) -> None:
    """Whether columns can be told apart, and most have a name."""
    columns = connection.exec_driver_sql(
        f"describe select * from read_csv({literal(str(file))})"
    ).fetchall()
    names = [str(name) for name, *_ in columns]
    apart = next((mark for mark in _DELIMITERS if mark in names[0]), None)
    if len(names) == 1 and apart is not None:
        raise UserError(
            f"its columns cannot be told apart: its lines do not all have as many {apart!r}, or a "
            "quotation mark is not closed; save it anew as CSV",
            where,
        )
    delimiter = connection.exec_driver_sql(
        f"select Delimiter from sniff_csv({literal(str(file))})"
    ).scalar()
    with open(file, encoding="utf-8-sig", newline="") as text:
        first = next(csv.reader(text, delimiter=str(delimiter)), [])
    unnamed = sum(not field.strip() for field in first)
    if len(first) > 1 and 2 * unnamed >= len(first):
        raise UserError(
            f"the first line names {len(first) - unnamed} of {len(first)} columns; let it be the "
            "one that names all of them",
            f"{where}:1",
        )
