"""A naive generator to compare with: pairs to a fixpoint, logical forms as format strings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class NaiveRule:
    """``parts`` are words and categories; ``template`` has a ``{}`` per category.

    ``template`` None stands for IdentityFn.
    """

    left: str
    parts: tuple[str, ...]
    template: str | None

    @property
    def categories(self) -> list[str]:
        return [part for part in self.parts if part.startswith("$")]

    @property
    def is_renaming(self) -> bool:
        return self.template is None and len(self.parts) == 1

    def statement(self) -> str:
        """The rule as a grammar file writes it."""
        if self.template is None:
            function = "(IdentityFn)"
        else:
            names = [f"v{i}" for i in range(len(self.categories))]
            body = self.template.format(*(f"(var {name})" for name in names))
            for name in reversed(names):
                body = f"(lambda {name} {body})"
            function = body if names else f"(ConstantFn {body})"
        return f"(rule {self.left} ({' '.join(self.parts)}) {function})"


def naive_pairs(
    rules: list[NaiveRule], depth: int, accept: Callable[[str], bool] = lambda text: True
) -> set[tuple[str, str]]:
    """The pairs of ``$ROOT`` that derivations of at most ``depth`` rules (renamings free) make."""
    table: dict[tuple[str, str, str], int] = {}
    changed = True
    while changed:
        changed = False
        for rule in rules:
            choices = [
                [(u, f, d) for (left, u, f), d in table.items() if left == category]
                for category in rule.categories
            ]
            for children in product(*choices):
                cost = max((d for _, _, d in children), default=0) + (not rule.is_renaming)
                words = iter(children)
                utterance = " ".join(
                    next(words)[0] if part.startswith("$") else part for part in rule.parts
                )
                forms = [form for _, form, _ in children]
                form = forms[0] if rule.template is None else rule.template.format(*forms)
                key = (rule.left, utterance, " ".join(form.split()))
                if cost <= depth and accept(key[2]) and table.get(key, depth + 1) > cost:
                    table[key] = cost
                    changed = True
    return {(utterance, form) for left, utterance, form in table if left == "$ROOT"}
