"""Whether what was understood can be an answer to what was asked: the thing, its number, its time.

Rules, not probabilities: a question that asks for suppliers is not answered by products, however
alike the two sentences are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairseq_twostage.databases.vocabulary import PERSONS
from fairseq_twostage.inference.answers_asked import (
    answers_total,
    are_plain_numbers,
    has_names,
    names_unsaid,
    types_of,
    unanswered,
)
from fairseq_twostage.inference.asked_things import TIMES, AskedThings
from fairseq_twostage.inference.known_words import EVERYTHING
from fairseq_twostage.inference.other_doers import asks_who_is_best, is_called, names_role
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.inference.unsaid_words import Alike, adds_unsaid
from fairseq_twostage.text.asking_otherwise import asks_for_head, asks_for_other, groups_unasked
from fairseq_twostage.text.averages import misses_average
from fairseq_twostage.text.counted import property_unsaid
from fairseq_twostage.text.disagreement import PASSED_OVER, REFUSED, disagreement
from fairseq_twostage.text.omissions import misses_by, misses_each
from fairseq_twostage.text.question_words import (
    ORGANISATIONS,
    asked_head,
    asked_nouns,
    asks_for_total,
    asks_people,
    asks_when,
    asks_who_does,
    counted_most,
    says_total,
)
from fairseq_twostage.text.synonyms import known_as
from fairseq_twostage.text.unit_words import UNITS
from fairseq_twostage.text.whereabouts import is_place
from fairseq_twostage.text.word_forms import base

OF_PEOPLE = frozenset(("country", "department"))
"""Organisations that *who* does not ask for, where there are people."""
_WHAT_IS = re.compile(
    r"what (?:(?:did|do|does) |(?:'s|is|are|was|were) (?!(?:the|an?|all|my|our|your|their) ))"
)
_WHO = re.compile(
    r"(?:(?:can|could|do|does|please|tell|show|list|give|find|out|me|us|you|know|and|so) )*who\b"
)
_HOW = re.compile(
    r"how (?:long|old|tall|heavy|far|big|large|high|deep|wide|fast|late|early|much)\b"
)
_FROM = re.compile(r"\bfrom (?:the year )?_date\d*_")
_BORN = re.compile(r"\b(?:born|birth\w*)\b")
_PERIOD = re.compile(
    r"(?:(?:in|show|during) )?(?:which|what|what (?:is|was) the|the) (year|month|decade|week) "
)
_WHO_IS = re.compile(r"who (?:is|are|was|were) (?!the |an? |_)")
_WHO_IS_THE = re.compile(
    r"who (?:is|are|was|were) the (?:[a-z-]+ ){0,3}?([a-z-]+) (?:of|for|at|in) "
)
_WHO_IS_ONE = re.compile(r"who (?:is|was|are|were) the _\w+_ (?:of|for) (?:the )?_\w+_ ?\??$")
_RANKED_SUMS = re.compile(r"\b(?:highest|lowest) (?:total )?([a-z]+)\b")
CONTRADICTED = 5  # objections


class Agreement(AskedThings):
    """Which readings of a question cannot be meant, by what the known ones ask for.

    Args:
        pairs: logical forms by canonical utterance.
    """

    def objections(self, tokens: str, reading: Reading, alike: Alike | None = None) -> int:
        """How much speaks against a reading, if there is another one: 0 is nothing, and what
        :meth:`contradiction` says counts as :data:`CONTRADICTED`.

        Args:
            tokens: of the question, with placeholders.
            reading: one way to understand it.
            alike: see :func:`.unsaid_words.adds_unsaid`.
        """
        passed_over = sum(self._passed_over(tokens, reading.paraphrase, alike))
        refused = self.contradiction(tokens, reading) is not None
        return min(passed_over, CONTRADICTED - 1) + CONTRADICTED * refused

    def other_words(self, tokens: str, z: str, alike: Alike | None = None) -> bool:
        """Whether anything speaks against z by what is asked and understood, whatever the answer
        is."""
        return any(self._passed_over(tokens, z, alike)) or self._by_words(tokens, z) is not None

    def _passed_over(self, tokens: str, z: str, alike: Alike | None) -> Iterator[bool]:
        yield from (bool(rule.differ(tokens, z)) for rule in PASSED_OVER)
        yield self.totals and says_total(tokens) and not answers_total(tokens, z)
        yield self.grouped and groups_unasked(tokens, z)
        yield self.missed(tokens, z, asked_nouns(z, self.things)) is not None
        yield self.two_unsaid(tokens, z)
        yield self.counts_unasked(tokens, z)
        yield self.adds_thing(tokens, z)
        yield self.thing_unsaid(tokens, z)
        yield self.of_its_own(tokens, z)
        yield self.adds_adjective(tokens, z)
        yield self.adds_condition(tokens, z)
        yield names_unsaid(tokens, z)
        yield self.goes_by_other(tokens, z)
        yield adds_unsaid(tokens, z, self.known, alike)

    def contradiction(self, tokens: str, reading: Reading) -> str | None:
        """Why a reading answers another question than the one that was asked; None: it may not.

        Args:
            tokens: of the question, with placeholders.
            reading: one way to understand it.
        """
        return self._by_words(tokens, reading.paraphrase) or self.by_answer(tokens, reading)

    def by_answer(self, tokens: str, reading: Reading) -> str | None:
        """The same, by the answer alone."""
        return (
            self._another_time(tokens, reading)
            or unanswered(tokens, reading)
            or self._another_type(tokens, reading)
        )

    def _another_type(self, tokens: str, reading: Reading) -> str | None:
        """Why the answer's things are not of the sort that is asked for: a hall, of the longest
        film in one; films, of who was in them."""
        z = reading.paraphrase
        types = types_of(reading) or ({*z.split()[:1]} & self.types)
        if not types:
            return None
        given = " and ".join(sorted(types))
        if other := self.extreme_of(tokens, z):
            return other
        begins = types <= PERSONS or {*map(base, z.split()[:1])} & types
        if begins and tokens.startswith("where ") and not any(map(is_place, types)):
            return f"it asks where, and what was understood asks for another {given}"
        somebody = PERSONS | ORGANISATIONS
        named = names_role(tokens, z) or any(is_called(tokens, z, thing) for thing in types)
        nobody = types.isdisjoint(somebody) and not named
        if _WHO.match(tokens) and self.types & PERSONS and nobody:
            return f"it asks who, and what was understood asks for another {given}"
        if _HOW.match(tokens) and not z.startswith(("how ", "what ")):
            return f"it asks how, and what was understood asks for another {given}"
        head = asked_head(tokens, self.types | self.properties | self.heads | self.things)
        properties = self.given | (self.properties - self.heads)
        asks = z.startswith(("what ", "which ", "who ", "how ", "when ", "where "))
        said = asks and head in {*map(base, z.split())}  # the email address of _customer_
        elsewhere = head is not None and known_as(head, types) is None
        if head in self.types - properties and elsewhere and not said:
            return f"it asks for “{head}”, and what was understood for another {given}"
        return None

    def _another_time(self, tokens: str, reading: Reading) -> str | None:
        period = _PERIOD.match(tokens)
        if period and period[1] not in reading.paraphrase.split() and has_names(reading):
            return f"it asks for a {period[1]}, and what was understood for something else"
        if _FROM.search(tokens) and _BORN.search(reading.paraphrase) and not _BORN.search(tokens):
            return "it is from a time, and what was understood is of somebody born then"
        if not asks_when(tokens):
            return None
        if {*reading.paraphrase.split()[:1]} <= TIMES:  # the day of a course, by its name
            return None
        given = asked_nouns(reading.paraphrase, self.things)
        dated = not given or given[-1] in TIMES
        if not dated or has_names(reading) or are_plain_numbers(reading):
            return "it asks when, and what was understood asks for something else"
        return None

    def _by_words(self, tokens: str, z: str) -> str | None:
        return next(filter(None, self._reasons(tokens, z, asked_nouns(z, self.things))), None)

    def _reasons(self, tokens: str, z: str, given: Sequence[str]) -> Iterator[str | None]:
        """What may speak against z, which asks for ``given``, by its words; the first counts."""
        yield self._another_thing(tokens, z, given)
        yield disagreement(REFUSED, tokens, z)
        yield self.another_phrase(tokens, z)
        if (bounded := property_unsaid(tokens, z)) and bounded not in self.only_measures(given):
            yield f"it does not say what the number is of, and what was understood is {bounded}"
        yield self.differs(tokens, z)
        if unsaid := self.misses_property(tokens, z):
            yield f"it asks for “{unsaid}”, and what was understood does not"
        if self.averages and misses_average(tokens, z):
            yield "it asks for an average, and what was understood does not"
        if self.totals and asks_for_total(tokens) and not answers_total(tokens, z):
            yield "it asks for a total, and what was understood does not"
        added = sorted(self.things.intersection(map(base, z.split())) - EVERYTHING)
        if added and _WHO_IS_ONE.match(tokens):
            yield f"it asks who is that of it, and what was understood is of {added[0]}"
        if (twice := self.twice(tokens, z)) is not None:
            yield f"what was understood says “{twice}” twice, and the question once"
        if given and (ranked := self.ranks_another(tokens, z, given[-1])):
            yield f"it does not ask for the {ranked}, and what was understood does"
        if most := self._misses_most(tokens, z):
            yield f"it asks for the most or fewest “{most}”, and what was understood does not"
        if self.grouped and (each := misses_each(tokens, z) or misses_by(tokens, z, self.groups)):
            yield f"it asks for each {each}, and what was understood does not"
        yield self._nobody(tokens, z, given)

    def _another_thing(self, tokens: str, z: str, given: Sequence[str]) -> str | None:
        thing = self.missed(tokens, z, given)
        # "order" of "customers that order _product_" may be what "orders" asks for.
        if thing is not None and thing not in z.split():
            return f"it asks for “{thing}”, and what was understood does not"
        head = asks_for_head(tokens, z, given)
        if head is None or self.calls(base(head), tokens, given):
            head = self.head_of_clause(tokens, z, given)
        if head is not None:
            return f"it asks for “{head}”, and what was understood for another {given[-1]}"
        return None

    def _misses_most(self, tokens: str, z: str) -> str | None:
        """What a question asks for the most of, and z does not."""
        words, counted = {*map(base, z.split())}, counted_most(z)
        most = {*counted, *map(base, _RANKED_SUMS.findall(z))}
        for noun in counted_most(tokens):
            measured = noun in UNITS and bool(counted)  # hours, of the most shifts
            missed = (noun in self.given or measured) and noun not in words  # the most tips
            if missed or (noun in self.things | self.heads and noun not in most):
                return noun
        return None

    def _nobody(self, tokens: str, z: str, given: Sequence[str]) -> str | None:
        """Why z gives no persons where a question asks who; or persons, where it asks what."""
        if _WHAT_IS.match(tokens) and given and given[-1] in self.people - ORGANISATIONS:
            return f"it asks what, and what was understood asks for the {given[-1]}"
        other = asks_for_other(tokens, z)
        if other is None and given:
            which = z.startswith("which ")
            who = asks_who_does(tokens) or (_WHO_IS.match(tokens) and which)
            of = _WHO_IS_THE.match(tokens) if which else None  # the race engineer of _driver_
            who = who or (of is not None and base(of[1]) != given[-1])
            best = asks_who_is_best(tokens) and (which or z.startswith("what is the "))
            who = who or (best and not is_called(tokens, z, given[-1]))
            doing = who and given[-1] not in ORGANISATIONS - OF_PEOPLE
            other = given[-1] if doing or asks_people(tokens) else None
        if self.people and other is not None and other not in self.people:
            return f"it asks who, and what was understood asks for another {other}"
        return None
