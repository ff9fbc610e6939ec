"""SQL to be read: values in their place, one clause a line. It is never what is run."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
import sqlglot

_SQLGLOT = {"postgresql": "postgres"}


def sql_text(query: sa.Select[Any], dialect: sa.Dialect) -> str:
    """The text of a query in a dialect."""
    make: Any = type(dialect)
    plain = make(paramstyle="named")  # % stays single
    text = str(query.compile(dialect=plain, compile_kwargs={"literal_binds": True}))
    name = _SQLGLOT.get(dialect.name, dialect.name)
    return sqlglot.parse_one(text, read=name).sql(dialect=name, pretty=True)
