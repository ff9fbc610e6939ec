"""Which thing a question asks for, and whether what was understood asks for another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from fairseq_twostage.inference.answers_asked import (
    plurals,
)
from fairseq_twostage.inference.known_questions import KnownQuestions
from fairseq_twostage.inference.known_words import EVERYTHING, NAMING
from fairseq_twostage.text.content_words import core
from fairseq_twostage.text.question_words import asked_kinds, asked_nouns, asked_plural
from fairseq_twostage.text.unit_words import UNITS
from fairseq_twostage.text.word_forms import base, same_root

_CLAUSE_OF = re.compile(
    r"(?:(?:show|what|which) )?(?:(?:is|are) )?the ([a-z]+) "
    r"(?:where|in which|that|which|with the)\b"
)
_WHAT_IS_THE = re.compile(r"what (?:is|was) the ((?:[a-z]+ )?[a-z]+) of ")
_WHAT_DID = re.compile(r"(?:what|which) ([a-z]+) (?:did|do|does|has|have|had) ")
_HOW_OFTEN = re.compile(r"how many (?:different )?times\b")
_OF_BOTH = re.compile(r"_\w+_ ([a-z]+s) (?:and|or|but not) _\w+_ \1\b")  # _x_ loans and _y_ loans
MOST_WORDS = 3  # of a property's name
TIMES = frozenset(("year", "month", "week", "day", "date", "time"))


class AskedThings(KnownQuestions):
    """Which thing a question asks for, by what the known ones ask for."""

    def missed(self, tokens: str, z: str, given: Sequence[str]) -> str | None:
        """The thing that a question asks for and z, which asks for ``given``, does not."""
        if _HOW_OFTEN.match(tokens) and z.startswith("how many "):
            return None
        asked = asked_nouns(tokens, self.things - (UNITS - TIMES))
        if not asked or self.calls(asked[-1], tokens, given):
            return None
        return None if self._gives(asked[-1], z, given) else asked[-1]

    def calls(self, thing: str, tokens: str, given: Sequence[str]) -> bool:
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

    def two_unsaid(self, tokens: str, z: str) -> bool:
        """Whether z is of two things, and the question, of one that is not known, says neither:
        "breeds that have patients born in …" of "pets born in …"."""
        kind = asked_kinds(tokens)
        given = self.things & plurals(z)
        if kind is None or len(given) < 2 or len(plurals(tokens)) > 1:
            return False
        return given.isdisjoint(map(base, tokens.split()))

    def head_of_clause(self, tokens: str, z: str, given: Sequence[str]) -> str | None:
        """``county`` of "the county where most wines are made", where z gives another thing."""
        found = _CLAUSE_OF.match(tokens) if given else None
        noun = base(found[1]) if found else None
        if noun not in self.given | self.things or noun in EVERYTHING or noun == given[-1]:
            return None
        return None if noun in {*map(base, z.split())} else noun

    def misses_property(self, tokens: str, z: str) -> str | None:
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

    def twice(self, tokens: str, z: str) -> str | None:
        """The thing that z is of twice, "fields that have crops with fields with _crop_", and the
        question, once at most."""
        words = [*map(base, tokens.split())]
        several = [base(word) for word in z.split() if base(word) != word]
        both = {base(noun) for noun in _OF_BOTH.findall(z)}
        known = self.things.intersection(several) - both
        often = {word for word in known if several.count(word) > 1}
        return next((word for word in sorted(often) if words.count(word) == 1), None)

    def another_phrase(self, tokens: str, z: str) -> str | None:
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
