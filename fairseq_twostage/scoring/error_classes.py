"""What is wrong with a predicted program: one class for each error.

Programs are compared as bags of parts (constraints, comparators, properties, entities, …), so
that order of conjuncts, ``ensureNumeric…`` and the two ways to write ``!type`` make no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from fairseq_twostage.semantics import World, execute, normalise
from fairseq_twostage.semantics.accuracy import is_right
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.sexp import read_first, tokens


class ErrorClass(str, Enum):
    """The classes, in the order in which they are tried: the first that applies is taken."""

    ILL_FORMED = "ill_formed"
    NOT_EXECUTABLE = "not_executable"
    MISSING_CONSTRAINT = "missing_constraint"
    EXTRA_CONSTRAINT = "extra_constraint"
    WRONG_FUNCTION = "wrong_function"
    WRONG_PROPERTY = "wrong_property"
    WRONG_COMPARATOR = "wrong_comparator"
    WRONG_SUPERLATIVE = "wrong_superlative"
    WRONG_ENTITY = "wrong_entity"
    WRONG_NUMBER = "wrong_number"
    OTHER = "other"

    @property
    def label(self) -> str:
        """In print."""
        return _LABELS[self]


_LABELS = {
    ErrorClass.ILL_FORMED: "ill-formed",
    ErrorClass.NOT_EXECUTABLE: "does not execute",
    ErrorClass.MISSING_CONSTRAINT: "missing constraint",
    ErrorClass.EXTRA_CONSTRAINT: "extra constraint",
    ErrorClass.WRONG_FUNCTION: "wrong function",
    ErrorClass.WRONG_PROPERTY: "wrong property",
    ErrorClass.WRONG_COMPARATOR: "wrong comparator",
    ErrorClass.WRONG_SUPERLATIVE: "wrong superlative direction",
    ErrorClass.WRONG_ENTITY: "wrong entity",
    ErrorClass.WRONG_NUMBER: "wrong number, unit or date",
    ErrorClass.OTHER: "other",
}


@dataclass
class Parts:
    """What a program is made of.

    Attributes:
        constraints: functions that narrow a set: filters, superlatives, comparisons of counts.
        aggregations: ``size``, ``sum``, and ``aggregate`` with its mode.
        properties: property names, ``!`` in front of reversed ones, and the types asked for.
        comparators: ``=``, ``>=`` … of filters and of comparisons of counts.
        directions: ``max`` or ``min`` of superlatives.
        entities: entities and placeholders.
        constants: numbers, dates and times.
    """

    constraints: Counter[str] = field(default_factory=Counter)
    aggregations: Counter[str] = field(default_factory=Counter)
    properties: Counter[str] = field(default_factory=Counter)
    comparators: Counter[str] = field(default_factory=Counter)
    directions: Counter[str] = field(default_factory=Counter)
    entities: Counter[str] = field(default_factory=Counter)
    constants: Counter[tuple[Any, ...]] = field(default_factory=Counter)


# Which argument of a function is a comparator or a direction and no property.
_COMPARATOR_AT = {"filter": 2, "countComparative": 2}
_DIRECTION_AT = {"superlative": 1, "countSuperlative": 1}
_CONSTANTS = ("number", "date", "time")

# What is compared, once both programs hold the same number of constraints.
_COMPARED = (
    ("aggregations", ErrorClass.WRONG_FUNCTION),
    ("constraints", ErrorClass.WRONG_FUNCTION),
    ("properties", ErrorClass.WRONG_PROPERTY),
    ("comparators", ErrorClass.WRONG_COMPARATOR),
    ("directions", ErrorClass.WRONG_SUPERLATIVE),
    ("entities", ErrorClass.WRONG_ENTITY),
    ("constants", ErrorClass.WRONG_NUMBER),
)


def classify(predicted: str, gold: str, executable: bool) -> ErrorClass:
    """The class of an error.

    Args:
        predicted: logical form whose denotation is not the gold one's.
        gold: the right logical form.
        executable: whether ``predicted`` has a value.
    """
    form = read_whole(predicted)
    if form is None:
        return ErrorClass.ILL_FORMED
    if not executable:
        return ErrorClass.NOT_EXECUTABLE
    theirs, ours = parts_of(read_whole(gold)), parts_of(form)
    surplus = ours.constraints.total() - theirs.constraints.total()
    if surplus:
        return ErrorClass.EXTRA_CONSTRAINT if surplus > 0 else ErrorClass.MISSING_CONSTRAINT
    for name, error in _COMPARED:
        if getattr(ours, name) != getattr(theirs, name):
            return error
    return ErrorClass.OTHER


def read_whole(text: str) -> Any:
    """The form that ``text`` is, or None unless it is exactly one bracketed form."""
    stream = iter(tokens(normalise(text)))
    try:
        form = read_first(stream, lambda items, _: tuple(items))
        rest = next(stream, None)
    except ExecutionError:
        return None
    return form if isinstance(form, tuple) and form and rest is None else None


def parts_of(form: Any) -> Parts:
    """Take a program to pieces; brackets may nest to any depth."""
    parts = Parts()
    todo: list[Any] = [form]
    while todo:
        item = todo.pop()
        if not isinstance(item, tuple):
            if isinstance(item, str) and _names_an_entity(item):
                parts.entities[item] += 1
        elif item and item[0] == "call":
            todo.extend(_call(item, parts))
        elif item and item[0] == "string":
            parts.properties[" ".join(map(str, item[1:]))] += 1
        elif item and item[0] in _CONSTANTS:
            parts.constants[item] += 1
        else:
            todo.extend(item)
    return parts


def _call(item: tuple[Any, ...], parts: Parts) -> Iterable[Any]:
    """Note a call; returns the arguments that remain to be taken to pieces."""
    name = str(item[1]).rsplit(".", 1)[-1] if len(item) > 1 else ""
    arguments = list(item[2:])
    if name in _COMPARATOR_AT or name in _DIRECTION_AT:
        parts.constraints[name] += 1
        place = _COMPARATOR_AT.get(name, _DIRECTION_AT.get(name, 0))
        if len(arguments) > place:
            word = arguments.pop(place)
            bag = parts.comparators if name in _COMPARATOR_AT else parts.directions
            bag[str(word[-1]) if isinstance(word, tuple) and word else str(word)] += 1
    elif name in ("size", "sum"):
        parts.aggregations[name] += 1
    elif name == "aggregate" and arguments:
        parts.aggregations[str(arguments.pop(0))] += 1
    elif name in ("singleton", "domain") and len(arguments) == 1:
        parts.properties[f"{name} {arguments.pop()}"] += 1  # the type that is asked for
    elif name == "reverse" and len(arguments) == 1 and _is_string(arguments[0]):
        word = str(arguments.pop()[1])
        parts.properties[word[1:] if word.startswith("!") else f"!{word}"] += 1
    return arguments


def _is_string(item: Any) -> bool:
    return isinstance(item, tuple) and len(item) == 2 and item[0] == "string"


def _names_an_entity(atom: str) -> bool:
    return "." in atom or (len(atom) > 2 and atom[0] == atom[-1] == "_")


def error_of(
    predicted: str, gold: str, variables: Mapping[str, str], world: World
) -> ErrorClass | None:
    """The class of a predicted form's error, or None if its denotation is the gold one's."""
    value = execute(predicted, world, variables)
    if is_right(value, gold, world, variables):
        return None
    return classify(predicted, gold, value.executable)


def count_errors(
    predictions: Iterable[tuple[str, str, Mapping[str, str]]], world: World
) -> dict[str, int]:
    """How many errors of each class there are, every class named.

    Args:
        predictions: predicted form, gold form and the variables of each row.
        world: in which both are executed.
    """
    found = Counter(error_of(*prediction, world) for prediction in predictions)
    return {error.value: found[error] for error in ErrorClass}
