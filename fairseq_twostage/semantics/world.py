"""Worlds: what a database must answer, a store of triples, and the world that forms run on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from fractions import Fraction
from typing import Any, Protocol

from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.values import ANY_UNIT, TRUE, Date, Number, Time, Value

Triple = tuple[Value, str, Value]
MIN_ELEMENTS, ELEMENTS_PER_TRIPLE = 5_000_000, 50
NOT_A_NUMBER = float("nan")


class Database(Protocol):
    """All that the executor asks of a world.

    Every property ``p`` has an inverse ``!p``, whose values are the entities that have the value.
    A property that holds or does not hold has the value ``Boolean(True)`` where it holds.
    """

    def knows(self, value: Value) -> bool:
        """Whether ``value`` ever stood in a triple, on either side."""

    def signature(self, property: str) -> tuple[str, str] | None:
        """Types of the property's arguments and values; None for an unknown property."""

    def lookup(self, value: Value, property: str) -> Sequence[Value]:
        """The values of a known property of a known value, in order, repeats included."""


class TripleStore:
    """A database of (entity, property, value) triples, in insertion order."""

    def __init__(self, triples: Iterable[Triple] = ()) -> None:
        self._signatures: dict[str, tuple[str, str]] = {}
        self._values: dict[str, dict[Value, list[Value]]] = {}
        self._known: dict[Value, Value] = {}
        self._triples: list[Triple] = []
        for entity, property, value in triples:
            self.add(entity, property, value)

    def add(self, entity: Value, property: str, value: Value = TRUE) -> None:
        """Insert a triple and its inverse; nothing is de-duplicated.

        Raises:
            ExecutionError: the entity or the value has no type.
        """
        types = (entity.type, value.type)
        # One object per value makes later look-ups settle on identity.
        entity = self._known.setdefault(entity, entity)
        value = self._known.setdefault(value, value)
        self._triples.append((entity, property, value))
        inverse = reverse(property)
        if self._signatures.get(property) != types:
            self._signatures[property] = types
            self._signatures[inverse] = (types[1], types[0])
        self._values.setdefault(property, {}).setdefault(entity, []).append(value)
        self._values.setdefault(inverse, {}).setdefault(value, []).append(entity)

    def __len__(self) -> int:
        return len(self._triples)

    def __iter__(self) -> Iterator[Triple]:
        return iter(self._triples)

    def knows(self, value: Value) -> bool:
        return value in self._known

    def signature(self, property: str) -> tuple[str, str] | None:
        """See :class:`Database`; the last insertion decides."""
        return self._signatures.get(property)

    def lookup(self, value: Value, property: str) -> Sequence[Value]:
        return self._values[property].get(value, ())


def reverse(property: str) -> str:
    """The inverse's name: one leading ``!`` added or taken away."""
    return property[1:] if property.startswith("!") else f"!{property}"


def degree(value: Value) -> float:
    """The number by which values are ordered: times by their hour, dates as yyyymmdd.

    Raises:
        ExecutionError: the value is no number, date or time.
    """
    if type(value) is Number:
        return value.value
    if type(value) is Time:
        return value.hour
    if type(value) is Date:
        parts = ((value.year, 10000), (value.month, 100), (value.day, 1))
        return float(sum(part * weight for part, weight in parts if part != -1))
    raise ExecutionError("type", f"{value.text} cannot be ordered")


def exact_degree(value: Value) -> float:
    """The same, times by their minute."""
    return value.hour * 60 + value.minute if type(value) is Time else degree(value)


def extreme(values: Iterable[Value], mode: str, degree: Callable[[Value], float] = degree) -> float:
    """The largest (mode ``max``) or else smallest degree; NaN when there is none."""
    best = NOT_A_NUMBER
    for value in values:
        x = degree(value)
        if best != best or (x > best if mode == "max" else x < best):
            best = x
    return best


class _Column(dict[Value, Sequence[Value]]):
    """The values of one property, by entity, looked up when first asked for; not copied."""

    def __init__(self, database: Database, property: str) -> None:
        self._database, self._property = database, property

    def __missing__(self, entity: Value) -> Sequence[Value]:
        values = self[entity] = self._database.lookup(entity, self._property)
        return values


class _DistinctColumn(dict[Value, tuple[Value, ...]]):
    """The same without the repeats."""

    def __init__(self, column: _Column) -> None:
        self._column = column

    def __missing__(self, entity: Value) -> tuple[Value, ...]:
        values = self._column[entity]
        distinct = self[entity] = tuple(dict.fromkeys(values))
        return distinct


class _SetColumn(dict[Value, frozenset[Value]]):
    """The same as sets."""

    def __init__(self, column: _Column) -> None:
        self._column = column

    def __missing__(self, entity: Value) -> frozenset[Value]:
        values = self[entity] = frozenset(self._column[entity])
        return values


class _ExtremeColumn(dict[Value, float]):
    """The largest or smallest degree among the values of one property, by entity."""

    def __init__(self, column: _Column, mode: str, degree: Callable[[Value], float]) -> None:
        self._column, self._mode, self._degree = column, mode, degree

    def __missing__(self, entity: Value) -> float:
        best = self[entity] = extreme(self._column[entity], self._mode, self._degree)
        return best


