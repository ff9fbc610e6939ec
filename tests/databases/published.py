"""The published worlds as databases, the way ``init --database`` would find them: a table for
each type with its key, single-valued properties as columns, the others as link tables."""

from __future__ import annotations

import datetime
from collections import defaultdict
from pathlib import Path
from typing import Any

import sqlalchemy as sa
import yaml

from fairseq_twostage.semantics.loading import read_triples
from fairseq_twostage.semantics.values import Boolean, Date, Name, Number, Time

COLUMNS = {Number: sa.Double, Time: sa.Time, Boolean: sa.Boolean, Name: sa.String}


def load_world(
    world: Path, engine: sa.Engine, url: str, schema: Path, aggregates: str = "values"
) -> None:
    """Write a world's triples into an empty database, and the schema that describes it."""
    properties: dict[str, dict[Any, list[Any]]] = defaultdict(lambda: defaultdict(list))
    types: dict[str, dict[Name, None]] = {}
    for entity, name, value in read_triples(world):
        if name == "type":
            kept = types.pop(value.id, {})
            types[value.id] = {**kept, entity: None}  # the type made last is the last one
        else:
            properties[name][entity].append(value)
    prefix = next(iter(types)).rpartition(".")[0]
    described: dict[str, Any] = {"database": url, "prefix": prefix, "aggregates": aggregates}
    tables = described["tables"] = {short(type_): {"key": ["id"]} for type_ in types}
    relationships = described["relationships"] = {}
    metadata = sa.MetaData()
    columns = {name: [sa.Column("id", sa.String, primary_key=True)] for name in tables}
    rows = {short(t): {e: {"id": key(e)} for e in entities} for t, entities in types.items()}
    links: list[tuple[sa.Table, list[dict[str, Any]]]] = []
    for name, values in properties.items():
        (table,) = {short(entity.type) for entity in values}
        first = next(iter(values.values()))[0]
        single = all(len(listed) == 1 for listed in values.values())
        if single:
            columns[table].append(sa.Column(name, column_type(first)))
            for entity, (value,) in values.items():
                rows[table][entity][name] = held(value)
            place: dict[str, Any] = {"column": name}
        else:
            link = sa.Table(
                name,
                metadata,
                sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
                sa.Column("source", sa.String),
                sa.Column("target", column_type(first)),
            )
            pairs = [(entity, value) for entity, listed in values.items() for value in listed]
            links.append(
                (
                    link,
                    [
                        {"number": number, "source": key(entity), "target": held(value)}
                        for number, (entity, value) in enumerate(pairs)
                    ],
                )
            )
            place = {"through": name, "from_columns": {"source": "id"}, "column": "target"}
        if isinstance(first, Name):
            relationships[name] = {"from": table, "to": short(first.type)}
            if single:
                relationships[name]["columns"] = {name: "id"}
            else:
                del place["column"]
                relationships[name].update(place, to_columns={"target": "id"})
        elif isinstance(first, Number):
            tables[table].setdefault("measures", {})[name] = {**place, "unit": first.unit}
        elif isinstance(first, Boolean):
            tables[table].setdefault("dimensions", {})[name] = {**place, "stored_as": "boolean"}
        else:
            stored = "time" if isinstance(first, Time) else "year" if first.month < 0 else "date"
            tables[table].setdefault("time_dimensions", {})[name] = {**place, "stored_as": stored}
    made = {name: sa.Table(name, metadata, *listed) for name, listed in columns.items()}
    metadata.create_all(engine)
    with engine.begin() as connection:
        for name, table in made.items():
            blank = dict.fromkeys(table.c.keys())
            connection.execute(table.insert(), [{**blank, **row} for row in rows[name].values()])
        for link, listed in links:
            connection.execute(link.insert(), listed)
    schema.write_text(yaml.safe_dump(described, sort_keys=False), encoding="utf-8")


def short(type_name: str) -> str:
    return type_name.rpartition(".")[2]


def key(entity: Name) -> str:
    return entity.id[len(entity.type) + 1 :]


def column_type(value: Any) -> Any:
    if isinstance(value, Date):
        return sa.Integer if value.month < 0 else sa.Date
    return COLUMNS[type(value)]


def held(value: Any) -> Any:
    if isinstance(value, Name):
        return key(value)
    if isinstance(value, Date):
        if value.month < 0:
            return value.year
        return datetime.date(value.year, value.month, value.day)
    return datetime.time(value.hour, value.minute) if isinstance(value, Time) else value.value
