"""Numbers of CSV files as spreadsheets write them: 12,50 and 1.200,50, or 1,200.50."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection

# Decimal separator, separator of thousands, and what every value of such a column matches.
_DECIMAL_COMMA = (",", ".", r"[+-]?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?")
_DECIMAL_POINT = (".", ",", r"[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?")
_READ = ("VARCHAR", "DOUBLE")
_Way = tuple[str, str, str]


def select_of_csv(connection: Connection, file: str) -> str:
    """A query of a CSV file in which columns of written numbers are numbers.

    What DuckDB leaves as text becomes a number where all values of the column are numbers of one
    way of writing. The other columns of the file, then what separates its columns, decide
    between 1,200 as 1200 and as 1.2; where neither tells, the column stays text.

    Args:
        connection: of DuckDB.
        file: its path.
    """
    source = f"read_csv({literal(file)})"
    quoted = connection.dialect.identifier_preparer.quote_identifier
    described = connection.exec_driver_sql(f"describe select * from {source}").fetchall()
    names = [name for name, kind, *_ in described if kind in _READ]
    text = {name for name, kind, *_ in described if kind == "VARCHAR"}
    ways = _ways(connection, file, names)
    way = _way_of_file(connection, file, [ways[name] for name in names if name in text])
    if way is None:
        return f"select * from {source}"
    decimal, thousands, _ = way
    # 1.200 alone is read as 1.2; in a file of decimal commas it is 1200.
    changed = [
        name for name in names if way in ways[name] and (name in text or way is _DECIMAL_COMMA)
    ]
    if not changed:
        return f"select * from {source}"
    types = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in changed)
    numbers = ", ".join(
        f"try_cast(replace(replace(trim({quoted(name)}), '{thousands}', ''), '{decimal}', '.') "
        f"as double) as {quoted(name)}"
        for name in changed
    )
    return f"select * replace ({numbers}) from read_csv({literal(file)}, types = {{{types}}})"


def _ways(connection: Connection, file: str, names: list[str]) -> Mapping[str, tuple[_Way, ...]]:
    """Of each column the ways that all its values agree with; none where nothing needs one."""
    if not names:
        return {}
    quoted = connection.dialect.identifier_preparer.quote_identifier
    counts = ", ".join(
        f"count(*) filter (trim({quoted(name)}) <> ''), "
        f"count(*) filter ({quoted(name)} like '%,%' or {quoted(name)} like '%.%'), "
        + ", ".join(
            f"count(*) filter (regexp_full_match(trim({quoted(name)}), '{way[2]}'))"
            for way in (_DECIMAL_COMMA, _DECIMAL_POINT)
        )
        for name in names
    )
    row = connection.exec_driver_sql(
        f"select {counts} from read_csv({literal(file)}, all_varchar = true)"
    ).one()
    found = {}
    for index, name in enumerate(names):
        filled, marked, *matches = row[4 * index : 4 * index + 4]
        found[name] = tuple(
            way
            for way, match in zip((_DECIMAL_COMMA, _DECIMAL_POINT), matches, strict=True)
            if marked and match == filled
        )
    return found


def _way_of_file(connection: Connection, file: str, ways: list[tuple[_Way, ...]]) -> _Way | None:
    """The one way that a column leaves no doubt of; if there is none, what separates columns."""
    sure = {of_column[0] for of_column in ways if len(of_column) == 1}
    if len(sure) == 1:
        return sure.pop()
    if sure or not any(ways):
        return None
    delimiter = connection.exec_driver_sql(
        f"select Delimiter from sniff_csv({literal(file)})"
    ).scalar()
    return {",": _DECIMAL_POINT, ";": _DECIMAL_COMMA}.get(str(delimiter))


def literal(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"
