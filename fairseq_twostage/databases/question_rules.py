"""Whole questions for things and facts: lists, properties, counts, yes or no."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from fairseq_twostage.databases.identifier_words import OWN_NAMES
from fairseq_twostage.databases.inflection import base_form, plural
from fairseq_twostage.databases.phrases import is_verb
from fairseq_twostage.databases.rule_writing import RuleWriter
from fairseq_twostage.databases.rules import DEEPEST, SIZE, apply, having, listed, root, rule
from fairseq_twostage.databases.vocabulary import NO_PLACES

_SIMPLE = ("Is1", "Isn", "Isthan", "Isavg", "Is0", "Isno", "Isnot")
_CONDITIONS = (*_SIMPLE, "IsAll", "Is2", "Isbeside", "Isor")


def _two_of(property_: str) -> Iterator[tuple[str, str]]:
    """What stands between two things, and those of a set that have to do with them so."""
    one, other = (
        f"(call @filter (var s) (string {property_}) (string =) (var {each}))" for each in "ab"
    )
    either = "(call @concat (var a) (var b))"
    yield "or", f"(call @filter (var s) (string {property_}) (string =) {either})"
    yield "and", f"(call @filter {one} (string {property_}) (string =) (var b))"
    yield "but not", f"(call @without {one} {other})"


class QuestionRules(RuleWriter):
    """Questions that are answered by things."""

    def lines(self, t: str) -> Iterator[str]:
        """The rules of one type."""
        yield from self._lists(t)
        yield from self._facts(t)
        yield from self._counts(t)

    def _lists(self, t: str) -> Iterator[str]:
        every, one = f"${t}_All", f"${t}_One"
        yield root(f"which {every} are there")
        yield root(f"what are the {every}")
        yield root(f"which ${t}_Adjp are there")
        yield apply(f"${t}_Adjp", f"${t}_Adj1 {every}", "forward")
        for category in (*_CONDITIONS, "Is3"):
            yield apply(f"${t}_Listed", f"{every} ${t}_{category}", "backward")
        for category in (*_SIMPLE, "Isor"):
            yield apply(f"${t}_Listed", f"${t}_Adjp ${t}_{category}", "backward")
        yield apply(f"${t}_Listed", f"${t}_Adjp ${t}_IsAll", "backward")
        if self.schema.tables[t].person:
            yield rule(f"${t}_WhoAll", "who", f"(ConstantFn {self.all(t)})")
            for category in ("Who", "Has"):
                yield apply(f"${t}_Asked", f"${t}_WhoAll ${t}_{category}", "backward")
            yield root(f"${t}_Asked")
        for category in _SIMPLE:
            yield apply(f"${t}_Listed", f"${t}_Plainp ${t}_{category}", "backward")
        for category in ("Isn", "Isthan", "Isavg"):
            yield apply(f"${t}_Listed", f"${t}_Wide ${t}_{category}", "backward")
        yield apply(f"${t}_Listed", f"{every} ${t}_Istwo", "backward")
        yield root(f"which ${t}_Listed")
        for category in ("Sup0", "Sup1", "Sup2"):
            yield root(f"what is the ${t}_{category}")
        for np in (one, *(f"${t}_Np{level}s" for level in range(1, DEEPEST))):
            end = "" if np in (one, f"${t}_Np1s") else "1"
            yield apply(f"${t}_Best", f"{np} ${t}_Has{end}", "backward")
        yield root(f"which ${t}_Best")
        yield apply(f"${t}_BestOf", f"${t}_Such ${t}_Has1", "backward")
        yield root(f"which of the ${t}_BestOf")
        yield apply(f"${t}_Nots1", f"{one} ${t}_Nots", "backward")
        yield apply(f"${t}_SupNot", f"${t}_Top1 ${t}_Nots1", "forward")
        yield root(f"what is the ${t}_SupNot")
        for property_, other, (first, *_) in self.relations(t):
            kinds = ["Named"] if self.named(other) else []
            if self.several(property_):
                kinds.append("Value")
                yield from self._second_values(other)
            for kind, (word, inner) in product(kinds, _two_of(property_)):
                x = f"${other}_{kind} {word} ${other}_{kind}2"
                form = f"(lambda a (lambda b (lambda s {inner})))"
                yield rule(f"${t}_Isor", first.predicate.replace("{x}", x), form)
        if self.schema.tables[t].name:
            yield rule("$ROOT", f"which {every} are named ${t}_Named", listed("(var n)", "s n"))

    def _second_values(self, t: str) -> Iterator[str]:
        """``$T_Value`` and ``$T_Value2``: "dog pets" and "cat pets" of one question."""
        every = self.phrases.plural(t)
        for name, part in self.schema.tables[t].dimensions.items():
            if part.listed and part.wording in ("adjective", "noun") and not part.aside:
                for end in ("", "2"):
                    value = f"${t}_{name}_Value{end}"
                    said = f"{value} {every}" if part.wording == "adjective" else value
                    yield rule(f"${t}_Value{end}", said, self.those(t, f"{t}.{name}"))

    def _facts(self, t: str) -> Iterator[str]:
        """Properties of a thing, of things and of all; where it is."""
        got = listed("(call @getProperty (var s) (var r))", "r s")
        named = [f"${t}_Named"] if self.named(t) else []
        several = [f"${t}_{x}" for x in ("All", "Such", "Beside")]
        for x in (*named, *(f"${t}_{x}" for x in ("Ref1", "RefAll", "Ref2")), *several):
            yield rule("$ROOT", f"what is the ${t}_Noun {x}", got)
            if x not in several:
                yield rule("$ROOT", f"what is the ${t}_Average {x}", got)
            if x in (*named, f"${t}_Ref1"):
                yield rule("$ROOT", f"what is the ${t}_Synonym {x}", got)
            for other in self.types:
                yield rule("$ROOT", f"what is the ${t}_Role_{other} {x}", got)
        for x in (*named, f"${t}_RefAll"):
            yield rule("$ROOT", f"${t}_Ask {x}", got)
        yield rule("$ROOT", f"${t}_Ask the ${t}_Sup1", got)
        every = self.phrases.plural(t)
        table = self.schema.tables[t]
        names = plural(self.phrases.nouns(t, table.name)[0]) if table.name else "ids"
        if table.numbered_by or (table.name and table.name not in OWN_NAMES):
            for x in ("Np1p", "Np2p", *(("Such",) if table.numbered_by else ())):
                yield rule("$ROOT", f"what are the {names} of ${t}_{x}", listed("(var s)", "s"))
        for name, part in table.columns.items():
            told = not part.aside and part.stored_as != "boolean"
            if table.name and name != table.name and told:
                noun = plural(self.phrases.nouns(t, name)[0])
                for x in ("All", "Np1p", "Compared"):
                    said = f"what are the names and {noun} of ${t}_{x}"
                    yield rule("$ROOT", said, listed(having(f"{t}.{name}"), "s"))
        for name, part in table.dimensions.items():
            if part.listed and name != table.name:
                values = f"(call @getProperty {self.all(t)} (string {t}.{name}))"
                for noun in map(plural, self.phrases.nouns(t, name)):
                    form = f"(ConstantFn (call @listValue {values}))"
                    yield rule("$ROOT", f"which {noun} of {every} are there", form)
                    size = f"(ConstantFn (call @listValue (call .size {values})))"
                    yield rule("$ROOT", f"how many different {noun} of {every} are there", size)
        yield from self._of_kinds(t)
        for property_, _, clauses in self.relations(t) if table.person and named else ():
            for each in clauses:
                verb = is_verb(each.phrase) and not each.phrase.startswith("are ")
                if verb and not each.inverted:
                    form = listed(f"(call @getProperty (var s) (string {property_}))", "s")
                    words = f"what does ${t}_Named {base_form(each.phrase)}"
                    yield rule("$ROOT", words, form)
        for property_, other, clauses in self.relations(t):
            if clauses[0].place and self.phrases.noun(other).split()[-1] not in NO_PLACES:
                form = listed(f"(call @getProperty (var s) (string {property_}))", "s")
                for x in (*named, f"the ${t}_Key0"):
                    yield rule("$ROOT", f"where is {x}", form)
        placed = ((name, part.wording) for name, part in table.dimensions.items())
        for name, wording in [each for each in placed if each[1] in ("from", "in")][:1]:
            form = listed(f"(call @getProperty (var s) (string {t}.{name}))", "s")
            end = " from" if wording == "from" else ""
            for x in named:
                yield rule("$ROOT", f"where is {x}{end}", form)
                if table.person:
                    yield rule("$ROOT", f"where does {x} live", form)

    def _of_kinds(self, t: str) -> Iterator[str]:
        """What several of which something is in are called of it: the *genres* of a film."""
        for name, relation in self.schema.relationships.items():
            if relation.from_table != t or relation.to not in self.types:
                continue
            if not self.named(t) or not self.several(name) or not self.plain(name):
                continue
            form = listed(f"(call @getProperty (var s) (string {name}))", "s")
            one, many = self.phrases.noun(relation.to), self.phrases.plural(relation.to)
            for asked in (f"what is the {one} of", f"what are the {many} of"):
                for x in ("Named", "Np1p"):
                    yield rule("$ROOT", f"{asked} ${t}_{x}", form)

    def _counts(self, t: str) -> Iterator[str]:
        every = f"${t}_All"
        yield rule("$ROOT", f"how many {every} are there", listed(SIZE, "s"))
        for category in _CONDITIONS:
            yield apply(f"${t}_Counted", f"{every} ${t}_{category}", "backward")
            if category not in ("Is2", "IsAll", "Isbeside"):
                yield apply(f"${t}_Counted", f"${t}_Adjp ${t}_{category}", "backward")
        for narrowed in ("Plainp", "Wide"):
            yield apply(f"${t}_Counted", f"${t}_{narrowed} ${t}_Isn", "backward")
        for category in ("Isthan", "Isavg"):
            yield apply(f"${t}_Counted", f"${t}_Plainp ${t}_{category}", "backward")
        for category in ("Is1", "Isnot"):
            yield apply(f"${t}_Counted", f"${t}_Plainp ${t}_{category}", "backward")
        yield rule("$ROOT", f"how many ${t}_Counted", listed(SIZE, "s"))
        for category in (*_SIMPLE, "Isor"):
            yield apply(f"${t}_Part", f"{every} ${t}_{category}", "backward")
        share = listed(f"(call @share (var s) {self.all(t)})", "s")
        yield rule("$ROOT", f"what percentage of ${t}_Part", share)
        if self.schema.tables[t].name:
            named = listed("(call .size (var n))", "s n")
            yield rule("$ROOT", f"how many {every} are named ${t}_Named", named)

    def yes_or_no(self, t: str) -> Iterator[str]:
        """Whether a thing has to do with another."""
        if not self.named(t):
            return
        for property_, other, clauses in self.relations(t):
            if self.named(other) and not clauses[0].inverted:
                form = (
                    "(lambda n (lambda v (call @listValue (call @any (call @filter (var n) "
                    f"(string {property_}) (string =) (var v))))))"
                )
                second = "Named2" if other == t else "Named"
                words = clauses[0].question.format(n=f"${t}_Named", x=f"${other}_{second}")
                yield rule("$ROOT", words, form)
