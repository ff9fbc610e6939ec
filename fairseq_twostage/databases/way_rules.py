"""Where ways begin and end, by the place of either end: flights from one city to another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from fairseq_twostage.databases.phrases import clause
from fairseq_twostage.databases.rule_writing import RuleWriter
from fairseq_twostage.databases.rules import filtered, rule

PLACED = ("in", "from")  # wordings of places
_LED = ("from", "to", "in", "at")


class WayRules(RuleWriter):
    """Conditions on what is at the end of a relationship to one place."""

    def lines(self, t: str) -> Iterator[str]:
        """The rules of one type."""
        ends: dict[str, list[tuple[str, str]]] = {"from": [], "to": []}
        for property_, other, clauses in self.relations(t):
            led = [each.phrase for each in clauses if each.phrase in _LED]
            if property_.startswith("!") or self.several(property_) or not led:
                continue
            if self.schema.relationships[property_].path is not None:
                continue
            kinds = [(f"${other}_Named", property_)] if self.named(other) else []
            for name, part in self.schema.tables[other].dimensions.items():
                if part.listed and part.wording in PLACED and not part.aside:
                    kinds.append((f"${other}_{name}_Value", f"{property_}.{name}"))
            for x, reached in kinds:
                if reached != property_:
                    each = clause(led[0])
                    for number, words in (("p", each.many), ("s", each.one)):
                        said = words.replace("{x}", x)
                        yield rule(f"${t}_Other1{number}", said, filtered(reached))
                    yield rule(f"${t}_Is1", each.predicate.replace("{x}", x), filtered(reached))
                if led[0] in ends:
                    ends[led[0]].append((x, reached))
        yield from self._both(t, ends)
        yield from self._both(t, self._own_ends(t))

    def _own_ends(self, t: str) -> dict[str, list[tuple[str, str]]]:
        """Both ends that columns of the table itself say, with values of one type."""
        dimensions = self.schema.tables[t].dimensions
        listed = {name: part for name, part in dimensions.items() if part.listed and part.type}
        ends: dict[str, list[tuple[str, str]]] = {"from": [], "to": []}
        for (out, first), (into, last) in product(listed.items(), repeat=2):
            if (first.wording, last.wording) == ("from", "to") and first.type == last.type:
                x = f"${t}_{out}_Value"
                ends["from"].append((x, f"{t}.{out}"))
                ends["to"].append((x, f"{t}.{into}"))
        return ends

    @staticmethod
    def _both(t: str, ends: dict[str, list[tuple[str, str]]]) -> Iterator[str]:
        """Both ends, in either order."""
        ways = ((x, out, to) for x, out in ends["from"] for y, to in ends["to"] if x == y)
        for x, out, to in ways:
            for (one, first), (other, second) in permutations((("from", out), ("to", to))):
                left = f"(call @filter (var s) (string {first}) (string =) (var a))"
                both = f"(call @filter {left} (string {second}) (string =) (var b))"
                form = f"(lambda a (lambda b (lambda s {both})))"
                yield rule(f"${t}_Isor", f"are {one} {x} {other} {x}2", form)
