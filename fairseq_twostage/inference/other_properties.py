"""Where a question asks for one property and a reading for another, by what is known."""

from __future__ import annotations

import re
from itertools import pairwise

from fairseq_twostage.inference.known_words import NAMING, PROPERTIES, KnownWords
from fairseq_twostage.text.function_words import FUNCTION_WORDS
from fairseq_twostage.text.placeholders import is_placeholder, parts_of
from fairseq_twostage.text.question_words import (
    ASKING,
    MOST_IN_EST,
    asked_kinds,
    asked_thing,
    negations,
)
from fairseq_twostage.text.synonyms import known_as
from fairseq_twostage.text.unit_words import UNITS
from fairseq_twostage.text.word_forms import base, has_form, same_root

_NO_MORE = re.compile(r"\bha(?:ve|s) no ([a-z ]+)$|\bnot yet ([a-z ]+)$")
_MEASURE = re.compile(
    r"^what is the (?:(?:average|total|highest|lowest|largest|smallest) )?([a-z ]+?) of "
)
_DENIED = re.compile(r"\b(?:ha(?:ve|s) no|without(?: an?)?|with no) ([a-z ]+)")
_ASKS_FOR = re.compile(
    r"^(?:what (?:is|was|are|were)|what s|what 's|whats) the ([a-z]+(?: [a-z]+)?) of "
)
_TWO_OF = re.compile(r"\b([a-z]+) and (?:the |its |their )?([a-z]+) (?:of|for)\b")
_PROPERTY_OF = re.compile(
    r"(?:(?:what|which|whats|tell|show|give|me|is|are|'s|the|please) )*([a-z]+) of "
)
_WHICH = re.compile(r"which ([a-z]+) (?:has|have|had|is|are|do|does|did|was|were) ")
_OF_THINGS = re.compile(r"\b([a-z]+) of (?:(?:all|each|every|the|those) )*([a-z]+)\b")
_OF_NAME = re.compile(r"(?:\b([a-z]+) |^)([a-z]+) of (?:the )?_(?!number|date|time)")
_EXTREME = re.compile(rf"\b(?:{MOST_IN_EST}|maximum|minimum) (?!number\b)([a-z]+)\b")
_THE_MOST = re.compile(rf"\bof (?:the |our |my )?(?:{MOST_IN_EST}|most|least) ")
_WHOSE = re.compile(r"whose ([a-z]+) ")
_HEADED = re.compile(r"(?:(?:show|all|the) )*(_[a-z_]+?)\d*_ (?:that|which|who|with|without) ")
_TOTAL_OF = re.compile(r"\b(?:total|sum|combined) (?:of )?(?:the )?(?!number\b|of\b)([a-z]+)")


def other_property(tokens: str, z: str, known: KnownWords) -> str | None:
    """Why z is of another property than a question asks for; None: it may not be."""
    return next(filter(None, (rule(tokens, z, known) for rule in _RULES)), None)


def _of_other_things(tokens: str, z: str, known: KnownWords) -> str | None:
    """A property that a question asks for, where z asks for something of which the question
    says nothing: *types*, of vendors."""
    noun, given = asked_kinds(tokens), asked_thing(z)
    if noun is None or given is None or base(noun) not in known.given:
        return None
    words = {*map(base, z.split())}
    if given in {*map(base, tokens.split())} or any(same_root(base(noun), w) for w in words):
        return None
    return f"it asks for “{noun}”, and what was understood for another {given}"


def _half(tokens: str, z: str, known: KnownWords) -> str | None:
    """The second of two properties that a question asks for, where z has one: "rating and
    length of _film_"."""
    nouns = known.properties | known.given | known.things | {*NAMING}
    for one, other in _TWO_OF.findall(tokens):
        both = {base(one), base(other)}
        lost = both - {*map(base, z.split())}
        if both <= nouns and lost:
            return f"it asks two things, and what was understood has no {min(lost)}"
    return None


def _property_of(tokens: str, z: str, known: KnownWords) -> str | None:
    """The property that a question begins with, where z has none: the *length*, of the longest
    film."""
    found = _PROPERTY_OF.match(tokens)
    others = known.heads | {"id", "number", *NAMING}
    one = found is not None and base(found[1]) == found[1]  # several are things
    properties = known.properties | ((known.given | (known.things - known.types)) if one else set())
    begins = found is not None and base(found[1]) in properties - others
    if found is None or not begins or any(same_root(base(found[1]), w) for w in z.split()):
        return None
    return f"it asks for the {found[1]}, and what was understood does not"


