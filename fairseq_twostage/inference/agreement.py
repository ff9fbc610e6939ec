"""Whether what was understood can be an answer to what was asked: the thing, its number, its time.

Rules, not probabilities: a question that asks for suppliers is not answered by products, however
alike the two sentences are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from fairseq_twostage.inference.answer import answer_values
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.semantics.values import Date, Name, Number
from fairseq_twostage.text.disagreement import (
    PASSED_OVER,
    REFUSED,
    asks_for_head,
    asks_for_other,
    disagreement,
    groups_unasked,
)
from fairseq_twostage.text.function_words import FUNCTION_WORDS
from fairseq_twostage.text.omissions import misses_each
from fairseq_twostage.text.placeholders import is_placeholder, parts_of
from fairseq_twostage.text.question_words import (
    ORGANISATIONS,
    asked_kinds,
    asked_nouns,
    asked_plural,
    asked_thing,
    asks_people,
    asks_when,
    asks_who_does,
    base,
    core,
    counted_most,
    same_root,
    says_total,
)

LEAST_OF_HEADS = 0.02  # of all canonical utterances
MOST_WORDS = 3  # of a property's name
_NAMING = ("name", "title")
_TITLE = re.compile(rf"\b({'|'.join(_NAMING)}) of (?:the )?(?:_\w+_ )?([a-z]+)\b")
_RANKED = re.compile(r"\bthe ([a-z]+) (?:with|that has) the (?:most|fewest)\b")
_DONE_THEN = re.compile(
    r"\b([a-z]+ed|born|bought|built|left|made|paid|sent|sold|held) "
    r"(?:in|on|at|before|after|since|until|between|from) _(?:date|time)_"
)
TIMES = frozenset(("year", "month", "week", "day", "date", "time"))


class Agreement:
    """What the known questions ask for, and which readings of a question cannot be meant.

    Args:
        pairs: logical forms by canonical utterance.

    Attributes:
        things: nouns by which something is asked for.
        people: those that are asked for by "who", too: of questions that mean the same as one.
        heads: things that canonical phrases begin with: ``film`` of "film with rating above …".
        properties: what others begin with: ``genre`` of "genre of film".
        counted: whether any such phrase is "number of …".
        totals: whether any asks for a total.
        grouped: whether any asks for something of each.
        done: what was done at a time: ``hired`` of "hired before _date_".
        titled: title and thing of "what is the title of the lecturer …".
    """

    def __init__(self, pairs: Mapping[str, str]) -> None:
        self.things = frozenset(filter(None, map(asked_thing, pairs)))
        who = {form for z, form in pairs.items() if z.startswith("who ")}
        alike = (asked_thing(z) for z, form in pairs.items() if form in who)
        self.people = frozenset(filter(None, alike))
        first = Counter(z.split()[0] for z in pairs if " of " not in z and z)
        least = LEAST_OF_HEADS * len(pairs)
        self.heads = frozenset(word for word in first if first[word] >= least)
        self.properties = frozenset(z.split()[0] for z in pairs if z.split()[1:2] == ["of"])
        self.counted = any(z.startswith("number of ") for z in pairs)
        self.totals = any(map(says_total, pairs))
        self.grouped = any(" each " in z or " per " in z for z in pairs)
        self.done = frozenset(found for z in pairs for found in _DONE_THEN.findall(z))
        self.titled = frozenset(
            (found[1], base(found[2])) for found in map(_TITLE.search, pairs) if found is not None
        )

    def is_contradicted(self, tokens: str, reading: Reading) -> bool:
        """Whether another reading is to be preferred, if there is one; see
        :meth:`contradiction`."""
        return (
            self.other_words(tokens, reading.paraphrase)
            or self._another_time(tokens, reading) is not None
            or self._nobody(tokens, reading) is not None
        )

    def other_words(self, tokens: str, z: str) -> bool:
        """The same by what is asked and understood, whatever the answer is."""
        return (
            disagreement(PASSED_OVER, tokens, z) is not None
            or (self.totals and says_total(tokens) and not _answers_total(tokens, z))
            or self._missed(tokens, z, asked_nouns(z, self.things)) is not None
            or (self.grouped and groups_unasked(tokens, z))
            or self._two_unsaid(tokens, z)
            or _names_unsaid(tokens, z)
            or self._by_words(tokens, z) is not None
        )

    def _two_unsaid(self, tokens: str, z: str) -> bool:
        """Whether z is of two things, and the question, of one that is not known, says neither:
        "breeds that have patients born in …" of "pets born in …"."""
        kind = asked_kinds(tokens)
        given = self.things & _plurals(z)
        if kind is None or len(given) < 2 or len(_plurals(tokens)) > 1:
            return False
        return given.isdisjoint(map(base, tokens.split()))

    def contradiction(self, tokens: str, reading: Reading) -> str | None:
        """Why a reading answers another question than the one that was asked; None: it may not.

        Args:
            tokens: of the question, with placeholders.
            reading: one way to understand it.
        """
        return (
            self._by_words(tokens, reading.paraphrase)
            or self._another_time(tokens, reading)
            or self._nobody(tokens, reading)
        )

    def _ranks_another(self, tokens: str, z: str, given: str) -> str | None:
        """A thing that z takes the most of beside the one that both ask for: depots of "the
        employee with the most shipments", of the depot with the most."""
        said = {*map(base, tokens.split())}
        if given not in said or not z.startswith(("which ", "how many ")):
            return None
        others = (noun for noun in _RANKED.findall(z) if noun in self.things and noun != given)
        return next((noun for noun in others if noun not in said), None)

    def _done_otherwise(self, tokens: str, z: str) -> str | None:
        """What was done at a time that z says, where the question says another that is known:
        trainers *hired* next week, of those *booked* to teach."""
        given, words = {*_DONE_THEN.findall(z)}, {*tokens.split()}
        if not given or any(same_root(word, done) for word in words for done in given):
            return None
        others = self.done & words
        if not others:
            return None
        return f"it asks for what is {min(others)}, and what was understood for {min(given)}"

    @staticmethod
    def _nobody(tokens: str, reading: Reading) -> str | None:
        """Why it is not answered who: by numbers and dates alone."""
        values = list(answer_values(reading.answer)) if tokens.split()[:1] == ["who"] else []
        if values and all(isinstance(value, (Number, Date)) for value in values):
            return "it asks who, and what was understood asks for something else"
        return None

    def _another_time(self, tokens: str, reading: Reading) -> str | None:
        if not asks_when(tokens):
            return None
        given = asked_nouns(reading.paraphrase, self.things)
        dated = not given or given[-1] in TIMES
        if not dated or _names(reading) or _plain_numbers(reading):
            return "it asks when, and what was understood asks for something else"
        return None

    def _by_words(self, tokens: str, z: str) -> str | None:
        given = asked_nouns(z, self.things)
        thing = self._missed(tokens, z, given)
        # "order" of "customers that order _product_" may be what "orders" asks for.
        if thing is not None and thing not in z.split():
            return f"it asks for “{thing}”, and what was understood does not"
        head = asks_for_head(tokens, z, given)
        if head is not None and not self._calls(base(head), tokens, given):
            return f"it asks for “{head}”, and what was understood for another {given[-1]}"
        if reason := disagreement(REFUSED, tokens, z) or self._another_phrase(tokens, z):
            return reason
        if reason := self._done_otherwise(tokens, z):
            return reason
        if given and (ranked := self._ranks_another(tokens, z, given[-1])):
            return f"it does not ask for the {ranked}, and what was understood does"
        for noun in counted_most(tokens):
            if noun in self.things | self.heads and noun not in counted_most(z):
                return f"it asks for the most or fewest “{noun}”, and what was understood does not"
        if self.grouped and (each := misses_each(tokens, z)):
            return f"it asks for each {each}, and what was understood does not"
        other = asks_for_other(tokens, z)
        if other is None and given:
            doing = asks_who_does(tokens) and given[-1] not in ORGANISATIONS
            other = given[-1] if doing or asks_people(tokens) else None
        what = tokens.startswith(("what did ", "what do ", "what does "))
        if what and given and given[-1] in self.people - ORGANISATIONS:
            return f"it asks what, and what was understood asks for the {given[-1]}"
        if self.people and other is not None and other not in self.people:
            return f"it asks who, and what was understood asks for another {other}"
        return None

    def _another_phrase(self, tokens: str, z: str) -> str | None:
        """Where Z has phrases in place of questions: films are asked for, and z gives a genre of
        theirs, or a list in place of their number."""
        asked = asked_plural(tokens)
        if asked is None:
            return None
        plural, number = asked
        if not number and self._another_property(plural, z):
            return f"it asks for {plural}, and what was understood does not"
        if base(plural) not in self.heads:
            return None
        if number:
            if z.startswith(("number of ", "how many ")) or not self.counted:
                return None
            return f"it asks how many {plural}, and what was understood does not"
        given, of, _ = z.partition(" of ")
        words = given.split()
        if not of or len(words) > MOST_WORDS or words[0] in self.heads:
            return None
        if {*map(base, words)} & {*map(base, tokens.split())}:
            return None
        return f"it asks for {plural}, and what was understood for their {given}"

    def _another_property(self, plural: str, z: str) -> bool:
        """Whether what is asked for is a property that z does not have: operators, where z gives
        trains."""
        noun, words = base(plural), z.split()
        asks = not (self.properties | self.heads).isdisjoint(words[:1])
        return asks and noun in self.properties - self.heads and noun not in {*map(base, words)}

    def _missed(self, tokens: str, z: str, given: Sequence[str]) -> str | None:
        """The thing that a question asks for and z, which asks for ``given``, does not."""
        asked = asked_nouns(tokens, self.things)
        if not asked or self._calls(asked[-1], tokens, given):
            return None
        return None if self._gives(asked[-1], z, given) else asked[-1]

    def _calls(self, thing: str, tokens: str, given: Sequence[str]) -> bool:
        """Whether by a title the things are called that z gives: "titles of books"."""
        if thing not in _NAMING or not given or (thing, given[-1]) in self.titled:
            return False
        words = list(map(base, tokens.split()))
        behind = words[words.index(thing) + 1 :] if thing in words else []
        return next((word for word in behind if word in self.things), None) == given[-1]

    def _gives(self, thing: str, z: str, given: Sequence[str]) -> bool:
        """Whether z asks for a thing, or for something of each."""
        if z.startswith("who ") and thing in self.people:
            return True
        words = core(z)
        if thing in TIMES and (z.startswith("when ") or "date" in words):
            return True
        property, of, _ = z.partition(" of ")
        if of and z.startswith("what is the ") and "name" not in core(property):
            words = core(property)
        each = any(pair in (("each", thing), ("per", thing)) for pair in pairwise(words))
        return each or (given[-1] == thing if given else thing in words)


