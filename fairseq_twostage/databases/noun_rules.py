"""Values that are nouns for the things that have them: *waiters*, of staff by their job."""

from __future__ import annotations

from collections.abc import Iterator

from fairseq_twostage.databases.rule_writing import RuleWriter
from fairseq_twostage.databases.rules import SIZE, apply, filtered, listed, root, rule, same
from fairseq_twostage.databases.vocabulary import NOUNS


class NounRules(RuleWriter):
    """What such a value stands for wherever an adjective and the noun would."""

    def lines(self, t: str) -> Iterator[str]:
        """The rules of one type: ``$T_Ones`` in the places of what one condition narrows."""
        names = [
            name
            for name, part in self.schema.tables[t].dimensions.items()
            if part.wording == "noun" and part.listed and not part.aside
        ]
        ones = f"${t}_Ones"
        kinds = [
            (property_, other)
            for property_, other, _ in self.relations(t)
            if other != t and self.schema.tables[other].name
            if self._is_kind(other) and self._of_itself(property_)
        ]
        if not names and not kinds:
            return
        for property_, other in kinds:
            yield rule(ones, f"${other}_Named", self.those(t, property_))
        for name in names:
            property_ = f"{t}.{name}"
            yield rule(ones, f"${t}_{name}_Value", self.those(t, property_))
            yield rule(f"${t}_Is1", f"are ${t}_{name}_Value", filtered(property_))
            if self.named(t):
                yield rule(f"${t}_IsOne", f"${t}_{name}_Value", filtered(property_))
        if self.schema.tables[t].person:
            yield root(f"who is {ones}")
        yield rule("$ROOT", f"how many {ones} are there", listed(SIZE, "s"))
        yield same(f"${t}_Adjp", ones)
        yield same(f"${t}_Valued", ones)
        yield apply(f"${t}_When", f"{ones} ${t}_Postt", "backward")
        for number in ("p", "s"):
            yield same(f"${t}_Np1{number}", ones)
            yield apply(f"${t}_Both{number}", f"{ones} ${t}_Post1{number}", "backward")
        if self.named(t):
            yield apply(f"${t}_Fits", f"is ${t}_Named a ${t}_IsOne", "backward")

    def _is_kind(self, t: str) -> bool:
        """Whether a table is called a kind, and belongs to nothing but kinds: a play's role is of
        the play."""
        return self._is_called_so(t) and all(
            relation.to == t or self._is_called_so(relation.to)
            for relation in self.schema.relationships.values()
            if relation.from_table == t and relation.columns
        )

    def _is_called_so(self, t: str) -> bool:
        return self.phrases.noun(t).split()[-1] in NOUNS

    def _of_itself(self, property_: str) -> bool:
        """Whether a relationship is to a thing's own kind, or its breed's: *maps* are items, and no
        orders of items. Roles of a play are no kinds of plays."""
        relation = self.schema.relationships[property_.lstrip("!")]
        if property_.startswith("!") and relation.through is None:
            return False
        reached = [self.reached(step) for step in relation.path or ()]
        return all(map(self._is_kind, reached[:-1]))
