"""Grammar rules and the semantic functions that build logical forms.

A rule ``(rule $A (the $B of $C) FUNCTION)`` reads: the words of a ``$B`` and a ``$C`` with
``the`` and ``of`` around them are the words of an ``$A`` whose logical form ``FUNCTION``
computes from theirs. Names and behaviour follow SEMPRE's semantic functions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fairseq_twostage.grammar.terms import Term, form

#: Categories that stand for a stretch of an input utterance; generation has none.
INPUT_CATEGORIES = frozenset({"$TOKEN", "$PHRASE", "$LEMMA_TOKEN", "$LEMMA_PHRASE"})
ROOT = "$ROOT"


def is_category(symbol: str) -> bool:
    """Whether a symbol of a right-hand side is a category rather than a word."""
    return symbol.startswith("$")


class SemanticFunction(ABC):
    """Builds the logical form of a phrase from those of its parts."""

    @abstractmethod
    def __call__(self, arguments: Sequence[Term]) -> Term:
        """The logical form of the whole.

        Raises:
            ValueError: the parts do not fit, which is a mistake of the grammar.
        """

    def misfit(self, arity: int) -> str | None:
        """Why a rule with ``arity`` argument categories cannot use this function, or None."""
        return None


@dataclass(frozen=True)
class Constant(SemanticFunction):
    """``(ConstantFn FORM)``: always ``FORM``, whatever the parts."""

    value: Term

    def __call__(self, arguments: Sequence[Term]) -> Term:
        return self.value


@dataclass(frozen=True)
class Select(SemanticFunction):
    """``(IdentityFn)`` and ``(SelectFn N)``: the logical form of one of the parts."""

    index: int = 0
    only: bool = True

    def __call__(self, arguments: Sequence[Term]) -> Term:
        return arguments[self.index]

    def misfit(self, arity: int) -> str | None:
        if self.only and arity != 1:
            return f"IdentityFn takes one category, the rule has {arity}"
        if self.index >= arity:
            return f"SelectFn {self.index} needs {self.index + 1} categories, the rule has {arity}"
        return None


@dataclass(frozen=True)
class Template(SemanticFunction):
    """``(lambda x (lambda y BODY))``: beta-reduced with the parts, left to right.

    Lambdas that are left over stay in front of the result.
    """

    template: Term

    def __call__(self, arguments: Sequence[Term]) -> Term:
        result = self.template
        for argument in arguments:
            result = result.apply(argument)
        return result

    def misfit(self, arity: int) -> str | None:
        lambdas, body = 0, self.template
        while body.is_lambda and body.parts is not None:
            lambdas, body = lambdas + 1, body.parts[2]
        if arity == 0:
            return "a lambda needs at least one category, the rule has none"
        if lambdas < arity:
            return f"{lambdas} lambdas for {arity} categories"
        return None


@dataclass(frozen=True)
class Join(SemanticFunction):
    """``(JoinFn forward|backward [betaReduce] [(arg0 FORM)])``: one part applied to another.

    Attributes:
        backward: the function is the second part rather than the first.
        beta_reduce: apply the function now; otherwise the result is the pair of both.
        first: FORM of ``arg0``, which stands for the first part.
    """

    backward: bool = False
    beta_reduce: bool = False
    first: Term | None = None

    def __call__(self, arguments: Sequence[Term]) -> Term:
        left, right = arguments if self.first is None else (self.first, arguments[0])
        function, argument = (right, left) if self.backward else (left, right)
        return function.apply(argument) if self.beta_reduce else form(function, argument)

    def misfit(self, arity: int) -> str | None:
        expected = 2 if self.first is None else 1
        if arity != expected:
            return f"this JoinFn takes {expected} categories, the rule has {arity}"
        return None


@dataclass(frozen=True)
class InputFunction(SemanticFunction):
    """A function that reads an input utterance (``NumberFn``, ``DateFn``, …).

    Generation has no input, so a rule with such a function yields nothing.
    """

    name: str

    def __call__(self, arguments: Sequence[Term]) -> Term:
        raise ValueError(f"{self.name} needs an input utterance")


@dataclass(frozen=True)
class Part:
    """One symbol of a right-hand side: a word or a category.

    ``optional`` parts may be left out and are never arguments of the semantic function.
    """

    symbol: str
    optional: bool = False

    @property
    def is_argument(self) -> bool:
        """Whether the semantic function receives this part's logical form."""
        return is_category(self.symbol) and not self.optional

    def __str__(self) -> str:
        return f"({self.symbol} optional)" if self.optional else self.symbol


@dataclass(frozen=True)
class Rule:
    """``(rule LEFT (PARTS …) FUNCTION INFO …)``.

    Attributes:
        left: the category that the rule makes.
        parts: words and categories, in order.
        function: the semantic function.
        info: numbers by key: ``(anchored 1)``, ``(weight 0.5)``, ….
        types: (input, output) of GeoGranno's ``(_state_ _city_)``, or None.
        typed_part: GeoGranno's ``(K)``: the argument whose output type is the rule's, or None.
        source: ``file:line``.
    """

    left: str
    parts: tuple[Part, ...]
    function: SemanticFunction
    info: tuple[tuple[str, float], ...] = ()
    types: tuple[str, str] | None = None
    typed_part: int | None = None
    source: str = field(default="", compare=False)

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """Categories of the right-hand side, optional ones included, in order."""
        return tuple(part.symbol for part in self.parts if is_category(part.symbol))

    @cached_property
    def arity(self) -> int:
        """Number of arguments that the semantic function receives."""
        return sum(part.is_argument for part in self.parts)

    @property
    def is_renaming(self) -> bool:
        """A single category with ``IdentityFn``: costs no depth."""
        return self.function == Select() and len(self.parts) == 1 and self.arity == 1

    @property
    def is_generating(self) -> bool:
        """Whether the rule can fire without an input utterance.

        A rule with ``(anchored 1)`` and no ``(floating 1)`` matches input spans only.
        """
        info = dict(self.info)
        anchored_only = info.get("anchored") == 1 and info.get("floating") != 1
        reads_input = isinstance(self.function, InputFunction)
        return not (anchored_only or reads_input or INPUT_CATEGORIES & set(self.categories))

    def variants(self) -> list[tuple[Part, ...]]:
        """The right-hand sides with each optional part kept or left out (never all)."""
        sides: list[tuple[Part, ...]] = [()]
        for part in self.parts:
            extended = [(*side, part) for side in sides]
            sides = extended + sides if part.optional else extended
        return [side for side in sides if side]

    def __str__(self) -> str:
        return f"{self.left} -> {' '.join(map(str, self.parts))}"
