"""What the known questions ask for, and where a question differs from one of them by that."""

from __future__ import annotations

import re
from itertools import pairwise

from fairseq_twostage.inference.known_words import (
    EVERYTHING,
    EXTREME,
    GROUPS,
    KnownWords,
)
from fairseq_twostage.inference.other_doers import other_doer
from fairseq_twostage.inference.other_numbers import other_number
from fairseq_twostage.inference.other_properties import other_property
from fairseq_twostage.inference.other_times import other_time
from fairseq_twostage.text.asked_for import says_number
from fairseq_twostage.text.denying import denied
from fairseq_twostage.text.function_words import FUNCTION_WORDS, word_set
from fairseq_twostage.text.implied_words import implied_words
from fairseq_twostage.text.question_words import (
    ASKING,
    DULL,
    MOST_IN_EST,
    MOST_OF,
    NAMED_KIND,
    PEOPLE,
    asked_thing,
    counted_most,
)
from fairseq_twostage.text.synonyms import known_as
from fairseq_twostage.text.unit_words import EACH, UNITS
from fairseq_twostage.text.word_forms import base, has_form, same_root

_OF_PART = re.compile(
    rf"what (?:is|are) the (?:(?:average|total|highest|lowest) (?:[a-z]+ )+?of|{MOST_IN_EST}|"
    rf"(?:most|least) [a-z]+) ([a-z]+) of (?:the )?(?:{MOST_IN_EST} )?([a-z]+)\b"
)
_RANKED = re.compile(
    r"\bthe (?=([a-z]+)(?: (?:by|from|in|of|with) _\w+_)? "
    r"(?:with|that has) the (?:most|fewest)\b)|"
    r"\b(?:(?:with|of|by|has|have) (?:the )?|the )"
    rf"(?:{MOST_IN_EST}|(?:most|least|best|worst) \w+) (?:_\w+_ )?([a-z]+)\b"
)
_RANKED_NOUN = re.compile(
    rf"\b(?:(?:most|least) (?!of\b)[a-z]{{4,}}|{MOST_IN_EST}) ([a-z]{{3,}})\b(?! (?:of|for|on)\b)"
)
_MEASURED_OF = re.compile(
    r"\b(?:total|average) (?:[a-z]+ )*?([a-z]+) of (?:[a-z]+ ){0,3}?([a-z]+)(?= that\b)"
)
_NARROWED = re.compile(r"\b([a-z]+) that (?:are|have|were)\b ?([a-z]*)")
_BEHIND = re.compile(r"(?:which|how many) ([a-z]+) ([a-z]+(?: [a-z]+)?) (?:are|have) ")
_WHICH_BEHIND = re.compile(
    r"(?<!^)(?<!\bin )(?<!\bof )(?<!\bby )(?<!\bfrom )(?<!\bat )\bwhich ([a-z]+s) "
    r"(?:did|do|have|has|are|were) (?:we|they|you|there)\b"
)
_GOES_BY = re.compile(
    r"\b(?:(?:are|is) (?:of|in|by)|have|with) ([a-z]+s|the [a-z]+) "
    r"(?:based|by|from|in|of|stationed|that|with) "
)
_LONGEST = re.compile(
    r"\b(?:longest|shortest|heaviest|lightest|tallest|oldest|youngest|newest|fastest|slowest|"
    r"cheapest|most expensive)\b"
)
_DETERMINING = word_set("all any no some")
_AND = re.compile(r"\b([a-z]{3,}) and (?:the |our )?([a-z]{3,})\b")
_ONE_TO_ANOTHER = re.compile(r"\b([a-z]+s) ((?:have |are )?[a-z]+)(?: of| to)? the ([a-z]+)\b")
_HAVING = re.compile(r"\b(?:has|have|had|with) (?:an? |any |some )?([a-z]+)\b(?! _[a-z])")
_FIRST_OF = re.compile(r"\b(first|last) (?:[a-z]+ )?([a-z]{3,})\b")
_OF_EXTREME = re.compile(
    rf"^[a-z]+(?: [a-z]+)? of (?:{MOST_IN_EST}|(?:most|least|best|worst) [a-z]+) ([a-z]+)"
)


