"""Joins and filters as SQL, each under the name it has in the executor."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.databases.comparing import equal, ordered
from fairseq_twostage.databases.compiler import Compiler
from fairseq_twostage.databases.kinds import Kind, Rows, TableNames, Texts
from fairseq_twostage.databases.pairs import Pairs
from fairseq_twostage.databases.plans import compiles_to
from fairseq_twostage.databases.properties import TYPE, TYPES
from fairseq_twostage.databases.relations import (
    Relation,
    UnsupportedError,
    named,
    subquery_relation,
)
from fairseq_twostage.semantics import functions
from fairseq_twostage.semantics.errors import ExecutionError, null_pointer
from fairseq_twostage.semantics.values import TRUE, Name, Value

_NAMES = (Rows, Texts, TableNames)
_COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


# Joins


@compiles_to(functions.get_property_of_value, data=True)
def get_property_of_value(c: Compiler, value: Value, property: str | None, **options: Any) -> Any:
    """The values of one entity's property."""
    return get_property(c, (value,), property, **options)


@compiles_to(functions.domain, data=True)
def domain(c: Compiler, property: str | None) -> Any:
    """All entities of the property's argument type."""
    return get_property(c, (Name(c.world.index(property).argument_type),), "!type")


@compiles_to(functions.get_property, data=True)
def get_property(c: Compiler, entities: Any, property: str | None, rows: bool = False) -> Any:
    """The values of the property for all entities, each once; with ``rows``, once for each."""
    if entities is None:
        raise null_pointer("the list to join")
    nothing = ExecutionError("empty", f"no {property} of these")
    fitting = c.fit(entities, property)
    if not fitting or property is None:
        raise nothing
    found = _values(c, fitting, property, rows)
    number = c.guard(~found.exists(), nothing)
    before = fitting.fulfilled if isinstance(fitting, Relation) else frozenset()
    owners = None
    if not isinstance(found.kind, _NAMES) and isinstance(_kind(c, fitting), Rows):
        owners = c.relation(fitting), property
    return replace(found, fulfilled=before | {number}, owners=owners)


def _kind(c: Compiler, entities: Any) -> Kind | None:
    return entities.kind if isinstance(entities, Relation) else c.kind_of(entities[0].type)


def _values(c: Compiler, entities: Any, property: str, rows: bool) -> Relation:
    pairs = pairs_of(c, entities, property)
    kind = pairs.value_kind
    if isinstance(kind, Rows) and pairs.rows is not None:
        query = sa.select(*pairs.values)
        if property != TYPES:
            query = query.where(c.among(pairs.arguments, pairs.argument_kind, entities))
        return Relation(query, pairs.values, kind, pairs.rows, distinct=True)
    if _on_rows(pairs, entities):
        query = entities.query.with_only_columns(*pairs.values, maintain_column_froms=True)
        query, once = query.where(pairs.present), entities.distinct
    else:
        query = pairs.select(*pairs.values)
        query = query.where(c.among(pairs.arguments, pairs.argument_kind, entities))
        once = pairs.alias is not None
    if isinstance(kind, Rows):
        return c.rows(kind, Relation(query, pairs.values, kind).among)
    if not rows:
        return Relation(query.distinct(), pairs.values, kind, distinct=True)
    if once:
        return Relation(query, pairs.values, kind)
    both = query.with_only_columns(*named((*pairs.values, *pairs.arguments), "v")).distinct()
    return subquery_relation(both, len(pairs.values), kind)


def _on_rows(pairs: Pairs, entities: Any) -> bool:
    """Whether each row of the entities' query is a row of the pairs."""
    return (
        pairs.alias is not None and isinstance(entities, Relation) and entities.alias is pairs.alias
    )


def pairs_of(c: Compiler, entities: Any, property: str) -> Pairs:
    """The pairs of a property, on the alias of the entities where they have one."""
    table = None
    if property.lstrip("!") == TYPE:
        table = _table_of(c, entities, property)
    alias = entities.alias if isinstance(entities, Relation) else None
    kind = entities.kind if isinstance(entities, Relation) else None
    found = c.maker.properties.find(property) if table is None else None
    of_table = found.table if found is not None else table
    if alias is not None and isinstance(kind, Rows) and kind.table == of_table:
        return c.maker.pairs(property, alias, table)
    return c.maker.pairs(property, None, table)