def _denies_another(tokens: str, z: str, known: KnownWords) -> str | None:
    """What a question asks for those without, where z asks for those without something else:
    a *receipt number*, of "have no amount"."""
    asked, given = _DENIED.search(tokens), _DENIED.search(z)
    if asked is None or given is None:
        return None
    said = [base(word) for word in asked[1].split()[:2] if word not in FUNCTION_WORDS]
    lacking = [*map(base, given[1].split())]
    things = [thing for word in said if (thing := known_as(word, known.things))]
    asks = things or not known.given.isdisjoint(said)
    if not asks or any(same_root(a, b) for a in [*said, *things] for b in lacking):
        return None
    return f"it asks for no {' '.join(said)}, and what was understood for no {given[1]}"


def _of_a_name(tokens: str, z: str, known: KnownWords) -> str | None:
    """A property of which a name is said, where z has none: the *role* of a name."""
    said = known.properties | known.given | known.things
    for before, noun in _OF_NAME.findall(tokens):
        known_one = base(noun) in said - FUNCTION_WORDS - UNITS - {*NAMING}
        if known_one and not any(has_form(word, z.split()) for word in (before, noun) if word):
            return f"it says “{noun} of”, and what was understood does not"
    return None


def _which_other(tokens: str, z: str, known: KnownWords) -> str | None:
    """The property of which the value is asked for, where z asks for things: which *grade* has the
    most pupils, of the pupil with the highest grade."""
    asked, given = _WHICH.match(tokens), _WHICH.match(z)
    if asked is None or given is None or base(asked[1]) not in known.given:
        return None
    if same_root(base(asked[1]), base(given[1])) or base(given[1]) not in known.types:
        return None
    return f"it asks for a {asked[1]}, and what was understood for a {given[1]}"


def _of_another(tokens: str, z: str, known: KnownWords) -> str | None:
    """Things whose property is asked for, where z asks for the same of others: ids of *students*,
    of pets."""
    asked, given = _OF_THINGS.search(tokens), _OF_THINGS.search(z)
    if asked is None or given is None or not same_root(asked[1], given[1]):
        return None
    noun, other = base(asked[2]), base(given[2])
    things = known.heads | known.types
    there = noun in {*map(base, z.split())} and other in {*map(base, tokens.split())}
    if not {noun, other} <= things or noun == other or there:
        return None
    return f"it asks for the {asked[1]} of {asked[2]}, and what was understood of {given[2]}"


def _extreme_property(tokens: str, z: str, known: KnownWords) -> str | None:
    """The property that the most is taken of, where z has another or none: the largest
    *population*, of the largest country."""
    for found in map(base, _EXTREME.findall(tokens)):
        asked = found in known.given - FUNCTION_WORDS and found not in known.things
        if asked and not has_form(found, z.split()):
            return f"it asks for the most of “{found}”, and what was understood does not"
    return None


def _other_measure(tokens: str, z: str, known: KnownWords) -> str | None:
    """A property that z asks for and the question does not, where it has another one that is
    known: the *salary*, of "average household size"."""
    found = _MEASURE.match(z)
    if found is None:
        return None
    given = [*map(base, found[1].split())]
    said = [base(word) for word in tokens.split() if word.isalpha() and word not in ASKING]
    how, many, counted, *_ = [*tokens.split(), "", "", ""]
    if (how, many) == ("how", "many") and base(counted) in UNITS:
        return None  # liters say that it is a volume
    if any(same_root(one, word) for one in given for word in said):
        return None
    words = {*map(base, z.split())}
    others = [
        word
        for word in said
        if word in known.given - FUNCTION_WORDS and not any(same_root(word, each) for each in words)
    ]
    return f"it says “{others[0]}”, and what was understood is a {found[1]}" if others else None


def _narrower(tokens: str, z: str, known: KnownWords) -> str | None:
    """The property that a question says before the one that z asks for: the *address*, of
    "email address of"."""
    found = PROPERTIES.match(z)
    if found is None:
        return None
    given = {*map(base, z.split())}
    for before, word in pairwise(tokens.split()):
        narrows = base(before) in known.given - FUNCTION_WORDS - ASKING - given
        if narrows and base(word) == base(found[1].split()[-1]):
            return f"it asks for the {before} {word}, and what was understood for the {found[1]}"
    return None


def _lost_property(tokens: str, z: str, known: KnownWords) -> str | None:
    """A property that a question asks for, where z asks which things there are: the *mascot*
    of games."""
    found = _ASKS_FOR.match(tokens)
    if found is None or not z.startswith(("which ", "who ")):
        return None
    noun = base(found[1].split()[-1])
    asks = noun in known.given | known.things
    if not asks or any(same_root(noun, base(word)) for word in z.split()):
        return None
    return f"it asks for “{found[1]}”, and what was understood for other things"


