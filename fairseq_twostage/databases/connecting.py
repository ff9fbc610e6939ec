"""Opening a database to read from it: SQLite, a script of it, DuckDB, PostgreSQL, a folder of
CSV or Parquet."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairseq_twostage.databases.csv_files import select_of_file
from fairseq_twostage.databases.written_numbers import literal
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_text

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

EXTRA = "pip install 'fairseq-twostage[database]'"
FILE_ENDINGS = (".csv", ".tsv", ".parquet")
SQLITE_ENDINGS = (".sqlite", ".sqlite3", ".db")
SCRIPT_ENDINGS = (".sql",)
DUCKDB_ENDINGS = (".duckdb",)
SHEET_ENDINGS = (".xlsx", ".xls", ".ods")
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_IN_MEMORY = ("", ":memory:")


def open_database(text: str, folder: Path, where: str = "database") -> Engine:
    """An engine whose connections cannot write.

    Args:
        text: a URL as SQLAlchemy takes it, or the path of a SQLite or DuckDB file, of a script
            that makes a SQLite database, or of CSV or Parquet files, one or a folder; ``${NAME}``
            is a variable of the environment.
        folder: what relative paths start from.
        where: what a message names first.

    Raises:
        UserError: it cannot be opened; no message holds a password.
    """
    url = database_url(text, folder, where)
    engine = _engine(url, where)
    try:
        with engine.connect():
            pass
    except Exception as error:  # each driver raises its own
        raise UserError(
            f"cannot be opened: {reason(error, url)}", f"{where}: {shown(url)}"
        ) from None
    return engine


def database_url(text: str, folder: Path, where: str = "database") -> URL:
    """The URL that a setting means, its paths absolute; files are ``duckdb`` with the file or
    folder as its database."""
    try:
        from sqlalchemy import URL, make_url
        from sqlalchemy.exc import ArgumentError
    except ImportError:
        raise UserError(f"a database needs SQLAlchemy: {EXTRA}", where) from None
    filled = _VARIABLE.sub(lambda match: _variable(match[1], where), text.strip())
    if "://" not in filled:
        path = folder / filled
        sqlite = path.suffix in (*SQLITE_ENDINGS, *SCRIPT_ENDINGS)
        backend = "sqlite" if sqlite else "duckdb"
        return URL.create(backend, database=str(path.absolute()))
    try:
        url = make_url(filled)
    except (ArgumentError, ValueError):
        raise UserError(
            "is no URL such as sqlite:///shop.db or postgresql://host/shop", where
        ) from None
    backend = url.get_backend_name()
    if backend in ("sqlite", "duckdb") and (url.database or "") not in _IN_MEMORY:
        return url.set(database=str((folder / str(url.database)).absolute()))
    if backend == "postgresql" and url.drivername == backend:
        return url.set(drivername="postgresql+psycopg")
    return url


def shown(url: URL) -> str:
    """The URL without its password."""
    return url.render_as_string(hide_password=True)


def reason(error: BaseException, url: URL) -> str:
    """What a driver said, in one line, the password out of it."""
    original = getattr(error, "orig", None) or error
    text = " ".join(str(original).split()) or type(original).__name__
    if url.password:
        text = text.replace(str(url.password), "***")
    return text[:200]


def _variable(name: str, where: str) -> str:
    value = os.environ.get(name)
    if value is None:
        raise UserError(f"the variable {name} is not set", where)
    return value


def _engine(url: URL, where: str) -> Engine:
    backend = url.get_backend_name()
    if backend == "sqlite":
        return _sqlite(url, where)
    if backend == "duckdb":
        return _duckdb(url, where)
    if backend == "postgresql":
        options = "-c default_transaction_read_only=on"
        return _created(url, where, connect_args={"options": options, "connect_timeout": 10})
    raise UserError(
        f"{backend} is not known here: sqlite, postgresql, duckdb, or a folder of CSV or "
        "Parquet files",
        where,
    )


def _sqlite(url: URL, where: str) -> Engine:
    import sqlite3

    from sqlalchemy.pool import QueuePool

    path = Path(url.database or "")
    if not path.is_file():
        raise UserError("no such file", f"{where}: {path}")
    if path.suffix in SCRIPT_ENDINGS:
        return _script(path, where)
    uri = f"{path.absolute().as_uri()}?mode=ro"

    def connect() -> Any:
        return sqlite3.connect(uri, uri=True, check_same_thread=False)

    engine = _created("sqlite://", where, creator=connect, poolclass=QueuePool)
    with engine.connect() as connection:
        try:
            connection.exec_driver_sql("select count(*) from sqlite_master")
        except Exception as error:
            raise UserError(
                f"no SQLite database: {reason(error, url)}", f"{where}: {path}"
            ) from None
    return engine


def _script(path: Path, where: str) -> Engine:
    """A SQLite database in memory, made anew by the script for each connection of the pool.

    The script can reach no other file.
    """
    import sqlite3

    from sqlalchemy.pool import QueuePool

    script = read_text(path)
    denied = (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH)

    def connect() -> Any:
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        connection.set_authorizer(
            lambda action, *_: sqlite3.SQLITE_DENY if action in denied else sqlite3.SQLITE_OK
        )
        connection.executescript(script)
        connection.commit()
        connection.execute("pragma query_only = on")
        return connection

    try:
        connect().close()
    except sqlite3.Error as error:
        raise UserError(f"is no script for SQLite: {error}"[:200], f"{where}: {path}") from None
    return _created("sqlite://", where, creator=connect, poolclass=QueuePool)


def _duckdb(url: URL, where: str) -> Engine:
    path = Path(url.database or "")
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix.lower() in FILE_ENDINGS)
        if not files:
            raise UserError("holds no .csv, .tsv or .parquet file", f"{where}: {path}")
        return _files(files, where)
    if not path.is_file():
        raise UserError("no such file or folder", f"{where}: {path}")
    if path.suffix.lower() in FILE_ENDINGS:
        return _files([path], where)
    if path.suffix.lower() in SHEET_ENDINGS:
        raise UserError("a workbook is not read: save its sheets as CSV files", f"{where}: {path}")
    return _created(url, where, connect_args={"read_only": True})


def _files(files: Sequence[Path], where: str) -> Engine:
    """An in-memory DuckDB with a view for each file, closed to all other files."""
    from sqlalchemy.pool import StaticPool

    engine = _created("duckdb:///:memory:", where, poolclass=StaticPool)
    quote = engine.dialect.identifier_preparer.quote_identifier
    with engine.connect() as connection:
        read = list[Path]()
        for file in files:
            try:
                query, source = _select(connection, file, where)
                connection.exec_driver_sql(f"create view {quote(file.stem)} as {query}")
                read.append(source)
            except UserError:
                raise
            except Exception as error:
                line = " ".join(str(getattr(error, "orig", None) or error).split())[:200]
                raise UserError(f"cannot be read: {line}", f"{where}: {file}") from None
        allowed = ", ".join(literal(str(file)) for file in read)
        connection.exec_driver_sql(f"set allowed_paths = [{allowed}]")
        connection.exec_driver_sql("set enable_external_access = false")
        connection.exec_driver_sql("set lock_configuration = true")
        connection.commit()
    return engine


def _select(connection: Connection, file: Path, where: str) -> tuple[str, Path]:
    if file.suffix.lower() != ".parquet":
        return select_of_file(connection, file, where)
    return f"select * from read_parquet({literal(str(file))})", file


def _created(url: Any, where: str, **options: Any) -> Engine:
    from sqlalchemy import create_engine
    from sqlalchemy.exc import SAWarning

    # of a list or a JSON column: it holds nothing that is asked about
    warnings.filterwarnings("ignore", "Did not recognize type", SAWarning)
    try:
        return create_engine(url, **options)
    except ImportError as error:
        raise UserError(f"its driver is not installed ({error.name}): {EXTRA}", where) from None
