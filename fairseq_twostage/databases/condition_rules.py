"""Conditions before and behind a noun, of relations, values and the schema's filters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairseq_twostage.databases.comparison_rules import ComparisonRules
from fairseq_twostage.databases.filter_rules import FilterRules
from fairseq_twostage.databases.inflection import base_form, done_to, participle, with_article
from fairseq_twostage.databases.phrases import Clause, clause, is_verb, of_several
from fairseq_twostage.databases.rule_writing import RuleWriter
from fairseq_twostage.databases.rules import (
    AMOUNTS,
    DEEPEST,
    NUMBER,
    apply,
    filtered,
    numbered,
    rule,
    same,
)
from fairseq_twostage.databases.schema import Dimension, Schema
from fairseq_twostage.databases.vocabulary import (
    ADJECTIVAL,
    BUYERS,
    CONTAINERS,
    DEALS,
    DESCRIBING,
    FLAG_DONE,
    FLAG_VERBS,
    OPPOSITES,
    PERSONS,
)
from fairseq_twostage.databases.words import undone


class ConditionRules(RuleWriter):
    """What narrows a set."""

    def __init__(self, schema: Schema) -> None:
        super().__init__(schema)
        self.comparisons = ComparisonRules(schema)
        self.filters = FilterRules(schema)

    def lines(self, t: str) -> Iterator[str]:
        """The rules of one type."""
        for property_, other, clauses in self.relations(t):
            for rank, each in enumerate(clauses):
                for level in range(1, DEEPEST + 1):
                    if level == 2:  # in whole questions all ways, below the usual one
                        x = f"${other}_RefAll"
                        said = each.predicate.replace("{x}", x)
                        yield rule(f"${t}_IsAll", said, filtered(property_))
                        if rank == 0:
                            then = "When" if self.several(property_) else "Then"
                            said = of_several(each.predicate).replace("{x}", f"${other}_{then}")
                            yield rule(f"${t}_IsAll", said, filtered(property_))
                            said = of_several(each.predicate).replace("{x}", f"${other}_Compared")
                            yield rule(f"${t}_IsAll", said, filtered(property_))
                    if level > 1 and rank:
                        break
                    x = f"${other}_Named" if level == 1 else f"${other}_Ref{level - 1}"
                    if level == 1 and not self.named(other):
                        continue
                    yield from self.post(t, level, each, x, filtered(property_), rank)
            if other != t and self.schema.tables[other].name and self._is_kind(other):
                yield rule(f"${t}_Adj1", f"${other}_Named", filtered(property_))
            several = self.several(property_)
            yield from self._without(t, property_, other, clauses, several)
        yield from self._values(t)
        if self.named(t):
            yield apply(f"${t}_Fits", f"is ${t}_Named ${t}_Adj1", "backward")
            yield apply(f"${t}_Fits", f"does ${t}_Named have ${t}_Had", "backward")
            yield apply(f"${t}_Fits", f"does ${t}_Named ${t}_Does", "backward")
            form = "(lambda x (call @listValue (call @any (var x))))"
            yield rule("$ROOT", f"${t}_Fits", form)
        yield from self.comparisons.lines(t)
        yield from self.filters.lines(t)
        yield from self._wide(t)
        yield apply(f"${t}_Compared", f"${t}_All that ${t}_Isn", "backward")
        yield same(f"${t}_Such", f"${t}_Compared")
        yield apply(f"${t}_Beside", f"${t}_All that ${t}_Isavg", "backward")
        for category in ("Is0", "Isnot", "Isor"):
            yield apply(f"${t}_Such", f"${t}_All that ${t}_{category}", "backward")
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

    def _is_kind(self, t: str) -> bool:
        """Whether things are called by the names of others: *drama* films, of a genre."""
        return self.phrases.noun(t).split()[-1] in ADJECTIVAL

    def _wide(self, t: str) -> Iterator[str]:
        """Those by a value of what they belong to: "reviews of *garden* products"."""
        for property_, other, clauses in self.relations(t):
            if not property_.startswith("!"):
                said = clauses[0].many.replace("{x}", f"${other}_Valued")
                yield rule(f"${t}_Postw", said, filtered(property_))
        yield apply(f"${t}_Wide", f"${t}_All ${t}_Postw", "backward")
        yield apply(f"${t}_Valued", f"${t}_Adj1 ${t}_All", "forward")
        yield apply(f"${t}_Valued", f"${t}_All ${t}_PostValue", "backward")

    def _without(
        self, t: str, property_: str, other: str, clauses: Sequence[Clause], several: bool
    ) -> Iterator[str]:
        """Negation; none at all, any, and a number of them: teams rather *have* no players than
        are no players in them."""
        first = clauses[0]
        if self.named(other):
            x = f"${other}_Named"
            form = filtered(property_, "!=")
            yield rule(f"${t}_Isnot", first.denied.replace("{x}", x), form)
            yield rule(f"${t}_Nots", first.negated_one.replace("{x}", x), form)
        every = self.phrases.plural(other)

        def counted(comparison: str, number: str) -> str:
            return (
                f"(ConstantFn (lambda s (call @countComparative (var s) (string {property_}) "
                f"(string {comparison}) {number})))"
            )

        none = counted("=", "(number 0)")
        turned = first.inverted and not is_verb(first.phrase)
        usual = next((each for each in clauses if turned and each.phrase == "have"), first)
        predicate = of_several(usual.predicate)
        for words, form in ((f"no {every}", none), (every, counted(">=", "(number 1)"))):
            yield rule(f"${t}_Is0", predicate.replace("{x}", words), form)
        if not several:
            role = first.phrase.removeprefix("with ") if first.phrase.startswith("with ") else ""
            one = role or self.phrases.noun(other)
            yield rule(f"${t}_Is0", f"have no {one}", none)
            if role:
                some = counted(">=", "(number 1)")
                yield rule(f"${t}_Is0", f"have {with_article(role)}", some)
            return
        such = (
            "(lambda x (lambda s (call @without (var s) (call @filter (var s) "
            f"(string {property_}) (string =) (var x)))))"
        )
        these = (f"${other}_Valued", f"${other}_Plainp")
        for x in (*these, f"${other}_In"):
            yield rule(f"${t}_Is0", predicate.replace("{x}", f"no {x}"), such)
        deal = DEALS.get(self.phrases.noun(other).split()[-1])
        this = self.phrases.noun(t).split()[-1]
        if deal is not None and this not in (CONTAINERS | PERSONS) - BUYERS:
            done = f"never {participle(deal)}"
            yield rule(f"${t}_Is0", done if this in BUYERS else f"are {done}", none)
            if deal == "buy" and this not in BUYERS:
                yield rule(f"${t}_Is0", "are never sold", none)
        verb = base_form(first.phrase)
        if is_verb(first.phrase) and len(verb.split()) == 1:
            never = f"are never {participle(verb)}" if first.inverted else f"never {verb} {every}"
            yield rule(f"${t}_Is0", never, none)
            for x in these if not first.inverted else ():
                yield rule(f"${t}_Is0", f"never {verb} {x}", such)
        for words, comparison in AMOUNTS:
            said = predicate.replace("{x}", f"{words} {NUMBER} {every}")
            yield rule(f"${t}_Is0", said, counted(comparison, NUMBER))

    def _values(self, t: str) -> Iterator[str]:
        """Conditions on dimensions."""
        table = self.schema.tables[t]
        for name, part in table.dimensions.items():
            if part.aside or (part.values == "none" and part.stored_as != "boolean"):
                continue
            if part.stored_as == "boolean":
                yield from self._flag(t, name)
                continue
            if name in table.naming:
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
                    yield from self.post(t, 1, each, x, form, rank)
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
        if wording in ("with", "of", "adjective", "noun"):
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
        if lead in FLAG_VERBS and rest:
            yield from self._does(t, lead, rest, true, false)
            return
        if words[1:] and words[-1] in FLAG_DONE:
            yield from self._does(t, FLAG_DONE[words[-1]], " ".join(words[:-1]), true, false)
        had = rest if lead in ("has", "with") else " ".join(words)
        thing = lead in ("has", "with") or not had.endswith(DESCRIBING)  # parking, not flying
        if had and lead not in ("is", "was") and thing:
            yield from self.post(t, 1, clause(f"with {had}"), "", true)
            yield rule(f"${t}_Had", had, true)
            yield rule(f"${t}_Has", f"has {had}", true)
            yield rule(f"${t}_Isnot", f"do not have {had}", false)
            yield rule(f"${t}_Isno", f"have no {had}", false)
            yield rule(f"${t}_Nots", f"without {had}", false)
        if lead not in ("has", "with") or not rest:
            said = rest if lead in ("is", "was") and rest else " ".join(words)
            yield rule(f"${t}_Adj1", said, true)
            yield rule(f"${t}_Is1", f"are {said}", true)
            yield rule(f"${t}_Isnot", f"are not {said}", false)
            if done := done_to(said):
                yield rule(f"${t}_Is1", f"can be {done}", true)
                yield rule(f"${t}_Isnot", f"can not be {done}", false)
            if opposite := OPPOSITES.get(said) or undone(said):
                yield rule(f"${t}_Adj1", opposite, false)
                yield rule(f"${t}_Is1", f"are {opposite}", false)

    def _does(self, t: str, verb: str, what: str, true: str, false: str) -> Iterator[str]:
        """Those that *include camping*, and those that do not."""
        done = clause(f"{verb} {what}")
        yield from self.post(t, 1, done, "", true)
        yield rule(f"${t}_Does", f"{base_form(verb)} {what}", true)
        yield rule(f"${t}_Has", f"{verb} {what}", true)
        yield rule(f"${t}_Isnot", done.denied.removesuffix(" {x}"), false)
        yield rule(f"${t}_Nots", done.negated_one.removesuffix(" {x}"), false)
