"""Worlds that are no database: a user's own executor, and none at all."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairseq_twostage.semantics.denotation import EMPTY, Answer, Denotation, Failure
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.gold_rows import Rows, row_set
from fairseq_twostage.semantics.loading import read_value
from fairseq_twostage.semantics.normalise import fill
from fairseq_twostage.semantics.numerals import in_full
from fairseq_twostage.semantics.sexp import write_atom
from fairseq_twostage.semantics.values import ListValue, Name, String, Value, list_text
from fairseq_twostage.semantics.world import TripleStore, World

Function = Callable[[str], Any]


class ForeignWorld(World):
    """A world that says itself what a form denotes; nothing can be looked up in it."""

    def __init__(self, name: str) -> None:
        super().__init__(TripleStore(), name)

    @abstractmethod
    def denote(self, logical_form: str, variables: Mapping[str, str]) -> Denotation:
        """The denotation of a form; must not raise, and must be the same every time."""


@dataclass(frozen=True)
class Shown:
    """An answer with what people expect beside it.

    Attributes:
        columns: headings.
        rows: cells, as values or as text.
        total: how many rows there are in all.
        note: what the answer leaves out, else empty.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Value | str, ...], ...]
    total: int
    note: str = ""


class QueriedWorld(ForeignWorld):
    """A world that answers by queries of a database."""

    @abstractmethod
    def sql(self, logical_form: str, variables: Mapping[str, str] | None = None) -> str | None:
        """The query of a form, to be read; None where it needs none."""

    @abstractmethod
    def show(
        self,
        logical_form: str,
        variables: Mapping[str, str] | None = None,
        rows: int = 200,
        skip: int = 0,
    ) -> Shown | None:
        """A form's answer with what it compares or sorts by; None where it has no value."""

    @abstractmethod
    def phrases(self, names: Iterable[str]) -> Mapping[str, str]:
        """What people call rows and values."""

    @abstractmethod
    def gold_rows(self, gold: str) -> Rows:
        """The rows of a gold query, or those that are written down.

        Raises:
            ExecutionError: the query does not run, or they cannot be read.
        """

    def answer_rows(self, denotation: Denotation) -> Rows | None:
        """The rows of an answer proper, by the names of things; None where there is none."""
        value = denotation.value if isinstance(denotation, Answer) else None
        if value is None:
            return None
        members = value.values if isinstance(value, ListValue) else (value,)
        rows = [m.values if isinstance(m, ListValue) else (m,) for m in members]
        names = [part.id for row in rows for part in row if isinstance(part, Name)]
        called = self.phrases(names)
        return row_set(
            [called.get(part.id, part.id) if isinstance(part, Name) else part for part in row]
            for row in rows
        )

    def shown_rows(self, denotation: Denotation) -> Rows:
        """The rows of the table that is shown for an answer; none where there is none."""
        beside = denotation.beside if isinstance(denotation, Answer) else None
        rows = () if beside is None else beside()
        names = [part.id for row in rows for part in row if isinstance(part, Name)]
        called = self.phrases(names)
        return row_set(
            [called.get(part.id, part.id) if isinstance(part, Name) else part for part in row]
            for row in rows
        )


class FunctionWorld(ForeignWorld):
    """A user's function as executor.

    Args:
        name: shown in errors, as ``module:function``.
        function: a logical form, brackets apart and variables filled in, to its answer: a text
            or a number, or any number of these in no order, or None where the form has no value.
            What it raises counts as no value. Answers are compared as a multiset of texts.
        source: file of its module.
    """

    def __init__(self, name: str, function: Function, source: Path = Path()) -> None:
        super().__init__(name)
        self._function = function
        self.source = source

    def __reduce__(self) -> tuple[Any, ...]:
        return FunctionWorld, (self.name, self._function, self.source)

    def denote(self, logical_form: str, variables: Mapping[str, str]) -> Denotation:
        try:
            result = self._function(fill(logical_form, variables))
            if result is not None:
                return _answer(result)
        except Exception as error:  # whatever a user's code raises on a decoder's garbage
            message = " ".join(f"{type(error).__name__}: {error}".split())
            return Failure("function", message)
        return Failure("function", f"{self.name} gives no value")


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
        known = fill(logical_form, {}) in self.forms
        return Spelling(fill(logical_form, variables), known)


def _answer(result: Any) -> Answer:
    if isinstance(result, str) or not isinstance(result, Iterable):
        text = _text(result)
        # A program that prints as SEMPRE does prints its lists so.
        is_list = text == EMPTY or text.startswith("(list ")
        return Answer(text, value=None if is_list or not text else _value(text))
    texts = sorted(map(_text, result))
    values = tuple(map(_value, texts))
    members = (
        write_atom(text) if isinstance(value, String) else text
        for text, value in zip(texts, values)
    )
    one = texts[0] if len(texts) == 1 else None  # the same as this text alone
    return Answer(list_text(members), one, ListValue(values))


def _text(item: Any) -> str:
    text = in_full(item) if isinstance(item, float) else str(item)
    return " ".join(text.split())


def _value(text: str) -> Value:
    """What a text says: itself, unless it is the print of a value, as ``(name en.ship.aurora)``."""
    if text.startswith("("):
        try:
            value = read_value(text)
            if text in (value.text, value.text_in_full):
                return value
        except ExecutionError:
            pass
    return String(text)
