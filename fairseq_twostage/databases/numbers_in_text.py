"""The number that a text holds, in the dialects of SQL."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql import functions


class number_in_text(functions.GenericFunction[Any]):
    """The number that a text column holds; NULL where it holds none."""

    type = sa.Double()
    inherit_cache = True


_NUMERAL = r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$"


@compiles(number_in_text)
def _number_in_text(element: Any, compiler: Any, **options: Any) -> str:
    text = compiler.process(element.clauses, **options)
    return f"CASE WHEN {text} ~ '{_NUMERAL}' THEN CAST({text} AS DOUBLE PRECISION) END"


@compiles(number_in_text, "duckdb")
def _number_in_duckdb(element: Any, compiler: Any, **options: Any) -> str:
    return f"TRY_CAST({compiler.process(element.clauses, **options)} AS DOUBLE)"


@compiles(number_in_text, "sqlite")
def _number_in_sqlite(element: Any, compiler: Any, **options: Any) -> str:
    text = compiler.process(element.clauses, **options)
    return (
        f"CASE WHEN {text} GLOB '*[0-9]*' AND NOT TRIM({text}) GLOB '*[^0-9.eE+-]*' "
        f"THEN CAST({text} AS REAL) END"
    )