class PropertyIndex:
    """What is kept of one property: filled as it is used, never emptied.

    Attributes:
        property, argument_type, value_type: its name and signature.
        values: by entity, in order, with repeats; ``distinct`` and ``sets`` without them.
        largest, smallest: by entity, the extreme degree of its values (NaN without values).
        fitting: entities found to be known and of the argument type.
    """

    def __init__(
        self,
        database: Database,
        property: str,
        signature: tuple[str, str],
        degree: Callable[[Value], float] = degree,
    ) -> None:
        self.property = property
        self.argument_type, self.value_type = signature
        self.values = _Column(database, property)
        self.distinct = _DistinctColumn(self.values)
        self.sets = _SetColumn(self.values)
        self.largest = _ExtremeColumn(self.values, "max", degree)
        self.smallest = _ExtremeColumn(self.values, "min", degree)
        self.fitting: set[Value] = set()


class World:
    """A database with the indexes that evaluation builds as it goes.

    The database must not change once forms have been run. A world may be shared between
    threads: all that is added to it is idempotent.

    Args:
        database: what is looked up.
        name: of the domain.
        exact: numbers are printed and compared in full and computed in decimals, times are
            compared by their minute and dates as people mean them; not as SEMPRE does it, which
            the published results rest on.
        rows: sums and averages take the numbers of every entity; else, as in SEMPRE, equal
            numbers once.
        units: kind and size of units; what is compared in another unit of its kind is converted.
    """

    def __init__(
        self,
        database: Database,
        name: str = "",
        exact: bool = False,
        rows: bool = False,
        units: Mapping[str, tuple[str, Fraction]] | None = None,
    ) -> None:
        self.database = database
        self.name = name
        self.exact = exact
        self.rows = rows
        self.units = dict(units or {})
        self.degree = exact_degree if exact else degree
        self._indexes: dict[str, PropertyIndex] = {}
        self.denotations: dict[Any, Any] = {}
        """Whole forms seen before; kept small by ``execute``."""
        size = len(database) if isinstance(database, Sized) else 0
        self.max_elements = max(MIN_ELEMENTS, ELEMENTS_PER_TRIPLE * size)
        """List elements that a form may make before it is given up."""

    def __reduce__(self) -> tuple[Any, ...]:
        return World, (self.database, self.name, self.exact, self.rows, self.units)

    def index(self, property: str | None) -> PropertyIndex:
        """The index of a property.

        Raises:
            ExecutionError: the property is not known.
        """
        index = self._indexes.get(property)  # type: ignore[arg-type]
        if index is None:
            signature = None if property is None else self.database.signature(property)
            if property is None or signature is None:
                raise ExecutionError("property", f"no property {str(property)[:80]}")
            index = self._indexes[property] = PropertyIndex(
                self.database, property, signature, self.degree
            )
        return index

    def lookup(self, value: Any, property: str | None) -> Sequence[Value]:
        """The values of a property of an entity, in order, repeats included.

        Raises:
            ExecutionError: unknown entity (a null counts as the empty list), then unknown
                property.
        """
        if value is None:
            raise ExecutionError("entity", "the world has no null", counts_as_empty=True)
        if not isinstance(value, Value):
            raise ExecutionError("type", f"{value!r} is no value".replace("\n", " ")[:200])
        if not self.database.knows(value):
            raise ExecutionError("entity", f"the world has no {value.text_in_full[:200]}")
        return self.index(property).values[value]

    def check_argument(self, property: str, value: Value) -> None:
        """Check that a known entity is of the property's argument type."""
        index = self.index(property)
        if value.type != index.argument_type:
            wanted = f"{property} is of {index.argument_type}"
            raise ExecutionError("type", f"{wanted}, not of {value.text_in_full[:200]}")
        index.fitting.add(value)

    def check_value(self, property: str | None, value: Any) -> None:
        """Check that ``value`` is of the property's value type."""
        index = self.index(property)
        if value is None or not isinstance(value, Value):
            raise ExecutionError("type", f"{str(value)[:80]} is no value of {property}")
        if value.type != index.value_type:
            wanted = f"values of {property} are of {index.value_type}"
            raise ExecutionError("type", f"{wanted}, not {value.text_in_full[:200]}")

    def fitted(self, property: str | None, value: Any) -> Any:
        """A number of a question in the unit of the property that it is compared with.

        One of any unit takes that of the property, one of another unit of its kind is converted;
        all else stays as it is.
        """
        signature = None if property is None else self.database.signature(property)
        if type(value) is not Number or value.unit is None or signature is None:
            return value
        unit, mark, _ = signature[1].rpartition("_number")
        if not mark or unit == value.unit:
            return value
        if value.unit == ANY_UNIT:
            return Number(value.value, unit)
        kinds = self.units.get(unit), self.units.get(value.unit)
        if kinds[0] is None or kinds[1] is None or kinds[0][0] != kinds[1][0]:
            return value
        converted = Fraction(repr(value.value)) * kinds[1][1] / kinds[0][1]
        return Number(float(converted), unit)
