"""Things by name and all of them, and the names of their properties."""

from __future__ import annotations

from collections.abc import Iterator

from fairseq_twostage.databases.inflection import plural, present
from fairseq_twostage.databases.measure_words import ADJECTIVES, EXPENSIVE
from fairseq_twostage.databases.phrases import is_participle
from fairseq_twostage.databases.rule_writing import RuleWriter
from fairseq_twostage.databases.rules import NUMBER, listed, numbered, rule
from fairseq_twostage.databases.schema import Column, Measure, TimeDimension


class ThingRules(RuleWriter):
    """Nouns and the names of properties."""

    def lines(self, t: str) -> Iterator[str]:
        """The rules of one type."""
        yield from self._nouns(t)
        yield from self._properties(t)

    def _nouns(self, t: str) -> Iterator[str]:
        every = f"(ConstantFn {self.all(t)})"
        yield rule(f"${t}_All", self.phrases.plural(t), every)
        yield rule(f"${t}_One", self.phrases.noun(t), every)
        table = self.schema.tables[t]
        for category, number in (("Named", ""), ("Named2", "2")):
            if table.name:
                word = numbered(self.phrases.placeholders[t], number)
                yield rule(f"${t}_{category}", word, f"(ConstantFn {word})")
            elif table.numbered_by:
                word = numbered(NUMBER, number)
                form = (
                    f"(call @filter {self.all(t)} (string {t}.{table.numbered_by}) (string =) "
                    f"{word})"
                )
                said = f"{self.phrases.noun(t)} {word}"
                yield rule(f"${t}_{category}", said, f"(ConstantFn {form})")

    def _properties(self, t: str) -> Iterator[str]:
        """``$T_Noun``: "population of", with the property's name; ``$T_Average``, which several
        things have not together: the "average rating of" a film."""
        table = self.schema.tables[t]
        for name, part in table.columns.items():
            if part.aside or name == table.name or part.stored_as == "boolean":
                continue
            for rank, noun in enumerate(self.phrases.nouns(t, name)):
                average = isinstance(part, Measure) and part.avg_of is not None
                first = f"${t}_Average" if average else f"${t}_Noun"
                category = first if rank == 0 else f"${t}_Synonym"
                yield rule(category, f"{noun} of", f"(ConstantFn (string {t}.{name}))")
            if isinstance(part, Measure) and part.avg_of is None:
                for noun in self.phrases.nouns(t, name):
                    form = f"(ConstantFn (string {t}.{name}))"
                    # What happens has a time, and no name; of things it is another time.
                    then = part.gathered is None or not table.name
                    for kind in ("", "_Then") if then else ("",):
                        yield rule(f"${t}{kind}_Number", noun, form)
                        yield rule(f"${t}{kind}_Summed", _summed(noun), form)
            form = f"(ConstantFn (string {t}.{name}))"
            for asked in self._asked(part):
                yield rule(f"${t}_Ask", asked, form)
            if self.named(t):
                yield from self._asked_of_one(t, name, part)
        for name, relation in self.schema.relationships.items():
            for source, target, role, property_ in self.roles(name, relation):
                if source == t and target in self.types:
                    form = f"(ConstantFn (string {property_}))"
                    yield rule(f"${t}_Role_{target}", f"{role} of", form)

    def _asked_of_one(self, t: str, name: str, part: Column) -> Iterator[str]:
        """How a property of one thing is asked for: "when was … placed", "how many days is …"."""
        got = listed(f"(call @getProperty (var s) (string {t}.{name}))", "s")
        if isinstance(part, Measure) and part.unit:
            noun = self.phrases.nouns(t, name)[0]
            said = f"how many {plural(part.unit)} is the {noun} of ${t}_Named"
            yield rule("$ROOT", said, got)
        if isinstance(part, Measure) and EXPENSIVE.most in part.most:
            yield rule("$ROOT", f"how much does ${t}_Named cost", got)
        if isinstance(part, TimeDimension) and part.wording:
            of_day = part.stored_as == "time"
            for before, behind in asked_when(part.wording, of_day):
                yield rule("$ROOT", f"{before} ${t}_Named {behind}", got)

    def _asked(self, part: Column) -> Iterator[str]:
        """How a property is asked for: "how long is"."""
        yield from part.asked
        for most in part.most if isinstance(part, Measure) else ():
            if most in ADJECTIVES:
                yield f"how {ADJECTIVES[most]} is"


def asked_when(wording: str, of_day: bool = False) -> Iterator[tuple[str, str]]:
    """What stands before and behind a thing in the question of when: "when was … placed", "when
    does … open"; of a time of day "what time", too."""
    verb, *rest = wording.removeprefix("that ").split()
    done, does = is_participle(verb), wording.startswith("that ") and verb != "is"
    asked = "did" if does and done else "does" if does else "was" if done else None
    if asked is None:
        return
    behind = " ".join((present(verb) if done else verb, *rest)) if does else wording
    for when in ("when", "what time") if of_day else ("when",):
        yield f"{when} {asked}", behind


def _summed(noun: str) -> str:
    """A measure behind "total": the price of "total price", the amount of "total"."""
    return noun.removeprefix("total").strip() or "amount"
