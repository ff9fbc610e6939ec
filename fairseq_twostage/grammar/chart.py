"""Bottom-up generation: every phrase of a category with its logical form, by depth.

Depth counts the rules on the longest path below a phrase, renamings ``$A -> $B`` excepted, as
GeoGranno counts it. A phrase of depth d is built from phrases of smaller depth, one of them of
depth d - 1, so each combination is tried once. Phrases are kept per category and depth while
there is room; beyond that a cell is enumerated anew each time it is needed, so memory stays
bounded and the cost of a phrase does not depend on how many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.reader import Grammar
from fairseq_twostage.grammar.rules import ROOT, Part, Rule, is_category
from fairseq_twostage.grammar.terms import Term

#: SEMPRE's own limit for Overnight's generator.
DEFAULT_DEPTH = 30
#: Phrases kept in memory; about one kilobyte each.
DEFAULT_CAPACITY = 100_000

#: Applications of rules; a published grammar takes some ten thousand.
MAX_APPLICATIONS = 3_000_000

#: Sizes stop here: those of a recursive grammar would double their digits with each depth.
HUGE = 1 << 1024

TypeCheck = Callable[[Term], bool]


class Phrase(NamedTuple):
    """Words with their logical form; ``rules`` has bit i set when rule i took part."""

    utterance: str
    term: Term
    rules: int

    @property
    def key(self) -> tuple[str, str]:
        """What makes two phrases of one category the same."""
        return self.utterance, self.term.text


@dataclass(frozen=True)
class Variant:
    """A rule with its optional parts decided, as the chart applies it."""

    index: int
    rule: Rule
    parts: tuple[Part, ...]

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """Categories of the chosen parts, in order."""
        return tuple(part.symbol for part in self.parts if is_category(part.symbol))

    @cached_property
    def _arguments(self) -> tuple[int, ...]:
        chosen = [part for part in self.parts if is_category(part.symbol)]
        return tuple(i for i, part in enumerate(chosen) if part.is_argument)

    @cached_property
    def _pattern(self) -> tuple[str | None, ...]:
        return tuple(None if is_category(part.symbol) else part.symbol for part in self.parts)

    def apply(self, children: Sequence[Phrase]) -> Phrase:
        """The phrase that this rule makes of its categories' phrases."""
        words = iter(children)
        utterance = " ".join(
            [next(words).utterance if word is None else word for word in self._pattern]
        )
        try:
            term = self.rule.function([children[i].term for i in self._arguments])
        except ValueError as error:
            raise UserError(f"{error}, in {self.rule}", where=self.rule.source) from None
        used = 1 << self.index
        for child in children:
            used |= child.rules
        return Phrase(utterance, term, used)


@dataclass
class RuleUse:
    """How often a rule was applied, how often the type check let the result pass, and the first
    one that it did not."""

    applied: int = 0
    passed: int = 0
    refused: Term | None = None


class Cell:
    """The phrases of one category and depth: a list, or None when there was no room."""

    __slots__ = ("phrases", "size")

    def __init__(self, phrases: list[Phrase] | None, size: int) -> None:
        self.phrases = phrases
        self.size = size


