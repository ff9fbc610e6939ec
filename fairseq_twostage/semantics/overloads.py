"""Functions by name and by the kinds of their arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.normalise import LONG_PREFIX
from fairseq_twostage.semantics.values import Name, Number, Value

Function = Callable[..., Any]

VALUE = Value
LIST = tuple
STRING = str
NUMBER = Number
ANY = object

_OVERLOADS: dict[str, list[tuple[tuple[type, ...], Function]]] = {}
_RESOLVED: dict[tuple[Any, ...], Function] = {}


def overload(name: str, *kinds: type) -> Callable[[Function], Function]:
    """Register a function of the world under ``name`` for arguments of these kinds."""

    def register(function: Function) -> Function:
        overloads = _OVERLOADS.setdefault(f"{LONG_PREFIX}.{name}", [])
        overloads.append((kinds, function))
        return function

    return register


def resolve(function: Any, arguments: list[Any]) -> Function:
    """The overload for the arguments; it is to be called with the world and the arguments.

    A null (``None``) fits every kind; of several overloads that fit, the first registered wins.

    Raises:
        ExecutionError: ``function`` is no name, or no overload of it fits.
    """
    if type(function) is not Name:
        raise ExecutionError("function", "what is called is not the name of a function")
    key = (function.id, *map(type, arguments))
    found = _RESOLVED.get(key)
    if found is None:
        found = _find(function.id, arguments)
        _RESOLVED[key] = found
    return found


def _find(name: str, arguments: list[Any]) -> Function:
    if name.startswith("."):
        return _find_method(name, arguments)
    overloads = _OVERLOADS.get(name)
    if overloads is None:
        raise ExecutionError("function", f"no function {name[:120]}")
    for kinds, found in overloads:
        if len(kinds) == len(arguments) and all(map(_fits, arguments, kinds)):
            return found
    if None in map(_null_or_something, arguments):
        raise ExecutionError("null", f"no {_short(name)} for a missing value (null)")
    raise ExecutionError("arity", f"no {_short(name)} for these {len(arguments)} arguments")


def _find_method(name: str, arguments: list[Any]) -> Function:
    """``.size`` of a list, the only method; on a null the rest is taken as a function's name."""
    if not arguments:
        raise ExecutionError("arity", f"{name[:120]} of nothing")
    if arguments[0] is None:
        found = _find(name[1:], arguments[1:])
        return lambda world, null, *rest: found(world, *rest)
    if name == ".size" and len(arguments) == 1 and type(arguments[0]) is tuple:
        return _size
    raise ExecutionError("function", f"no method {name[:120]} of its first argument")


def _size(world: Any, values: tuple[Any, ...]) -> int:
    return len(values)


def _fits(argument: Any, kind: type) -> bool:
    return argument is None or (isinstance(argument, kind) and _host(argument, kind))


def _null_or_something(argument: Any) -> bool | None:
    return None if argument is None else True


def _host(argument: Any, kind: type) -> bool:
    """Formulas are tuples in Python, but no lists of the language."""
    return kind is not LIST or type(argument) is tuple


def _short(name: str) -> str:
    return name.rpartition(".")[2][:40]
