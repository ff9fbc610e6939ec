"""What a ``schema.yaml`` says that cannot be, apart from its form."""

from __future__ import annotations

from collections.abc import Iterable

from fairseq_twostage.databases.schema import (
    Dimension,
    Measure,
    Place,
    Relationship,
    Schema,
    path_between,
)


def missing_names(schema: Schema) -> Iterable[tuple[Place, str, list[str]]]:
    """What the file mentions and does not have: path in the file, the name, what there is."""
    types = list(schema.tables)
    for type_name, table in schema.tables.items():
        at = ("tables", type_name)
        if table.name is not None and table.name not in table.dimensions:
            yield (*at, "name"), table.name, list(table.dimensions)
        for each in table.also_named_by:
            if each not in table.dimensions:
                yield (*at, "also_named_by"), each, list(table.dimensions)
        if table.numbered_by is not None and table.numbered_by not in table.measures:
            yield (*at, "numbered_by"), table.numbered_by, list(table.measures)
        for name, measure in table.measures.items():
            yield from _missing_of(schema, (*at, "measures", name), measure)
        for name, column in table.dimensions.items():
            for key in ("highest_by", "lowest_by"):
                by = getattr(column, key)
                if by is not None and by not in table.measures:
                    yield (*at, "dimensions", name, key), by, list(table.measures)
        for name, metric in table.metrics.items():
            known = list(table.columns if metric.aggregation == "count" else table.measures)
            if metric.measure not in known:
                yield (*at, "metrics", name, "measure"), metric.measure, known
        for name, condition in table.filters.items():
            if condition.dimension not in table.columns:
                place = (*at, "filters", name, "dimension")
                yield place, condition.dimension, list(table.columns)
    for name, relationship in schema.relationships.items():
        for key, type_name in (("from", relationship.from_table), ("to", relationship.to)):
            if type_name not in schema.tables:
                yield ("relationships", name, key), type_name, types
        for step in relationship.path or ():
            others = [other for other in schema.relationships if other != name]
            if step.removeprefix("!") not in others:
                yield ("relationships", name, "path"), step, others


def contradictions(schema: Schema) -> Iterable[tuple[Place, str]]:
    """What does not go together: path in the file, and what is wrong."""
    for type_name, table in schema.tables.items():
        at = ("tables", type_name)
        names: set[str] = set()
        for kind in ("dimensions", "time_dimensions", "measures"):
            for name, column in getattr(table, kind).items():
                if isinstance(column, Measure):
                    yield from (
                        ((*at, kind, name), text)
                        for text in _wrong_measure(schema, type_name, column)
                    )
                if name in names:
                    yield (*at, kind, name), f"{type_name} has two properties {name}"
                names.add(name)
                if (column.through is None) != (column.from_columns is None):
                    yield (*at, kind, name), "through and from_columns go together"
                if isinstance(column, Dimension) and column.columns and column.column:
                    yield (*at, kind, name, "columns"), "give column, or columns, not both"
                if isinstance(column, Dimension) and column.type in schema.tables:
                    yield (*at, kind, name, "type"), f"{column.type} is a table; use another name"
    for name, relationship in schema.relationships.items():
        at = ("relationships", name)
        link = (relationship.through, relationship.from_columns, relationship.to_columns)
        given = [part is not None for part in link]
        ways = [relationship.columns is not None, any(given), relationship.path is not None]
        if any(given) != all(given) or sum(ways) != 1:
            yield at, "give columns, or through with from_columns and to_columns, or path"
        elif relationship.path is not None and (wrong := _broken(schema, relationship)):
            yield (*at, "path"), wrong


def _missing_of(
    schema: Schema, at: Place, measure: Measure
) -> Iterable[tuple[Place, str, list[str]]]:
    """A table or measure that is to be gathered and that there is not."""
    if measure.gathered is None:
        return
    mode, table, of = measure.gathered
    place = (*at, f"{mode}_of")
    if table not in schema.tables:
        yield place, table, list(schema.tables)
    elif of and of not in schema.tables[table].measures:
        yield place, of, list(schema.tables[table].measures)


def _wrong_measure(schema: Schema, table: str, measure: Measure) -> Iterable[str]:
    ways = ("expression", "sum_of", "avg_of", "count_of")
    given = [way for way in ways if getattr(measure, way) is not None]
    if len(given) > 1 or (given and (measure.column or measure.through)):
        yield f"{given[-1]} goes without a column and without another of {', '.join(ways)}"
    elif measure.gathered is not None:
        mode, source, of = measure.gathered
        table_there = schema.tables.get(source)
        if (mode == "count") == bool(of):
            yield f"{mode}_of wants {'a table' if mode == 'count' else 'table.measure'}"
        elif table_there is None or (of and of not in table_there.measures):
            return  # told as a missing name
        elif of and table_there.measures[of].gathered is not None:
            yield f"{mode}_of of what is gathered itself"
        elif path_between(schema, source, table) is None:
            yield f"no row of {source} refers to one of {table}"


def _broken(schema: Schema, relationship: Relationship) -> str | None:
    """Where the steps of a path do not fit."""
    at = relationship.from_table
    for step in relationship.path or ():
        other = schema.relationships.get(step.removeprefix("!"))
        if other is None:
            return None
        if other.path is not None:
            return f"{step} is a path itself"
        start, end = other.from_table, other.to
        if step.startswith("!"):
            start, end = end, start
        if start != at:
            return f"{step} starts at {start}, not at {at}"
        at = end
    return None if at == relationship.to else f"it ends at {at}, not at {relationship.to}"
