"""Words that the known questions ask with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from fairseq_twostage.inference.answers_asked import sort_of
from fairseq_twostage.semantics.gold_forms import constants_of
from fairseq_twostage.text.function_words import FUNCTION_WORDS, word_set
from fairseq_twostage.text.question_words import (
    AVERAGE,
    MOST_IN_EST,
    asked_kinds,
    asked_thing,
    says_total,
)
from fairseq_twostage.text.synonyms import known_as
from fairseq_twostage.text.unit_words import EACH
from fairseq_twostage.text.word_forms import PARTICIPLES, base

LEAST_OF_HEADS = 0.02  # of all canonical utterances
NAMING = ("name", "title")
_DETERMINERS = word_set("the a an which what any no of")
GROUPS = re.compile(r"\b(?:per|for each|does each) ([a-z ]+)$")
COUNTED = re.compile(r"\b_number\d*_ (?:(?:different|distinct|separate|various) )?([a-z]+)")
PROPERTIES = re.compile(r"^(?:what is the |what are the |which )([a-z ]+?) (?:of|has|have) ")
EVERYTHING = word_set("people person name title number kind type date time year")
_TITLE = re.compile(rf"\b({'|'.join(NAMING)}) of (?:the )?(?:_\w+_ )?([a-z]+)\b")
DONE_THEN = re.compile(
    rf"\b([a-z]+ed|born|{'|'.join(sorted({*PARTICIPLES.values()}))}) "
    r"(?:in|on|at|before|after|since|until|between|from) _(?:date|time)_"
)
EXTREME = re.compile(rf"\b(?:first|last|next|best|worst|most|least|fewest|{MOST_IN_EST})\b")

_MEASURES = re.compile(
    r"^which ([a-z]+) (?:have ([a-z ]+) above|are ((?:more )?[a-z]+) than) _number_$"
)
_QUANTITY_OF = re.compile(r"what is the total (?:amount|quantity|pieces|units) of ([a-z ]+?s)$")
_NUMBER_OF = re.compile(r"what (?:is|are) the ([a-z]+) numbers? of (?:the )?_?([a-z]+)")
_ARE = re.compile(r"which [a-z ]+ are ([a-z]+)")
_THAT_IS = re.compile(r"[a-z]+ that (?:is|are) (?!not\b)([a-z]+(?: [a-z]+)?)")
_STILL_WORK = re.compile(r"which ([a-z]+) still work$")
_IS_DONE = re.compile(r"which ([a-z ]+) are ([a-z]+) in _date_$")
_OF_VALUE = re.compile(
    r"which ([a-z]+(?: [a-z]+)?) (?:are|have)((?: [a-z]+)*) (_[a-z_]+?)\d*_|"
    r"which ([a-z]+(?: [a-z]+)?) are() ([a-z-]+)"
)
_NUMBERED = re.compile(r"(?<=[a-z])\d*_$")
_SEVERAL = re.compile(r" [a-z]+s that .* and ")
_IS_FROM = re.compile(r"which [a-z ]+ are from _date_$")


class KnownWords:
    """What the known questions ask for.

    Args:
        pairs: logical forms by canonical utterance.

    Attributes:
        known: the canonical utterances.
        things: nouns by which something is asked for.
        people: those that are asked for by "who", too: of questions that mean the same as one.
        heads: things that canonical phrases begin with: ``film`` of "film with rating above …".
        properties: what others begin with: ``genre`` of "genre of film".
        counted: whether any such phrase is "number of …".
        totals: whether any asks for a total.
        averages: whether any asks for an average.
        grouped: whether any asks for something of each.
        done: what was done at a time: ``hired`` of "hired before _date_".
        done_otherwise: those that nothing is *from* a time by: a fee is of the year when it is due,
            and *paid* in another.
        leavers: nouns for persons of whom it is known who left.
        groups: words by which things are grouped: ``city`` of "per city".
        given: words of properties that are asked for: ``vendor`` of "what is the vendor name of".
        numbered: words behind numbers: ``seat`` of "more than _number_ seats".
        kinds: nouns of things by whose plural one asks.
        types: of what sorts things are: ``film`` of ``en.film``, ``series`` of ``en.tv_series``.
        denied: what things are or are not: ``paid``.
        alike_such: other words for these: ``running``, of what is ``current``.
        qualities: what things are, in a grammar's words: ``gluten free`` of "that is gluten free".
        lines: plurals of what says how many of something there are: ``order lines``.
        number_of: of what others have numbers: ``flight`` of a route's "flight number".
        measures: of a thing, by which it is compared with a number: ``total`` of invoices.
        valued: the things that have a value themselves: ``_status`` of copies, and of nothing else.
        titled: title and thing of "what is the title of the lecturer …".
    """

    def __init__(self, pairs: Mapping[str, str]) -> None:
        self.known = pairs.keys()
        self.things = frozenset(filter(None, map(asked_thing, pairs)))
        who = {form for z, form in pairs.items() if z.startswith("who ")}
        alike = (asked_thing(z) for z, form in pairs.items() if form in who)
        self.kinds = frozenset(map(base, filter(None, map(asked_kinds, pairs))))
        self.people = frozenset(filter(None, alike))
        first = Counter(z.split()[0] for z in pairs if " of " not in z and z)
        least = LEAST_OF_HEADS * len(pairs)
        self.heads = frozenset(word for word in first if first[word] >= least)
        self.properties = frozenset(z.split()[0] for z in pairs if z.split()[1:2] == ["of"])
        self.counted = any(z.startswith("number of ") for z in pairs)
        self.totals = any(map(says_total, pairs))
        self.averages = any(not AVERAGE.isdisjoint(z.split()) for z in pairs)
        self.grouped = any(" each " in z or " per " in z for z in pairs)
        self.done = frozenset(found for z in pairs for found in DONE_THEN.findall(z))
        self.done_otherwise = self.done - _usually_done(pairs)
        still = filter(None, map(_STILL_WORK.match, pairs))
        self.leavers = frozenset(base(found[1]) for found in still)
        self.groups = frozenset(
            word for z in pairs for found in GROUPS.findall(z) for word in found.split()
        )
        given = {
            base(word)
            for z in pairs
            for found in PROPERTIES.findall(z)
            for word in found.split()[-2:]
        }
        self.given = frozenset(given - self.things - EVERYTHING)
        self.numbered = frozenset(
            base(word) for z in pairs for word in COUNTED.findall(z) if word not in FUNCTION_WORDS
        )
        constants = {name for form in pairs.values() for name in constants_of(form)}
        self.types = frozenset(sort_of(name.split(".")[1]) for name in constants)
        such: dict[str, set[str]] = {}
        for z, form in pairs.items():
            if is_such := _ARE.fullmatch(z):
                such.setdefault(form, set()).add(is_such[1])
        self.denied = frozenset(word for others in such.values() for word in others)
        self.alike_such: dict[str, set[str]] = {}
        for others in such.values():
            for word in others:
                self.alike_such.setdefault(word, set()).update(others)
        self.qualities = sorted({found[1] for z in pairs if (found := _THAT_IS.fullmatch(z))})
        self.lines = frozenset(found[1] for z in pairs if (found := _QUANTITY_OF.match(z)))
        numbers = (found.groups() for z in pairs if (found := _NUMBER_OF.match(z)))
        self.number_of = frozenset(word for word, of in numbers if base(of) != word)
        self.measures: dict[str, set[str]] = {}
        for thing, measure, degree in (each for z in pairs for each in _MEASURES.findall(z)):
            self.measures.setdefault(base(thing), set()).add(measure or degree)
        self.valued: dict[str, set[str]] = {}
        for of_value in filter(None, map(_OF_VALUE.fullmatch, pairs)):
            thing, words, value = of_value.groups()[:3] if of_value[1] else of_value.groups()[3:]
            if self.types.isdisjoint(map(base, words.split())):
                self.valued.setdefault(value, set()).add(base(thing.split()[-1]))
        self.titled = frozenset(
            (found[1], base(found[2])) for found in map(_TITLE.search, pairs) if found is not None
        )

    def only_measures(self, given: Sequence[str]) -> set[str]:
        """The last word of the measure of a thing that has no other, *total* of invoices."""
        measures = self.measures.get(given[-1], set()) if given else set()
        return {name.split()[-1] for name in measures} if len(measures) == 1 else set()

    def between(self, tokens: str, z: str) -> set[str]:
        """The thing that is between what is asked for and several conditions of z, where the
        question has a value that no other thing has: *copies*, of titles that are lost at a
        branch."""
        if _SEVERAL.search(z) is None:
            return set()
        values = (_NUMBERED.sub("", word) for word in tokens.split())
        things = (self.valued.get(value, set()) for value in values)
        return {thing for only in things if len(only) == 1 for thing in only}

    def said(self, tokens: str) -> set[str]:
        """The things that are said as nouns: in the plural, or behind a determiner and before
        no other noun."""
        words = ["", *tokens.split(), ""]
        nouns = (
            word
            for before, word, behind in zip(words, words[1:], words[2:])
            if base(word) != word
            or (
                before in EACH | _DETERMINERS and (not behind.isalpha() or behind in FUNCTION_WORDS)
            )
        )
        return {kind for noun in nouns if (kind := known_as(base(noun), self.kinds))}


def _usually_done(pairs: Mapping[str, str]) -> set[str]:
    """What was done at the time that things are from: ``placed``, of orders."""
    done: dict[str, str] = {}
    usual: set[str] = set()
    for z, form in pairs.items():
        if found := _IS_DONE.match(z):
            done[f"{found[1]} {found[2]}"] = form
        elif found := _IS_FROM.match(z):
            usual.add(form)
    return {words.split()[-1] for words, form in done.items() if form in usual}
