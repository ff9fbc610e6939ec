"""Values that a question says beside a name that has them: *laptop* of "laptop LT-0105"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from fairseq_twostage.inference.answer import answer_values
from fairseq_twostage.semantics.sexp import read, write
from fairseq_twostage.semantics.values import Boolean
from fairseq_twostage.text.placeholders import is_placeholder, parts_of

if TYPE_CHECKING:
    from fairseq_twostage.inference.parser import TwoStageParser
    from fairseq_twostage.text.utterance import Utterance


def without_said_twice(parser: TwoStageParser, utterance: Utterance) -> Utterance | None:
    """An utterance without such values; None where it has none.

    That a name has a value is asked by the known question "is _name_ _value_", and has to be so.
    """
    words = utterance.tokens.split()
    said = next(
        (value for value, name in _beside(words) if _has(parser, name, value, utterance)), None
    )
    if said is None:
        return None
    return replace(
        utterance,
        tokens=" ".join(word for word in words if word != said),
        variables={name: each for name, each in utterance.variables.items() if name != said},
        phrases={name: each for name, each in utterance.phrases.items() if name != said},
    )


def _beside(words: list[str]) -> Iterator[tuple[str, str]]:
    """Pairs of placeholders side by side, in either order; of several of a type none."""
    names = [word for word in words if is_placeholder(word)]
    for one, other in pairwise(words):
        if is_placeholder(one) and is_placeholder(other):
            for value, name in ((one, other), (other, one)):
                kind = parts_of(value)[0]
                if sum(parts_of(word)[0] == kind for word in names) == 1:
                    yield value, name


def _has(parser: TwoStageParser, name: str, value: str, utterance: Utterance) -> bool:
    questions = (f"is {name} {value}", f"is {name} a {value}")
    form = next(filter(None, map(parser.forms.get, questions)), None)
    if form is None:
        return False
    named = {each: utterance.variables[each] for each in (name, value)}

    def holds(question: str) -> bool:
        return answer_values(parser.denote(question, named)) == [Boolean(True)]

    lacking = _lacking(form)
    return holds(form) and not (lacking and holds(lacking))


def _lacking(form: str) -> str | None:
    """Whether any row of a name lacks the value, of whether any has it: of five places called so,
    one may be no restaurant. None of a form of another kind."""
    match read(form):
        case ("call", listed, ("call", some, ("call", filtered, rows, *_) as these)):
            if filtered.endswith(".filter"):
                without = ("call", filtered.replace("filter", "without"), rows, these)
                return write(("call", listed, ("call", some, without)))
    return None