def _total(tokens: str, z: str, known: KnownWords) -> str | None:
    """A total, where none is known and z asks for how many or an average."""
    found = None if known.totals else _TOTAL_OF.search(tokens)
    if found is None or base(found[1]) not in known.properties - {*z.split()}:
        return None
    return f"it asks for a total {found[1]}, and what was understood does not"


def _never(tokens: str, z: str, known: KnownWords) -> str | None:
    """What z has none of, where a question asks for what was never done: no *price* of what
    was never sold; *no bills* may be meant."""
    found = _NO_MORE.search(z) if "never" in tokens.split() else None
    if found is None:
        return None
    lacking = (found[1] or found[2]).split()
    if found[1] and base(lacking[-1]) in known.things and base(lacking[-1]) != lacking[-1]:
        return None
    said = [word for word in tokens.split() if word not in FUNCTION_WORDS]
    if any(has_form(word, lacking) for word in said):
        return None
    return f"it asks for what never happened, and what was understood for no {lacking[-1]}"


def _of_other_kinds(tokens: str, z: str, known: KnownWords) -> str | None:
    """A kind of things that a question speaks of, where z has no word like it: the average price
    of *bookings*, of salaries of staff."""
    given = [
        base(part)
        for word in z.split()
        for part in (parts_of(word)[0].split("_") if is_placeholder(word) else [word])
    ]
    said = sorted(known.said(tokens) & known.types)
    other = next((kind for kind in said if not any(same_root(kind, w) for w in given)), None)
    return f"it speaks of a {other}, and what was understood does not" if other else None


def _drops_such(tokens: str, z: str, known: KnownWords) -> str | None:
    """A word for what things are or are not, where z has none like it: samples that *failed*, of
    any; *unpaid* is what is not paid."""
    if negations(tokens) or negations(z):
        return None
    given = z.split()
    for word in tokens.split():
        if word not in known.denied - FUNCTION_WORDS - {"there"}:
            continue
        words = known.alike_such[word]
        if not any(same_root(one, w) or w.endswith(one) for one in words for w in given):
            return f"it says “{word}”, and what was understood does not"
    return None


def _drops_quality(tokens: str, z: str, known: KnownWords) -> str | None:
    """What things are, in a question, where z says nothing of it: *vegan*, of the cheapest cake."""
    for quality in known.qualities:
        said = re.search(rf"\b{re.escape(quality)}\b", tokens)
        if said and not any(has_form(word, z.split()) for word in quality.split()):
            return f"it says “{quality}”, and what was understood does not"
    return None


def _of_extreme(tokens: str, z: str, known: KnownWords) -> str | None:
    """The property that is asked for of the most of something, where z has which things have the
    most of it: the *weight* of the dearest, of those of the highest weight."""
    found, asked = _PROPERTY_OF.match(tokens), _THE_MOST.search(tokens)
    if found is None or asked is None or z.startswith(("what ", "how ")):
        return None
    noun, rest = base(found[1]), _EXTREME.sub("", z).split()
    if noun not in (known.properties | known.given) - known.heads or has_form(noun, rest):
        return None
    return f"it asks for the {found[1]}, and what was understood for something else"


def _headed_otherwise(tokens: str, z: str, known: KnownWords) -> str | None:
    """What a question asks for by a value or by whose it is, where z asks for something else:
    *factories* that have bins, of bins; *whose* bin it is."""
    itself = z.startswith("what is the ") and " of " not in z
    given = base(z.split()[-1]) if itself else asked_thing(z)
    whose, headed = _WHOSE.match(tokens), _HEADED.match(tokens)
    if whose is not None and given == base(whose[1]):
        return f"it asks whose {whose[1]} it is, and what was understood for the {given}"
    things = known.valued.get(headed[1], set()) if headed is not None else set()
    if given is None or not things or given in things or not z.startswith("which "):
        return None
    return f"it asks for a {min(things)}, and what was understood for a {given}"


_RULES = (
    _never,
    _headed_otherwise,
    _drops_such,
    _drops_quality,
    _of_extreme,
    _of_other_things,
    _denies_another,
    _half,
    _total,
    _property_of,
    _of_a_name,
    _of_another,
    _which_other,
    _extreme_property,
    _other_measure,
    _narrower,
    _lost_property,
    _of_other_kinds,
)
