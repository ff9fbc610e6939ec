"""Superlatives, counts, aggregates and results as SQL, each under its name in the executor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.databases.comparing import OPERATORS
from fairseq_twostage.databases.compiler import Compiler, compiles_to
from fairseq_twostage.databases.joining import checked_values, filtered, pairs_of
from fairseq_twostage.databases.kinds import Numbers, Rows, degree_of
from fairseq_twostage.databases.pairs import Pairs
from fairseq_twostage.databases.relations import (
    Listed,
    Relation,
    Size,
    UnsupportedError,
    named,
    subquery_relation,
)
from fairseq_twostage.semantics import arithmetic, functions, overloads, own_functions
from fairseq_twostage.semantics.errors import ExecutionError, null_pointer
from fairseq_twostage.semantics.values import UNITLESS, Number


@compiles_to(functions.superlative, data=True)
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
    if number is None:
        raise ExecutionError("type", "how many is no number")
    found = superlative(c, entities, mode, property, int(max(0, min(number.value, 2**31))))
    return () if found is None else replace(found, null_if_empty=None)


@compiles_to(functions.count_superlative_of_all, data=True)
def count_superlative_of_all(
    c: Compiler, entities: Any, mode: str | None, property: str | None
) -> Any:
    """The entities with the most (mode ``max``) or else fewest values."""
    return count_superlative(c, entities, mode, property, None)


@compiles_to(functions.count_superlative, data=True)
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


@compiles_to(functions.count_comparative_of_all, data=True)
def count_comparative_of_all(
    c: Compiler,
    entities: Any,
    property: str | None,
    comparison: str | None,
    threshold: Number | None,
) -> Any:
    """The entities whose number of values compares with the threshold."""
    return count_comparative(c, entities, property, comparison, threshold, None)


@compiles_to(functions.count_comparative, data=True)
def count_comparative(
    c: Compiler,
    entities: Any,
    property: str | None,
    comparison: str | None,
    threshold: Number | None,
    restrictors: Any,
) -> Any:
    """The same, counting only values among ``restrictors``; the threshold's unit is ignored."""
    if threshold is None:
        raise ExecutionError("type", "the threshold is no number")
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
    if threshold.value != threshold.value:
        return ()
    found = listed.where(holds(amount, sa.literal(threshold.value, sa.Double())))
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


# Lists


@compiles_to(functions.concat)
def concat(c: Compiler, first: Any, second: Any, rows: bool = False) -> Any:
    """Both lists, repeats kept; all types must agree and the lists differ.

    In a person's database rows and values are kept once, unless they are added up.
    """
    if first is None or second is None:
        raise null_pointer("a list to concatenate")
    one, other = (_type(values) for values in (first, second))
    empty = ExecutionError("argument", "concat of a list with itself")
    if one is None or other is None:
        rest = first if other is None else second
        if one is None and other is None:
            raise empty
        if c.strict:
            c.fail_if(~rest.exists() if isinstance(rest, Relation) else False, empty)
        return rest
    if one != other:
        c.fail_if(
            c.all_exist(first, second), ExecutionError("type", f"concat of {one} and {other}")
        )
        raise UnsupportedError("lists of different types, one of them empty")
    firsts, seconds = c.relation(first), c.relation(second)
    if firsts.kind.storages != seconds.kind.storages and not firsts.kind.orderable:
        raise UnsupportedError("lists that are held in different ways")
    if c.strict and not rows:
        c.guard(_same(firsts, seconds), empty)
    queries = (firsts.query, seconds.query)
    fulfilled = firsts.fulfilled & seconds.fulfilled
    if c.strict or rows:
        made = subquery_relation(sa.union_all(*queries), len(firsts.columns), firsts.kind)
        return replace(made, fulfilled=fulfilled)
    if isinstance(firsts.kind, Rows):
        made = c.rows(firsts.kind, lambda key: firsts.among(key) | seconds.among(key))
        return replace(made, fulfilled=fulfilled)
    made = subquery_relation(sa.union(*queries), len(firsts.columns), firsts.kind)
    return replace(made, fulfilled=fulfilled, distinct=True)


def _type(values: Any) -> str | None:
    if isinstance(values, Relation):
        return values.kind.type
    return functions._type_of(values[0]) if values else None


def _same(first: Relation, second: Relation) -> Any:
    """A condition: both lists hold the same values equally often, or two of the same length do."""
    sizes = [
        sa.select(sa.func.count()).select_from(relation.query.subquery()).scalar_subquery()
        for relation in (first, second)
    ]
    differing = [
        ~sa.select(sa.except_(one.query, other.query).subquery()).exists()
        for one, other in ((first, second), (second, first))
    ]
    return sa.and_(sizes[0] == sizes[1], *differing)


