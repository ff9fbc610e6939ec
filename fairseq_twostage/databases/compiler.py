"""From a logical form to SQL.

Each function of the language has its counterpart here, under the same overloads. What the
executor in memory finds out by looking at its lists is decided by types where they tell, and else
left to guards: conditions that the database is asked, in the order of the executor's checks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.databases.kinds import Kind, Numbers, Rows
from fairseq_twostage.databases.pair_making import PairMaker
from fairseq_twostage.databases.plans import HANDLERS, NEED_DATA, Plan
from fairseq_twostage.databases.properties import TYPE
from fairseq_twostage.databases.relations import (
    Guard,
    Listed,
    Mention,
    Relation,
    Size,
    Truth,
    UnsupportedError,
    named,
    subquery_relation,
)
from fairseq_twostage.semantics.errors import ExecutionError, null_pointer
from fairseq_twostage.semantics.executor import post_order, reduced
from fairseq_twostage.semantics.formulas import Call, Constant
from fairseq_twostage.semantics.overloads import resolve
from fairseq_twostage.semantics.values import Name, Number, Value
from fairseq_twostage.semantics.world import TripleStore, World


class Signatures(TripleStore):
    """A world's properties without its facts, for the checks of the executor."""

    def __init__(self, maker: PairMaker) -> None:
        super().__init__()
        self._maker = maker

    def signature(self, property: str) -> tuple[str, str] | None:
        return self._maker.signature(property)


