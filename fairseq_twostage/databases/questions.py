"""The grammar of a schema: what can be asked, in people's words, as rules of the grammar engine.

Categories of a type ``T``, from small to large:

==============  ===========================================================================
``$T_Named``    one by its name: ``_T_``
``$T_Adj1``     a condition before the noun: "*drama* films"
``$T_Post1``    one behind it, with a name or value: "rivers *that run through _state_*"
``$T_Np1``      noun with one condition; ``p`` at the end of a name: many, ``s``: one
``$T_Top``      a superlative before the noun: "*longest* river"; ``$T_TopPost`` behind it
``$T_Sup0``     "longest river"; ``$T_Sup1`` "longest river in _state_"
``$T_Ref1``     things without a name of their own: "the largest state", "states that border …"
``$T_Post2``    a condition with these: "rivers that run through *the largest state*"
``$T_Np2`` …    and so on, one level deeper each
==============  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Iterator

from fairseq_twostage.databases.phrases import Clause, Phrases, clause, is_verb
from fairseq_twostage.databases.schema import (
    Dimension,
    Filter,
    Measure,
    Relationship,
    Schema,
    Table,
    TimeDimension,
)
from fairseq_twostage.databases.words import ADJECTIVES, base_form, plural
from fairseq_twostage.semantics.sexp import write_atom

DEEPEST = 3  # levels of things without a name
NUMBER, NUMBER2, DATE = "_number_", "_number2_", "_date_"


def grammar_text(schema: Schema) -> str:
    """The rules, one a line."""
    return "\n".join(dict.fromkeys(_Writer(schema).lines())) + "\n"


class _Writer:
    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.phrases = Phrases(schema)
        self.types = [name for name, table in schema.tables.items() if table.key]
        self.counted: dict[str, list[tuple[str, str, Clause]]] = {}

    def lines(self) -> Iterator[str]:
        for name in self.types:
            yield f"\n# {self.phrases.noun(name)}"
            yield from self._nouns(name)
            yield from self._properties(name)
            yield from self._conditions(name)
            yield from self._superlatives(name)
            yield from self._references(name)
            yield from self._roles_as_nouns(name)
            yield from self._questions(name)

    # Sets

    def _all(self, name: str) -> str:
        kind = self.schema.type_name(name)
        return f"(call @getProperty (call @singleton {kind}) (string !type))"

    def _nouns(self, t: str) -> Iterator[str]:
        every = f"(ConstantFn {self._all(t)})"
        yield _rule(f"${t}_All", self.phrases.plural(t), every)
        yield _rule(f"${t}_One", self.phrases.noun(t), every)
        if self.schema.tables[t].name:
            own = self.phrases.placeholders[t]
            for category, number in (("Named", ""), ("Named2", "2")):
                word = _numbered(own, number)
                yield _rule(f"${t}_{category}", word, f"(ConstantFn {word})")

    def _properties(self, t: str) -> Iterator[str]:
        """``$T_Noun``: "population of", with the property's name."""
        table = self.schema.tables[t]
        for name, part in table.columns.items():
            if part.aside or name == table.name:
                continue
            for rank, noun in enumerate(self.phrases.nouns(t, name)):
                category = f"${t}_Noun" if rank == 0 else f"${t}_Synonym"
                yield _rule(category, f"{noun} of", f"(ConstantFn (string {t}.{name}))")
            if isinstance(part, Measure):
                for noun in self.phrases.nouns(t, name):
                    yield _rule(f"${t}_Number", noun, f"(ConstantFn (string {t}.{name}))")
                for asked in self._asked(t, name, part):
                    yield _rule(f"${t}_Ask", asked, f"(ConstantFn (string {t}.{name}))")
        for name, relation in self.schema.relationships.items():
            for source, target, role, property_ in self._roles(name, relation):
                if source == t and target in self.types:
                    form = f"(ConstantFn (string {property_}))"
                    yield _rule(f"${t}_Role_{target}", f"{role} of", form)

    def _roles(self, name: str, relation: Relationship) -> Iterator[tuple[str, str, str, str]]:
        """What is "director of" something: from, to, the word, the property."""
        for inverse in filter(None, [relation.inverse, *relation.inverses]):
            if inverse.endswith(" of"):
                yield relation.from_table, relation.to, inverse[:-3], name
        phrase = relation.phrase or ""
        if phrase.endswith(" of"):
            yield relation.to, relation.from_table, phrase[:-3], f"!{name}"

    def _asked(self, t: str, name: str, part: Measure) -> Iterator[str]:
        """How a measure is asked for: "how long is"."""
        yield from part.asked
        for most in part.most:
            if most in ADJECTIVES:
                yield f"how {ADJECTIVES[most]} is"

    # Conditions

    def _conditions(self, t: str) -> Iterator[str]:
        for property_, other, clauses in self._relations(t):
            for rank, each in enumerate(clauses):
                for level in range(1, DEEPEST + 1):
                    if level == 2:  # in whole questions all ways, below the usual one
                        x = f"${other}_RefAll"
                        said = each.predicate.replace("{x}", x)
                        yield _rule(f"${t}_IsAll", said, _filter(property_))
                    if level > 1 and rank:
                        break
                    x = f"${other}_Named" if level == 1 else f"${other}_Ref{level - 1}"
                    if level == 1 and not self.schema.tables[other].name:
                        continue
                    yield from self._post(t, level, each, x, _filter(property_), rank)
            several = self._several(property_)
            if several:
                self.counted.setdefault(t, []).append((property_, other, clauses[0]))
            yield from self._without(t, property_, other, clauses[0], several)
        yield from self._values(t)
        yield from self._numbers(t)
        yield from self._filters(t)
        for level in range(1, DEEPEST + 1):
            for number, noun in (("p", "All"), ("s", "One")):
                np = f"${t}_Np{level}{number}"
                yield _apply(np, f"${t}_{noun} ${t}_Post{level}{number}", "backward")
                if level == 1:
                    yield _apply(np, f"${t}_Adj1 ${t}_{noun}", "forward")
                    yield _apply(f"${t}_Both{number}", f"${t}_Adj1 ${t}_Plain{number}", "forward")
                    yield _apply(
                        f"${t}_Others{number}", f"${t}_{noun} ${t}_Other1{number}", "backward"
                    )
        for number, noun in (("p", "All"), ("s", "One")):
            yield _apply(f"${t}_Plain{number}", f"${t}_{noun} ${t}_Post1{number}", "backward")
            yield _apply(
                f"${t}_Both{number}", f"${t}_Plain{number} and ${t}_Post1{number}", "backward"
            )

    def _relations(self, t: str) -> Iterator[tuple[str, str, list[Clause]]]:
        """Property, type of its values, and the ways to say it of a ``t``."""
        for name, relation in self.schema.relationships.items():
            if relation.from_table not in self.types or relation.to not in self.types:
                continue
            there = [*filter(None, [relation.phrase]), *relation.synonyms]
            back = [*filter(None, [relation.inverse]), *relation.inverses]
            if relation.from_table == t:
                found = [clause(phrase) for phrase in there if not phrase.endswith(" of")]
                found += [clause(inverse).turned for inverse in back if not found]
                yield name, relation.to, found or [clause("with")]
            if relation.to == t:
                found = [
                    clause(f"are {inverse}" if inverse.endswith(" of") else inverse)
                    for inverse in back
                ]
                found += [
                    clause(phrase).turned
                    for phrase in there
                    if not phrase.endswith(" of") and not (found and phrase.startswith("with "))
                ]
                if any(clause(phrase).place for phrase in there):
                    found.append(clause("have"))
                if relation.from_table != t or self._directed(relation):
                    yield f"!{name}", relation.from_table, found or [clause("with")]

    def _directed(self, relation: Relationship) -> bool:
        """Whether it means another thing the other way round; a border does not."""
        return relation.inverse is not None and relation.inverse != relation.phrase

    def _post(
        self, t: str, level: int, each: Clause, x: str, form: str, rank: int = 0
    ) -> Iterator[str]:
        post = "Post" if rank == 0 else "Other"
        for number, words in (("p", each.many), ("s", each.one)):
            yield _rule(f"${t}_{post}{level}{number}", words.replace("{x}", x), form)
        yield _rule(f"${t}_Is{level}", each.predicate.replace("{x}", x), form)

    def _without(
        self, t: str, property_: str, other: str, first: Clause, several: bool
    ) -> Iterator[str]:
        """Negation; none at all, any, and a number of them."""
        if self.schema.tables[other].name:
            x = f"${other}_Named"
            form = _filter(property_, "!=")
            yield _rule(f"${t}_Isnot", first.denied.replace("{x}", x), form)
            yield _rule(f"${t}_Nots", first.negated_one.replace("{x}", x), form)
        every = self.phrases.plural(other)
        for words, comparison, number in (("no {}", "=", 0), ("{}", ">=", 1)):
            form = (
                f"(ConstantFn (lambda s (call @countComparative (var s) (string {property_}) "
                f"(string {comparison}) (number {number}))))"
            )
            yield _rule(f"${t}_Is0", first.predicate.replace("{x}", words.format(every)), form)
        if not several:
            return
        for comparison, words in (
            (">", "more than"),
            ("<", "fewer than"),
            (">=", "at least"),
            ("<=", "at most"),
            ("=", "exactly"),
        ):
            form = (
                f"(ConstantFn (lambda s (call @countComparative (var s) (string {property_}) "
                f"(string {comparison}) {NUMBER})))"
            )
            said = first.predicate.replace("{x}", f"{words} {NUMBER} {every}")
            yield _rule(f"${t}_Is0", said, form)

    def _several(self, property_: str) -> bool:
        """Whether a row can have several values of a relation."""
        inverse = property_.startswith("!")
        return inverse or self.schema.relationships[property_].through is not None

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
            value, form = self.phrases.placeholders[f"{t}.{name}"], _filter(f"{t}.{name}")
            yield _rule(f"${t}_{name}_Value", value, f"(ConstantFn {value})")
            second = _numbered(value, "2")
            yield _rule(f"${t}_{name}_Value2", second, f"(ConstantFn {second})")
            x = f"${t}_{name}_Value"
            wording = part.wording or "with"
            if wording == "adjective":
                yield _rule(f"${t}_Adj1", x, form)
                yield _rule(f"${t}_Is1", f"are {x}", form)
            else:
                for rank, each in enumerate(self._said(t, name, part)):
                    yield from self._post(t, 1, each, x, form, rank)
            first = self._said(t, name, part)[0]
            yield _rule(f"${t}_Isnot", first.denied.replace("{x}", x), _filter(f"{t}.{name}", "!="))
            yield _rule(
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
            yield _rule(f"${t}_Isnot", f"do not have {rest}", false)
        else:
            said = rest if lead in ("is", "was") and rest else " ".join(words)
            yield _rule(f"${t}_Adj1", said, true)
            yield _rule(f"${t}_Is1", f"are {said}", true)
            yield _rule(f"${t}_Isnot", f"are not {said}", false)

    def _numbers(self, t: str) -> Iterator[str]:
        """Comparisons with a number or date, and with what another thing has."""
        table = self.schema.tables[t]
        for name, part in _ordered(table).items():
            if part.aside:
                continue
            property_ = f"{t}.{name}"
            moment = isinstance(part, TimeDimension)
            value = DATE if moment else NUMBER
            for words, comparison in self._comparisons(t, name, part):
                said = words.replace("{x}", value)
                form = f"(ConstantFn {_lambda_filter(property_, comparison, value)})"
                yield _rule(f"${t}_Isn", _predicate(said), form)
                if table.name and comparison in "<>":
                    other = f"(call @getProperty (var v) (string {property_}))"
                    yield _rule(
                        f"${t}_Isn",
                        _predicate(words.replace("{x}", f"${t}_Named")),
                        f"(lambda v {_lambda_filter(property_, comparison, other)})",
                    )
            if not moment:
                form = (
                    f"(ConstantFn (lambda s (call @filter (call @filter (var s) (string "
                    f"{property_}) (string >=) {NUMBER}) (string {property_}) (string <=) "
                    f"{NUMBER2})))"
                )
                noun = self.phrases.nouns(t, name)[0]
                said = f"with {noun} between {NUMBER} and {NUMBER2}"
                yield _rule(f"${t}_Isn", _predicate(said), form)

    def _comparisons(
        self, t: str, name: str, part: Measure | TimeDimension
    ) -> Iterator[tuple[str, str]]:
        noun = self.phrases.nouns(t, name)[0]
        if isinstance(part, TimeDimension):
            for words, comparison in (("after", ">"), ("before", "<"), ("in", "=")):
                lead = part.wording or f"with {noun}"
                yield f"{lead} {words} {{x}}", comparison
            return
        for more in part.more:
            yield f"{more} than {{x}}", ">"
        for less in part.less:
            yield f"{less} than {{x}}", "<"
        yield f"with {noun} above {{x}}", ">"
        yield f"with {noun} below {{x}}", "<"
        yield f"with {noun} of at least {{x}}", ">="
        yield f"with {noun} of at most {{x}}", "<="
        yield f"with {noun} of {{x}}", "="

    def _filters(self, t: str) -> Iterator[str]:
        table = self.schema.tables[t]
        for name, condition in table.filters.items():
            form = f"(ConstantFn {self._condition(t, condition)})"
            for words in (name.replace("_", " "), *condition.synonyms):
                if len(words.split()) == 1:
                    yield _rule(f"${t}_Adj1", words, form)
                    yield _rule(f"${t}_Is1", f"are {words}", form)
                else:
                    yield from self._post(t, 1, clause(words), "", form)

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

    # Superlatives

    def _superlatives(self, t: str) -> Iterator[str]:
        """``$T_Top`` and ``$T_TopPost``; those with 1 at the end say each thing in one way."""
        table = self.schema.tables[t]
        for name, part in _ordered(table).items():
            if part.aside:
                continue
            known: set[str] = set()
            for words, mode, before in self._tops(t, name, part):
                form = (
                    f"(ConstantFn (lambda s (call @superlative (var s) (string {mode}) "
                    f"(string {t}.{name}))))"
                )
                category = f"${t}_Top" if before else f"${t}_TopPost"
                yield _rule(category, words, form)
                has = f"is the {words}" if before else f"has{words.removeprefix('with')}"
                yield _rule(f"${t}_Has", has, form)
                if mode not in known:
                    yield _rule(f"{category}1", words, form)
                    yield _rule(f"${t}_Has1", has, form)
                    known.add(mode)
            for noun in self.phrases.nouns(t, name)[1:]:
                for words, mode in (("highest", "max"), ("lowest", "min")):
                    if isinstance(part, Measure) and not set(noun.split()) & _EXTREMES.keys():
                        form = (
                            f"(ConstantFn (lambda s (call @superlative (var s) (string {mode}) "
                            f"(string {t}.{name}))))"
                        )
                        yield _rule(f"${t}_Has", f"has the {words} {noun}", form)
        for property_, other, each in self.counted.get(t, ()):
            every = self.phrases.plural(other)
            for words, mode in (("the most", "max"), ("the fewest", "min")):
                form = (
                    f"(ConstantFn (lambda s (call @countSuperlative (var s) (string {mode}) "
                    f"(string {property_}))))"
                )
                said = f"with {words} {every}"
                yield _rule(f"${t}_TopPost", said, form)
                yield _rule(f"${t}_Has", f"has {words} {every}", form)
                if is_verb(each.phrase):
                    said = each.counted.replace("{x}", f"{words} {every}")
                    yield _rule(f"${t}_TopPost", said, form)
                    yield _rule(f"${t}_Has", said.removeprefix("that "), form)
                    if each.inverted:
                        said_of = f"has {words} {every} that {base_form(each.phrase)} it"
                        yield _rule(f"${t}_Has", said_of, form)
                if mode == "max":
                    yield _rule(f"${t}_TopPost1", said, form)
        one = f"${t}_One"
        for some, end in (("", ""), ("Key", "1")):
            yield _apply(f"${t}_{some or 'Sup'}0", f"${t}_Top{end} {one}", "forward")
            yield _apply(f"${t}_{some or 'Sup'}0", f"{one} ${t}_TopPost{end}", "backward")
        for level in range(1, DEEPEST):
            np = f"${t}_Np{level}s"
            yield _apply(f"${t}_Sup{level}", f"${t}_Top1 {np}", "forward")
            yield _apply(f"${t}_Sup{level}", f"{np} ${t}_TopPost1", "backward")
        yield _apply(f"${t}_Sup1", f"${t}_Top1 ${t}_Otherss", "forward")

    def _tops(
        self, t: str, name: str, part: Measure | TimeDimension
    ) -> Iterator[tuple[str, str, bool]]:
        """Words, mode, and whether they stand before the noun."""
        if isinstance(part, TimeDimension):
            noun = self.phrases.nouns(t, name)[0]
            yield f"with the latest {noun}", "max", False
            yield f"with the earliest {noun}", "min", False
            return
        for mode, said, others in (
            ("max", part.most, ("highest", "largest")),
            ("min", part.least, ("lowest", "smallest")),
        ):
            for words in said:
                yield words, mode, len(words.split()) < 3 and not words.startswith("with ")
            for noun in self.phrases.nouns(t, name)[:1]:
                lead = noun.split()[0]
                if lead in _EXTREMES:
                    if _EXTREMES[lead] == mode:
                        yield f"with the {noun}", mode, False
                    continue
                yield from ((f"with the {other} {noun}", mode, False) for other in others)

    # Things without a name of their own

    def _references(self, t: str) -> Iterator[str]:
        yield _same(f"${t}_Ref1", f"the ${t}_Key0")
        yield _same(f"${t}_RefAll", f"the ${t}_Sup0")
        yield _same(f"${t}_RefAll", f"${t}_Ref1")
        yield _same(f"${t}_RefAll", f"${t}_Othersp")
        yield _same(f"${t}_RefAll", f"the ${t}_Np1s")
        for level in range(1, DEEPEST):
            yield _same(f"${t}_Ref{level}", f"${t}_Np{level}p")
            yield _same(f"${t}_Ref{level + 1}", f"the ${t}_Sup{level}")
        for source in self.types:
            role = f"${source}_Role_{t}"
            form = "(lambda r (lambda s (call @getProperty (var s) (var r))))"
            if self.schema.tables[source].name:
                yield _rule(f"${t}_Ref1", f"the {role} ${source}_Named", form)
            yield _rule(f"${t}_Ref2", f"the {role} the ${source}_Key0", form)
            yield _rule(f"${t}_Ref2", f"the {role} ${source}_Np1p", form)

    def _roles_as_nouns(self, t: str) -> Iterator[str]:
        """ "which capital …": the things that are somebody's or something's capital."""
        for name, relation in self.schema.relationships.items():
            for source, target, role, property_ in self._roles(name, relation):
                if target != t or source not in self.types:
                    continue
                every = f"(call @getProperty {self._all(source)} (string {property_}))"
                yield _rule(f"${t}_RoleOne", role, f"(ConstantFn {every})")
                yield _rule(f"${t}_RoleAll", plural(role), f"(ConstantFn {every})")
        yield _apply(f"${t}_RoleSup", f"${t}_Top ${t}_RoleOne", "forward")
        yield _root(f"what is the ${t}_RoleSup")
        yield _root(f"which ${t}_RoleAll are there")
        yield _apply(f"${t}_Best", f"${t}_RoleOne ${t}_Has", "backward")
        for category in ("Is1", "Is2", "Isn", "Isnot"):
            yield _apply(f"${t}_RoleListed", f"${t}_RoleAll ${t}_{category}", "backward")
        yield _root(f"which ${t}_RoleListed")
        yield _rule("$ROOT", f"how many ${t}_RoleListed", _listed(_SIZE, "s"))

    # Whole questions

    def _questions(self, t: str) -> Iterator[str]:
        yield from self._listed(t)
        yield from self._facts(t)
        yield from self._counts(t)
        yield from self._aggregates(t)
        yield from self._yes_or_no(t)
        yield from self._ranks(t)
        yield from self._groups(t)

    def _listed(self, t: str) -> Iterator[str]:
        every, one = f"${t}_All", f"${t}_One"
        yield _root(f"which {every} are there")
        yield _root(f"what are the {every}")
        yield _root(f"which ${t}_Adjp are there")
        yield _apply(f"${t}_Adjp", f"${t}_Adj1 {every}", "forward")
        for category in ("Is1", "IsAll", "Is2", "Is3", "Is0", "Isn", "Isnot", "Isor"):
            yield _apply(f"${t}_Listed", f"{every} ${t}_{category}", "backward")
        for category in ("Is1", "Isn", "Isnot"):
            yield _apply(f"${t}_Listed", f"${t}_Adjp ${t}_{category}", "backward")
        for category in ("Is1", "Isn"):
            yield _apply(f"${t}_Listed", f"${t}_Plainp ${t}_{category}", "backward")
        yield _root(f"which ${t}_Listed")
        for category in ("Sup0", "Sup1", "Sup2"):
            yield _root(f"what is the ${t}_{category}")
        for np in (one, *(f"${t}_Np{level}s" for level in range(1, DEEPEST))):
            end = "" if np in (one, f"${t}_Np1s") else "1"
            yield _apply(f"${t}_Best", f"{np} ${t}_Has{end}", "backward")
        yield _root(f"which ${t}_Best")
        yield _apply(f"${t}_Nots1", f"{one} ${t}_Nots", "backward")
        yield _apply(f"${t}_SupNot", f"${t}_Top1 ${t}_Nots1", "forward")
        yield _root(f"what is the ${t}_SupNot")
        for property_, other, clauses in self._relations(t):
            first = clauses[0]
            if not self.schema.tables[other].name:
                continue
            for word, inner in (
                (
                    "or",
                    f"(call @filter (var s) (string {property_}) (string =) "
                    "(call @concat (var a) (var b)))",
                ),
                (
                    "and",
                    f"(call @filter (call @filter (var s) (string {property_}) (string =) (var a)) "
                    f"(string {property_}) (string =) (var b))",
                ),
            ):
                x = f"${other}_Named {word} ${other}_Named2"
                form = f"(lambda a (lambda b (lambda s {inner})))"
                yield _rule(f"${t}_Isor", first.predicate.replace("{x}", x), form)
        if self.schema.tables[t].name:
            yield _rule("$ROOT", f"which {every} are named ${t}_Named", _listed("(var n)", "s n"))

    def _facts(self, t: str) -> Iterator[str]:
        """Properties of a thing, of things and of all; where it is."""
        got = _listed("(call @getProperty (var s) (var r))", "r s")
        named = [f"${t}_Named"] if self.schema.tables[t].name else []
        for x in (*named, f"${t}_Ref1", f"${t}_RefAll", f"${t}_Ref2", f"${t}_All"):
            yield _rule("$ROOT", f"what is the ${t}_Noun {x}", got)
            if x in (*named, f"${t}_Ref1"):
                yield _rule("$ROOT", f"what is the ${t}_Synonym {x}", got)
            for other in self.types:
                yield _rule("$ROOT", f"what is the ${t}_Role_{other} {x}", got)
        for x in (*named, f"${t}_RefAll"):
            yield _rule("$ROOT", f"${t}_Ask {x}", got)
        for property_, _, clauses in self._relations(t):
            if clauses[0].place:
                form = _listed(f"(call @getProperty (var s) (string {property_}))", "s")
                for x in (*named, f"the ${t}_Key0"):
                    yield _rule("$ROOT", f"where is {x}", form)

    def _counts(self, t: str) -> Iterator[str]:
        every = f"${t}_All"
        yield _rule("$ROOT", f"how many {every} are there", _listed(_SIZE, "s"))
        for category in ("Is1", "IsAll", "Is2", "Is0", "Isn", "Isnot", "Isor"):
            yield _apply(f"${t}_Counted", f"{every} ${t}_{category}", "backward")
            if category not in ("Is2", "IsAll"):
                yield _apply(f"${t}_Counted", f"${t}_Adjp ${t}_{category}", "backward")
        yield _apply(f"${t}_Counted", f"${t}_Plainp ${t}_Isn", "backward")
        yield _rule("$ROOT", f"how many ${t}_Counted", _listed(_SIZE, "s"))
        if self.schema.tables[t].name:
            named = _listed("(call .size (var n))", "s n")
            yield _rule("$ROOT", f"how many {every} are named ${t}_Named", named)

    def _yes_or_no(self, t: str) -> Iterator[str]:
        """Whether a thing has to do with another."""
        if not self.schema.tables[t].name:
            return
        for property_, other, clauses in self._relations(t):
            if self.schema.tables[other].name and not clauses[0].inverted:
                form = (
                    "(lambda n (lambda v (call @listValue (call @any (call @filter (var n) "
                    f"(string {property_}) (string =) (var v))))))"
                )
                second = "Named2" if other == t else "Named"
                words = clauses[0].question.format(n=f"${t}_Named", x=f"${other}_{second}")
                yield _rule("$ROOT", words, form)

    def _ranks(self, t: str) -> Iterator[str]:
        """The first few by a measure."""
        table = self.schema.tables[t]
        for name, part in _ordered(table).items():
            if part.aside:
                continue
            known: set[str] = set()
            for words, mode, before in self._tops(t, name, part):
                if mode in known:
                    continue
                known.add(mode)
                form = _listed(
                    f"(call @top (var s) (string {mode}) (string {t}.{name}) {NUMBER})", "s"
                )
                for x in ("All", "Np1p"):
                    np = f"${t}_{x}"
                    said = f"{words} {np}" if before else f"{np} {words}"
                    yield _rule("$ROOT", f"what are the {NUMBER} {said}", form)

    def _groups(self, t: str) -> Iterator[str]:
        """Numbers, averages and sums for each value of a property."""
        table = self.schema.tables[t]
        by = [
            (noun, f"{t}.{name}")
            for name, part in table.dimensions.items()
            if not part.aside and part.values != "none" and name != table.name
            for noun in self.phrases.nouns(t, name)[:1]
        ]
        by += [
            (self.phrases.noun(relation.to), name)
            for name, relation in self.schema.relationships.items()
            if relation.from_table == t and relation.to in self.types
        ]
        for noun, property_ in by:
            form = f"(call @group (var s) (string {property_}))"
            yield _rule("$ROOT", f"how many ${t}_All per {noun}", _listed(form, "s"))
            for word, mode in (("total", "sum"), ("average", "avg")):
                form = f"(call @group (var s) (string {property_}) (string {mode}) (var r))"
                words = f"what is the {word} ${t}_Number of ${t}_All per {noun}"
                yield _rule("$ROOT", words, _listed(form, "r s"))
                for best, order in (("highest", "max"), ("lowest", "min")):
                    form = (
                        f"(call @groupSuperlative (var s) (string {order}) (string {property_}) "
                        f"(string {mode}) (var r))"
                    )
                    words = f"which {noun} has the {best} {word} ${t}_Number of ${t}_All"
                    yield _rule("$ROOT", words, _listed(form, "r s"))

    def _aggregates(self, t: str) -> Iterator[str]:
        for word, mode in (("total", "sum"), ("average", "avg")):
            form = f"(call @aggregate (string {mode}) (call @getProperty (var s) (var r)))"
            for x in ("All", "Np1p", "Np2p"):
                words = f"what is the {word} ${t}_Number of ${t}_{x}"
                yield _rule("$ROOT", words, _listed(form, "r s"))
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
                    yield _rule("$ROOT", f"what is the {words} of ${t}_{x}", _listed(form, "s"))

    def _extremes(self, t: str) -> Iterator[str]:
        """The highest and lowest value of a measure, and what is found where it is."""
        table = self.schema.tables[t]
        said: list[tuple[str, str, str, str]] = []
        for name, part in table.measures.items():
            for noun in self.phrases.nouns(t, name)[:1] if not part.aside else ():
                mode = _EXTREMES.get(noun.split()[0])
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
            form = _listed(f"(call @getProperty {best} (string {property_}))", "s")
            for x in ("All", "Np1p", "Np2p"):
                yield _rule("$ROOT", f"what is the {words} among ${t}_{x}", form)
            every = (
                f"(call @getProperty {best.replace('(var s)', self._all(t))} (string {property_}))"
            )
            yield _rule("$ROOT", f"what is the {words}", f"(ConstantFn (call @listValue {every}))")


_SIZE = "(call .size (var s))"
_EXTREMES = {
    **dict.fromkeys(("highest", "largest", "longest", "maximum", "latest", "biggest"), "max"),
    **dict.fromkeys(("lowest", "smallest", "shortest", "minimum", "earliest"), "min"),
}


def _predicate(words: str) -> str:
    """ "longer than …" behind a noun that is its subject: "are longer than …"."""
    return f"have{words[4:]}" if words.startswith("with ") else f"are {words}"


def _ordered(table: Table) -> dict[str, Measure | TimeDimension]:
    """What can be more or less."""
    return {**table.measures, **table.time_dimensions}


def _rule(left: str, words: str, function: str) -> str:
    parts = " ".join(write_atom(word) for word in words.split())
    return f"(rule {left} ({parts}) {function})"


def _apply(left: str, words: str, direction: str) -> str:
    return _rule(left, words, f"(JoinFn {direction} betaReduce)")


def _same(left: str, words: str) -> str:
    return _rule(left, words, "(IdentityFn)")


def _root(words: str) -> str:
    return _rule("$ROOT", words, "(lambda x (call @listValue (var x)))")


def _listed(form: str, variables: str) -> str:
    made = f"(call @listValue {form})"
    for variable in reversed(variables.split()):
        made = f"(lambda {variable} {made})"
    return made


def _filter(property_: str, comparison: str = "=") -> str:
    return f"(lambda v {_lambda_filter(property_, comparison, '(var v)')})"


def _lambda_filter(property_: str, comparison: str, value: str) -> str:
    return (
        f"(lambda s (call @filter (var s) (string {property_}) (string {write_atom(comparison)}) "
        f"{value}))"
    )


def _numbered(placeholder: str, number: str) -> str:
    return f"{placeholder[:-1]}{number}_"
