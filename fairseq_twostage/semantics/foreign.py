"""Worlds that are no database: a user's own executor, and none at all."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairseq_twostage.semantics.denotation import Answer, Denotation, Failure
from fairseq_twostage.semantics.normalise import fill
from fairseq_twostage.semantics.world import TripleStore, World

Function = Callable[[str], Any]


class ForeignWorld(World):
    """A world that says itself what a form denotes; nothing can be looked up in it."""

    def __init__(self, name: str) -> None:
        super().__init__(TripleStore(), name)

    @abstractmethod
    def denote(self, logical_form: str, variables: Mapping[str, str]) -> Denotation:
        """The denotation of a form; must not raise, and must be the same every time."""


class FunctionWorld(ForeignWorld):
    """A user's function as executor.

    Args:
        name: shown in errors, as ``module:function``.
        function: a logical form, brackets apart and variables filled in, to its answer: a text,
            or any number of texts in no order, or None where the form has no value. What it
            raises counts as no value. Answers are compared as text.
        source: file of its module, if that is no installed one.
    """

    def __init__(self, name: str, function: Function, source: Path | None = None) -> None:
        super().__init__(name)
        self._function = function
        self.source = source

    def __reduce__(self) -> tuple[Any, ...]:
        return FunctionWorld, (self.name, self._function, self.source)

    def denote(self, logical_form: str, variables: Mapping[str, str]) -> Denotation:
        """See :class:`ForeignWorld`."""
        try:
            value = self._function(fill(logical_form, variables))
        except Exception as error:  # whatever a user's code raises on a decoder's garbage
            message = " ".join(f"{type(error).__name__}: {error}".split())
            return Failure("function", message)
        if value is None:
            return Failure("function", f"{self.name} gives no value")
        return Answer(_text(value))


@dataclass(frozen=True)
class Spelling(Denotation):
    """What a form denotes where nothing executes it: itself.

    Attributes:
        text: the form, brackets apart and variables filled in.
        known: whether it is one of the domain's logical forms.
    """

    text: str
    known: bool

    @property
    def metric_text(self) -> str:
        """See :class:`Denotation`."""
        return self.text

    @property
    def executable(self) -> bool:
        """Whether the form is known: the one sign of a good form that there is."""
        return self.known


class ExactMatchWorld(ForeignWorld):
    """The world of a domain without executor: a form is right if it is spelt like the gold one.

    Args:
        forms: the domain's logical forms; these count as executable.
    """

    def __init__(self, forms: Iterable[str], name: str = "exact match") -> None:
        super().__init__(name)
        self.forms: Collection[str] = frozenset(fill(form, {}) for form in forms)

    def __reduce__(self) -> tuple[Any, ...]:
        return ExactMatchWorld, (self.forms, self.name)

    def denote(self, logical_form: str, variables: Mapping[str, str]) -> Denotation:
        """See :class:`ForeignWorld`."""
        known = fill(logical_form, {}) in self.forms
        return Spelling(fill(logical_form, variables), known)


def _text(value: Any) -> str:
    if isinstance(value, str) or not isinstance(value, Iterable):
        return " ".join(str(value).split())
    items = sorted(" ".join(str(item).split()) for item in value)
    return f"(list {' '.join(items)})" if items else "(list)"
