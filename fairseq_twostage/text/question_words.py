"""What a question asks for and denies, by its words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise

from fairseq_twostage.text.function_words import FUNCTION_WORDS, LIGHT, word_set
from fairseq_twostage.text.synonyms import known_as
from fairseq_twostage.text.word_forms import base

ASKING = word_set(
    "a an the is are was were be been do does did what which there please give me list show tell "
    "all us"
)
"""What questions have more or less of, and mean the same."""
DULL = FUNCTION_WORDS | ASKING | LIGHT
"""Words that say nothing of what a question is about."""
NEGATIONS = word_set(
    "not no never without except excepting excluding exclude excludes besides lack lacks lacking "
    "hate hates dislike dislikes avoid avoiding nobody nothing none neither"
)
_DRAWN = word_set(
    "arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt shouldnt wasnt werent wont "
    "wouldnt"
)
"""Of "n't" by people who type no apostrophe."""
_OUT_OF = word_set("stock order print service use date office")
"""What something is out of that has none of it, or does not work."""
_DETERMINING = word_set("which what any every each")
_NAMED_BY = word_set("name names id ids")
_LEADING = ASKING | word_set("any every each all our of my we please can could i need want")
_A_SHOW = frozenset((word, "show") for word in ("which", "what", "the", "a", "each", "every"))
_BEFORE = word_set("at by during for from in of on to with")
PEOPLE = word_set("who people person persons anybody anyone everybody everyone somebody someone")
ORGANISATIONS = word_set(
    "agency airline band bank brand chain club company contractor country department firm "
    "franchise group institution label maker manufacturer organisation organization party "
    "provider publisher school shop store studio supplier team union university vendor"
)
"""Things that *who* asks for, too."""
_THINGS = word_set("thing things item items one ones kind kinds type types sort sorts times")
AVERAGE = word_set("average averages avg")
TOTAL = word_set("total sum altogether alltogether overall together combined")
_ADDS_UP = re.compile(r"\badd(?:s|ing)? up\b")
_BEGINS_TOTAL = re.compile(
    r"(?:(?:what|whats|give|show|tell|me|is|was|'s|s|the|our) )*total (?!number|count)"
    r"(?:[a-z]+ ){1,2}(?:of|for|from|in|on) "
)
_VALUE_BEFORE_PLURAL = re.compile(r"(?<!\S)_(?!number|date|time)\w+_ (?=[a-z]{3,}s\b)")
MOST_IN_EST = (
    r"(?!(?:arrest|conquest|contest|digest|fewest|forest|harvest|honest|interest|invest|manifest|"
    r"modest|protest|request|suggest|(?:north|south|mid)\w*west)\b)\w{3,}est"
)
"""A superlative in -est, as a part of a regular expression."""
MOST_OF = re.compile(rf"(?<!\bat )\b(?:most|least|fewest|{MOST_IN_EST})\b")
NAMED_KIND = re.compile(
    r"(?:(?:how many|which|what|show|list|find|give|all|any|the|our|me) )*(?:[a-z-]+ ){0,2}?(_\w+_)"
)
"""Things by a value of theirs: "how many *bugs*", where these are issues of a type."""
HAVE_ONE = re.compile(r"\bhave an? ")
"""Of a property: "which members have a phone"."""
_MOST = word_set("most fewest least")
_EXTREME = word_set("largest greatest highest biggest smallest lowest")
FEWEST_ASKED, LEAST_ASKED = 3, 1 / 30  # questions that make a word one that people use; share
_COMPARED = word_set(
    "more less later earlier fewer longer shorter greater higher lower larger smaller older newer "
    "sooner bigger taller than only before after over under"
)


_ALL_BUT = word_set(
    "all any anyone anybody anything every everyone everybody everything anywhere everywhere"
)
_OTHER_THAN = word_set("other else apart aside rather")


def negations(tokens: str) -> list[int]:
    """Where words deny something; not in "no more than"; "out of stock" does."""
    words = [*tokens.split(), "", ""]
    return [
        place
        for place, word in enumerate(words[:-2])
        if (
            (word in NEGATIONS or word in _DRAWN or word.endswith("n't"))
            and words[place + 1] not in _COMPARED
        )
        or (
            word == "but"
            and not _ALL_BUT.isdisjoint(words[max(0, place - 3) : place])
            and words[place + 1] not in _COMPARED
            and not (words[place + 1].endswith("er") and words[place + 2] == "than")
        )
        or (word in _OTHER_THAN and words[place + 1] in ("than", "from"))
        or (word == "out" and words[place + 1] == "of" and words[place + 2] in _OUT_OF)
    ]


def _lead(words: Sequence[str], *determiners: str) -> int:
    """How many words a question begins with before what it asks for: "how many", or one of the
    determiners; 0 of another question."""
    if [*words[:2]] == ["how", "many"]:
        return 2
    return int(bool(words) and words[0] in determiners)


def asked_thing(tokens: str) -> str | None:
    """What a question asks for by its noun: ``film`` of "how many films …", of "films that …", of
    "which long films" ``long``; None of "what is the …", "who …", and of "which _job_ work …"."""
    words = tokens.split()
    lead = _lead(words, "which", "what")
    if not lead:
        named = next((word for word in words if word not in ASKING), "")
        return base(named) if base(named) != named else None
    lead += words[lead : lead + 1] == ["different"]
    rest = [word for word in words[lead:] if not word.startswith("_")]
    if not rest or rest[0] in ASKING or (words[lead] != rest[0] and base(rest[0]) == rest[0]):
        return None
    return base(rest[0])


def asked_noun(tokens: str) -> str | None:
    """The noun that "how many …" or "which …" asks for, as it is said, known or not: ``runways`` of
    "how many long runways does _name_ have"; None of other questions, and of people and things."""
    words = tokens.split()
    lead = _lead(words, "which")
    end = next(
        (at for at in range(lead, len(words)) if words[at] in FUNCTION_WORDS | ASKING), len(words)
    )
    asked = words[lead:end]
    if not lead or not asked or end == len(words) or asked[-1].startswith("_"):
        return None
    if not (PEOPLE | _THINGS).isdisjoint(asked):
        return None
    plural = next((word for word in asked if base(word) != word), None)
    done = asked[-2:-1] != [] and asked[-2].startswith("_")  # which _kind_ hold a licence
    return plural or (None if done else asked[-1])


def asked_plural(tokens: str) -> tuple[str, bool] | None:
    """``animals`` of "animals that …", "show me all animals", "how many animals …", "in how many of
    your animals …", and whether their number is asked for; None of a question that begins
    otherwise."""
    words = tokens.split()
    start = _start(words)
    start += words[start : start + 3] in (["in", "how", "many"], ["on", "how", "many"])
    number = words[start : start + 2] == ["how", "many"]
    if number:
        start += 2
        start += words[start : start + 1] == ["of"]
        start += words[start : start + 1] in (["the"], ["your"], ["our"], ["these"], ["those"])
    word = words[start] if start < len(words) else ""
    return (word, number) if base(word) != word else None


def asked_head(tokens: str, nouns: Collection[str]) -> str | None:
    """The noun that a question asks for, the last known one of its first phrase: ``film`` of
    "longest film in _hall_", of "_person_ 's films"; ``director`` of "film directors of"."""
    words = tokens.split()
    start = _start(words)
    if not {"do", "does", "did", "has", "have", "had"}.isdisjoint(words[:start]):
        return None  # what did _customer_ review
    start += 2 * (words[start : start + 2] == ["how", "many"])
    if words[start : start + 1] in (["name"], ["names"]):  # name the rivers, names of rivers
        start += 1 + (words[start + 1 : start + 2] == ["of"])
        start += _start(words[start:])
    while start < len(words) and (words[start].startswith("_") or words[start] == "'s"):
        start += 1
    found = None
    for word in words[start:]:
        if (word in FUNCTION_WORDS and word not in _MOST) or word.startswith("_"):
            break
        if base(word) in nouns:
            found = base(word)
            if found != word:  # which landlords own flats
                break
    return found


def asked_kinds(tokens: str) -> str | None:
    """The plural by which a question asks: ``works`` of "how many works …", "list all works"."""
    noun = asked_noun(tokens)
    if noun is not None and base(noun) != noun:
        return noun
    plural = asked_plural(tokens)
    return plural[0] if plural else None


def often_asked(lines: Sequence[str]) -> dict[str, int]:
    """The plurals that at least three, and one in thirty, of the questions ask for, and how many
    do, the most frequent first."""
    found = Counter(filter(None, map(asked_kinds, lines)))
    least = max(FEWEST_ASKED, LEAST_ASKED * len(lines))
    return {kind: count for kind, count in found.most_common() if count >= least}


def _start(words: Sequence[str]) -> int:
    """Where a question begins behind words such as "show me all the", "on which"; a *show* behind
    a determiner is a thing."""
    first = int(words[:1] != [] and words[0] in _BEFORE and words[1:2] in (["which"], ["what"]))
    nouns = {at for at, pair in enumerate(pairwise(words), 1) if pair in _A_SHOW}
    behind = ((at, word) for at, word in enumerate(words) if at >= first)
    return next((at for at, word in behind if word not in _LEADING or at in nouns), len(words))


def asked_nouns(tokens: str, things: Collection[str]) -> list[str]:
    """The noun phrase of what a question asks for, as far as its words are known ``things``, the
    head last: ``[customer, city]`` of "which customer cities …", ``[review]`` of "reviews of
    _film_", ``[owner]`` of "who is the owner of _film_"."""
    said = [*tokens.split(), ""]
    words = [  # not "team" of "team _team_"
        word
        for word, behind in pairwise(said)
        if not word.startswith("_") and behind != f"_{base(word)}_"
    ]
    role = words[:1] == ["who"] and words[2:3] == ["the"]  # who is the owner of …
    words = words[role:]
    start = _start(words)
    lead = [word for word in words[:start] if word not in ("of", "our", "the")]
    if not {"do", "does", "did"}.isdisjoint(lead):  # a subject
        return []
    named = {*words[start : start + 1]} <= _NAMED_BY and words[start + 1 : start + 2] == ["of"]
    if named and not {"name", "title"}.intersection(things):
        start += 2 + _start(words[start + 2 :])
    number = words[start : start + 2] == ["how", "many"]
    found: list[str] = []
    plural = False
    for word in words[start + 2 * number :]:
        if word in FUNCTION_WORDS or plural:
            break
        if found and not known_as(base(word), things):
            found = [] if role else found  # who are the team captains
            break
        if noun := known_as(base(word), things):
            found.append(noun)
            plural = base(word) != word
    determined = named or (bool(lead) and lead[-1] in _DETERMINING)
    return found if number or plural or role or determined else []


