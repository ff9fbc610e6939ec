"""Values of a database that cannot be read as the schema says that they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fairseq_twostage.databases.schema import Column, Dimension, Measure, TimeDimension
from fairseq_twostage.databases.schema_file import line_of
from fairseq_twostage.errors import UserError

if TYPE_CHECKING:
    from fairseq_twostage.databases.running import DatabaseWorld

MOST_UNREAD = 0.1  # of the values of a column, before it is told
_TRYING = ("sqlite", "duckdb")  # where a cast that fails is NULL
_GROUPS = ("dimensions", "time_dimensions", "measures")


def unread_values(world: DatabaseWorld) -> Iterator[str]:
    """Columns of which more than a tenth of the values are no dates, numbers or truths, though the
    schema has them so: to every question they are missing.

    Raises:
        UserError: none of a column's values can be read.
    """
    path = world.schema_file
    for type_name, described in world.schema.tables.items():
        for group in _GROUPS:
            for name, part in getattr(described, group).items():
                found = _unread(world, type_name, part.column or name, part)
                if found is None:
                    continue
                filled, read, sample = found
                where = f"{path}:{line_of(path, ('tables', type_name, group, name))}"
                kind = _called(part)
                told = f"values of {part.column or name} can be read as {kind}: {sample[:40]!r}"
                if not read:
                    raise UserError(
                        f"none of the {filled} {told}; give stored_as as they are written, or "
                        "leave the property out",
                        where,
                    )
                if filled - read > MOST_UNREAD * filled:
                    yield f"{where}: {read} of the {filled} {told} is none; it counts as missing"


def _called(part: Column) -> str:
    if isinstance(part, Measure):
        return "numbers"
    return "yes or no" if isinstance(part, Dimension) else f"{part.stored_as or 'date'}s"


def _unread(
    world: DatabaseWorld, type_name: str, column: str, part: Column
) -> tuple[int, int, str] | None:
    """How many values a column of text has, how many can be read, and one that cannot."""
    tables = world.maker.tables
    made = isinstance(part, Measure) and (part.expression is not None or part.gathered is not None)
    if made or part.through is not None or (isinstance(part, Dimension) and part.columns):
        return None
    if isinstance(part, Dimension) and part.stored_as != "boolean":
        return None
    if isinstance(part, TimeDimension) and world.engine.dialect.name not in _TRYING:
        return None
    table: Any = tables.of(type_name)
    if tables.storage(table, column) != "text":
        return None
    value = tables.expression(table.c, table, column, part)
    text = sa.func.nullif(sa.func.trim(sa.cast(table.c[column], sa.String())), "")
    counts = sa.select(sa.func.count(text), sa.func.count(value)).where(text.is_not(None))
    sample = sa.select(text).where(text.is_not(None), value.is_(None)).limit(1)
    with world.engine.connect() as connection:
        filled, read = connection.execute(counts).one()
        other = connection.execute(sample).scalar()
    return None if other is None else (filled, read, str(other))
