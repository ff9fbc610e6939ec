"""``schema.yaml``: a database in people's words, the semantic layer that a person edits.

How its rows and values are written in logical forms says :mod:`fairseq_twostage.databases.names`;
which property is what, :mod:`fairseq_twostage.databases.properties`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from fairseq_twostage.semantics.loading import Aggregates


def _one_or_more(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Texts = Annotated[list[str], BeforeValidator(_one_or_more)]
Identifier = Annotated[str, Field(pattern=r"^[^\W\d][\w^/]*$")]
Columns = Annotated[dict[str, str], Field(min_length=1)]
Place = tuple[str | int, ...]


class Part(BaseModel):
    """What all parts of the file have."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    synonyms: Texts = []
    description: str | None = None
    guessed: bool = False
    """Written by ``twostage init`` without being sure; a person who has looked removes it."""


class Column(Part):
    """A property of a table's rows.

    Attributes:
        column: as the database has it; the property's name unless said.
        stored_as: how the database holds it, where its type misleads: ``text`` that is a number,
            a ``year`` in a number, a ``month`` in text (2026-10), ``date``, ``timestamp``,
            ``time``, ``boolean``, ``number``.
        through: a table that holds several values for one row; ``from_columns`` maps its columns
            to those of the key.
        phrase: how people say it, in place of the name with blanks for underscores.
        asked: how questions for it begin, before a name: "how long is".
        aside: no question is made of it; it can be shown and compared all the same.
    """

    column: str | None = None
    stored_as: (
        Literal["text", "number", "boolean", "year", "month", "date", "timestamp", "time"] | None
    ) = None
    through: str | None = None
    from_columns: Columns | None = None
    phrase: str | None = None
    asked: Texts = []
    aside: bool = False


class Dimension(Column):
    """Text or a yes or no: a thing to filter or group by.

    Attributes:
        columns: of text, joined by blanks, in place of one: ``[FIRST_NAME, LAST_NAME]``.
        values: whether its distinct values are said in questions: ``lexicon``, or ``none``.
        members: its values, where one text holds several with commas between: ``[Jazz, Rock]``.
        said: other words for values: ``{United Kingdom: [uk, british]}``.
        unique: hardly two rows have the same: they are not counted by it.
        wording: ``adjective`` ("drama film"), ``noun`` ("waiters", of staff), ``of``, ``with``,
            ``in``, ``from``, ``to``, ``by``, ``verb``.
        type: a name for its values, shared by dimensions whose values are the same things.
        highest_by, lowest_by: a measure; among several rows the value of that one is meant where
            it is highest or lowest: the highest point, by its elevation.
    """

    columns: Texts = []
    values: Literal["lexicon", "none"] = "lexicon"
    members: Texts = []
    said: dict[str, Texts] = {}
    unique: bool = False
    wording: str | None = None
    type: Identifier | None = None
    highest_by: str | None = None
    lowest_by: str | None = None

    @property
    def listed(self) -> bool:
        """Whether its values are said in questions; yes and no are none."""
        return not self.aside and self.values != "none" and self.stored_as != "boolean"


class TimeDimension(Column):
    """A date, a time of day or a year.

    Attributes:
        wording: how a condition on it is said, in place of "with date": "listed", "that joined".
        most, least: words for the last and the first ones: newest, oldest.
    """

    wording: str | None = None
    most: Texts = []
    least: Texts = []


class Measure(Column):
    """A number that can be compared, summed and averaged.

    Attributes:
        unit: as in logical forms: ``unit: minute`` goes with ``(number 90 minute)``.
        more, less, most, least: words of comparison: longer, shorter, longest, shortest.
        expression: of columns and numbers in place of a column: ``QUANTITY * UNIT_PRICE``.
        sum_of, avg_of, count_of: what all rows of another table that refer to this one have
            together: ``sum_of: order_item.amount``, ``count_of: order``; directly or over others.
    """

    unit: str | None = None
    expression: str | None = None
    sum_of: str | None = None
    avg_of: str | None = None
    count_of: str | None = None
    more: Texts = []
    less: Texts = []
    most: Texts = []
    least: Texts = []

    @property
    def gathered(self) -> tuple[str, str, str] | None:
        """Aggregate, table and measure of what is gathered from other rows; of a count no one."""
        for mode in ("sum", "avg", "count"):
            of = getattr(self, f"{mode}_of")
            if of is not None:
                table, _, measure = of.partition(".")
                return mode, table, measure
        return None


class Metric(Part):
    """A named aggregate of a measure."""

    measure: str
    aggregation: Literal["sum", "avg", "min", "max", "count"]