@compiles_to(functions.ensure_numeric_entity)
def ensure_numeric_entity(c: Compiler, values: Any) -> Any:
    """The list itself if its first element is ordered."""
    number = c.guard(
        ~values.exists(), ExecutionError("index", "an empty list has no first element")
    )
    if not values.kind.orderable:
        raise ExecutionError("type", f"{values.kind.type} is not numeric")
    return replace(values, fulfilled=values.fulfilled | {number})


@compiles_to(overloads._size)
def size(c: Compiler, values: Any) -> Any:
    """How many there are; in a person's database each once."""
    if values.alias is not None:
        count = values.query.with_only_columns(sa.func.count(), maintain_column_froms=True)
        return Size(count, values.fulfilled)
    return Size(sa.select(sa.func.count()).select_from(values.query.subquery()), values.fulfilled)


# Arithmetic


@compiles_to(arithmetic.sum_)
def sum_(c: Compiler, values: Any) -> Any:
    """The unitless sum of numbers; 0 for an empty list."""
    if not isinstance(values.kind, Numbers):
        c.guard(values.exists(), ExecutionError("type", f"{values.kind.type} is no number"))
        return (Number(0.0, UNITLESS, computed=True),)
    return _aggregated(c, values, lambda x: sa.func.coalesce(sa.func.sum(x), 0.0), UNITLESS)


@compiles_to(arithmetic.aggregate)
def aggregate(c: Compiler, mode: str | None, values: Any) -> Any:
    """Mode ``sum`` or ``avg`` of numbers, in their unit; of a person's ``min`` and ``max``, too."""
    number = c.guard(~values.exists(), ExecutionError("empty", f"{mode} over an empty list"))
    if not isinstance(values.kind, Numbers):
        raise ExecutionError("type", f"{values.kind.type} is no number")
    if mode is None:
        raise null_pointer("the mode")
    if mode not in ("avg", "sum") and (c.strict or mode not in ("min", "max")):
        raise ExecutionError("argument", f"no aggregate {mode[:40]}")
    made = _aggregated(c, values, getattr(sa.func, mode), values.kind.unit)
    return replace(made, fulfilled=values.fulfilled | {number})


@compiles_to(arithmetic.arith_op_lists)
def arith_op(c: Compiler, operation: str | None, first: Any, second: Any) -> Any:
    """``+ - * /`` of all pairs of two lists; units are dropped."""
    if first is None or (second is None and not first):
        raise null_pointer("a list of numbers")
    if second is None:
        raise UnsupportedError("arithmetic with a missing list")
    if not _type(first) or not _type(second):
        return ()
    lists = [c.relation(values) for values in (first, second)]
    nonempty = lists[0].exists() & lists[1].exists()
    for relation in lists:
        if not isinstance(relation.kind, Numbers):
            error = ExecutionError("type", f"{relation.kind.type} is no number")
            c.guard(nonempty, error)
            return ()
    if operation is None:
        c.guard(nonempty, null_pointer("the operation"))
        return ()
    if operation not in ("+", "-", "*", "/"):
        c.guard(nonempty, ExecutionError("argument", f"no operation {operation[:40]}"))
        return ()
    tables = [relation.query.subquery() for relation in lists]
    columns = [column for table in tables for column in table.c]
    a: Any
    b: Any
    a, b = sa.cast(columns[0], sa.Double()), sa.cast(columns[1], sa.Double())
    # NULL stands for what no number is; it is told apart when rows are read.
    value = {"+": a + b, "-": a - b, "*": a * b, "/": a / sa.func.nullif(b, 0)}[operation]
    query = sa.select(value.label("value")).select_from(tables[0].join(tables[1], sa.true()))
    fulfilled = lists[0].fulfilled | lists[1].fulfilled
    kind = Numbers(f"{UNITLESS}_number", ("real",), UNITLESS, True, not c.strict)
    return subquery_relation(query, 1, kind, fulfilled=fulfilled)


def _aggregated(
    c: Compiler, values: Relation, aggregate: Callable[[Any], Any], unit: str
) -> Relation:
    """One number from all of a list."""
    if values.distinct:
        values = subquery_relation(values.query, 1, values.kind, owners=values.owners)
    amount = aggregate(sa.cast(values.columns[0], sa.Double()))
    kind = Numbers(f"{unit}_number", ("real",), unit, True, not c.strict)
    query = values.query.with_only_columns(amount.label("amount"), maintain_column_froms=True)
    return subquery_relation(query, 1, kind, distinct=True, owners=values.owners)


# Results


@compiles_to(functions.list_value)
def list_value(c: Compiler, result: Any) -> Any:
    """The result as a list, sorted by the print of its elements."""
    return Listed(result)
