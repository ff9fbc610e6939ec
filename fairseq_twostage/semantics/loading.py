"""Where worlds come from: a domain's name, a Geo database file, a TSV of triples."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_columns
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.formulas import Constant, make_formula
from fairseq_twostage.semantics.overnight import OVERNIGHT, create_entity, generate
from fairseq_twostage.semantics.sexp import read_first, tokens
from fairseq_twostage.semantics.values import Boolean, Name, Number, Value
from fairseq_twostage.semantics.world import Triple, TripleStore, World
from fairseq_twostage.semantics.written import check_written
from fairseq_twostage.writing import atomic_write

GEO = "geo"
GEO_FILE = Path("geogranno") / "geo880.db"
DOMAINS = (*OVERNIGHT, GEO)
ENTITY_PREFIX = "fb:en."
Aggregates = Literal["rows", "values"]
AGGREGATES: tuple[Aggregates, ...] = get_args(Aggregates)


def load_world(
    domain: str, geo_db: str | os.PathLike[str] | None = None, aggregates: Aggregates | None = None
) -> World:
    """The world of a domain; that of a TSV is exact, the published ones print as SEMPRE does.

    Args:
        domain: one of the eight Overnight domains, ``geo``, or the path of a TSV of triples
            (see :func:`read_triples`), known by its suffix ``.tsv``, or of a file such as
            ``geo880.db``, by ``.db``.
        geo_db: ``geo880.db``; by default it is looked for under the folder that the variable
            ``TWOSTAGE_DATA`` names, then under ``data/``.
        aggregates: whether sums and averages are over the ``rows``, which is the rule of a TSV
            unless said, or over distinct ``values``, that of the published worlds.

    Returns:
        The world; one and the same in a process for the same arguments, anew for a TSV.

    Raises:
        UserError: no such domain or rule, or its file is missing or cannot be read.
    """
    if aggregates not in (None, *AGGREGATES):
        raise UserError(f"no {aggregates!r}; choose {' or '.join(AGGREGATES)}", "aggregates")
    if domain in OVERNIGHT:
        return _overnight_world(domain, aggregates == "rows")
    if domain == GEO:
        return _geo_world(find_geo_database(geo_db).resolve(), aggregates == "rows")
    if domain.endswith(".tsv"):
        return World(read_triples(domain), domain, exact=True, rows=aggregates != "values")
    if domain.endswith(".db"):
        return _geo_world(find_geo_database(domain).resolve(), aggregates == "rows")
    raise UserError(
        f"no domain {domain!r}: choose one of {', '.join(DOMAINS)}, a .tsv file of triples, "
        "or a domain.yaml or its folder"
    )


@cache
def _overnight_world(domain: str, rows: bool) -> World:
    return World(generate(domain), domain, rows=rows)


@cache
def _geo_world(path: Path, rows: bool) -> World:
    return World(read_geo_database(path), GEO, rows=rows)


def find_geo_database(path: str | os.PathLike[str] | None = None) -> Path:
    """``path`` or the first place where ``geo880.db`` lies.

    Raises:
        UserError: it is nowhere.
    """
    if path is not None:
        places = [Path(path)]
    else:
        folders = (os.environ.get("TWOSTAGE_DATA"), "data")
        places = [Path(folder) / GEO_FILE for folder in folders if folder]
    for place in places:
        if place.is_file():
            return place
    raise UserError(
        f"Geo's world is not there (looked at {', '.join(map(str, places))}): download the "
        "GeoGranno data and name its folder in TWOSTAGE_DATA, or give the path of geo880.db"
    )


def read_geo_database(path: str | os.PathLike[str]) -> TripleStore:
    """The triples of ``geo880.db``: lines of ``property TAB entity [TAB value]``.

    A new entity gets its ``type``; a value that begins with ``fb:en.`` is an entity, another one
    a constant such as ``(number 369200000.0 length^2)``; two fields say that the property holds.

    Raises:
        UserError: a line that is neither, with its number.
    """
    store = TripleStore()
    for where, fields in read_columns(path, 2, 3, names="property, entity, value"):
        property, entity = fields[0], Name(fields[1])
        try:
            create_entity(store, entity)
            if len(fields) == 2:
                store.add(entity, property)
            elif fields[2].startswith(ENTITY_PREFIX):
                create_entity(store, Name(fields[2]))
                store.add(entity, property, Name(fields[2]))
            else:
                store.add(entity, property, read_value(fields[2]))
        except ExecutionError as error:
            raise UserError(error.message, where) from error
    return store


def read_triples(path: str | os.PathLike[str]) -> TripleStore:
    """A world from a TSV: ``property``, ``entity``, ``value`` and, if given, the types of both.

    Entities and values are written as they print: ``(name en.person.alice)``,
    ``(number 3 en.inch)``, ``(date 2004 -1 -1)``, ``(time 9 0)``, ``(boolean true)``.

    Raises:
        UserError: a line that cannot be read or whose types do not agree, with its number; or
            there is none.
    """
    store = TripleStore()
    for _, triple in located_triples(path):
        store.add(*triple)
    if not len(store):
        raise UserError("holds no triple", str(path))
    return store


def located_triples(path: str | os.PathLike[str]) -> Iterator[tuple[str, Triple]]:
    """The triples of such a file, each behind ``FILE:LINE``.

    Raises:
        UserError: as above, but that an empty file has none.
    """
    first: dict[str, tuple[str, tuple[str, str]]] = {}
    for where, fields in read_columns(path, 3, 5, names="property, entity, value [, types]"):
        property = fields[0]
        if not property:
            raise UserError("the property is empty", where)
        try:
            entity, value = _written(fields[1]), _written(fields[2])
            types = entity.type, value.type
        except ExecutionError as error:
            raise UserError(error.message, where) from error
        if len(fields) == 5 and types != tuple(fields[3:]):
            found, said = " and ".join(types), " and ".join(fields[3:])
            raise UserError(f"the types are {found}, not {said}", where)
        if property != "type" and first.setdefault(property, (where, types))[1] != types:
            raise UserError(_two_signatures(property, types, *first[property]), where)
        yield where, (entity, property, value)


def _two_signatures(
    property: str, here: tuple[str, str], where: str, there: tuple[str, str]
) -> str:
    """What is wrong where a property's arguments or values are not of one type: forms would be
    checked against the last fact alone."""
    line = where.rpartition(":")[2]
    if here[0] != there[0]:
        return (
            f"{property} is of {here[0]} here and of {there[0]} in line {line}; "
            "give one of the two another name"
        )
    numbers = all(each[1].endswith("_number") for each in (here, there))
    what = "write all in one unit" if numbers else "give one of the two another name"
    return f"{property} is {here[1]} here and {there[1]} in line {line}; {what}"


def _written(text: str) -> Value:
    value = read_value(text)
    check_written(text, value)
    return value


def write_triples(store: TripleStore, path: str | os.PathLike[str]) -> None:
    """Write a world as :func:`read_triples` reads it, numbers in full precision."""
    with atomic_write(path) as file:
        for entity, property, value in store:
            texts = (entity.text_in_full, value.text_in_full)
            file.write("\t".join((property, *texts, entity.type, value.type)) + "\n")


def read_value(text: str) -> Value:
    """The value that a text such as ``(number 3 en.inch)`` or ``en.person.alice`` stands for.

    Raises:
        ExecutionError: it is no value with a type.
    """
    item: Any = read_first(tokens(text), make_formula)
    if type(item) is str:
        return Name(item)
    value = item.value if type(item) is Constant else None
    if type(value) is bool:
        return Boolean(value)
    if not isinstance(value, Value) or (isinstance(value, Number) and value.unit is None):
        raise ExecutionError("parse", f"{text[:80]!r} is no name, number, date, time or boolean")
    return value