def measured_things(tokens: str, z: str) -> frozenset[str]:
    """The things of which z sums what a question says: *shifts*, of "total hours of shifts"."""
    found = (each for each in _MEASURED_OF.findall(z) if has_form(each[0], tokens.split()))
    return frozenset(base(thing) for _, thing in found)


class KnownQuestions(KnownWords):
    """What the known questions ask for, and whether a question and one of them differ by it."""

    def differs(self, tokens: str, z: str) -> str | None:
        """Why z asks another question, by what others ask; None: it may not."""
        found = (
            *(self._other_groups, self._other_things, self._first, self._narrowed, self._nested),
            *(self._one_of_both, self._denies_other, self._other_behind),
            self._ranks_by_number,
            self._measures_part,
        )
        reason = next(filter(None, (each(tokens, z) for each in found)), None)
        others = (other_time, other_number, other_doer, other_property)
        reason = reason or next(filter(None, (each(tokens, z, self) for each in others)), None)
        return reason or self._ranks_other(tokens, z)

    def counts_unasked(self, tokens: str, z: str) -> bool:
        """Whether z is the number of things, and the question asks for none: animals that are …"""
        number, of, thing, *_ = [*z.split(), "", "", ""]
        counts = (number, of) == ("number", "of") and base(thing) in self.heads
        return counts and not says_number(tokens)

    def ranks_another(self, tokens: str, z: str, given: str) -> str | None:
        """A thing that z takes the most of beside the one that both ask for: depots of "the
        employee with the most shipments", of the depot with the most."""
        said = {*map(base, tokens.split())}
        asked = given in said or tokens.startswith("who ")
        if not asked or not z.startswith(("which ", "how many ")):
            return None
        ranked = (base(one or other) for one, other in _RANKED.findall(z))
        others = (noun for noun in ranked if noun in self.things and noun != given)
        return next((noun for noun in others if noun not in said), None)

    def adds_thing(self, tokens: str, z: str) -> bool:
        """Whether z says all words of a question and is of another thing besides: courses with
        cancelled *sessions*, of cancelled courses."""
        given = {*map(base, z.replace("_", " ").split())}
        said = {*map(base, tokens.replace("_", " ").split())}
        kind = NAMED_KIND.match(tokens)
        if kind is not None and f"are {kind[1]}" in z:  # flats, of properties that are flats
            return False
        added = self.said(z) - said - self.between(tokens, z)
        known = self.said(tokens)
        if not known or not added or any(same_root(a, b) for a in added for b in said):
            return False
        words = {base(word) for word in tokens.split() if word.isalpha() and word not in DULL}
        return all(any(same_root(word, other) for other in given) for word in words)

    def goes_by_other(self, tokens: str, z: str) -> bool:
        """Whether z gets to what it is of by things that the question does not speak of: copies
        *of members* based at a branch."""
        _, thing, *_ = [*z.split(), "", ""]
        if tokens.startswith("who ") and base(thing) in self.people:
            return False  # the volunteers who have shifts of an event
        said = [*tokens.replace("_", " ").split(), *self.between(tokens, z)]
        between = (base(noun.removeprefix("the ")) for noun in _GOES_BY.findall(z))
        return any(noun in self.kinds and not has_form(noun, said) for noun in between)

    def thing_unsaid(self, tokens: str, z: str) -> bool:
        """Whether a question says what things have, and z has it by no name: *shipment*, of "orders
        that have a shipment after _date_"."""
        there = {*map(base, z.replace("_", " ").split())}
        said = {*map(base, _HAVING.findall(tokens))} & self.kinds - there - EVERYTHING - UNITS
        said -= self.people if z.startswith("who ") else frozenset()
        return any(
            known_as(noun, there) is None and not any(same_root(noun, word) for word in there)
            for noun in said
        )

    def of_its_own(self, tokens: str, z: str) -> bool:
        """Whether z is of things that do something with another of their own, technicians that
        *lead the technician* from a town, and the question says the thing once."""
        found = _ONE_TO_ANOTHER.search(z)
        if found is None or base(found[1]) != found[3] or found[3] not in self.kinds:
            return False
        verb = found[2].split()[-1]
        once = [*map(base, tokens.split())].count(found[3]) == 1
        return once and not has_form(verb, tokens.split())

    def adds_adjective(self, tokens: str, z: str) -> bool:
        """Whether z narrows what is asked for by a word that the question does not have:
        *newsletter* students, of new ones."""
        words = z.split()
        lead = 2 if words[:2] == ["how", "many"] else int(words[:1] == ["which"])
        word, noun = [*words[lead : lead + 2], "", ""][:2]
        narrows = bool(lead) and word.isalpha() and word not in FUNCTION_WORDS | ASKING
        if not narrows or base(noun) not in self.kinds or base(noun) == noun:
            return False
        return not has_form(word, tokens.split())

    def adds_condition(self, tokens: str, z: str) -> bool:
        """Whether z says of what is asked for, right behind it, what the question says nothing of:
        products *sold out* that are delivered."""
        found = _BEHIND.match(z)
        if found is None or base(found[1]) not in self.kinds or base(found[1]) == found[1]:
            return False
        return not any(has_form(word, tokens.split()) for word in found[2].split())

    def _other_groups(self, tokens: str, z: str) -> str | None:
        """What a question asks for each of, where z says something for each of something else:
        *town*, of cities."""
        found = GROUPS.search(z)
        if found is None:
            return None
        given = {*map(base, z.split())}
        for before, word in pairwise(tokens.split()):
            asked = base(word)
            if before in EACH and asked in self.groups and asked not in given:
                return f"it asks for each {asked}, and what was understood for each {found[1]}"
        return None

    def _narrowed(self, tokens: str, z: str) -> str | None:
        """What z says before a plural that the question says by itself: *abandoned* dogs, of any
        dogs."""
        words = tokens.split()
        plain = {noun for before, noun in pairwise(words) if before in _DETERMINING}
        for before, noun in pairwise(z.split()):
            narrows = noun in plain and base(noun) != noun and before.isalpha()
            dull = before in FUNCTION_WORDS | ASKING | _DETERMINING or EXTREME.match(before)
            if narrows and not dull and not has_form(before, words) and before not in self.types:
                return f"it is of {noun}, and what was understood of {before} {noun}"
        return None

    def _one_of_both(self, tokens: str, z: str) -> str | None:
        """The thing of two that a question says with *and*, which z does not have: staff, of "last
        names of customers and staff"."""
        given = {*map(base, z.replace("_", " ").split())}
        for one, other in _AND.findall(tokens):
            both = [known_as(base(word), self.things) for word in (one, other)]
            plural = base(one) != one or base(other) != other
            missed = [word for word, thing in zip((one, other), both) if thing not in given]
            if None not in both and plural and both[0] != both[1] and len(missed) == 1:
                return f"it is of {one} and {other}, and what was understood not of {missed[0]}"
        return None

    def _nested(self, tokens: str, z: str) -> str | None:
        """A thing that z narrows by what the question says of another: products that *customers*
        that have spent less than 20 buy, of products under 20."""
        said = {*map(base, tokens.split()), *measured_things(tokens, z), *self.between(tokens, z)}
        nouns = [
            noun
            for noun, degree in _NARROWED.findall(z)
            if not (degree.endswith("er") and degree in tokens.split())  # boats of models
        ]
        head = z.startswith(("what ", "which of the ")) or z.split()[1:2] == nouns[:1]
        for noun in map(base, nouns[head:]):
            thing = noun in self.types and not said & {noun, *PEOPLE}
            if thing and not any(known_as(word, {noun}) for word in said):
                return f"it does not speak of a {noun}, and what was understood does"
        return None

    def _measures_part(self, tokens: str, z: str) -> str | None:
        """What z takes of each thing of which a question asks it itself: the deepest *context* of
        the deepest trench, the average depth of *contexts* of trenches."""
        found = _OF_PART.match(z)
        part, whole = map(base, found.groups()) if found else ("", "")
        if part not in self.kinds or whole not in self.kinds or part == whole:
            return None
        said = tokens.replace("_", " ").split()
        if not has_form(whole, said) or known_as(part, {*map(base, said)}) or has_form(part, said):
            return None
        return f"it does not ask for a {part}, and what was understood does"

    def _denies_other(self, tokens: str, z: str) -> str | None:
        """What a question denies, where z has it nowhere and denies what the question does not
        say: *paid*, where z has no orders."""
        said, given = denied(tokens), denied(z)
        if said is None or said not in self.denied or given in (None, said):
            return None
        if (
            has_form(said, z.split())
            or said in implied_words(tokens, z)
            or given in map(base, tokens.split())
        ):
            return None
        return f"it denies that something is {said}, and what was understood denies another thing"

    def _other_behind(self, tokens: str, z: str) -> str | None:
        """``actors`` of "contracts of _film_ : which actors did we sign", where z asks for what
        stands before."""
        found = _WHICH_BEHIND.search(tokens)
        if found is None or base(found[1]) not in self.kinds or not z.startswith("which "):
            return None
        given = asked_thing(z)
        if given in (None, base(found[1])):
            return None
        return f"it asks which {found[1]}, and what was understood which {given}"

    def _first(self, tokens: str, z: str) -> str | None:
        """The first or the last of the things, where z has no extreme."""
        found = _FIRST_OF.search(tokens)
        known = found is not None and base(found[2]) in self.heads | self.things
        if found is None or not known or EXTREME.search(z):
            return None
        return f"it asks for the {found[1]} {found[2]}, and what was understood does not"

    def extreme_of(self, tokens: str, z: str) -> str | None:
        """What z takes the most of and a question does not say: the longest *film*, of the biggest
        hall."""
        found = _OF_EXTREME.search(z)
        noun = base(found[1]) if found else ""
        if noun not in self.heads | self.things or noun in {*map(base, tokens.split())}:
            return None
        return f"it does not ask for the {noun}, and what was understood does"

    def _ranks_other(self, tokens: str, z: str) -> str | None:
        """The noun of which a question asks for the most something, where z has none of its forms:
        the most expensive *repair*, of the most expensive boat."""
        found = _RANKED_NOUN.search(tokens)
        noun = base(found[1]) if found else ""
        if noun not in (self.given | self.things) - EVERYTHING - UNITS or not MOST_OF.search(z):
            return None
        if has_form(noun, z.replace("_", " ").split()):
            return None
        return f"it asks for the {noun}, and what was understood for that of something else"

    def _ranks_by_number(self, tokens: str, z: str) -> str | None:
        """Who has the *longest game*, where z takes those of the most games."""
        said = _LONGEST.search(tokens)
        counted = self.kinds.intersection(counted_most(z))
        if said is None or not counted or _LONGEST.search(z):
            return None
        return f"it asks for the {said[0]}, and what was understood for the most {min(counted)}"

    def _other_things(self, tokens: str, z: str) -> str | None:
        """A thing that z is of and the question is not, where the question is of another one:
        suppliers, of what guests spent on *services*."""
        asked, given = self.said(tokens), self.said(z)
        missed = asked - {*map(base, z.replace("_", " ").split())} - UNITS - EVERYTHING
        said = {*map(base, tokens.replace("_", " ").split())}
        added = given - asked - said - measured_things(tokens, z)
        if not missed or not added or any(same_root(a, b) for a in added for b in said):
            return None
        return f"it is of {min(missed)}, and what was understood of {min(added)}"
