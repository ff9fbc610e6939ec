"""Reader of SEMPRE's ``.grammar`` files.

Statements: ``(include FILE …)``, ``(def @NAME FORM)``, ``(for @NAME (FORM …) STATEMENT …)``,
``(when CONDITION STATEMENT …)`` and ``(rule …)``. Every error names file, line and rule.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_text
from fairseq_twostage.grammar.rule_reading import read_rule
from fairseq_twostage.grammar.rules import Rule
from fairseq_twostage.grammar.syntax import Atom, Form, Sexpr, check_blanks, parse
from fairseq_twostage.semantics.normalise import LONG_PREFIX

MAX_GRAMMAR = 1 << 24  # bytes of a file
MAX_OPEN = 40  # files, each included by the one before
MAX_STATEMENTS = 60_000  # those of loops and of files that are included again count again
MAX_RULES = 20_000
MAX_EXPANDED = 1_000_000  # atoms and brackets, macros written out

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
