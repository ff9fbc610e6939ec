"""Logical forms as terms: substitution by name and printing.

A term is an atom or a list of terms. ``(var v)`` and ``(lambda v body)`` are the only lists
with a meaning here; what the others compute is the executor's business. Terms share their
parts and remember their free variables, so substituting into a large term touches only the
path to the variable.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.syntax import Atom, Form, Sexpr
from fairseq_twostage.semantics.java import parse_double, parse_int
from fairseq_twostage.semantics.normalise import LONG_PREFIX
from fairseq_twostage.semantics.numerals import in_full
from fairseq_twostage.semantics.sexp import write_atom

_CONSTANT_ARITY = {"number": 1, "string": 1, "boolean": 1, "date": 3, "time": 2}
_NO_VARIABLES: frozenset[str] = frozenset()


class Term:
    """An atom (``parts`` is None) or a list of terms.

    Equality and hash follow the printed text.
    """

    __slots__ = ("_text", "atom", "free", "parts")

    def __init__(self, atom: str, parts: tuple[Term, ...] | None = None) -> None:
        self.atom = atom
        self.parts = parts
        self.free = _free_variables(parts)
        self._text: str | None = None

    @property
    def head(self) -> str | None:
        """Text of the first part when that is an atom."""
        if self.parts and self.parts[0].parts is None:
            return self.parts[0].atom
        return None

    @property
    def is_lambda(self) -> bool:
        """Whether this is ``(lambda v body)``."""
        return self.head == "lambda"

    @property
    def text(self) -> str:
        """The logical form as the published canonical lists print it.

        Brackets stand apart and the class of the world's functions is written ``SW``:
        ``( call SW.listValue en.person.alice )``.
        """
        if self._text is None:
            if self.parts is None:
                self._text = write_atom(self.atom.replace(LONG_PREFIX, "SW"))
            elif self.parts:
                self._text = f"( {' '.join([part.text for part in self.parts])} )"
            else:
                self._text = "( )"
        return self._text

    def substitute(self, variable: str, value: Term) -> Term:
        """Replace ``(var variable)`` by ``value``, by name.

        As in SEMPRE, nothing is renamed, and an inner lambda of the same variable shields
        its body.
        """
        if variable not in self.free or self.parts is None:
            return self
        if self.head == "var":
            return value
        return Term("", tuple([part.substitute(variable, value) for part in self.parts]))

    def apply(self, argument: Term) -> Term:
        """Beta reduction of ``(self argument)``, one step; ``self`` must be a lambda."""
        if not self.is_lambda or self.parts is None:
            raise ValueError(f"not a lambda: {self.text}")
        return self.parts[2].substitute(self.parts[1].atom, argument)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Term<{self.text}>"


def _free_variables(parts: tuple[Term, ...] | None) -> frozenset[str]:
    if not parts:
        return _NO_VARIABLES
    head = parts[0].atom if parts[0].parts is None else None
    if head == "var" and len(parts) == 2:
        return frozenset([parts[1].atom])
    if head == "lambda" and len(parts) == 3:
        return parts[2].free - {parts[1].atom}
    free = [part.free for part in parts if part.free]
    return _NO_VARIABLES.union(*free) if free else _NO_VARIABLES


def atom(text: str) -> Term:
    """An atomic term."""
    return Term(text)


def form(*parts: Term) -> Term:
    """A list of terms."""
    return Term("", parts)


def parse_term(tree: Sexpr, where: str) -> Term:
    """The term that a form of a grammar file denotes, its constants in their printed form.

    Raises:
        UserError: with ``where``, for a form that is no logical form: an empty list, a lambda,
            var or call of the wrong shape, a constant whose number cannot be read.
    """
    if isinstance(tree, Atom):
        return atom(tree.text)
    if not tree.items:
        raise UserError("'()' is not a logical form", where=where)
    if tree.head in _CONSTANT_ARITY:
        return _constant(tree, where)
    items = tree.items
    if tree.head in ("lambda", "var"):
        expected = 3 if tree.head == "lambda" else 2
        if len(items) != expected or not isinstance(items[1], Atom):
            shape = "(lambda VARIABLE BODY)" if tree.head == "lambda" else "(var VARIABLE)"
            raise UserError(f"expected {shape}, got {tree}", where=where)
    if tree.head == "call" and len(items) < 2:
        raise UserError(f"expected (call FUNCTION ARGUMENT …), got {tree}", where=where)
    return form(*(parse_term(item, where) for item in items))


def _constant(tree: Form, where: str) -> Term:
    """``(number 03 en.inch)`` in its shortest print, all digits kept: ``(number 3 en.inch)``.

    Surplus arguments are ignored, as SEMPRE does; a number's second argument is its unit.
    """
    head = tree.head or ""
    arity = _CONSTANT_ARITY[head]
    values = [item.text for item in tree.items[1:] if isinstance(item, Atom)]
    if len(values) != len(tree.items) - 1 or len(values) < arity:
        raise UserError(f"expected {arity} atoms after {head!r}, got {tree}", where=where)
    try:
        printed: Sequence[str]
        if head == "number":
            printed = [in_full(parse_double(values[0])), *values[1:2]]
            if printed[1:] == ["fb:en.unitless"]:
                printed = printed[:1]
        elif head in ("date", "time"):
            printed = [str(parse_int(value)) for value in values[:arity]]
        else:
            printed = values[:arity]
    except ValueError:
        raise UserError(f"cannot read the numbers of {tree}", where=where) from None
    return form(atom(head), *map(atom, printed))