def asks_who_does(tokens: str) -> bool:
    """Whether a question asks who does or did something, not who somebody is."""
    words = tokens.split()
    return words[:1] == ["who"] and words[1:2] not in (["is"], ["are"], ["was"], ["were"])


def asks_people(tokens: str) -> bool:
    """Whether a question is about people: "people who …", "has anybody …", "whose …"."""
    first = next((word for word in tokens.split() if word not in _LEADING), "")
    return first == "whose" or (first != "who" and first in PEOPLE)


def asks_when(tokens: str) -> bool:
    """Whether the answer is a moment."""
    words = tokens.split()
    return words[:1] == ["when"] or any(
        first in ("which", "what") and second in ("day", "date")
        for first, second in pairwise(words)
    )


def asks_for_total(tokens: str) -> bool:
    """Whether a question begins with the total of a measure: "total value of orders"; no total
    number."""
    return _BEGINS_TOTAL.match(tokens) is not None


def says_total(tokens: str) -> bool:
    """Whether a total is asked for, and no average."""
    words = {*tokens.split()}
    total = not TOTAL.isdisjoint(words) or _ADDS_UP.search(tokens) is not None
    return total and AVERAGE.isdisjoint(words)


def counted_most(tokens: str) -> list[str]:
    """Nouns whose number decides: ``ship`` of "most ships", "the largest number of ships"."""
    words = ["", "", "", *_VALUE_BEFORE_PLURAL.sub("", tokens).split()]  # three before each noun
    return [
        base(noun)
        for third, second, first, noun in zip(words, words[1:], words[2:], words[3:])
        if noun != "of"
        and not noun.endswith("ed")  # the most borrowed book
        and (
            (first in _MOST and second != "at")
            or (first == "of" and second == "number" and third in _MOST | _EXTREME)
        )
    ]


"""What they add to is no form in -e: statuses, buses."""
