"""The functions for worlds of one's own as SQL, each under its name in the executor."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.databases.compiler import Compiler
from fairseq_twostage.databases.counting import first
from fairseq_twostage.databases.joining import filter_list, pairs_of
from fairseq_twostage.databases.kinds import Groups, Kind, Numbers, Rows
from fairseq_twostage.databases.plans import compiles_to
from fairseq_twostage.databases.relations import Relation, Truth, named, subquery_relation
from fairseq_twostage.semantics import own_functions
from fairseq_twostage.semantics.errors import ExecutionError, null_pointer
from fairseq_twostage.semantics.superlatives import checked_count
from fairseq_twostage.semantics.values import Boolean, Number

_GROUP_TYPE = "group"


@compiles_to(own_functions.group_count, data=True)
def group_count(c: Compiler, entities: Any, by: str | None) -> Any:
    """Each value of a property with the number of entities that have it."""
    grouped = _grouped(c, entities, by, None, None)
    return () if grouped is None or by is None else _groups(*grouped, by)


@compiles_to(own_functions.group, data=True)
def group(
    c: Compiler, entities: Any, by: str | None, mode: str | None, property: str | None
) -> Any:
    """Each value of a property with an aggregate of another one."""
    if mode not in own_functions.AGGREGATES:
        raise ExecutionError("argument", f"no aggregate {str(mode)[:40]}")
    grouped = _grouped(c, entities, by, mode, property)
    if grouped is None or by is None or property is None:
        return ()
    return _groups(*grouped, by, (str(mode), property))


@compiles_to(own_functions.group_superlative, data=True)
def group_superlative(
    c: Compiler,
    entities: Any,
    best: str | None,
    by: str | None,
    mode: str | None,
    property: str | None,
) -> Any:
    """The values of a property for which the aggregate is the largest or else smallest."""
    return group_top(c, entities, best, by, mode, property, Number(1.0))


@compiles_to(own_functions.group_top, data=True)
def group_top(
    c: Compiler,
    entities: Any,
    best: str | None,
    by: str | None,
    mode: str | None,
    property: str | None,
    number: Number | None,
) -> Any:
    """The so many values of a property for which it is so, and those tied with the last."""
    most = first(checked_count(c.world, number, "how many"))
    if mode not in own_functions.AGGREGATES:
        raise ExecutionError("argument", f"no aggregate {str(mode)[:40]}")
    grouped = _grouped(c, entities, by, mode, property)
    if grouped is None:
        return ()
    query, value, _ = grouped
    inner = query.subquery()
    amount = list(inner.c)[-1]
    place = sa.func.rank().over(order_by=amount.desc() if best == "max" else amount.asc())
    ranked = sa.select(*list(inner.c)[:-1], place.label("place")).subquery()
    columns = tuple(ranked.c)[:-1]
    best_ones = sa.select(*columns).where(ranked.c.place <= most)
    return c.once(Relation(best_ones, columns, value, distinct=True))


def _groups(
    query: sa.Select[Any],
    value: Kind,
    amount: Kind,
    by: str,
    aggregate: tuple[str, str] | None = None,
) -> Relation:
    storages = (*value.storages, *amount.storages)
    kind = Groups(_GROUP_TYPE, storages, value, amount, by, aggregate)
    return subquery_relation(query, len(kind.storages), kind, distinct=True)


def _grouped(
    c: Compiler, entities: Any, by: str | None, mode: str | None, property: str | None
) -> tuple[sa.Select[Any], Kind, Kind] | None:
    """A query of values and amounts, and what they are; None where there are no entities."""
    if entities is None:
        raise null_pointer("the list")
    fitting = c.fit(entities, by)
    if not fitting or by is None:
        return None
    relation = c.once(c.relation(fitting))
    if c.fit(relation, property if mode is not None else by) is None:
        return None
    pairs = pairs_of(c, relation, by)
    sides = named((*pairs.values, *pairs.arguments), "g")
    if pairs.alias is not None and pairs.alias is relation.alias:
        members = relation.query.with_only_columns(*sides, maintain_column_froms=True)
        members = members.where(pairs.present)
    else:
        members = pairs.select(*sides).where(relation.among(pairs.arguments))
    if isinstance(pairs.value_kind, Rows):
        rows = c.rows(pairs.value_kind)
        members = members.where(rows.among(pairs.values))
    groups = members.distinct().subquery()
    split = len(pairs.values)
    values, keys = tuple(groups.c)[:split], tuple(groups.c)[split:]
    if mode is None or property is None:
        amount: Kind = Numbers("count_number", ("integer",), own_functions.COUNT_UNIT)
        query = sa.select(*values, sa.func.count().label("amount")).group_by(*values)
        return query, pairs.value_kind, amount
    numbers = c.maker.pairs(property)
    if not isinstance(numbers.value_kind, Numbers):
        error = ExecutionError("type", f"values of {property} are no numbers")
        c.guard(sa.select(*values).exists(), error)
        return None
    listed = numbers.select(*named((*numbers.arguments, *numbers.values), "n"))
    each = (listed.distinct() if numbers.repeats else listed).subquery()
    on = sa.and_(*(own == other for own, other in zip(keys, each.c)))
    number: Any = sa.cast(list(each.c)[-1], sa.Double())
    total = getattr(sa.func, mode)(number).label("amount")
    query = sa.select(*values, total).select_from(groups.join(each, on)).group_by(*values)
    kind = replace(numbers.value_kind, storages=("real",), computed=True, rounded=True)
    return query, pairs.value_kind, kind


@compiles_to(own_functions.filter_truth, data=True)
def filter_truth(
    c: Compiler, entities: Any, property: str | None, comparison: str | None, truth: bool
) -> Any:
    """The entities of which the property says yes, or no."""
    if c.strict:
        raise ExecutionError("arity", "no filter by a boolean in a published world")
    return filter_list(c, entities, property, comparison, (Boolean(truth),))


@compiles_to(own_functions.any_)
def any_(c: Compiler, entities: Any) -> Any:
    """Whether a list has members."""
    return Truth(sa.select(entities.exists()))


@compiles_to(own_functions.without)
def without(c: Compiler, entities: Any, others: Any) -> Any:
    """The members of one list that are not in another."""
    if entities is None or others is None:
        raise null_pointer("the list")
    if not entities or not others:
        return entities
    relation = c.relation(entities)
    if _type(others) != relation.kind.type:
        return entities
    return relation.where(~c.among(relation.columns, relation.kind, others))


def _type(values: Any) -> str:
    return str(values.kind.type if isinstance(values, Relation) else values[0].type)
