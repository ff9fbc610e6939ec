"""Things without a name of their own: superlatives, sets by a condition, roles."""

from __future__ import annotations

from collections.abc import Iterator

from fairseq_twostage.databases.inflection import base_form, plural
from fairseq_twostage.databases.phrases import is_participle, is_verb
from fairseq_twostage.databases.rule_writing import RuleWriter
from fairseq_twostage.databases.rules import (
    DEEPEST,
    EXTREMES,
    NUMBER,
    SIZE,
    apply,
    listed,
    root,
    rule,
    same,
)
from fairseq_twostage.databases.schema import Measure


class ReferenceRules(RuleWriter):
    """Superlatives, and what refers to things by them."""

    def lines(self, t: str) -> Iterator[str]:
        """The rules of one type."""
        yield from self._superlatives(t)
        yield from self._references(t)
        yield from self._roles_as_nouns(t)

    def _superlatives(self, t: str) -> Iterator[str]:
        """``$T_Top`` and ``$T_TopPost``; those with 1 at the end say each thing in one way.

        Those with Key are by what a row itself holds, or by how many others belong to it: people
        seldom refer to things by sums over other tables.
        """
        for name, part, tops in self.ranked(t):
            known: set[str] = set()
            for words, mode, before in tops:
                form = (
                    f"(ConstantFn (lambda s (call @superlative (var s) (string {mode}) "
                    f"(string {t}.{name}))))"
                )
                category = f"${t}_Top" if before else f"${t}_TopPost"
                yield rule(category, words, form)
                has = f"is the {words}" if before else f"has{words.removeprefix('with')}"
                yield rule(f"${t}_Has", has, form)
                if mode not in known:
                    yield rule(f"{category}1", words, form)
                    if not isinstance(part, Measure) or part.gathered is None:
                        yield rule(f"{category}2", words, form)
                        yield rule(f"{category}Key", words, form)
                    yield rule(f"${t}_Has1", has, form)
                    known.add(mode)
            for noun in self.phrases.nouns(t, name)[1:]:
                for words, mode in (("highest", "max"), ("lowest", "min")):
                    if isinstance(part, Measure) and not set(noun.split()) & EXTREMES.keys():
                        form = (
                            f"(ConstantFn (lambda s (call @superlative (var s) (string {mode}) "
                            f"(string {t}.{name}))))"
                        )
                        yield rule(f"${t}_Has", f"has the {words} {noun}", form)
        for name, moment in self.schema.tables[t].time_dimensions.items():
            done = moment.wording or ""
            if not moment.aside and " " not in done and is_participle(done):
                for words, mode in (("most recently", "max"), ("first", "min")):
                    best = f"(call @superlative (var s) (string {mode}) (string {t}.{name}))"
                    form = f"(ConstantFn (lambda s {best}))"
                    was = "" if done == "left" and self.schema.tables[t].person else "was "
                    yield rule(f"${t}_Has", f"{was}{done} {words}", form)
        for property_, other, clauses in self.relations(t):
            if not self.several(property_):
                continue
            each = clauses[0]
            every = self.phrases.plural(other)
            for words, mode in (("the most", "max"), ("the fewest", "min")):
                form = (
                    f"(ConstantFn (lambda s (call @countSuperlative (var s) (string {mode}) "
                    f"(string {property_}))))"
                )
                said = f"with {words} {every}"
                if self.plain(property_) or not is_verb(each.phrase):
                    yield rule(f"${t}_TopPost", said, form)
                    yield rule(f"${t}_Has", f"has {words} {every}", form)
                if is_verb(each.phrase):
                    said = each.counted.replace("{x}", f"{words} {every}")
                    yield rule(f"${t}_TopPost", said, form)
                    yield rule(f"${t}_Has", said.removeprefix("that "), form)
                    if each.inverted:
                        said_of = f"has {words} {every} that {base_form(each.phrase)} it"
                        yield rule(f"${t}_Has", said_of, form)
                top = listed(
                    f"(call @countTop (var s) (string {mode}) (string {property_}) {NUMBER})", "s"
                )
                for x in ("All", "Np1p") if mode == "max" else ("All",):
                    asked = f"what are the {NUMBER} ${t}_{x} with {words} {every}"
                    yield rule("$ROOT", asked, top)
                if mode == "max":
                    yield rule(f"${t}_TopPost1", said, form)
                    yield rule(f"${t}_TopPostKey", said, form)
                    yield rule(f"${t}_TopPost2", said, form)
        one = f"${t}_One"
        for some, end in (("Sup", ""), ("Key", "Key")):
            yield apply(f"${t}_{some}0", f"${t}_Top{end} {one}", "forward")
            yield apply(f"${t}_{some}0", f"{one} ${t}_TopPost{end}", "backward")
        for level in range(1, DEEPEST):
            np = f"${t}_Np{level}s"
            yield apply(f"${t}_Sup{level}", f"${t}_Top{level} {np}", "forward")
            yield apply(f"${t}_Sup{level}", f"{np} ${t}_TopPost{level}", "backward")
        yield apply(f"${t}_Sup1", f"${t}_Top1 ${t}_Otherss", "forward")

    def _references(self, t: str) -> Iterator[str]:
        yield same(f"${t}_Ref1", f"the ${t}_Key0")
        yield same(f"${t}_RefAll", f"the ${t}_Sup0")
        yield same(f"${t}_RefAll", f"${t}_Ref1")
        yield same(f"${t}_RefAll", f"${t}_Othersp")
        yield same(f"${t}_RefAll", f"the ${t}_Np1s")
        for level in range(1, DEEPEST):
            yield same(f"${t}_Ref{level}", f"${t}_Np{level}p")
            yield same(f"${t}_Ref{level + 1}", f"the ${t}_Sup{level}")
        for source in self.types:
            role = f"${source}_Role_{t}"
            form = "(lambda r (lambda s (call @getProperty (var s) (var r))))"
            if self.named(source):
                yield rule(f"${t}_Ref1", f"the {role} ${source}_Named", form)
            yield rule(f"${t}_Ref2", f"the {role} the ${source}_Key0", form)
            yield rule(f"${t}_Ref2", f"the {role} ${source}_Np1p", form)

    def _roles_as_nouns(self, t: str) -> Iterator[str]:
        """ "which capital …": the things that are somebody's or something's capital."""
        for name, relation in self.schema.relationships.items():
            for source, target, role, property_ in self.roles(name, relation):
                if target != t or source not in self.types:
                    continue
                every = f"(call @getProperty {self.all(source)} (string {property_}))"
                yield rule(f"${t}_RoleOne", role, f"(ConstantFn {every})")
                yield rule(f"${t}_RoleAll", plural(role), f"(ConstantFn {every})")
        yield apply(f"${t}_RoleSup", f"${t}_Top ${t}_RoleOne", "forward")
        yield root(f"what is the ${t}_RoleSup")
        yield root(f"which ${t}_RoleAll are there")
        yield apply(f"${t}_Best", f"${t}_RoleOne ${t}_Has", "backward")
        for category in ("Is1", "Is2", "Isn", "Isthan", "Isavg", "Isnot"):
            yield apply(f"${t}_RoleListed", f"${t}_RoleAll ${t}_{category}", "backward")
        yield root(f"which ${t}_RoleListed")
        yield rule("$ROOT", f"how many ${t}_RoleListed", listed(SIZE, "s"))