def _plurals(tokens: str) -> set[str]:
    """What is there in the plural, in the singular."""
    words = (word for word in tokens.split() if word not in FUNCTION_WORDS)
    return {base(word) for word in words if base(word) != word}


def _answers_total(tokens: str, z: str) -> bool:
    """Whether z asks for a total, too; a number of things is one, where a number is asked for."""
    counts = z.startswith(("how many ", "number of "))
    return says_total(z) or (counts and tokens.startswith(("how many ", "number of ", "count ")))


def _plain_numbers(reading: Reading) -> bool:
    """Whether the answer is numbers, and none of them a year."""
    values = list(answer_values(reading.answer))
    return bool(values) and all(
        isinstance(value, Number) and not (value.value.is_integer() and 1000 <= value.value <= 2200)
        for value in values
    )


def _names(reading: Reading) -> bool:
    return any(isinstance(value, Name) for value in answer_values(reading.answer))


def _names_unsaid(tokens: str, z: str) -> bool:
    """Whether z is of a thing by a property of which the question says neither: "breeds that have
    species _species_", of rabbits."""
    said = {*map(base, tokens.split())}
    thing = asked_thing(z)
    if thing is None or base(thing) in said:
        return False
    return any(
        is_placeholder(value) and value in said and parts_of(value)[0] == word not in said
        for word, value in pairwise(z.split())
    )
