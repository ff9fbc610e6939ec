"""Gold answers of a database: a query, or its rows; compared as sets of rows.

Numbers compare as numbers, whatever holds them, and text after trimming. Gold rows of several
columns may be columns of the table that is shown for an answer, in any order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import permutations
from typing import Any

from fairseq_twostage.files import load_json
from fairseq_twostage.semantics.values import Boolean, Date, ListValue, Number, Time, Value

Cell = str | float
Rows = frozenset[tuple[Cell, ...]]
MOST_COLUMNS = 6
_QUERY = re.compile(r"\s*(SELECT|WITH)\s", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def is_query(text: str) -> bool:
    """Whether a gold answer is a query in SQL."""
    return _QUERY.match(text) is not None


def is_gold(text: str) -> bool:
    """Whether a text is a query or rows, and no logical form."""
    return is_query(text) or text.lstrip().startswith("[")


def read_rows(text: str) -> list[list[Any]]:
    """Rows written as JSON: a list of lists, or of single values.

    Raises:
        ValueError: they are not.
    """
    rows = load_json(text)
    if not isinstance(rows, list):
        raise ValueError("wants a list of rows")
    return [row if isinstance(row, list) else [row] for row in rows]


def row_set(rows: Iterable[Iterable[Any]]) -> Rows:
    """Rows as they are compared."""
    return frozenset(tuple(cell(value) for value in row) for row in rows)


def has_columns(shown: Rows, wanted: Rows) -> bool:
    """Whether some columns of a table, ``MOST_COLUMNS`` at most, in some order, are those rows."""
    widths = {len(row) for row in shown}, {len(row) for row in wanted}
    if not all(len(width) == 1 for width in widths):
        return False
    have, want = (min(width) for width in widths)
    if want > have or have > MOST_COLUMNS:
        return False
    return any(
        frozenset(tuple(row[place] for place in places) for row in shown) == wanted
        for places in permutations(range(have), want)
    )


def cell(value: Any) -> Cell:
    """A value of a database, of JSON, or of an answer, as it is compared."""
    if isinstance(value, Value):
        value = _of_answer(value)
    if value is None:
        return ""
    text = str(int(value) if isinstance(value, bool) else value).strip()
    # Twelve digits: sums of doubles depend on their order in the last ones.
    return float(f"{float(text):.12g}") if _NUMBER.fullmatch(text) else text


def _of_answer(value: Value) -> Any:
    if isinstance(value, Number):
        return value.value
    if isinstance(value, Boolean):
        return value.value
    if isinstance(value, Date):
        parts = (value.year, value.month, value.day)
        return "-".join(f"{part:02d}" for part in parts if part != -1)
    if isinstance(value, Time):
        return f"{value.hour:02d}:{value.minute:02d}:00"
    return value.text if not isinstance(value, ListValue) else str(value.values)
