"""Conditions on numbers and dates: compared, between, beside the average, two at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from fairseq_twostage.databases.inflection import is_plural
from fairseq_twostage.databases.phrases import is_participle
from fairseq_twostage.databases.rule_writing import RuleWriter
from fairseq_twostage.databases.rules import (
    AMOUNTS,
    DATE,
    DATE2,
    NUMBER,
    NUMBER2,
    TIME,
    TIME2,
    lambda_filter,
    listed,
    ordered,
    predicate,
    rule,
)
from fairseq_twostage.databases.schema import Measure, TimeDimension

_MORE = {">": "more", "<": "fewer"}


class ComparisonRules(RuleWriter):
    """What narrows a set by what its things measure."""

    def lines(self, t: str) -> Iterator[str]:
        """The rules of one type."""
        yield from self._each(t)
        yield from self._two_numbers(t)
        if self.named(t):
            yield from self._of_two(t)

    def _each(self, t: str) -> Iterator[str]:
        """Comparisons with a number or date, and with what another thing has."""
        table = self.schema.tables[t]
        for name, part in ordered(table).items():
            if part.aside:
                continue
            property_ = f"{t}.{name}"
            moment = isinstance(part, TimeDimension)
            first, second = _values_of(part)
            for words, comparison, with_another in self._comparisons(t, name, part):
                said = words.replace("{x}", first)
                form = f"(ConstantFn {lambda_filter(property_, comparison, first)})"
                yield rule(f"${t}_Isn", predicate(said), form)
                if moment and comparison != ">=":
                    yield rule(f"${t}_Postt", said, form)
                    if comparison == "=":
                        yield rule(f"${t}_Postin", said, form)
                if self.named(t) and with_another:
                    other = f"(call @getProperty (var v) (string {property_}))"
                    yield rule(
                        f"${t}_Isthan",
                        predicate(with_another.replace("{x}", f"${t}_Named")),
                        f"(lambda v {lambda_filter(property_, comparison, other)})",
                    )
            form = (
                f"(ConstantFn (lambda s (call @filter (call @filter (var s) (string "
                f"{property_}) (string >=) {first}) (string {property_}) (string <=) "
                f"{second})))"
            )
            lead = f"with {self.phrases.nouns(t, name)[0]}"
            if isinstance(part, TimeDimension):
                lead = part.wording or lead
                if part.stored_as != "time":
                    either = f"(call @concat {first} {second})"
                    form_of_two = f"(ConstantFn {lambda_filter(property_, '=', either)})"
                    said = f"{lead} in {first} or {second}"
                    yield rule(f"${t}_Isn", predicate(said), form_of_two)
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

    def _of_two(self, t: str) -> Iterator[str]:
        """Which of two has more of something: "which is longer _film_ or _film2_"."""
        table = self.schema.tables[t]
        both = "(call @concat (var a) (var b))"
        best = f"(call @superlative {both} (string {{mode}}) (string {t}.{{name}}))"
        asked: list[tuple[str, str]] = []
        for name, part in ordered(table).items():
            if part.aside:
                continue
            lower, higher = (best.format(mode=mode, name=name) for mode in ("min", "max"))
            if isinstance(part, TimeDimension):
                if part.wording and is_participle(part.wording):
                    asked += [(f"was {part.wording} first", lower)]
                    asked += [(f"was {part.wording} later", higher)]
                continue
            noun = self.phrases.nouns(t, name)[0]
            for words, form in (*zip(part.more[:1], [higher]), *zip(part.less[:1], [lower])):
                asked.append((f"is {words}", form))
            if not part.more and not self._is_count(t, name, part):
                asked += [(f"has the higher {noun}", higher), (f"has the lower {noun}", lower)]
        for property_, other, _ in self.relations(t):
            if self.several(property_):
                for words, mode in (("more", "max"), ("fewer", "min")):
                    form = f"(call @countSuperlative {both} (string {mode}) (string {property_}))"
                    asked.append((f"has {words} {self.phrases.plural(other)}", form))
        who = "who" if table.person else "which"
        for words, form in asked:
            yield rule("$ROOT", f"{who} {words} ${t}_Named or ${t}_Named2", listed(form, "a b"))

    def _compared(self, t: str, name: str, part: Measure, sign: str) -> str:
        """The usual words of a comparison."""
        return next(words for words, each, _ in self._comparisons(t, name, part) if each == sign)

    def _beside_average(self, t: str, name: str, part: Measure) -> Iterator[str]:
        """Above or below the average of all, of those that are asked for, or of some others."""
        property_ = f"{t}.{name}"

        def average(things: str) -> str:
            every = f"(call @getProperty {things} (string {property_}))"
            return f"(call @aggregate (string avg) {every})"

        noun = self.phrases.nouns(t, name)[0]
        if not part.more and not self._is_count(t, name, part) and part.gathered is None:
            for side, comparison in (("above", ">"), ("below", "<")):
                form = lambda_filter(property_, comparison, average(self.all(t)))
                beside = f"have {noun} {side} the average"
                yield rule(f"${t}_Isavg", beside, f"(ConstantFn {form})")
        for words, comparison in ((part.more[:1], ">"), (part.less[:1], "<")):
            for said in words:
                for than, things in (("the", self.all(t)), ("their", "(var s)")):
                    form = lambda_filter(property_, comparison, average(things))
                    yield rule(
                        f"${t}_Isavg", f"are {said} than {than} average", f"(ConstantFn {form})"
                    )
                form = lambda_filter(property_, comparison, average("(var x)"))
                for x in ("Valued", "Plainp"):
                    of_these = f"are {said} than the average of ${t}_{x}"
                    yield rule(f"${t}_Isbeside", of_these, f"(lambda x {form})")

    def _comparisons(
        self, t: str, name: str, part: Measure | TimeDimension
    ) -> Iterator[tuple[str, str, str]]:
        """Words with a value ``{x}``, how it compares, and words for what another thing has."""
        noun = self.phrases.nouns(t, name)[0]
        if isinstance(part, TimeDimension):
            lead = part.wording or f"with {noun}"
            for than, sign in (("after", ">"), ("before", "<")):
                yield f"{lead} {than} {{x}}", sign, f"{lead} {than} {{x}}"
            if part.stored_as == "time":
                yield f"{lead} at {{x}} or later", ">=", ""
                yield f"{lead} at {{x}}", "=", ""
                return
            yield f"{lead} since {{x}}", ">=", ""
            yield f"{lead} in {{x}}", "=", ""
            if self.happens(t) and name == self.times(t)[0]:
                yield "from {x}", "=", ""
            return
        for comparatives, sign in ((part.more, ">"), (part.less, "<")):
            for words in comparatives:
                yield f"{words} than {{x}}", sign, f"{words} than {{x}}"
        if self._is_count(t, name, part):
            for than, sign in AMOUNTS:
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


def _values_of(part: Measure | TimeDimension) -> tuple[str, str]:
    """The placeholders of what a property is compared with."""
    if isinstance(part, Measure):
        return NUMBER, NUMBER2
    return (TIME, TIME2) if part.stored_as == "time" else (DATE, DATE2)