def _table_of(c: Compiler, entities: Any, property: str) -> str:
    """The one table whose rows have, or are, the types."""
    prefix = f"{c.maker.schema.prefix}."
    if isinstance(entities, Relation):
        types = {entities.kind.type}
    elif property == TYPE:
        types = {entity.type for entity in entities}
    else:
        types = {entity.id for entity in entities}
    if len(types) != 1 or not isinstance(c.kind_of(*types), Rows):
        raise UnsupportedError("rows of several tables in one list")
    return types.pop().removeprefix(prefix)


# Filters


@compiles_to(functions.filter_true, data=True)
def filter_true(c: Compiler, entities: Any, property: str | None) -> Any:
    """The entities that have the property."""
    return filter_list(c, entities, property, "=", (TRUE,))


@compiles_to(functions.filter_value, data=True)
def filter_value(
    c: Compiler, entities: Any, property: str | None, comparison: str | None, value: Value
) -> Any:
    """The entities whose property compares with one reference value."""
    return filter_list(c, entities, property, comparison, (value,))


@compiles_to(functions.filter_list, data=True)
def filter_list(
    c: Compiler, entities: Any, property: str | None, comparison: str | None, references: Any
) -> Any:
    """The entities for which some value of the property compares with some reference."""
    if references is None:
        raise null_pointer("the list of references")
    references = checked_values(c, property, references)
    if entities is None:
        raise null_pointer("the list to filter")
    names: Any
    if isinstance(entities, Relation):
        names = entities if isinstance(entities.kind, _NAMES) else None
    else:
        names = tuple(entity for entity in entities if type(entity) is Name)
        functions.refuse_host_objects(entities)
    fitting = c.fit(names, property) if names else None
    if not fitting or property is None:
        return ()
    if comparison is None:
        c.fail_if(c.exists(fitting), null_pointer("the comparison"))
        return ()
    if comparison not in _COMPARISONS:
        return ()
    relation = c.relation(fitting)
    pairs = pairs_of(c, relation, property)
    if comparison in ("=", "!="):
        holds = equal(c, pairs.values, pairs.value_kind, references)
        if isinstance(references, Relation) and not isinstance(pairs.value_kind, Rows):
            c.mention(relation, property)  # what is looked up is told, too: names and cities
    else:
        if not pairs.value_kind.orderable:
            # Ordering fails at the first value or reference that cannot be ordered.
            valued = filtered(c, relation, pairs, None, False).exists()
            some = c.exists(references)
            either = valued if some is False else relation.exists() & (valued | some)
            c.guard(either, ExecutionError("type", f"values of {property} cannot be ordered"))
            return ()
        c.mention(relation, property)
        holds = ordered(c, pairs.values, pairs.value_kind, comparison, references)
    found = filtered(c, relation, pairs, holds, comparison == "!=")
    needed = references.fulfilled if isinstance(references, Relation) else frozenset()
    return found if comparison == "!=" else replace(found, fulfilled=found.fulfilled | needed)


def filtered(c: Compiler, relation: Relation, pairs: Pairs, holds: Any, negated: bool) -> Relation:
    """Those for which a value fulfils a condition, or that have one (None).

    ``negated``: those for which none does, of which people mean those that have one at all.
    """
    if pairs.alias is not None and pairs.alias is relation.alias:
        if not negated:  # no comparison holds for a NULL
            return relation.where(pairs.present if holds is None else holds)
        if not c.strict:
            return relation.where(pairs.present, ~holds)
        return relation.where(sa.or_(sa.not_(pairs.present), ~holds))
    inner = Relation(pairs.select(*pairs.arguments), pairs.arguments, pairs.argument_kind)
    if holds is None:
        return relation.where(inner.among(relation.columns))
    if not negated:
        return relation.where(inner.where(holds).among(relation.columns))
    without = relation.where(~inner.where(holds).among(relation.columns))
    return without if c.strict else without.where(inner.among(relation.columns))


def checked_values(c: Compiler, property: str | None, values: Any) -> Any:
    """References, checked as :meth:`World.check_value` does it; of a wrong type, none are left."""
    if not isinstance(values, Relation):
        if not c.strict:
            values = tuple([c.world.fitted(property, value) for value in values])
        for value in values:
            c.world.check_value(property, value)
        return values
    try:
        wanted = c.world.index(property).value_type
        if values.kind.type != wanted:
            raise ExecutionError("type", f"values of {property} are of {wanted}")
    except ExecutionError as error:
        c.guard(values.exists(), error)
        return ()
    return values
