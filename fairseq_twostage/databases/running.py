"""A world whose facts lie in a database: forms are compiled to SQL and run there."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from fairseq_twostage.databases import counting, grouping, joining, listing  # noqa: F401 (register their functions)
from fairseq_twostage.databases.compiler import Compiler
from fairseq_twostage.databases.pair_making import PairMaker
from fairseq_twostage.databases.plans import Plan
from fairseq_twostage.databases.printing import sql_text
from fairseq_twostage.databases.relations import Guard, Listed, Relation, Size, Truth
from fairseq_twostage.databases.schema import Schema
from fairseq_twostage.databases.showing import Shower
from fairseq_twostage.databases.tables import Tables
from fairseq_twostage.semantics.denotation import Denotation
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.executor import answer, failure
from fairseq_twostage.semantics.foreign import QueriedWorld, Shown
from fairseq_twostage.semantics.gold_rows import Rows, is_query, read_rows, row_set
from fairseq_twostage.semantics.normalise import normalise
from fairseq_twostage.semantics.results import list_value
from fairseq_twostage.semantics.values import Value

MAX_SHOWN = 200
REMEMBERED_SECONDS = 5
_PROGRESS_STEPS = 10_000  # of SQLite's machine, between two looks at the clock


class DatabaseWorld(QueriedWorld):
    """A database as the world of a schema's logical forms.

    Args:
        schema: what its tables are in people's words.
        engine: of the database, to read from alone.
        path: the schema's file.
        name: of the domain.

    Raises:
        UserError: the schema names a table or column that the database does not have.
    """

    def __init__(self, schema: Schema, engine: sa.Engine, path: Path, name: str = "") -> None:
        super().__init__(name)
        self.exact = self.rows = schema.aggregates != "values"
        self.schema = schema
        self.engine = _limit_server(engine, schema.limits.seconds)
        self.schema_file = path
        self.maker = PairMaker(schema, Tables(schema, engine, str(path)))
        self.denotations = _Remembered()

    def __reduce__(self) -> tuple[Any, ...]:
        from fairseq_twostage.databases.opening import open_schema

        return open_schema, (self.schema_file, self.name)

    def plan(self, logical_form: str, variables: Mapping[str, str] | None = None) -> Plan:
        """The queries of a form."""
        compiler = Compiler(self.maker)
        compiler.world.units = self.units
        return compiler.plan(normalise(logical_form, variables))

    def denote(self, logical_form: str, variables: Mapping[str, str]) -> Denotation:
        try:
            plan = self.plan(logical_form, variables)
            with self.connection() as connection:
                found = answer(self._run(plan, connection), self)
        except ExecutionError as error:
            return failure(error)
        rows = self.schema.limits.rows

        def beside() -> Sequence[Sequence[Value | str]]:
            shown = self.show(logical_form, variables, rows)
            return () if shown is None else shown.rows

        return replace(found, beside=beside)

    @contextmanager
    def connection(self) -> Iterator[sa.Connection]:
        """A connection on which all that runs has the schema's time.

        Raises:
            ExecutionError: the database refuses a query, or the time is up.
        """
        seconds = self.schema.limits.seconds
        end = time.monotonic() + seconds
        try:
            with self.engine.connect() as connection, _limited(connection, seconds):
                yield connection
        except SQLAlchemyError as error:
            if time.monotonic() >= end:
                message = f"the database took more than {seconds:g} seconds"
                raise ExecutionError("budget", message) from None
            raise ExecutionError("function", f"the database says: {_first_line(error)}") from None

    def sql(self, logical_form: str, variables: Mapping[str, str] | None = None) -> str | None:
        """The query of a form, laid out to be read; None where it needs none, or is refused."""
        try:
            result = self.plan(logical_form, variables).result
        except ExecutionError:
            return None
        result = result.result if isinstance(result, Listed) else result
        if isinstance(result, Relation):
            return sql_text(Shower(self.maker).proper(result), self.engine.dialect)
        return sql_text(result.query, self.engine.dialect) if hasattr(result, "query") else None

    def show(
        self,
        logical_form: str,
        variables: Mapping[str, str] | None = None,
        rows: int = MAX_SHOWN,
        skip: int = 0,
    ) -> Shown | None:
        try:
            plan = self.plan(logical_form, variables)
            if any(guard.condition is None for guard in plan.guards):
                return None
            with self.connection() as connection:
                return Shower(self.maker).show(plan, connection, rows, skip)
        except ExecutionError:
            return None

    def phrases(self, names: Iterable[str]) -> Mapping[str, str]:
        try:
            with self.connection() as connection:
                return Shower(self.maker).phrases(names, connection)
        except ExecutionError:
            return {}

    def gold_rows(self, gold: str) -> Rows:
        if not is_query(gold):
            try:
                return row_set(read_rows(gold))
            except ValueError as error:
                raise ExecutionError("parse", f"the gold rows are not JSON: {error}") from None
        with self.connection() as connection:
            return row_set(connection.exec_driver_sql(gold).fetchmany(self.schema.limits.rows))

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
        result: Any = plan.result.result if isinstance(plan.result, Listed) else plan.result
        found = result
        fulfilled: frozenset[int] = frozenset()
        if isinstance(result, Relation):
            found = self._values(result, connection)
        elif isinstance(result, Size):
            found = int(connection.execute(result.query).scalar_one())
        elif isinstance(result, Truth):
            found = bool(connection.execute(result.query).scalar_one())
        if isinstance(result, (Relation, Size)) and found:
            fulfilled = result.fulfilled
        self._ask([g for n, g in enumerate(guards) if n not in fulfilled], connection)
        return list_value(self, found) if listed else found

    def _values(self, relation: Relation, connection: sa.Connection) -> tuple[Any, ...]:
        """The values of a relation, the first ones if there are more than the schema's limit."""
        rows = connection.execute(self.limited(relation)).fetchall()
        found = tuple(relation.kind.decode(row) for row in rows if None not in row)
        return tuple(dict.fromkeys(found)) if relation.distinct else found

    def limited(self, relation: Relation) -> sa.Select[Any]:
        """The query of a list as it is run."""
        query = relation.query.limit(self.schema.limits.rows)
        if self.maker.strict:
            return query
        places: Any = (sa.literal_column(str(n)) for n in range(1, len(relation.columns) + 1))
        return query.order_by(*places)

    def _ask(self, guards: Sequence[Guard], connection: sa.Connection) -> None:
        """Raise the error of the first guard that fires."""
        if not guards:
            return
        conditions = [sa.true() if g.condition is None else g.condition for g in guards]
        named = (condition.label(f"g{n}") for n, condition in enumerate(conditions))
        for fired, guard in zip(connection.execute(sa.select(*named)).one(), guards):
            if fired:
                raise guard.error


