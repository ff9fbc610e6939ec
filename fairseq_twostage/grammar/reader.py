"""Reader of SEMPRE's ``.grammar`` files.

Statements: ``(include FILE …)``, ``(def @NAME FORM)``, ``(for @NAME (FORM …) STATEMENT …)``,
``(when CONDITION STATEMENT …)`` and ``(rule …)``. Every error names file, line and rule.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_text
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
from fairseq_twostage.grammar.syntax import Atom, Form, Sexpr, check_blanks, parse
from fairseq_twostage.grammar.terms import Term, parse_term
from fairseq_twostage.semantics.normalise import LONG_PREFIX

MAX_GRAMMAR = 1 << 24  # bytes of a file
MAX_OPEN = 40  # files, each included by the one before
MAX_STATEMENTS = 60_000  # those of loops and of files that are included again count again
MAX_RULES = 20_000
MAX_EXPANDED = 1_000_000  # atoms and brackets, macros written out
MAX_OPTIONAL = 10  # parts of a rule: each doubles its right-hand sides

#: The tags under which Overnight's canonical utterances were generated.
DEFAULT_TAGS = ("generate", "general")

#: GeoGranno's grammars use ``@filter`` without defining it; Overnight's define the same.
_PREDEFINED: Mapping[str, Sexpr] = {
    f"@{name}": Atom(f"{LONG_PREFIX}.{name}", 0)
    for name in (
        "aggregate",
        "any",
        "arithOp",
        "concat",
        "countComparative",
        "countSuperlative",
        "countTop",
        "domain",
        "ensureNumericEntity",
        "ensureNumericProperty",
        "filter",
        "getProperty",
        "group",
        "groupSuperlative",
        "groupTop",
        "listValue",
        "reverse",
        "share",
        "singleton",
        "sum",
        "superlative",
        "top",
        "without",
    )
}

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


@dataclass(frozen=True)
class Grammar:
    """The rules that hold under the chosen tags, each once, in reading order.

    Attributes:
        rules: distinct rules.
        files: every file read, includes too.
        known_tags: tags that some ``when`` of the files mentions.
    """

    rules: tuple[Rule, ...]
    files: tuple[Path, ...] = ()
    known_tags: frozenset[str] = frozenset()

    @cached_property
    def by_category(self) -> Mapping[str, tuple[Rule, ...]]:
        """Rules by the category that they make."""
        grouped: dict[str, list[Rule]] = {}
        for rule in self.rules:
            grouped.setdefault(rule.left, []).append(rule)
        return {left: tuple(rules) for left, rules in grouped.items()}


def read_grammar(
    files: Iterable[str | os.PathLike[str]] | str | os.PathLike[str],
    tags: Iterable[str] = DEFAULT_TAGS,
    generated: tuple[str, Path] | None = None,
) -> Grammar:
    """Read grammar files and what they include.

    Args:
        files: one path or several, read in order; ``(include F)`` is relative to its file.
        tags: what holds in ``when`` conditions.
        generated: text of rules that go before them, and the file that it was made of.

    Raises:
        UserError: with ``file:line``, for anything that cannot be read.
    """
    if isinstance(files, (str, os.PathLike)):
        files = [files]
    reader = _Reader(frozenset(tags))
    if generated is not None:
        reader.read_text(*generated)
    for file in files:
        reader.read(Path(file), included_from=None)
    return Grammar(
        tuple(dict.fromkeys(reader.rules)),
        tuple(dict.fromkeys(reader.files)),
        frozenset(reader.known_tags),
    )


@dataclass
class _Reader:
    """Interprets statements one by one; holds macros and what has been read so far."""

    tags: frozenset[str]
    rules: list[Rule] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    known_tags: set[str] = field(default_factory=set)
    macros: dict[str, Sexpr] = field(default_factory=lambda: dict(_PREDEFINED))
    open_files: list[Path] = field(default_factory=list)
    statements: int = 0
    expanded: int = 0

    def read_text(self, text: str, file: Path) -> None:
        """Read the statements of a text that was made of a file."""
        self.files.append(file)
        for statement in parse(text, str(file)):
            self.interpret(statement, file)

    def read(self, file: Path, included_from: str | None) -> None:
        if file.resolve() in self.open_files:
            raise UserError(f"{file} includes itself", where=included_from)
        if len(self.open_files) == MAX_OPEN:
            raise UserError(f"more than {MAX_OPEN} files include one another", where=included_from)
        try:
            text = read_text(file, MAX_GRAMMAR)
        except UserError as error:
            if included_from is None:
                raise
            raise UserError(f"cannot include {error}", where=included_from) from None
        check_blanks(text, str(file))
        self.files.append(file)
        self.open_files.append(file.resolve())
        for statement in parse(text, str(file)):
            self.interpret(statement, file)
        self.open_files.pop()

    def interpret(self, statement: Sexpr, file: Path) -> None:
        where = f"{file}:{statement.line}"
        self.statements += 1
        if self.statements > MAX_STATEMENTS:
            raise UserError(f"more than {MAX_STATEMENTS} statements, loops written out", where)
        if len(self.rules) > MAX_RULES:
            raise UserError(f"more than {MAX_RULES} rules, loops written out", where)
        if isinstance(statement, Atom) or statement.head is None:
            raise UserError(f"expected (rule …), (when …), …, got {statement}", where=where)
        if statement.head == "rule":
            self.rules.append(read_rule(self.expand(statement, file), where))
        elif statement.head == "include":
            self.include(statement, file)
        elif statement.head == "when":
            self.when(statement, file)
        elif statement.head == "def":
            self.define(statement, file)
        elif statement.head == "for":
            self.loop(statement, file)
        else:
            message = (
                f"unknown statement ({statement.head} …); known: rule, when, def, for, include"
            )
            raise UserError(message, where=where)

    def include(self, statement: Form, file: Path) -> None:
        for item in statement.items[1:]:
            where = f"{file}:{item.line}"
            if isinstance(item, Form):
                raise UserError(f"expected (include FILE …), got {statement}", where=where)
            self.read(file.parent / item.text, included_from=where)

    def when(self, statement: Form, file: Path) -> None:
        if len(statement.items) < 2:
            raise UserError("expected (when CONDITION …)", where=f"{file}:{statement.line}")
        condition, *body = statement.items[1:]
        if self.holds(condition, file):
            for inner in body:
                self.interpret(inner, file)

    def holds(self, condition: Sexpr, file: Path) -> bool:
        """Value of a tag or of ``(and …)``, ``(or …)``, ``(not C)``; notes the tags it sees."""
        if isinstance(condition, Atom):
            self.known_tags.add(condition.text)
            return condition.text in self.tags
        where = f"{file}:{condition.line}"
        values = [self.holds(item, file) for item in condition.items[1:]]
        if condition.head == "and":
            return all(values)
        if condition.head == "or":
            return any(values)
        if condition.head == "not" and len(values) == 1:
            return not values[0]
        raise UserError(f"expected a tag, and, or, (not C), got {condition}", where=where)

    def define(self, statement: Form, file: Path) -> None:
        if len(statement.items) != 3:
            message = f"expected (def @NAME FORM), got {statement}"
            raise UserError(message, where=f"{file}:{statement.line}")
        name = self.macro_name(statement, file)
        self.macros[name] = self.expand(statement.items[2], file)

    def loop(self, statement: Form, file: Path) -> None:
        values = statement.items[2] if len(statement.items) > 3 else None
        if not isinstance(values, Form):
            message = f"expected (for @NAME (FORM …) STATEMENT …), got {statement}"
            raise UserError(message, where=f"{file}:{statement.line}")
        name = self.macro_name(statement, file)
        outer = self.macros.get(name)
        for value in values.items:
            self.macros[name] = self.expand(value, file)
            for inner in statement.items[3:]:
                self.interpret(inner, file)
        self.macros.pop(name, None)
        if outer is not None:
            self.macros[name] = outer

    def macro_name(self, statement: Form, file: Path) -> str:
        name = statement.items[1]
        if isinstance(name, Form) or not name.text.startswith("@"):
            message = f"expected a name that starts with @, got {name}"
            raise UserError(message, where=f"{file}:{name.line}")
        return name.text

    def expand(self, tree: Sexpr, file: Path) -> Sexpr:
        """Replace every ``@NAME`` by its definition; lines stay those of the use."""
        self.count(1, file, tree)
        if isinstance(tree, Form):
            return Form(tuple(self.expand(item, file) for item in tree.items), tree.line)
        if not tree.text.startswith("@"):
            return tree
        if tree.text not in self.macros:
            raise UserError(f"{tree.text} is not defined", where=f"{file}:{tree.line}")
        definition = self.macros[tree.text]
        self.count(_size(definition), file, tree)
        return _at_line(definition, tree.line)

    def count(self, size: int, file: Path, tree: Sexpr) -> None:
        self.expanded += size
        if self.expanded > MAX_EXPANDED:
            raise UserError(
                f"larger than {MAX_EXPANDED}, macros written out", f"{file}:{tree.line}"
            )


def _size(tree: Sexpr) -> int:
    return 1 if isinstance(tree, Atom) else 1 + sum(map(_size, tree.items))


def _at_line(tree: Sexpr, line: int) -> Sexpr:
    if isinstance(tree, Atom):
        return Atom(tree.text, line)
    return Form(tuple(_at_line(item, line) for item in tree.items), line)


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
