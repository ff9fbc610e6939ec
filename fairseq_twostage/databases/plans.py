"""What a form is compiled to, and which function of the executor is compiled by what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fairseq_twostage.databases.relations import Guard, Mention

Handler = Callable[..., Any]
HANDLERS: dict[Any, Handler] = {}
"""What compiles a function of the executor."""
NEED_DATA: set[Handler] = set()


def compiles_to(function: Any, data: bool = False) -> Callable[[Handler], Handler]:
    """Register the counterpart of a function of the executor.

    Args:
        function: of the executor; it is run itself where all arguments are constants.
        data: it asks the database of constants, too.
    """

    def register(handler: Handler) -> Handler:
        HANDLERS[function] = handler
        if data:
            NEED_DATA.add(handler)
        return handler

    return register


@dataclass(frozen=True)
class Plan:
    """A form as queries.

    Attributes:
        result: a :class:`Relation`, :class:`Size`, :class:`Listed` of these, or a value that
            needs no database; None where the last guard always fires.
        mentions: in the order of the form, the innermost first.
        guards: in the order in which they are to be asked; the first that fires decides.
    """

    result: Any
    guards: tuple[Guard, ...]
    mentions: tuple[Mention, ...] = ()
