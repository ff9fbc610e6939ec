"""Whole questions for numbers: sums and averages, the first few, groups, extremes."""

from __future__ import annotations

from collections.abc import Iterator

from fairseq_twostage.databases.inflection import plural
from fairseq_twostage.databases.phrases import is_verb
from fairseq_twostage.databases.properties import CUTS
from fairseq_twostage.databases.rule_writing import RuleWriter
from fairseq_twostage.databases.rules import AMOUNTS, EXTREMES, NUMBER, listed, rule
from fairseq_twostage.databases.schema import Dimension


class NumberRules(RuleWriter):
    """Questions that are answered by numbers or their order."""

    def lines(self, t: str) -> Iterator[str]:
        """The rules of one type."""
        yield from self._ranks(t)
        yield from self._groups(t)

    def _ranks(self, t: str) -> Iterator[str]:
        """The first few by a measure."""
        for name, _, tops in self.ranked(t):
            known: set[tuple[str, bool]] = set()
            for words, mode, before in tops:
                if (mode, before) in known:
                    continue
                known.add((mode, before))
                form = listed(
                    f"(call @top (var s) (string {mode}) (string {t}.{name}) {NUMBER})", "s"
                )
                for x in ("All", "Np1p"):
                    np = f"${t}_{x}"
                    said = f"{words} {np}" if before else f"{np} {words}"
                    yield rule("$ROOT", f"what are the {NUMBER} {said}", form)

    def _groups(self, t: str) -> Iterator[str]:
        """Numbers, averages and sums for each value of a property."""
        table = self.schema.tables[t]
        by = [
            (noun, f"{t}.{name}")
            for name, part in table.dimensions.items()
            if _groups(part) and name not in table.naming
            for noun in self.phrases.nouns(t, name)[:1]
        ]
        moments = [
            (name, moment)
            for name, moment in table.time_dimensions.items()
            if moment.stored_as not in ("time", "year") and not moment.aside
        ]
        by += [
            (noun, f"{t}.{name}.{noun}")
            for name, moment in moments[:1]
            for noun in CUTS
            if moment.wording != "born"
        ]
        by += [
            ("year", f"{t}.{name}")
            for name, moment in table.time_dimensions.items()
            if moment.stored_as == "year" and not moment.aside and moment.wording != "born"
        ][:1]
        for name, moment in moments:
            if moment.wording:
                for noun in CUTS:
                    form = f"(call @group (var s) (string {t}.{name}.{noun}))"
                    said = f"how many ${t}_All {moment.wording} per {noun}"
                    yield rule("$ROOT", said, listed(form, "s"))
        by += [
            (self.phrases.noun(relation.to), name)
            for name, relation in self.schema.relationships.items()
            if relation.from_table == t and relation.to in self.types
        ]
        by += [
            (
                f"{self.phrases.noun(relation.to)} {self.phrases.nouns(relation.to, name)[0]}",
                f"{relates}.{name}",
            )
            for relates, relation in self.schema.relationships.items()
            if relation.from_table == t and relation.to in self.types
            for name, part in self.schema.tables[relation.to].dimensions.items()
            if _groups(part) and name != self.schema.tables[relation.to].name
        ]
        for noun, property_ in by:
            form = f"(call @group (var s) (string {property_}))"
            yield rule("$ROOT", f"how many ${t}_All per {noun}", listed(form, "s"))
            for x in ("All", "Np1p"):
                said = f"how many ${t}_{x} are there for each {noun}"
                yield rule("$ROOT", said, listed(form, "s"))
            yield rule("$ROOT", f"how many ${t}_In per {noun}", listed(form, "s"))
            if property_ in self.schema.relationships:
                yield from self._counted_for_each(t, property_, form)
            yield from self._counted_values(t, noun, property_)
            for word, mode in (("total", "sum"), ("average", "avg")):
                form = f"(call @group (var s) (string {property_}) (string {mode}) (var r))"
                number = f"${t}_Summed" if mode == "sum" else f"${t}_Number"
                for x in ("All", "Np1p"):
                    words = f"what is the {word} {number} of ${t}_{x} per {noun}"
                    yield rule("$ROOT", words, listed(form, "r s"))
                for best, order in (("highest", "max"), ("lowest", "min")):
                    form = (
                        f"(call @groupSuperlative (var s) (string {order}) (string {property_}) "
                        f"(string {mode}) (var r))"
                    )
                    of = [
                        f"${t}_All",
                        *([f"${t}_In"] if (best, word) == ("highest", "total") else []),
                    ]
                    for x in of:
                        words = f"which {noun} has the {best} {word} {number} of {x}"
                        yield rule("$ROOT", words, listed(form, "r s"))
                    if (best, word) == ("highest", "total"):
                        form = (
                            f"(call @groupTop (var s) (string {order}) (string {property_}) "
                            f"(string {mode}) (var r) {NUMBER})"
                        )
                        words = f"what are the {NUMBER} {plural(noun)} with the {best} {word}"
                        words += f" {number} of ${t}_All"
                        yield rule("$ROOT", words, listed(form, "r s"))

    def _counted_for_each(self, t: str, property_: str, form: str) -> Iterator[str]:
        """ "how many products does each supplier deliver"."""
        other = self.schema.relationships[property_].to
        each = self.phrases.noun(other)
        for name, _, (usual, *_) in self.relations(other):  # none of a border, which has one side
            if name == f"!{property_}":
                asked = f"does each {each} have"
                if is_verb(usual.phrase) and not usual.inverted:
                    asked = usual.question.format(n=f"each {each}", x="").strip()
                yield rule("$ROOT", f"how many ${t}_All {asked}", listed(form, "s"))

    def _counted_values(self, t: str, noun: str, property_: str) -> Iterator[str]:
        """Values that the most rows have, or more than a number of them."""
        if property_ in self.schema.relationships:
            return
        every = self.phrases.plural(t)
        values = f"(call @getProperty {self.all(t)} (string {property_}))"
        for words, mode in (("most", "max"), ("fewest", "min")):
            form = f"(call @countSuperlative {values} (string {mode}) (string !{property_}))"
            said = f"which {noun} has the {words} {every}"
            yield rule("$ROOT", said, f"(ConstantFn (call @listValue {form}))")
        form = f"(call @countTop {values} (string max) (string !{property_}) {NUMBER})"
        said = f"what are the {NUMBER} {plural(noun)} with the most {every}"
        yield rule("$ROOT", said, f"(ConstantFn (call @listValue {form}))")
        for words, comparison in AMOUNTS[:-1]:
            form = (
                f"(call @countComparative {values} (string !{property_}) (string {comparison}) "
                f"{NUMBER})"
            )
            said = f"which {plural(noun)} have {words} {NUMBER} {every}"
            yield rule("$ROOT", said, f"(ConstantFn (call @listValue {form}))")

    def aggregates(self, t: str) -> Iterator[str]:
        """Sums, averages, metrics, and the highest and lowest value."""
        for word, mode in (("total", "sum"), ("average", "avg")):
            form = f"(call @aggregate (string {mode}) (call @getProperty (var s) (var r)))"
            for x in ("All", "Np1p", "Np2p", "Such", "Then"):
                then = "_Then" if x == "Then" else ""
                number = f"${t}{then}_Summed" if mode == "sum" else f"${t}{then}_Number"
                words = f"what is the {word} {number} of ${t}_{x}"
                yield rule("$ROOT", words, listed(form, "r s"))
        yield from self._extremes(t)
        for name, metric in self.schema.tables[t].metrics.items():
            over = {"sum": "sum", "avg": "avg"}.get(metric.aggregation)
            for words in (name.replace("_", " "), *metric.synonyms):
                got = f"(call @getProperty (var s) (string {t}.{metric.measure}))"
                if over:
                    form = f"(call @aggregate (string {over}) {got})"
                elif metric.aggregation == "count":
                    form = "(call .size (var s))"
                else:
                    best = f"(call @superlative (var s) (string {metric.aggregation}) (string "
                    form = (
                        f"(call @getProperty {best}{t}.{metric.measure})) "
                        f"(string {t}.{metric.measure}))"
                    )
                for x in ("All", "Np1p", "Np2p"):
                    yield rule("$ROOT", f"what is the {words} of ${t}_{x}", listed(form, "s"))

    def _extremes(self, t: str) -> Iterator[str]:
        """The highest and lowest value of a measure, and what is found where it is."""
        table = self.schema.tables[t]
        said: list[tuple[str, str, str, str]] = []
        for name, moment in table.time_dimensions.items():
            noun = self.phrases.nouns(t, name)[0]
            for words, best in (("latest", "max"), ("earliest", "min")) if not moment.aside else ():
                said.append((f"{words} {noun}", best, f"{t}.{name}", f"{t}.{name}"))
        for name, part in table.measures.items():
            for noun in self.phrases.nouns(t, name)[:1] if not part.aside else ():
                mode = EXTREMES.get(noun.split()[0])
                both = (
                    [(noun, mode)]
                    if mode
                    else [(f"highest {noun}", "max"), (f"lowest {noun}", "min")]
                )
                said += [(words, mode, f"{t}.{name}", f"{t}.{name}") for words, mode in both]
        for name, dimension in table.dimensions.items():
            for by, mode in ((dimension.highest_by, "max"), (dimension.lowest_by, "min")):
                for noun in self.phrases.nouns(t, name) if by else ():
                    said.append((noun, mode, f"{t}.{by}", f"{t}.{name}"))
        for words, mode, by, property_ in said:
            best = f"(call @superlative (var s) (string {mode}) (string {by}))"
            form = listed(f"(call @getProperty {best} (string {property_}))", "s")
            for x in ("All", "Np1p", "Such"):
                yield rule("$ROOT", f"what is the {words} among ${t}_{x}", form)
            every = (
                f"(call @getProperty {best.replace('(var s)', self.all(t))} (string {property_}))"
            )
            yield rule("$ROOT", f"what is the {words}", f"(ConstantFn (call @listValue {every}))")


def _groups(part: Dimension) -> bool:
    """Whether things are counted by a dimension's values."""
    return part.listed and not part.unique
