"""What the known questions ask for, and where a question differs from one of them by that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from fairseq_twostage.semantics.gold_forms import constants_of
from fairseq_twostage.text.asked_for import is_present, says_number
from fairseq_twostage.text.function_words import FUNCTION_WORDS, word_set
from fairseq_twostage.text.omissions import EACH, UNITS
from fairseq_twostage.text.question_words import (
    ASKING,
    AVERAGE,
    DULL,
    MOST_IN_EST,
    asked_kinds,
    asked_thing,
    says_total,
)
from fairseq_twostage.text.synonyms import known_as
from fairseq_twostage.text.word_forms import base, has_form, same_root

LEAST_OF_HEADS = 0.02  # of all canonical utterances
NAMING = ("name", "title")
_NO_MORE = re.compile(r"\bha(?:ve|s) no ([a-z ]+)$|\bnot yet ([a-z ]+)$")
_PRESENT = re.compile(
    r"\bcurrent(?:ly)? (?:employ(?:ed|ee|ees)|work\w*|staff|team|members?)\b|"
    r"\bstill \w+ (?:here|for us)\b"
)
_MEASURE = re.compile(
    r"^what is the (?:(?:average|total|highest|lowest|largest|smallest) )?([a-z ]+?) of "
)
_DENIED = re.compile(r"\b(?:ha(?:ve|s) no|without(?: an?)?|with no) ([a-z ]+)")
_DETERMINERS = word_set("the a an which what any no of")
_GROUPS = re.compile(r"\b(?:per|for each|does each) ([a-z ]+)$")
_COUNTED = re.compile(r"\b_number\d*_ (?:(?:different|distinct|separate|various) )?([a-z]+)")
_PROPERTIES = re.compile(r"^(?:what is the |what are the |which )([a-z ]+?) (?:of|has|have) ")
_ASKS_FOR = re.compile(
    r"^(?:what (?:is|was|are|were)|what s|what 's|whats) the ([a-z]+(?: [a-z]+)?) of "
)
_EVERYTHING = word_set("people person name title number kind type date time year")
_TITLE = re.compile(rf"\b({'|'.join(NAMING)}) of (?:the )?(?:_\w+_ )?([a-z]+)\b")
_RANKED = re.compile(
    r"\bthe (?=([a-z]+) (?:with|that has) the (?:most|fewest)\b)|"
    r"\b(?:(?:with|of|by|has|have) (?:the )?|the )"
    rf"(?:{MOST_IN_EST}|(?:most|least|best|worst) \w+) (?:_\w+_ )?([a-z]+)\b"
)
_DONE_THEN = re.compile(
    r"\b([a-z]+ed|born|bought|built|left|made|paid|sent|sold|held) "
    r"(?:in|on|at|before|after|since|until|between|from) _(?:date|time)_"
)
_TWO_OF = re.compile(r"\b([a-z]+) and (?:the |its |their )?([a-z]+) (?:of|for)\b")
_PROPERTY_OF = re.compile(
    r"(?:(?:what|which|whats|tell|show|give|me|is|are|'s|the|please) )*([a-z]+) of "
)
_FIRST_OF = re.compile(r"\b(first|last) (?:[a-z]+ )?([a-z]{3,})\b")
_EXTREME = re.compile(rf"\b(?:first|last|next|best|worst|most|least|fewest|{MOST_IN_EST})\b")
_TOTAL_OF = re.compile(r"\b(?:total|sum|combined) (?:of )?(?:the )?(?!number\b|of\b)([a-z]+)")
_OF_EXTREME = re.compile(
    rf"^[a-z]+(?: [a-z]+)? of (?:{MOST_IN_EST}|(?:most|least|best|worst) [a-z]+) ([a-z]+)"
)


class KnownQuestions:
    """What the known questions ask for.

    Args:
        pairs: logical forms by canonical utterance.

    Attributes:
        things: nouns by which something is asked for.
        people: those that are asked for by "who", too: of questions that mean the same as one.
        heads: things that canonical phrases begin with: ``film`` of "film with rating above …".
        properties: what others begin with: ``genre`` of "genre of film".
        counted: whether any such phrase is "number of …".
        totals: whether any asks for a total.
        averages: whether any asks for an average.
        grouped: whether any asks for something of each.
        done: what was done at a time: ``hired`` of "hired before _date_".
        groups: words by which things are grouped: ``city`` of "per city".
        given: words of properties that are asked for: ``vendor`` of "what is the vendor name of".
        numbered: words behind numbers: ``seat`` of "more than _number_ seats".
        kinds: nouns of things by whose plural one asks.
        types: of what sorts things are: ``film`` of ``en.film``.
        titled: title and thing of "what is the title of the lecturer …".
    """

    def __init__(self, pairs: Mapping[str, str]) -> None:
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
        self.done = frozenset(found for z in pairs for found in _DONE_THEN.findall(z))
        self.groups = frozenset(
            word for z in pairs for found in _GROUPS.findall(z) for word in found.split()
        )
        given = {
            base(word)
            for z in pairs
            for found in _PROPERTIES.findall(z)
            for word in found.split()[-2:]
        }
        self.given = frozenset(given - self.things - _EVERYTHING)
        self.numbered = frozenset(
            base(word) for z in pairs for word in _COUNTED.findall(z) if word not in FUNCTION_WORDS
        )
        constants = {name for form in pairs.values() for name in constants_of(form)}
        self.types = frozenset(name.split(".")[1] for name in constants)
        self.titled = frozenset(
            (found[1], base(found[2])) for found in map(_TITLE.search, pairs) if found is not None
        )

    def differs(self, tokens: str, z: str) -> str | None:
        """Why z asks another question, by what others ask; None: it may not."""
        found = (
            *(self._done_otherwise, self._never, self._other_groups, self._other_property),
            *(self._counts_other, self._denies_another, self._other_things, self._half),
            *(self._first, self._total, self._property_of),
            *(self._other_measure, self._narrower, self._lost_property, self._present),
        )
        return next(filter(None, (each(tokens, z) for each in found)), None)

    def counts_unasked(self, tokens: str, z: str) -> bool:
        """Whether z is the number of things, and the question asks for none: animals that are …"""
        number, of, thing, *_ = [*z.split(), "", "", ""]
        counts = (number, of) == ("number", "of") and base(thing) in self.heads
        return counts and not says_number(tokens)

    def ranks_another(self, tokens: str, z: str, given: str) -> str | None:
        """A thing that z takes the most of beside the one that both ask for: depots of "the
        employee with the most shipments", of the depot with the most."""
        said = {*map(base, tokens.split())}
        if given not in said or not z.startswith(("which ", "how many ")):
            return None
        ranked = (base(one or other) for one, other in _RANKED.findall(z))
        others = (noun for noun in ranked if noun in self.things and noun != given)
        return next((noun for noun in others if noun not in said), None)

    def adds_thing(self, tokens: str, z: str) -> bool:
        """Whether z says all words of a question and is of another thing besides: courses with
        cancelled *sessions*, of cancelled courses."""
        given = {*map(base, z.replace("_", " ").split())}
        said = {*map(base, tokens.replace("_", " ").split())}
        added = self._said(z) - said
        known = self._said(tokens)
        if not known or not added or any(same_root(a, b) for a in added for b in said):
            return False
        words = {base(word) for word in tokens.split() if word.isalpha() and word not in DULL}
        return all(any(same_root(word, other) for other in given) for word in words)

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

    def _never(self, tokens: str, z: str) -> str | None:
        """What z has none of, where a question asks for what was never done: no *price* of what
        was never sold; *no bills* may be meant."""
        found = _NO_MORE.search(z) if "never" in tokens.split() else None
        if found is None:
            return None
        lacking = (found[1] or found[2]).split()
        if found[1] and base(lacking[-1]) in self.things and base(lacking[-1]) != lacking[-1]:
            return None
        said = [word for word in tokens.split() if word not in FUNCTION_WORDS]
        if any(has_form(word, lacking) for word in said):
            return None
        return f"it asks for what never happened, and what was understood for no {lacking[-1]}"

    def _other_groups(self, tokens: str, z: str) -> str | None:
        """What a question asks for each of, where z says something for each of something else:
        *town*, of cities."""
        found = _GROUPS.search(z)
        if found is None:
            return None
        given = {*map(base, z.split())}
        for before, word in pairwise(tokens.split()):
            asked = base(word)
            if before in EACH and asked in self.groups and asked not in given:
                return f"it asks for each {asked}, and what was understood for each {found[1]}"
        return None

    def _other_property(self, tokens: str, z: str) -> str | None:
        """A property that a question asks for, where z asks for something of which the question
        says nothing: *types*, of vendors."""
        noun, given = asked_kinds(tokens), asked_thing(z)
        if noun is None or given is None or base(noun) not in self.given:
            return None
        words = {*map(base, z.split())}
        if given in {*map(base, tokens.split())} or any(same_root(base(noun), w) for w in words):
            return None
        return f"it asks for “{noun}”, and what was understood for another {given}"

    def _counts_other(self, tokens: str, z: str) -> str | None:
        """What a question has a number of, where z has a number of something else: reservations,
        of "bookings for more than _number_ people"; teams, of "more than _number_ races", where
        somebody raced for them."""
        given = {base(word) for word in _COUNTED.findall(z) if base(word) != word}
        said = [word for word in tokens.split() if word not in FUNCTION_WORDS]
        for noun in map(base, _COUNTED.findall(tokens)):
            others = (word for word in said if base(word) != noun)
            done = any(same_root(one, word) for word in others for one in given)
            known = noun in self.numbered | self.heads | self.properties
            known = known or (done and noun not in FUNCTION_WORDS | {"time", *map(base, z.split())})
            if given and known and noun not in given:
                return f"it has a number of {noun}, and what was understood of {min(given)}"
        return None

    def _half(self, tokens: str, z: str) -> str | None:
        """The second of two properties that a question asks for, where z has one: "rating and
        length of _film_"."""
        known = self.properties | self.given | self.things | {*NAMING}
        for one, other in _TWO_OF.findall(tokens):
            both = {base(one), base(other)}
            lost = both - {*map(base, z.split())}
            if both <= known and lost:
                return f"it asks two things, and what was understood has no {min(lost)}"
        return None

    def _property_of(self, tokens: str, z: str) -> str | None:
        """The property that a question begins with, where z has none: the *length*, of the longest
        film."""
        found = _PROPERTY_OF.match(tokens)
        others = self.heads | {"number", *NAMING}
        known = found is not None and base(found[1]) in self.properties - others
        if found is None or not known or any(same_root(base(found[1]), w) for w in z.split()):
            return None
        return f"it asks for the {found[1]}, and what was understood does not"

    def _first(self, tokens: str, z: str) -> str | None:
        """The first or the last of the things, where z has no extreme."""
        found = _FIRST_OF.search(tokens)
        known = found is not None and base(found[2]) in self.heads | self.things
        if found is None or not known or _EXTREME.search(z):
            return None
        return f"it asks for the {found[1]} {found[2]}, and what was understood does not"

    def _total(self, tokens: str, z: str) -> str | None:
        """A total, where none is known and z asks for how many or an average."""
        found = None if self.totals else _TOTAL_OF.search(tokens)
        if found is None or base(found[1]) not in self.properties - {*z.split()}:
            return None
        return f"it asks for a total {found[1]}, and what was understood does not"

    def extreme_of(self, tokens: str, z: str) -> str | None:
        """What z takes the most of and a question does not say: the longest *film*, of the biggest
        hall."""
        found = _OF_EXTREME.search(z)
        noun = base(found[1]) if found else ""
        if noun not in self.heads | self.things or noun in {*map(base, tokens.split())}:
            return None
        return f"it does not ask for the {noun}, and what was understood does"

    def _denies_another(self, tokens: str, z: str) -> str | None:
        """What a question asks for those without, where z asks for those without something else:
        a *receipt number*, of "have no amount"."""
        asked, given = _DENIED.search(tokens), _DENIED.search(z)
        if asked is None or given is None:
            return None
        said = [base(word) for word in asked[1].split()[:2] if word not in FUNCTION_WORDS]
        lacking = [*map(base, given[1].split())]
        things = [thing for word in said if (thing := known_as(word, self.things))]
        known = things or not self.given.isdisjoint(said)
        if not known or any(same_root(a, b) for a in [*said, *things] for b in lacking):
            return None
        return f"it asks for no {' '.join(said)}, and what was understood for no {given[1]}"

    def _other_things(self, tokens: str, z: str) -> str | None:
        """A thing that z is of and the question is not, where the question is of another one:
        suppliers, of what guests spent on *services*."""
        asked, given = self._said(tokens), self._said(z)
        missed = asked - {*map(base, z.replace("_", " ").split())} - UNITS - _EVERYTHING
        said = {*map(base, tokens.replace("_", " ").split())}
        added = given - asked - said
        if not missed or not added or any(same_root(a, b) for a in added for b in said):
            return None
        return f"it is of {min(missed)}, and what was understood of {min(added)}"

    def _present(self, tokens: str, z: str) -> str | None:
        """Those who work there now, where it is known who left, and z is of all."""
        present = "left" in self.done and _PRESENT.search(tokens)
        if not present or is_present(z):
            return None
        return "it asks for those who are there now, and what was understood for all"

    def _other_measure(self, tokens: str, z: str) -> str | None:
        """A property that z asks for and the question does not, where it has another one that is
        known: the *salary*, of "average household size"."""
        found = _MEASURE.match(z)
        if found is None:
            return None
        given = [*map(base, found[1].split())]
        said = [base(word) for word in tokens.split() if word.isalpha() and word not in ASKING]
        if any(same_root(one, word) for one in given for word in said):
            return None
        words = {*map(base, z.split())}
        others = [
            word
            for word in said
            if word in self.given - FUNCTION_WORDS
            and not any(same_root(word, each) for each in words)
        ]
        return f"it says “{others[0]}”, and what was understood is a {found[1]}" if others else None

    def _narrower(self, tokens: str, z: str) -> str | None:
        """The property that a question says before the one that z asks for: the *address*, of
        "email address of"."""
        found = _PROPERTIES.match(z)
        if found is None:
            return None
        given = {*map(base, z.split())}
        for before, word in pairwise(tokens.split()):
            narrows = base(before) in self.given - FUNCTION_WORDS - ASKING - given
            if narrows and base(word) == base(found[1].split()[-1]):
                return (
                    f"it asks for the {before} {word}, and what was understood for the {found[1]}"
                )
        return None

    def _lost_property(self, tokens: str, z: str) -> str | None:
        """A property that a question asks for, where z asks which things there are: the *mascot*
        of games."""
        found = _ASKS_FOR.match(tokens)
        if found is None or not z.startswith(("which ", "who ")):
            return None
        noun = base(found[1].split()[-1])
        known = noun in self.given | self.things
        if not known or any(same_root(noun, base(word)) for word in z.split()):
            return None
        return f"it asks for “{found[1]}”, and what was understood for other things"

    def _said(self, tokens: str) -> set[str]:
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
