"""Reading one rule of a grammar."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.rules import (
    Constant,
    InputFunction,
    Join,
    Part,
    Rule,
    Select,
    SemanticFunction,
    Template,
)
from fairseq_twostage.grammar.syntax import Atom, Form, Sexpr
from fairseq_twostage.grammar.terms import Term, parse_term

MAX_OPTIONAL = 10  # parts of a rule: each doubles its right-hand sides
_INPUT_FUNCTIONS = frozenset(
    {
        "DateFn",
        "DateRangeFn",
        "FilterNerSpanFn",
        "FilterPosTagFn",
        "FilterSpanLengthFn",
        "FilterTokenFn",
        "FuzzyMatchFn",
        "LexiconFn",
        "NumberFn",
        "SimpleLexiconFn",
        "TimeExpressionFn",
    }
)


def read_rule(tree: Sexpr, where: str) -> Rule:
    """A rule from its form, macros already expanded.

    Raises:
        UserError: with ``where`` and the rule, for anything wrong with it.
    """
    if isinstance(tree, Atom) or len(tree.items) < 4:
        raise UserError(f"expected (rule $CATEGORY (PARTS …) FUNCTION …), got {tree}", where=where)
    _, left, right, function, *extras = tree.items
    if isinstance(left, Form) or not left.text.startswith("$"):
        raise UserError(f"the left side must be a $CATEGORY: {tree}", where=where)
    if isinstance(right, Atom) or not right.items:
        raise UserError(f"the right side must be a list of words and categories: {tree}", where)
    try:
        parts = tuple(_part(item) for item in right.items)
        info, types, typed_part = _extras(extras)
        rule = Rule(
            left.text, parts, _function(function, where), info, types, typed_part, source=where
        )
        problem = _problem(rule)
    except _BadRuleError as error:
        problem = str(error)
    if problem is not None:
        raise UserError(f"{problem}, in {tree}", where=where)
    return rule


class _BadRuleError(Exception):
    """What is wrong with a rule; the reader adds where it stands."""


def _problem(rule: Rule) -> str | None:
    if sum(part.optional for part in rule.parts) > MAX_OPTIONAL:
        return f"more than {MAX_OPTIONAL} parts are optional"
    if all(part.optional for part in rule.parts):
        return "every part is optional"
    return rule.function.misfit(rule.arity)


def _part(tree: Sexpr) -> Part:
    if isinstance(tree, Atom):
        return _checked_part(tree.text)
    words = [item.text if isinstance(item, Atom) else None for item in tree.items]
    if len(words) != 2 or words[0] is None or words[1] != "optional":
        raise _BadRuleError(f"expected a word, a category or (PART optional), got {tree}")
    return _checked_part(words[0], optional=True)


def _checked_part(symbol: str, optional: bool = False) -> Part:
    if not symbol or any(character in symbol for character in "\t\n\r\0"):
        raise _BadRuleError(f"a word cannot be empty or hold tabs or line ends: {symbol!r}")
    return Part(symbol, optional)


def _function(tree: Sexpr, where: str) -> SemanticFunction:
    if isinstance(tree, Atom):
        return Constant(_closed(tree, where))
    name, arguments = tree.head, tree.items[1:]
    if name == "lambda":
        return Template(_closed(tree, where))
    if name == "ConstantFn":
        if len(arguments) not in (1, 2):
            raise _BadRuleError(f"expected (ConstantFn FORM [TYPE]), got {tree}")
        return Constant(_closed(arguments[0], where))
    if name == "IdentityFn":
        return Select()
    if name == "SelectFn":
        if len(arguments) != 1 or not re.fullmatch(r"[0-9]{1,4}", str(arguments[0])):
            raise _BadRuleError(f"expected (SelectFn NUMBER), got {tree}")
        return Select(int(str(arguments[0])), only=False)
    if name == "JoinFn":
        return _join(tree, where)
    if name in _INPUT_FUNCTIONS:
        return InputFunction(name)
    if name == "call":
        raise _BadRuleError(f"a form stands in a semantic function: (ConstantFn {tree})")
    known = "ConstantFn, IdentityFn, SelectFn, JoinFn, lambda"
    raise _BadRuleError(f"unknown semantic function {name or tree}; known: {known}")


def _closed(tree: Sexpr, where: str) -> Term:
    """The term of a form whose variables all have a lambda."""
    term = parse_term(tree, where)
    if term.free:
        name = min(term.free)
        raise _BadRuleError(f"(var {name}) stands in no (lambda {name} …)")
    return term


def _join(tree: Form, where: str) -> Join:
    """``unary,binary unaryCanBeArg1`` is SEMPRE's long name of ``backward``."""
    backward: bool | None = None
    beta_reduce, first = False, None
    for item in tree.items[1:]:
        if isinstance(item, Form):
            if item.head != "arg0" or len(item.items) != 2:
                raise _BadRuleError(f"expected (arg0 FORM), got {item}")
            first = parse_term(item.items[1], where)
        elif item.text == "betaReduce":
            beta_reduce = True
        elif item.text in ("forward", "binary,unary"):
            backward = False
        elif item.text in ("backward", "unary,binary"):
            backward = True
        elif item.text != "unaryCanBeArg1":
            raise _BadRuleError(f"JoinFn does not know {item.text!r}")
    if backward is None:
        raise _BadRuleError("JoinFn needs forward or backward")
    return Join(backward, beta_reduce, first)


def _extras(
    items: Iterable[Sexpr],
) -> tuple[tuple[tuple[str, float], ...], tuple[str, str] | None, int | None]:
    """Sort what follows the function into numbers by key, types and the typed part."""
    info: list[tuple[str, float]] = []
    types: tuple[str, str] | None = None
    typed_part: int | None = None
    for item in items:
        words = (
            [word.text for word in item.items if isinstance(word, Atom)]
            if isinstance(item, Form)
            else []
        )
        if len(words) == 2 and all(_is_type(word) for word in words):
            types = (words[0], words[1])
        elif len(words) == 1 and re.fullmatch("[0-9]{1,4}", words[0]):
            typed_part = int(words[0])
        elif len(words) == 2 and isinstance(item, Form) and len(item.items) == 2:
            try:
                info.append((words[0], float(words[1])))
            except ValueError:
                raise _BadRuleError(f"expected (KEY NUMBER), got {item}") from None
        else:
            raise _BadRuleError(f"expected (KEY NUMBER) after the function, got {item}")
    return tuple(info), types, typed_part


def _is_type(word: str) -> bool:
    return len(word) > 2 and word.startswith("_") and word.endswith("_")
