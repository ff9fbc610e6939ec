"""The tables of a DuckDB database as SQLAlchemy has them.

duckdb-engine 0.17 reflects through PostgreSQL's catalogue, of which DuckDB 2 has only a part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Engine, MetaData

_COLUMNS = (
    "select table_name, column_name, data_type, comment from duckdb_columns() "
    "where not internal and schema_name = current_schema() order by table_name, column_index"
)
_CONSTRAINTS = (
    "select table_name, constraint_type, constraint_column_names, referenced_table, "
    "referenced_column_names from duckdb_constraints() where schema_name = current_schema()"
)
_COMMENTS = (
    "select table_name, comment, false from duckdb_tables() where not internal union all "
    "select view_name, comment, true from duckdb_views() where not internal"
)


def reflect_duckdb(engine: Engine, metadata: MetaData) -> set[str]:
    """Put all tables and views into ``metadata``.

    Returns:
        the names of the views.
    """
    from sqlalchemy import Column, ForeignKeyConstraint, PrimaryKeyConstraint, Table

    with engine.connect() as connection:
        columns = connection.exec_driver_sql(_COLUMNS).fetchall()
        constraints = connection.exec_driver_sql(_CONSTRAINTS).fetchall()
        described = connection.exec_driver_sql(_COMMENTS).fetchall()
    comments = {name: comment for name, comment, _ in described}
    parts: dict[str, list[Any]] = {}
    for table, column, type_name, comment in columns:
        parts.setdefault(table, []).append(Column(column, _type(type_name), comment=comment))
    for table, kind, names, target, targets in constraints:
        if kind == "PRIMARY KEY":
            parts[table].append(PrimaryKeyConstraint(*names))
        elif kind == "FOREIGN KEY":
            places = [f"{target}.{name}" for name in targets]
            parts[table].append(ForeignKeyConstraint(list(names), places))
    for table, items in parts.items():
        Table(table, metadata, *items, comment=comments.get(table))
    return {name for name, _, view in described if view}


def _type(name: str) -> Any:
    from sqlalchemy import types

    name = name.upper()
    if name.endswith("]") or name.startswith(("STRUCT", "MAP", "UNION", "JSON", "BLOB", "BIT")):
        return types.LargeBinary()
    for start, made in (
        ("BOOL", types.Boolean),
        ("TIMESTAMP", types.DateTime),
        ("DATE", types.Date),
        ("TIME", types.Time),
        ("DECIMAL", types.Numeric),
        ("DOUBLE", types.Float),
        ("FLOAT", types.Float),
        ("INTERVAL", types.Interval),
    ):
        if name.startswith(start):
            return made()
    return types.Integer() if "INT" in name else types.String()