class Compiler:
    """Compiles one logical form.

    Args:
        maker: of the pairs of a schema's properties.
    """

    def __init__(self, maker: PairMaker) -> None:
        self.maker = maker = maker.afresh()
        self.strict = maker.strict
        self.world = World(Signatures(maker), exact=not self.strict, rows=not self.strict)
        self.guards: list[Guard] = []
        self.mentions: dict[Mention, None] = {}

    def plan(self, text: str) -> Plan:
        """The plan of a normalised form; what cannot be compiled has a guard that always fires."""
        try:
            result = self._compile(reduced(text, self.world))
            if isinstance(result, Relation) and result.null_if_empty is not None:
                error = null_pointer("the result")
                error.counts_as_empty = False
                self.guard(~result.null_if_empty.exists(), error)
        except ExecutionError as error:
            self.guard(None, error)
            result = None
        return Plan(result, tuple(self.guards), tuple(self.mentions))

    def guard(self, condition: Any, error: ExecutionError) -> int:
        """Add a condition under which there is no value; returns its number."""
        self.guards.append(Guard(condition, error))
        return len(self.guards) - 1

    def _compile(self, formula: Any) -> Any:
        results: list[Any] = []
        for node in post_order(formula):
            if type(node) is Constant:
                results.append(node.value)
            elif type(node) is Call:
                count = len(node.parts)
                results[-count:] = [self.call(node, results[-count:])]
            else:
                results.append(node)
        return results[0]

    def call(self, node: Call, arguments: list[Any]) -> Any:
        """What a call gives; ``arguments`` holds the function's name first.

        An argument that may be null is taken twice: what a null would give stands behind a guard.
        """
        for place, argument in enumerate(arguments):
            if isinstance(argument, Relation) and argument.null_if_empty is not None:
                return self._call_with_null(node, arguments, place)
        try:
            function, *rest = arguments
            found = resolve(function, [_stand_in(argument) for argument in rest])
            handler = HANDLERS.get(found)
            if handler is None or (not any(map(_is_query, rest)) and handler not in NEED_DATA):
                return found(self.world, *rest)
            return handler(self, *rest, **({"rows": True} if node.rows else {}))
        except ExecutionError as error:
            error.place = error.place if error.place >= 0 else node.place
            raise

    def _call_with_null(self, node: Call, arguments: list[Any], place: int) -> Any:
        argument: Relation = arguments[place]
        assert argument.null_if_empty is not None
        some = argument.null_if_empty.exists()
        before, after = arguments[:place], arguments[place + 1 :]
        null_value, null_error, guards = self._apart(node, [*before, None, *after])
        numbers = {
            self.guard(~some if guard.condition is None else ~some & guard.condition, guard.error)
            for guard in guards
        }
        if null_error is not None:
            numbers.add(self.guard(~some, null_error))
        filled = replace(
            argument, null_if_empty=None, fulfilled=argument.fulfilled | frozenset(numbers)
        )
        if null_error is not None:
            return self.call(node, [*before, filled, *after])
        value, error, guards = self._apart(node, [*before, filled, *after])
        for guard in guards:
            self.guard(some if guard.condition is None else some & guard.condition, guard.error)
        if error is not None:
            self.guard(some, error)
            return null_value
        if value != null_value:
            self.guard(~some, UnsupportedError("a missing list that does not matter"))
        return value

    def _apart(
        self, node: Call, arguments: list[Any]
    ) -> tuple[Any, ExecutionError | None, list[Guard]]:
        """What a call gives, or its error, and the guards that it would add."""
        outer, self.guards = self.guards, []
        value, error = None, None
        try:
            value = self.call(node, arguments)
        except ExecutionError as raised:
            error = raised
        inner, self.guards = self.guards, outer
        return value, error, inner

    # What handlers share

    def mention(
        self, relation: Relation, property: str, counted: bool = False, mode: str | None = None
    ) -> None:
        """Note what rows are compared or sorted by."""
        if isinstance(relation.kind, Rows):
            self.mentions[Mention(relation.kind.table, property, counted, mode)] = None

    def kind_of(self, type_name: str) -> Kind | None:
        """What values of a type are in the database; None where it has none of them."""
        prefix, _, table = type_name.rpartition(".")
        if prefix == self.maker.schema.prefix and table in self.maker.schema.tables:
            return self.maker.rows_kind(table)
        for name, found in self.maker.properties.all.items():
            if found.value_type == type_name:
                return self.maker.value_kind(name)
        return None

    def rows(self, kind: Rows, *conditions: Callable[[tuple[Any, ...]], Any]) -> Relation:
        """The rows of a table, each once, whose key fulfils conditions."""
        alias = self.maker.alias(kind.table)
        key = self.maker.key(kind.table, alias)
        query = sa.select(*key).where(*(condition(key) for condition in conditions))
        return Relation(query, key, kind, alias, distinct=True)

    def once(self, relation: Relation) -> Relation:
        """Rows of a table as a list on which conditions can be put; equal ones fall together."""
        if not isinstance(relation.kind, Rows) or relation.alias is not None:
            return relation
        made = self.rows(relation.kind, relation.among)
        return replace(made, fulfilled=relation.fulfilled, null_if_empty=relation.null_if_empty)

    def among(self, columns: tuple[Any, ...], kind: Kind, values: Any) -> Any:
        """A condition: the columns, of that kind, hold one of the values."""
        if isinstance(values, Relation):
            return values.among(columns)
        return self.maker.tables.holds(columns, kind, values)

    def exists(self, values: Any) -> Any:
        """A condition (maybe a Python truth): the list is not empty."""
        return values.exists() if isinstance(values, Relation) else bool(values)

    def all_exist(self, *lists: Any) -> Any:
        """A condition (maybe a Python truth): none of the lists is empty."""
        conditions = [found for found in map(self.exists, lists) if found is not True]
        if not conditions or any(found is False for found in conditions):
            return not conditions
        return sa.and_(*conditions)

    def fail_if(self, condition: Any, error: ExecutionError) -> int | None:
        """A guard, unless the condition is known to be false; raises if it is known to hold."""
        if condition is True:
            raise error
        return None if condition is False else self.guard(condition, error)

    def relation(self, values: Any) -> Relation:
        """A list, maybe of constants, as a query."""
        if isinstance(values, Relation):
            return values
        first = values[0]
        kind = self.kind_of(first.type)
        if isinstance(first, Number):
            kind = Numbers(first.type, ("real",), str(first.unit))
        if kind is None:
            raise UnsupportedError(f"a list of {first.text_in_full}")
        if isinstance(kind, Rows) and len(set(values)) == len(values):
            return self.rows(kind, lambda key: self.among(key, kind, values))
        bound = [found for found in map(kind.bind, values) if found is not None]
        if len(bound) < len(values):
            raise UnsupportedError("a constant that the database cannot hold")
        queries = [
            sa.select(*named(tuple(map(self.maker.tables.bound, row, kind.storages)), "v"))
            for row in bound
        ]
        return subquery_relation(sa.union_all(*queries), len(kind.storages), kind)

    def fit(self, entities: Any, property: str | None) -> Any:
        """The entities, checked as :meth:`World.lookup` and ``check_argument`` do it.

        Returns:
            None if a list of the wrong type can only be empty.
        """
        if isinstance(entities, Relation):
            try:
                index = self.world.index(property)
                if self._wrong_type(property, entities.kind.type, index.argument_type):
                    message = f"{property} is of {index.argument_type}, not {entities.kind.type}"
                    raise ExecutionError("type", message)
            except ExecutionError as error:
                self.guard(entities.exists(), error)
                return None
            return entities
        for entity in entities:
            if not isinstance(entity, Value):
                self.world.lookup(entity, property)
            self._check_known(entity)
            index = self.world.index(property)
            if self._wrong_type(property, entity.type, index.argument_type):
                message = f"{property} is of {index.argument_type}, not of {entity.text_in_full}"
                raise ExecutionError("type", message[:200])
        return entities

    def _wrong_type(self, property: str | None, found: str, wanted: str) -> bool:
        return found != wanted and (self.strict or property != TYPE)

    def _check_known(self, value: Value) -> None:
        """A guard: the database has the value."""
        error = ExecutionError("entity", f"the database has no {value.text_in_full[:200]}")
        try:
            type_name = value.type
        except ExecutionError:
            raise error from None
        schema = self.maker.schema
        if type_name == schema.prefix and isinstance(value, Name):
            if value.id.removeprefix(f"{schema.prefix}.") not in schema.tables:
                raise error
            return
        if not isinstance(value, Name) and not self.strict:
            return
        kind = self.kind_of(type_name)
        if isinstance(kind, Rows):
            known = [self.rows(kind, lambda key: self.among(key, kind, (value,))).exists()]
        else:
            known = []
            for name, found in self.maker.properties.all.items():
                if found.value_type == type_name:
                    pairs = self.maker.pairs(name)
                    condition = self.among(pairs.values, pairs.value_kind, (value,))
                    known.append(pairs.select(*pairs.values).where(condition).exists())
        if not known:
            raise error
        self.guard(~sa.or_(*known), error)


def _is_query(argument: Any) -> bool:
    return isinstance(argument, (Relation, Size, Truth, Listed))


def _stand_in(argument: Any) -> Any:
    """A value of the kind by which an overload is chosen."""
    if isinstance(argument, Relation):
        return ()
    if isinstance(argument, (Size, Truth)):
        return 0 if isinstance(argument, Size) else True
    if isinstance(argument, Listed):
        raise UnsupportedError("a finished list inside a form")
    return argument
