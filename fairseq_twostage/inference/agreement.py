"""Whether what was understood can be an answer to what was asked: the thing, its number, its time.

Rules, not probabilities: a question that asks for suppliers is not answered by products, however
alike the two sentences are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fairseq_twostage.databases.vocabulary import PERSONS
from fairseq_twostage.inference.answers_asked import (
    answers_total,
    are_plain_numbers,
    has_names,
    names_unsaid,
    plurals,
    types_of,
    unanswered,
)
from fairseq_twostage.inference.known_questions import KnownQuestions
from fairseq_twostage.inference.known_words import EVERYTHING, NAMING
from fairseq_twostage.inference.other_doers import asks_who_is_best, is_called, names_role
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.inference.unsaid_words import Alike, adds_unsaid
from fairseq_twostage.text.asking_otherwise import asks_for_head, asks_for_other, groups_unasked
from fairseq_twostage.text.averages import misses_average
from fairseq_twostage.text.counted import property_unsaid
from fairseq_twostage.text.disagreement import PASSED_OVER, REFUSED, disagreement
from fairseq_twostage.text.omissions import UNITS, is_place, misses_by, misses_each
from fairseq_twostage.text.question_words import (
    ORGANISATIONS,
    asked_head,
    asked_kinds,
    asked_nouns,
    asked_plural,
    asks_for_total,
    asks_people,
    asks_when,
    asks_who_does,
    core,
    counted_most,
    says_total,
)
from fairseq_twostage.text.synonyms import known_as
from fairseq_twostage.text.word_forms import base, same_root

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
_CLAUSE_OF = re.compile(
    r"(?:(?:show|what|which) )?(?:(?:is|are) )?the ([a-z]+) "
    r"(?:where|in which|that|which|with the)\b"
)
_WHAT_IS_THE = re.compile(r"what (?:is|was) the ((?:[a-z]+ )?[a-z]+) of ")
_WHAT_DID = re.compile(r"(?:what|which) ([a-z]+) (?:did|do|does|has|have|had) ")
_HOW_OFTEN = re.compile(r"how many (?:different )?times\b")
_OF_BOTH = re.compile(r"_\w+_ ([a-z]+s) (?:and|or|but not) _\w+_ \1\b")  # _x_ loans and _y_ loans
MOST_WORDS = 3  # of a property's name
CONTRADICTED = 5  # objections
TIMES = frozenset(("year", "month", "week", "day", "date", "time"))


class Agreement(KnownQuestions):
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
        yield self._missed(tokens, z, asked_nouns(z, self.things)) is not None
        yield self._two_unsaid(tokens, z)
        yield self.counts_unasked(tokens, z)
        yield self.adds_thing(tokens, z)
        yield self.thing_unsaid(tokens, z)
        yield self.of_its_own(tokens, z)
        yield self.adds_adjective(tokens, z)
        yield self.adds_condition(tokens, z)
        yield names_unsaid(tokens, z)
        yield self.goes_by_other(tokens, z)
        yield adds_unsaid(tokens, z, self.known, alike)

    def _two_unsaid(self, tokens: str, z: str) -> bool:
        """Whether z is of two things, and the question, of one that is not known, says neither:
        "breeds that have patients born in …" of "pets born in …"."""
        kind = asked_kinds(tokens)
        given = self.things & plurals(z)
        if kind is None or len(given) < 2 or len(plurals(tokens)) > 1:
            return False
        return given.isdisjoint(map(base, tokens.split()))

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
        given = asked_nouns(z, self.things)
        thing = self._missed(tokens, z, given)
        # "order" of "customers that order _product_" may be what "orders" asks for.
        if thing is not None and thing not in z.split():
            return f"it asks for “{thing}”, and what was understood does not"
        head = asks_for_head(tokens, z, given)
        if head is not None and not self._calls(base(head), tokens, given):
            return f"it asks for “{head}”, and what was understood for another {given[-1]}"
        if other := self._head_of_clause(tokens, z, given):
            return f"it asks for “{other}”, and what was understood for another {given[-1]}"
        if reason := disagreement(REFUSED, tokens, z) or self._another_phrase(tokens, z):
            return reason
        if (bounded := property_unsaid(tokens, z)) and bounded not in self.only_measures(given):
            return f"it does not say what the number is of, and what was understood is {bounded}"
        if reason := self.differs(tokens, z):
            return reason
        if unsaid := self._property_unsaid(tokens, z):
            return f"it asks for “{unsaid}”, and what was understood does not"
        if self.averages and misses_average(tokens, z):
            return "it asks for an average, and what was understood does not"
        if self.totals and asks_for_total(tokens) and not answers_total(tokens, z):
            return "it asks for a total, and what was understood does not"
        words = {*map(base, z.split())}
        added = sorted(self.things & words - EVERYTHING)
        if added and _WHO_IS_ONE.match(tokens):
            return f"it asks who is that of it, and what was understood is of {added[0]}"
        if (twice := self._twice(tokens, z)) is not None:
            return f"what was understood says “{twice}” twice, and the question once"
        if given and (ranked := self.ranks_another(tokens, z, given[-1])):
            return f"it does not ask for the {ranked}, and what was understood does"
        for noun in counted_most(tokens):
            counted = counted_most(z)
            measured = noun in UNITS and bool(counted)  # hours, of the most shifts
            missed = (noun in self.given or measured) and noun not in words  # the most tips
            most = {*counted, *map(base, _RANKED_SUMS.findall(z))}
            if missed or (noun in self.things | self.heads and noun not in most):
                return f"it asks for the most or fewest “{noun}”, and what was understood does not"
        if self.grouped and (each := misses_each(tokens, z) or misses_by(tokens, z, self.groups)):
            return f"it asks for each {each}, and what was understood does not"
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
        if _WHAT_IS.match(tokens) and given and given[-1] in self.people - ORGANISATIONS:
            return f"it asks what, and what was understood asks for the {given[-1]}"
        if self.people and other is not None and other not in self.people:
            return f"it asks who, and what was understood asks for another {other}"
        return None

    def _head_of_clause(self, tokens: str, z: str, given: Sequence[str]) -> str | None:
        """``county`` of "the county where most wines are made", where z gives another thing."""
        found = _CLAUSE_OF.match(tokens) if given else None
        noun = base(found[1]) if found else None
        if noun not in self.given | self.things or noun in EVERYTHING or noun == given[-1]:
            return None
        return None if noun in {*map(base, z.split())} else noun

    def _property_unsaid(self, tokens: str, z: str) -> str | None:
        """``fee`` of "what fee did _guest_ get", of "what is the fee of _guest_", where z says no
        such property."""
        did = _WHAT_DID.match(tokens)
        found = did or _WHAT_IS_THE.match(tokens)
        if found is None or not z:
            return None
        *_, noun = words = [*map(base, found[1].split())]
        of_all = EVERYTHING if did else EVERYTHING | {"code", "id"}  # a thing is named by these
        if noun not in self.given | self.properties or noun in of_all:
            return None
        said = any(same_root(word, other) for word in words for other in z.split())
        return None if said else noun

    def _twice(self, tokens: str, z: str) -> str | None:
        """The thing that z is of twice, "fields that have crops with fields with _crop_", and the
        question, once at most."""
        words = [*map(base, tokens.split())]
        several = [base(word) for word in z.split() if base(word) != word]
        both = {base(noun) for noun in _OF_BOTH.findall(z)}
        known = self.things.intersection(several) - both
        often = {word for word in known if several.count(word) > 1}
        return next((word for word in sorted(often) if words.count(word) == 1), None)

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
        if _HOW_OFTEN.match(tokens) and z.startswith("how many "):
            return None
        asked = asked_nouns(tokens, self.things - (UNITS - TIMES))
        if not asked or self._calls(asked[-1], tokens, given):
            return None
        return None if self._gives(asked[-1], z, given) else asked[-1]

    def _calls(self, thing: str, tokens: str, given: Sequence[str]) -> bool:
        """Whether by a title the things are called that z gives: "titles of books"."""
        titled = thing != "name" and bool(given) and (thing, given[-1]) in self.titled
        words = tokens.split()
        # "numbers of all invoices": they are named by these
        numbers = thing == "number" and "numbers" in words and thing not in self.given
        if not (thing in NAMING or numbers) or not given or titled:
            return False
        at = next((at for at, word in enumerate(words) if base(word) == thing), len(words))
        behind = [(base(word), base(word) != word) for word in words[at + 1 :]]
        # "names of our vip guests", where some ask which vip guests there are
        called = [
            word
            for word, plural in sorted(behind, key=lambda each: not each[1])
            if word in self.things
        ]
        return called[:1] == [given[-1]]

    def _gives(self, thing: str, z: str, given: Sequence[str]) -> bool:
        """Whether z asks for a thing, or for something of each."""
        if z.startswith("who ") and self.people:  # who subscribes to the most shows is no show
            return thing in self.people
        words = core(z)
        if thing in TIMES and (z.startswith("when ") or "date" in words):
            return True
        property, of, _ = z.partition(" of ")
        if of and z.startswith("what is the ") and "name" not in core(property):
            words = core(property)
        each = any(pair in (("each", thing), ("per", thing)) for pair in pairwise(words))
        return each or (given[-1] == thing if given else thing in words)
