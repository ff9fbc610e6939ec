"""Conditions before and behind a noun, of relations, values, numbers and the schema's filters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from fairseq_twostage.databases.phrases import Clause, clause, is_verb
from fairseq_twostage.databases.rule_writing import RuleWriter
from fairseq_twostage.databases.rules import (
    DATE,
    DATE2,
    DEEPEST,
    NUMBER,
    NUMBER2,
    apply,
    filtered,
    lambda_filter,
    numbered,
    ordered,
    predicate,
    rule,
    same,
)
from fairseq_twostage.databases.schema import Dimension, Filter, Measure, TimeDimension
from fairseq_twostage.databases.words import base_form, is_plural, participle

_AMOUNTS = (
    ("more than", ">"),
    ("fewer than", "<"),
    ("at least", ">="),
    ("at most", "<="),
    ("exactly", "="),
)
_MORE = {">": "more", "<": "fewer"}
_MOMENTS = (("after", ">"), ("before", "<"), ("since", ">="))


class ConditionRules(RuleWriter):
    """What narrows a set."""

    def lines(self, t: str) -> Iterator[str]:
        """The rules of one type."""
        yield from self._conditions(t)

    def _conditions(self, t: str) -> Iterator[str]:
        for property_, other, clauses in self.relations(t):
            for rank, each in enumerate(clauses):
                for level in range(1, DEEPEST + 1):
                    if level == 2:  # in whole questions all ways, below the usual one
                        x = f"${other}_RefAll"
                        said = each.predicate.replace("{x}", x)
                        yield rule(f"${t}_IsAll", said, filtered(property_))
                        if rank == 0:
                            then = "When" if property_.startswith("!") else "Then"
                            said = each.predicate.replace("{x}", f"${other}_{then}")
                            yield rule(f"${t}_IsAll", said, filtered(property_))
                    if level > 1 and rank:
                        break
                    x = f"${other}_Named" if level == 1 else f"${other}_Ref{level - 1}"
                    if level == 1 and not self.named(other):
                        continue
                    yield from self._post(t, level, each, x, filtered(property_), rank)
            several = self.several(property_)
            yield from self._without(t, property_, other, clauses[0], several)
        yield from self._values(t)
        if self.named(t):
            yield apply(f"${t}_Fits", f"is ${t}_Named ${t}_Adj1", "backward")
            form = "(lambda x (call @listValue (call @any (var x))))"
            yield rule("$ROOT", f"${t}_Fits", form)
        yield from self._numbers(t)
        yield from self._two_numbers(t)
        yield from self._filters(t)
        yield from self._missing(t)
        yield from self._wide(t)
        yield apply(f"${t}_Then", f"${t}_All ${t}_Postt", "backward")
        yield apply(f"${t}_In", f"${t}_All ${t}_Postin", "backward")
        yield same(f"${t}_When", f"${t}_Then")
        yield apply(f"${t}_When", f"${t}_Adj1 ${t}_Then", "forward")
        yield apply(f"${t}_When", f"${t}_Plainp ${t}_Postt", "backward")
        for level in range(1, DEEPEST + 1):
            for number, noun in (("p", "All"), ("s", "One")):
                np = f"${t}_Np{level}{number}"
                yield apply(np, f"${t}_{noun} ${t}_Post{level}{number}", "backward")
                if level == 1:
                    yield apply(np, f"${t}_Adj1 ${t}_{noun}", "forward")
                    yield apply(f"${t}_Both{number}", f"${t}_Adj1 ${t}_Plain{number}", "forward")
                    yield apply(
                        f"${t}_Others{number}", f"${t}_{noun} ${t}_Other1{number}", "backward"
                    )
        for number, noun in (("p", "All"), ("s", "One")):
            yield apply(f"${t}_Plain{number}", f"${t}_{noun} ${t}_Post1{number}", "backward")
            yield apply(
                f"${t}_Both{number}", f"${t}_Plain{number} and ${t}_Post1{number}", "backward"
            )

    def _wide(self, t: str) -> Iterator[str]:
        """Those by a value of what they belong to: "reviews of *garden* products"."""
        for property_, other, clauses in self.relations(t):
            if not property_.startswith("!"):
                said = clauses[0].many.replace("{x}", f"${other}_Valued")
                yield rule(f"${t}_Postw", said, filtered(property_))
        yield apply(f"${t}_Wide", f"${t}_All ${t}_Postw", "backward")
        yield apply(f"${t}_Valued", f"${t}_Adj1 ${t}_All", "forward")
        yield apply(f"${t}_Valued", f"${t}_All ${t}_PostValue", "backward")

    def _post(
        self, t: str, level: int, each: Clause, x: str, form: str, rank: int = 0
    ) -> Iterator[str]:
        post = "Post" if rank == 0 else "Other"
        for number, words in (("p", each.many), ("s", each.one)):
            yield rule(f"${t}_{post}{level}{number}", words.replace("{x}", x), form)
        yield rule(f"${t}_Is{level}", each.predicate.replace("{x}", x), form)
        if level == 1 and each.one.startswith("that ") and not each.inverted:
            yield rule(f"${t}_Who", each.one.removeprefix("that ").replace("{x}", x), form)
        elif level == 1 and each.inverted and is_verb(each.phrase):
            yield rule(f"${t}_Who", each.predicate.replace("{x}", x), form)

    def _without(
        self, t: str, property_: str, other: str, first: Clause, several: bool
    ) -> Iterator[str]:
        """Negation; none at all, any, and a number of them."""
        if self.named(other):
            x = f"${other}_Named"
            form = filtered(property_, "!=")
            yield rule(f"${t}_Isnot", first.denied.replace("{x}", x), form)
            yield rule(f"${t}_Nots", first.negated_one.replace("{x}", x), form)
        every = self.phrases.plural(other)
        for words, comparison, number in (("no {}", "=", 0), ("{}", ">=", 1)):
            form = (
                f"(ConstantFn (lambda s (call @countComparative (var s) (string {property_}) "
                f"(string {comparison}) (number {number}))))"
            )
            yield rule(f"${t}_Is0", first.predicate.replace("{x}", words.format(every)), form)
        if not several:
            return
        verb = base_form(first.phrase)
        if is_verb(first.phrase) and len(verb.split()) == 1:
            none = (
                f"(ConstantFn (lambda s (call @countComparative (var s) (string {property_}) "
                "(string =) (number 0))))"
            )
            never = f"are never {participle(verb)}" if first.inverted else f"never {verb} {every}"
            yield rule(f"${t}_Is0", never, none)
        for words, comparison in _AMOUNTS:
            form = (
                f"(ConstantFn (lambda s (call @countComparative (var s) (string {property_}) "
                f"(string {comparison}) {NUMBER})))"
            )
            said = first.predicate.replace("{x}", f"{words} {NUMBER} {every}")
            yield rule(f"${t}_Is0", said, form)

    def _values(self, t: str) -> Iterator[str]:
        """Conditions on dimensions."""
        table = self.schema.tables[t]
        for name, part in table.dimensions.items():
            if part.aside or (part.values == "none" and part.stored_as != "boolean"):
                continue
            if part.stored_as == "boolean":
                yield from self._flag(t, name)
                continue
            if name == table.name:
                continue
            value, form = self.phrases.placeholders[f"{t}.{name}"], filtered(f"{t}.{name}")
            yield rule(f"${t}_{name}_Value", value, f"(ConstantFn {value})")
            second = numbered(value, "2")
            yield rule(f"${t}_{name}_Value2", second, f"(ConstantFn {second})")
            x = f"${t}_{name}_Value"
            wording = part.wording or "with"
            if wording == "adjective":
                yield rule(f"${t}_Adj1", x, form)
                yield rule(f"${t}_Is1", f"are {x}", form)
                noun = self.phrases.nouns(t, name)[0]
                yield rule(f"${t}_Is1", f"have {noun} {x}", form)
            else:
                for rank, each in enumerate(self._said(t, name, part)):
                    yield from self._post(t, 1, each, x, form, rank)
                    if rank == 0:
                        yield rule(f"${t}_PostValue", each.many.replace("{x}", x), form)
            first = self._said(t, name, part)[0]
            yield rule(f"${t}_Isnot", first.denied.replace("{x}", x), filtered(f"{t}.{name}", "!="))
            yield rule(
                f"${t}_Isor",
                first.predicate.replace("{x}", f"{x} or ${t}_{name}_Value2"),
                f"(lambda a (lambda b (lambda s (call @filter (var s) (string {t}.{name}) "
                "(string =) (call @concat (var a) (var b))))))",
            )

    def _said(self, t: str, name: str, part: Dimension) -> list[Clause]:
        nouns = self.phrases.nouns(t, name)
        wording = part.wording or "with"
        if wording in ("with", "of", "adjective"):
            word = "of" if wording == "of" else "with"
            return [clause(f"{word} {noun}") for noun in nouns]
        return [clause(part.phrase or "verb" if wording == "verb" else wording)]

    def _flag(self, t: str, name: str) -> Iterator[str]:
        words = self.phrases.nouns(t, name)[0].split()
        true = f"(ConstantFn (lambda s (call @filter (var s) (string {t}.{name}))))"
        false = (
            f"(ConstantFn (lambda s (call @filter (var s) (string {t}.{name}) (string =) "
            "(boolean false))))"
        )
        lead, rest = words[0], " ".join(words[1:])
        if lead in ("has", "with") and rest:
            yield from self._post(t, 1, clause(f"with {rest}"), "", true)
            yield rule(f"${t}_Isnot", f"do not have {rest}", false)
        else:
            said = rest if lead in ("is", "was") and rest else " ".join(words)
            yield rule(f"${t}_Adj1", said, true)
            yield rule(f"${t}_Is1", f"are {said}", true)
            yield rule(f"${t}_Isnot", f"are not {said}", false)

    def _numbers(self, t: str) -> Iterator[str]:
        """Comparisons with a number or date, and with what another thing has."""
        table = self.schema.tables[t]
        for name, part in ordered(table).items():
            if part.aside:
                continue
            property_ = f"{t}.{name}"
            moment = isinstance(part, TimeDimension)
            value = DATE if moment else NUMBER
            for words, comparison, with_another in self._comparisons(t, name, part):
                said = words.replace("{x}", value)
                form = f"(ConstantFn {lambda_filter(property_, comparison, value)})"
                yield rule(f"${t}_Isn", predicate(said), form)
                if moment and comparison != ">=":
                    yield rule(f"${t}_Postt", said, form)
                    if comparison == "=":
                        yield rule(f"${t}_Postin", said, form)
                if self.named(t) and with_another:
                    other = f"(call @getProperty (var v) (string {property_}))"
                    yield rule(
                        f"${t}_Isn",
                        predicate(with_another.replace("{x}", f"${t}_Named")),
                        f"(lambda v {lambda_filter(property_, comparison, other)})",
                    )
            first, second = (DATE, DATE2) if moment else (NUMBER, NUMBER2)
            form = (
                f"(ConstantFn (lambda s (call @filter (call @filter (var s) (string "
                f"{property_}) (string >=) {first}) (string {property_}) (string <=) "
                f"{second})))"
            )
            lead = f"with {self.phrases.nouns(t, name)[0]}"
            if isinstance(part, TimeDimension):
                lead = part.wording or lead
            said = f"{lead} between {first} and {second}"
            if isinstance(part, Measure) and self._is_count(t, name, part):
                said = f"with between {first} and {second} {self.phrases.nouns(t, name)[0]}"
            yield rule(f"${t}_Isn", predicate(said), form)
            if moment:
                yield rule(f"${t}_Postt", said, form)
            if isinstance(part, Measure):
                yield from self._beside_average(t, name, part)

    def _two_numbers(self, t: str) -> Iterator[str]:
        """Two comparisons at once, of what the rows themselves hold."""
        table = self.schema.tables[t]
        own = [
            name
            for name, part in table.measures.items()
            if part.gathered is None and not part.aside and name != table.numbered_by
        ]
        for first, second in permutations(own, 2):
            for sign, also in product("<>", repeat=2):
                one = self._compared(t, first, table.measures[first], sign)
                other = self._compared(t, second, table.measures[second], also)
                said = (
                    predicate(one.replace("{x}", NUMBER)),
                    predicate(other.replace("{x}", NUMBER2)),
                )
                inner = f"(call @filter (var s) (string {t}.{first}) (string {sign}) {NUMBER})"
                form = (
                    f"(ConstantFn (lambda s (call @filter {inner} (string {t}.{second}) "
                    f"(string {also}) {NUMBER2})))"
                )
                yield rule(f"${t}_Istwo", " and ".join(said), form)

    def _compared(self, t: str, name: str, part: Measure, sign: str) -> str:
        """The usual words of a comparison."""
        return next(words for words, each, _ in self._comparisons(t, name, part) if each == sign)

    def _beside_average(self, t: str, name: str, part: Measure) -> Iterator[str]:
        """Above or below the average of all."""
        property_ = f"{t}.{name}"
        every = f"(call @getProperty {self.all(t)} (string {property_}))"
        average = f"(call @aggregate (string avg) {every})"
        for words, comparison in ((part.more[:1], ">"), (part.less[:1], "<")):
            for said in words:
                form = f"(ConstantFn {lambda_filter(property_, comparison, average)})"
                yield rule(f"${t}_Isn", f"are {said} than the average", form)

    def _missing(self, t: str) -> Iterator[str]:
        """Those of which a property is not known, or zero."""
        table = self.schema.tables[t]
        for name, part in table.columns.items():
            gathered = isinstance(part, Measure) and part.gathered is not None
            if part.aside or gathered or name == table.name or part.stored_as == "boolean":
                continue
            known = (
                f"(call @filter (var s) (string {t}.{name}) (string =) "
                f"(call @getProperty (var s) (string {t}.{name})))"
            )
            if isinstance(part, Measure):  # whoever has none of something has zero of it
                none = f"(number 0 {part.unit or ''})".replace(" )", ")")
                known = f"(call @filter (var s) (string {t}.{name}) (string !=) {none})"
            form = f"(ConstantFn (lambda s (call @without (var s) {known})))"
            yield rule(f"${t}_Is0", f"have no {self.phrases.nouns(t, name)[0]}", form)

    def _comparisons(
        self, t: str, name: str, part: Measure | TimeDimension
    ) -> Iterator[tuple[str, str, str]]:
        """Words with a value ``{x}``, how it compares, and words for what another thing has."""
        noun = self.phrases.nouns(t, name)[0]
        if isinstance(part, TimeDimension):
            lead = part.wording or f"with {noun}"
            for than, sign in _MOMENTS:
                another = "" if than == "since" else f"{lead} {than} {{x}}"
                yield f"{lead} {than} {{x}}", sign, another
            yield f"{lead} in {{x}}", "=", ""
            if self.happens(t) and name == self.times(t)[0]:
                yield "from {x}", "=", ""
            return
        for comparatives, sign in ((part.more, ">"), (part.less, "<")):
            for words in comparatives:
                yield f"{words} than {{x}}", sign, f"{words} than {{x}}"
        if self._is_count(t, name, part):
            for than, sign in _AMOUNTS:
                another = f"with {_MORE[sign]} {noun} than {{x}}" if sign in _MORE else ""
                yield f"with {than} {{x}} {noun}", sign, another
            return
        yield f"with {noun} above {{x}}", ">", f"with {noun} above {{x}}"
        yield f"with {noun} below {{x}}", "<", f"with {noun} below {{x}}"
        yield f"with {noun} of at least {{x}}", ">=", ""
        if part.gathered is None:
            yield f"with {noun} of at most {{x}}", "<=", ""
            yield f"with {noun} of {{x}}", "=", ""

    def _is_count(self, t: str, name: str, part: Measure) -> bool:
        """Whether a measure counts things that have no table: plants, "more than 37 plants"."""
        if part.unit is not None or part.gathered is not None:
            return False
        noun = self.phrases.nouns(t, name)[0]
        return is_plural(noun) and noun not in map(self.phrases.plural, self.types)

    def _filters(self, t: str) -> Iterator[str]:
        table = self.schema.tables[t]
        for name, condition in table.filters.items():
            form = f"(ConstantFn {self._condition(t, condition)})"
            for words in (name.replace("_", " "), *condition.synonyms):
                if len(words.split()) == 1:
                    yield rule(f"${t}_Adj1", words, form)
                    yield rule(f"${t}_Is1", f"are {words}", form)
                else:
                    yield from self._post(t, 1, clause(words), "", form)
                    if self.named(t):
                        yield rule(f"${t}_Filter", words, form)
                        yield apply(f"${t}_Fits", f"is ${t}_Named ${t}_Filter", "backward")

    def _condition(self, t: str, condition: Filter) -> str:
        property_ = f"{t}.{condition.dimension}"
        part = self.schema.tables[t].columns[condition.dimension]
        unit = part.unit or "" if isinstance(part, Measure) else ""
        inner = "(var s)"
        if condition.equals is not None:
            value = self.phrases.constant(t, condition.dimension, condition.equals)
            inner = f"(call @filter {inner} (string {property_}) (string =) {value})"
        for bound, comparison in ((condition.above, ">"), (condition.below, "<")):
            if bound is not None:
                value = f"(number {bound:g} {unit})".replace(" )", ")")
                inner = f"(call @filter {inner} (string {property_}) (string {comparison}) {value})"
        return f"(lambda s {inner})"
