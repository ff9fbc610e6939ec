"""Superlatives and counts as SQL, each under its name in the executor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.databases.comparing import OPERATORS
from fairseq_twostage.databases.compiler import Compiler
from fairseq_twostage.databases.joining import checked_values, filtered, pairs_of
from fairseq_twostage.databases.kinds import degree_of
from fairseq_twostage.databases.pairs import Pairs
from fairseq_twostage.databases.plans import compiles_to
from fairseq_twostage.databases.relations import (
    Relation,
    UnsupportedError,
    named,
)
from fairseq_twostage.semantics import own_functions, superlatives
from fairseq_twostage.semantics.errors import ExecutionError, null_pointer
from fairseq_twostage.semantics.values import Number


@compiles_to(superlatives.superlative, data=True)
def superlative(
    c: Compiler, entities: Any, mode: str | None, property: str | None, number: int = 1
) -> Any:
    """All entities with the largest (mode ``max``) or else smallest value; null over nothing."""
    if entities is None:
        raise null_pointer("the list")
    if mode is None:
        raise UnsupportedError("a superlative without a mode")
    fitting = c.fit(entities, property)
    if not fitting or property is None:
        return None
    relation = c.relation(fitting)
    pairs = pairs_of(c, relation, property)
    if not pairs.value_kind.orderable:
        some = filtered(c, relation, pairs, None, False)
        c.guard(some.exists(), ExecutionError("type", f"values of {property} cannot be ordered"))
        return replace(some, null_if_empty=relation)
    value = degree_of(pairs.values[0], pairs.value_kind.storages[0])
    c.mention(relation, property, mode=mode)
    best = sa.func.max if mode == "max" else sa.func.min
    return _best(c, relation, *valued(relation, pairs, value, best), mode, number)


def valued(
    relation: Relation, pairs: Pairs, value: Any, best: Callable[[Any], Any]
) -> tuple[Relation, Any]:
    """The entities that have a value, and their best one."""
    if pairs.alias is not None and pairs.alias is relation.alias:
        return relation.where(pairs.present), value
    return _by_entity(relation, pairs, best(value), None)


@compiles_to(own_functions.top, data=True)
def top(
    c: Compiler, entities: Any, mode: str | None, property: str | None, number: Number | None
) -> Any:
    """The so many entities with the largest or smallest values, and those tied with the last."""
    most = superlatives.checked_count(c.world, number, "how many")
    found = superlative(c, entities, mode, property, first(most))
    return () if found is None else replace(found, null_if_empty=None)


@compiles_to(own_functions.count_top, data=True)
def count_top(
    c: Compiler, entities: Any, mode: str | None, property: str | None, number: Number | None
) -> Any:
    """The so many entities with the most or fewest values, and those tied with the last."""
    most = superlatives.checked_count(c.world, number, "how many")
    counted = _counts(c, entities, property, None, mode)
    if counted is None:
        return ()
    if mode is None:
        raise UnsupportedError("a superlative without a mode")
    relation, (listed, amount) = counted
    valued = listed.where(amount > 0) if mode == "max" else listed
    found = _best(c, relation, valued, amount, mode, first(most))
    return replace(found, null_if_empty=None)


def first(most: float) -> int:
    """How many places of a ranking are wanted."""
    return int(max(0, min(most, 2**31)))


@compiles_to(superlatives.count_superlative_of_all, data=True)
def count_superlative_of_all(
    c: Compiler, entities: Any, mode: str | None, property: str | None
) -> Any:
    """The entities with the most (mode ``max``) or else fewest values."""
    return count_superlative(c, entities, mode, property, None)


@compiles_to(superlatives.count_superlative, data=True)
def count_superlative(
    c: Compiler, entities: Any, mode: str | None, property: str | None, restrictors: Any
) -> Any:
    """The entities with the most or fewest values among ``restrictors``; null over nothing."""
    counted = _counts(c, entities, property, restrictors, mode)
    if counted is None:
        return None
    if mode is None:
        raise UnsupportedError("a superlative without a mode")
    relation, amounts = counted
    return _best(c, relation, *amounts, mode)


@compiles_to(superlatives.count_comparative_of_all, data=True)
def count_comparative_of_all(
    c: Compiler,
    entities: Any,
    property: str | None,
    comparison: str | None,
    threshold: Number | None,
) -> Any:
    """The entities whose number of values compares with the threshold."""
    return count_comparative(c, entities, property, comparison, threshold, None)


@compiles_to(superlatives.count_comparative, data=True)
def count_comparative(
    c: Compiler,
    entities: Any,
    property: str | None,
    comparison: str | None,
    threshold: Number | None,
    restrictors: Any,
) -> Any:
    """The same, counting only values among ``restrictors``; the threshold's unit is ignored,
    unless the world knows units."""
    bound = superlatives.checked_count(c.world, threshold, "the threshold")
    counted = _counts(c, entities, property, restrictors)
    if counted is None:
        return ()
    relation, (listed, amount) = counted
    if comparison is None:
        raise UnsupportedError("a comparison without an operator")
    holds = OPERATORS.get(comparison)
    if holds is None:
        error = ExecutionError("argument", f"counts cannot be compared by {comparison[:40]}")
        c.guard(relation.exists(), error)
        return ()
    if bound != bound:
        return ()
    found = listed.where(holds(amount, sa.literal(bound, sa.Double())))
    found = replace(found, distinct=relation.distinct, fulfilled=relation.fulfilled)
    return c.once(found) if relation.distinct else found


def _counts(
    c: Compiler, entities: Any, property: str | None, restrictors: Any, mode: str | None = None
) -> tuple[Relation, tuple[Relation, Any]] | None:
    """The entities, and the same with how many of their values are among ``restrictors``; None
    where there are none of them."""
    if restrictors is not None:
        restrictors = checked_values(c, property, restrictors)
    value_type = c.world.index(property).value_type
    if value_type.endswith("_number") or value_type in ("en.date", "en.time"):
        raise ExecutionError("type", f"{property} is numeric: its values are not counted")
    if entities is None:
        raise null_pointer("the list")
    fitting = c.fit(entities, property)
    if not fitting or property is None:
        return None
    relation = c.relation(fitting)
    pairs = pairs_of(c, relation, property)
    counts = sa.true()
    if restrictors is None:
        c.mention(relation, property, True, mode)
    else:
        counts = c.among(pairs.values, pairs.value_kind, restrictors)
    if pairs.alias is not None and pairs.alias is relation.alias:
        return relation, (relation, sa.case((pairs.present & counts, 1), else_=0))
    if pairs.repeats and not c.strict:
        sides = named((*pairs.arguments, *pairs.values), "v")
        once = pairs.select(*sides).where(counts).distinct().subquery()
        split = len(pairs.arguments)
        columns = tuple(once.c)
        pairs = replace(
            pairs,
            arguments=columns[:split],
            values=columns[split:],
            source=once,
            present=sa.true(),
        )
    else:
        pairs = replace(pairs, present=pairs.present & counts)
    return relation, _by_entity(relation, pairs, sa.func.count(), 0)


def _by_entity(relation: Relation, pairs: Pairs, amount: Any, missing: Any) -> tuple[Relation, Any]:
    """The entities joined with an amount of each; ``missing`` is that of those without pairs,
    which are left out where it is None."""
    listed = relation.query.subquery()
    columns = tuple(listed.c)
    grouped = (
        pairs.select(*named(pairs.arguments, "a"), amount.label("amount"))
        .group_by(*pairs.arguments)
        .subquery()
    )
    on = sa.and_(*(own == other for own, other in zip(columns, grouped.c)))
    found: Any = grouped.c.amount
    if missing is None:
        source = listed.join(grouped, on)
    else:
        source, found = listed.outerjoin(grouped, on), sa.func.coalesce(found, missing)
    query = sa.select(*columns).select_from(source)
    return Relation(query, columns, relation.kind), found


def _best(
    c: Compiler, entities: Relation, listed: Relation, amount: Any, mode: str, number: int = 1
) -> Relation:
    """All with the largest (smallest) amounts, so many and ties; null over no entities."""
    place = sa.func.rank().over(order_by=amount.desc() if mode == "max" else amount.asc())
    ranked = listed.query.with_only_columns(
        *named(listed.columns, "v"), place.label("place"), maintain_column_froms=True
    ).subquery()
    columns = tuple(ranked.c)[:-1]
    best = Relation(sa.select(*columns).where(ranked.c.place <= number), columns, entities.kind)
    best = replace(best, fulfilled=entities.fulfilled, null_if_empty=entities)
    return c.once(replace(best, distinct=True)) if entities.distinct else best