class _Remembered(dict[Any, Any]):
    """Denotations of a batch: those of a database may be others soon after."""

    _end = 0.0

    def get(self, key: Any, default: Any = None) -> Any:
        if time.monotonic() > self._end:
            self.clear()
            self._end = time.monotonic() + REMEMBERED_SECONDS
        return super().get(key, default)


def _limit_server(engine: sa.Engine, seconds: float) -> sa.Engine:
    """Let a PostgreSQL server stop what runs too long, and open no transactions there."""
    if engine.dialect.name != "postgresql":
        return engine

    @sa.event.listens_for(engine, "connect")
    def limit(driver: Any, record: Any) -> None:
        driver.execute(f"SET statement_timeout = {max(1, int(seconds * 1000))}")
        driver.commit()

    engine.dispose()  # of connections without the limit
    return engine.execution_options(isolation_level="AUTOCOMMIT")


@contextmanager
def _limited(connection: sa.Connection, seconds: float) -> Iterator[None]:
    """Stop whatever runs on the connection when the time is up."""
    dialect = connection.dialect.name
    if dialect == "postgresql":  # see _limit_server
        yield
        return
    driver: Any = connection.connection.driver_connection
    if dialect == "sqlite":
        end = time.monotonic() + seconds
        driver.set_progress_handler(lambda: time.monotonic() > end, _PROGRESS_STEPS)
        try:
            yield
        finally:
            driver.set_progress_handler(None, 0)
        return
    timer = threading.Timer(seconds, driver.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _first_line(error: SQLAlchemyError) -> str:
    """What the driver says, without the statement."""
    original = getattr(error, "orig", None) or error
    lines = str(original).strip().splitlines()
    return lines[0][:200] if lines else type(original).__name__