@dataclass
class Chart:
    """All phrases of a grammar up to a depth.

    Args:
        grammar: the rules.
        type_check: called with every closed logical form, of sub-phrases too; those it refuses
            are dropped. None accepts everything.
        depth: no deeper phrases.
        capacity: how many phrases may be kept in memory.
        limit: how often rules may be applied before generation is given up; None: no limit.
    """

    grammar: Grammar
    type_check: TypeCheck | None = None
    depth: int = DEFAULT_DEPTH
    capacity: int = DEFAULT_CAPACITY
    limit: int | None = None
    uses: list[RuleUse] = field(init=False)

    def __post_init__(self) -> None:
        self.uses = [RuleUse() for _ in self.grammar.rules]
        self._variants = _variants_by_category(self.grammar)
        self._names = _renamings(self.grammar)
        used = {c for vs in self._variants.values() for v in vs for c in v.categories}
        self._kept = sorted({name for category in used for name in self.names(category)})
        self._cells: dict[tuple[str, int], Cell] = {}
        self._seen: dict[str, set[tuple[str, str]]] = {name: set() for name in self._kept}
        self._built = 0
        self._applied = 0
        self._room = self.capacity

    def roots(self) -> Iterator[Phrase]:
        """Yield the phrases of ``$ROOT``, the shallow ones first.

        A pair may come twice when two derivations yield it; see :mod:`.streams`.
        """
        for depth in range(1, self.depth + 1):
            yield from self.at_depth(ROOT, depth)
            if depth < self.depth and not self._build(depth):
                return

    @property
    def overflowed(self) -> bool:
        """Whether some phrases found no room and are enumerated anew when needed."""
        return any(cell.phrases is None for cell in self._cells.values())

    def build(self) -> None:
        """Build every cell that the phrases of ``$ROOT`` are made of."""
        while self._built < self.depth - 1 and self._build(self._built + 1):
            pass

    def names(self, category: str) -> Sequence[str]:
        """The category and what its renaming rules ``$A -> $B`` lead to."""
        return self._names.get(category, (category,))

    def variants(self, name: str) -> Sequence[Variant]:
        """The rules that make a category, its renaming rules left out."""
        return self._variants.get(name, ())

    def at_depth(self, category: str, depth: int) -> Iterator[Phrase]:
        """Yield the phrases of exactly this depth; the cells below it must be built.

        Where there was no room, and over renamings, a phrase may come more than once.
        """
        for name in self.names(category):
            cell = self._cells.get((name, depth))
            if cell is None or cell.phrases is None:
                yield from self._enumerate(name, depth)
            else:
                yield from cell.phrases

    def size(self, category: str, depth: int) -> int:
        """Number of phrases of this depth: exact where kept, else before the type check."""
        return sum(self.own_size(name, depth) for name in self.names(category))

    def own_size(self, name: str, depth: int) -> int:
        """As :meth:`size`, without the phrases that renaming rules bring in."""
        cell = self._cells.get((name, depth))
        if cell is not None:
            return cell.size
        total = sum(
            self.combinations(variant, depths)
            for variant in self.variants(name)
            for depths in self.splits(variant, depth)
        )
        return min(total, HUGE)

    def kept(self, name: str, depth: int) -> Sequence[Phrase] | None:
        """The phrases kept for a cell, or None when it is enumerated anew."""
        cell = self._cells.get((name, depth))
        return None if cell is None else cell.phrases

    def splits(self, variant: Variant, depth: int) -> Iterator[list[range]]:
        """Depth ranges of a rule's categories that together give ``depth``, disjoint."""
        arity = len(variant.categories)
        if arity == 0 and depth == 1:
            yield []
        for deepest in range(arity if depth > 1 else 0):
            before, exact, after = range(1, depth - 1), range(depth - 1, depth), range(1, depth)
            yield [before] * deepest + [exact] + [after] * (arity - deepest - 1)

    def combinations(self, variant: Variant, depths: Sequence[range]) -> int:
        """How many combinations of phrases these depth ranges hold."""
        total = 1
        for category, levels in zip(variant.categories, depths):
            total *= sum(self.size(category, level) for level in levels)
            if total == 0:
                break
        return total

    def make(self, variant: Variant, children: Sequence[Phrase]) -> Phrase | None:
        """Apply a rule; None when the type check refuses the result."""
        phrase = variant.apply(children)
        use = self.uses[variant.index]
        use.applied += 1
        self._applied += 1
        if self.limit is not None and self._applied > self.limit:
            raise UserError(
                f"given up after {self.limit} applications of rules: give a smaller depth, or a "
                "budget or a sample to twostage canonical",
                where=variant.rule.source,
            )
        check = self.type_check
        if check is not None and is_complete(phrase.term) and not check(phrase.term):
            use.refused = use.refused or phrase.term
            return None
        use.passed += 1
        return phrase

    def _build(self, depth: int) -> bool:
        """Build all cells of one depth; False when they and so all deeper ones are empty."""
        cells = {(name, depth): self._fill(name, depth) for name in self._kept}
        self._cells.update(cells)
        self._built = depth
        return any(cell.size for cell in cells.values())

    def _fill(self, name: str, depth: int) -> Cell:
        bound = self.own_size(name, depth)
        if bound == 0:
            return Cell([], 0)
        phrases = self._collect(name, depth) if self._room > 0 else None
        if phrases is None:
            self._room = 0
            return Cell(None, bound)
        self._room -= len(phrases)
        self._seen[name].update(phrases)
        return Cell(list(phrases.values()), len(phrases))

    def _collect(self, name: str, depth: int) -> dict[tuple[str, str], Phrase] | None:
        """The new phrases of a cell, each once; None when there is no room for them."""
        seen = self._seen[name]
        phrases: dict[tuple[str, str], Phrase] = {}
        for phrase in self._enumerate(name, depth):
            key = phrase.key
            if key in seen:
                continue
            known = phrases.get(key)
            phrases[key] = known._replace(rules=known.rules | phrase.rules) if known else phrase
            if len(phrases) > self._room:
                return None
        return phrases

    def _enumerate(self, name: str, depth: int) -> Iterator[Phrase]:
        for variant in self.variants(name):
            for depths in self.splits(variant, depth):
                if not self.combinations(variant, depths):
                    continue
                for children in self._products(list(zip(variant.categories, depths))):
                    phrase = self.make(variant, children)
                    if phrase is not None:
                        yield phrase

    def _products(self, sources: Sequence[tuple[str, range]]) -> Iterator[tuple[Phrase, ...]]:
        """Every combination of one phrase per source; nothing is collected."""
        if not sources:
            yield ()
            return
        (category, levels), rest = sources[0], sources[1:]
        for phrase in chain.from_iterable(self.at_depth(category, level) for level in levels):
            for others in self._products(rest):
                yield (phrase, *others)


def is_complete(term: Term) -> bool:
    """Whether a logical form can be executed: no lambda and no free variable."""
    return not term.is_lambda and not term.free


def _variants_by_category(grammar: Grammar) -> dict[str, list[Variant]]:
    variants: dict[str, list[Variant]] = {}
    for index, rule in enumerate(grammar.rules):
        if rule.is_generating and not rule.is_renaming:
            variants.setdefault(rule.left, []).extend(
                Variant(index, rule, parts) for parts in rule.variants()
            )
    return variants


def _renamings(grammar: Grammar) -> dict[str, tuple[str, ...]]:
    """For each category itself and all that renaming rules lead to; cycles do no harm."""
    targets: dict[str, list[str]] = {}
    for rule in grammar.rules:
        if rule.is_generating and rule.is_renaming:
            targets.setdefault(rule.left, []).append(rule.categories[0])
    closures = {}
    for category in targets:
        names = [category]
        for name in names:
            names.extend(other for other in targets.get(name, ()) if other not in names)
        closures[category] = tuple(names)
    return closures
