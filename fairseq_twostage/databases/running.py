"""A world whose facts lie in a database: forms are compiled to SQL and run there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.databases import counting, joining  # noqa: F401 (register their functions)
from fairseq_twostage.databases.compiler import Compiler, Plan
from fairseq_twostage.databases.pairs import PairMaker
from fairseq_twostage.databases.relations import Guard, Listed, Relation, Size
from fairseq_twostage.databases.schema import Schema
from fairseq_twostage.databases.tables import Tables
from fairseq_twostage.semantics.denotation import Denotation
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.executor import answer, failure
from fairseq_twostage.semantics.foreign import ForeignWorld
from fairseq_twostage.semantics.functions import list_value
from fairseq_twostage.semantics.normalise import normalise


class DatabaseWorld(ForeignWorld):
    """A database as the world of a schema's logical forms.

    Args:
        schema: what its tables are in people's words.
        engine: of the database, to read from alone.
        where: the schema's file, for messages.

    Raises:
        UserError: the schema names a table or column that the database does not have.
    """

    def __init__(self, schema: Schema, engine: sa.Engine, where: str = "schema.yaml") -> None:
        super().__init__(where)
        self.exact = schema.aggregates != "values"
        self.rows = self.exact
        self.schema = schema
        self.engine = engine
        self.maker = PairMaker(schema, Tables(schema, engine, where))

    def plan(self, logical_form: str, variables: Mapping[str, str] | None = None) -> Plan:
        """The queries of a form."""
        return Compiler(self.maker).plan(normalise(logical_form, variables))

    def denote(self, logical_form: str, variables: Mapping[str, str]) -> Denotation:
        try:
            plan = self.plan(logical_form, variables)
            with self.engine.connect() as connection:
                return answer(self._run(plan, connection), self)
        except ExecutionError as error:
            return failure(error)

    def _run(self, plan: Plan, connection: sa.Connection) -> Any:
        """The result of a plan.

        Raises:
            ExecutionError: of the first guard that fires.
        """
        guards = plan.guards
        certain = next((n for n, guard in enumerate(guards) if guard.condition is None), None)
        if certain is not None:
            guards = guards[: certain + 1]
            if not any(guard.error.counts_as_empty for guard in guards):
                raise guards[-1].error
            self._ask(guards, connection)
        listed = isinstance(plan.result, Listed)
        result = plan.result.result if isinstance(plan.result, Listed) else plan.result
        found: Any = result
        fulfilled: frozenset[int] = frozenset()
        if isinstance(result, Relation):
            rows = connection.execute(result.query).fetchall()
            found = tuple(result.kind.decode(row) for row in rows if None not in row)
            if result.distinct:
                found = tuple(dict.fromkeys(found))
        elif isinstance(result, Size):
            found = int(connection.execute(result.query).scalar_one())
        if isinstance(result, (Relation, Size)) and found:
            fulfilled = result.fulfilled
        self._ask([g for n, g in enumerate(guards) if n not in fulfilled], connection)
        return list_value(self, found) if listed else found

    def _ask(self, guards: Any, connection: sa.Connection) -> None:
        """Raise the error of the first guard that fires."""
        asked: list[Guard] = list(guards)
        conditions = [sa.true() if guard.condition is None else guard.condition for guard in asked]
        if not asked:
            return
        row = connection.execute(
            sa.select(*(c.label(f"g{n}") for n, c in enumerate(conditions)))
        ).one()
        for fired, guard in zip(row, asked):
            if fired:
                raise guard.error