class Filter(Part):
    """A named condition: a dimension or measure and the value it has or lies above or below;
    ``missing``: that it has none."""

    dimension: str
    equals: str | int | float | bool | None = None
    above: float | None = None
    below: float | None = None
    missing: bool = False


class Table(Part):
    """A kind of things: the type of rows in logical forms.

    Attributes:
        table: its name in the database, the type's unless said; ``schema`` where it lies in one.
        key: columns that tell rows apart; without them rows cannot be counted or related.
        repeated: whether several rows of the table are one thing: a river, once for each state
            that it runs through. What the key alone tells is taken once.
        aside: no question is made of it; its measures can be gathered for other tables.
        name: the dimension by which people name a row.
        also_named_by: other dimensions by which they do: an airport's code.
        numbered_by: a measure of whole numbers by which they do: "order 1063".
        person: whether people ask "who".
        noun, plural: how people call one row, and many.
    """

    table: str | None = None
    db_schema: str | None = Field(default=None, alias="schema")
    key: Texts = []
    repeated: bool = False
    aside: bool = False
    person: bool = False
    name: str | None = None
    also_named_by: Texts = []
    numbered_by: str | None = None
    noun: str | None = None
    plural: str | None = None
    dimensions: dict[Identifier, Dimension] = {}
    time_dimensions: dict[Identifier, TimeDimension] = {}
    measures: dict[Identifier, Measure] = {}
    metrics: dict[str, Metric] = {}
    filters: dict[str, Filter] = {}

    @property
    def naming(self) -> list[str]:
        """The dimensions whose values name rows, the one that is shown first."""
        return [*filter(None, [self.name]), *self.also_named_by]

    @property
    def columns(self) -> dict[str, Dimension | TimeDimension | Measure]:
        """All properties with a column, by name."""
        return {**self.dimensions, **self.time_dimensions, **self.measures}


class Relationship(Part):
    """A property whose values are rows of a table.

    Attributes:
        from_table, to: the types (``from`` in the file).
        columns: columns of the first table to those of the second, its key or what equals it.
        through: a link table instead; ``from_columns`` and ``to_columns`` map its columns to
            those of the two tables.
        partial: the columns may hold keys of another table, too: ids that films and series share.
        path: other relationships instead, one after the other, ``!`` before those that are
            followed backwards: ``['!order_customer', order_product]``, from customer to product.
        phrase: how people say it: "film *directed by* X"; ``synonyms`` are other ways.
        inverse: the other way round: "*director of* film"; ``inverses`` are other ways.
    """

    from_table: str = Field(alias="from")
    to: str
    columns: Columns | None = None
    through: str | None = None
    from_columns: Columns | None = None
    to_columns: Columns | None = None
    partial: bool = False
    path: Annotated[list[str], Field(min_length=1)] | None = None
    phrase: str | None = None
    inverse: str | None = None
    inverses: Texts = []


class VerifiedQuery(BaseModel):
    """A question with its right query."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str
    sql: str


class Limits(BaseModel):
    """What a query may take: seconds, and rows that are read of its answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seconds: float = Field(default=10, gt=0)
    rows: int = Field(default=10_000, gt=0)


class Schema(BaseModel):
    """The whole file.

    Attributes:
        database: what :func:`.connecting.open_database` takes; a path starts at the file.
        prefix: of all names in logical forms.
        asides: what all rows have in common and people say all the same: "in the USA".
        aggregates: sums and averages over ``rows``, with people's rules for what is missing; or
            over distinct ``values``, with the rules of the published worlds throughout.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1] = 1
    database: str
    prefix: str = "en"
    aggregates: Aggregates = "rows"
    limits: Limits = Limits()
    asides: Texts = []
    tables: dict[Identifier, Table]
    relationships: dict[Identifier, Relationship] = {}
    verified_queries: list[VerifiedQuery] = []

    def type_name(self, table: str) -> str:
        """The type of a table's rows in logical forms: ``en.film``."""
        return f"{self.prefix}.{table}"

    def value_type(self, table: str, dimension: str) -> str:
        """The type of a dimension's values: ``en.film.genre``, or that of its ``type``."""
        shared = self.tables[table].dimensions[dimension].type
        return f"{self.prefix}.{shared or f'{table}.{dimension}'}"


def path_between(schema: Schema, source: str, target: str) -> list[str] | None:
    """The shortest way from a table to another by columns that refer to one row each."""
    ways: list[tuple[str, list[str]]] = [(source, [])]
    seen = {source}
    for at, path in ways:
        for name, relation in schema.relationships.items():
            if relation.columns is None or relation.from_table != at or relation.to in seen:
                continue
            if relation.to == target:
                return [*path, name]
            seen.add(relation.to)
            ways.append((relation.to, [*path, name]))
    return None
