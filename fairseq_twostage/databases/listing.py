"""Lists, arithmetic and results as SQL, each under its name in the executor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.databases.compiler import Compiler
from fairseq_twostage.databases.kinds import Numbers, Rows
from fairseq_twostage.databases.plans import compiles_to
from fairseq_twostage.databases.relations import (
    Listed,
    Relation,
    Size,
    UnsupportedError,
    subquery_relation,
)
from fairseq_twostage.semantics import (
    arithmetic,
    functions,
    overloads,
    own_functions,
    results,
    superlatives,
)
from fairseq_twostage.semantics.errors import ExecutionError, null_pointer
from fairseq_twostage.semantics.values import UNITLESS, Number

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
    return functions.type_of(values[0]) if values else None


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


@compiles_to(superlatives.ensure_numeric_entity)
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


@compiles_to(own_functions.share)
def share(c: Compiler, some: Any, entities: Any) -> Any:
    """How many of a list's members are among others, in percent."""
    if some is None or entities is None:
        raise null_pointer("the list")
    empty = ExecutionError("empty", "a share of an empty list")
    if not entities:
        raise empty

    def counted(values: Any) -> Any:
        return sa.cast(size(c, values).query.scalar_subquery(), sa.Double())

    every = c.relation(entities)
    number = c.guard(~every.exists(), empty)
    among = counted(every.where(c.among(every.columns, every.kind, some))) if some else 0.0
    value = 100.0 * among / sa.func.nullif(counted(every), 0)
    unit = own_functions.PERCENT
    kind = Numbers(f"{unit}_number", ("real",), unit, True, True)
    query = sa.select(value.label("value"))
    return subquery_relation(query, 1, kind, fulfilled=every.fulfilled | {number}, distinct=True)


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


@compiles_to(results.list_value)
def list_value(c: Compiler, result: Any) -> Any:
    """The result as a list, sorted by the print of its elements."""
    return Listed(result)
