"""What a question asks for and denies, by its words; beside that what was understood does."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from fairseq_twostage.text.function_words import FUNCTION_WORDS, word_set

ASKING = word_set(
    "a an the is are was were be been do does did what which there please give me list show tell "
    "all us"
)
"""What questions have more or less of, and mean the same."""
NEGATIONS = word_set("not no never without except nobody nothing none neither")
_DRAWN = word_set(
    "arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt shouldnt wasnt werent wont "
    "wouldnt"
)
"""Of "n't" by people who type no apostrophe."""
DENYING = word_set(
    "without outside other others else excluding excluded apart besides but lack lacks lacking "
    "missing free unlike different rather instead beyond still yet left remaining"
)
"""Words that deny without being a negation."""
_DETERMINING = word_set("which what any every each")
_LEADING = ASKING | word_set("any every each all our of my we please can could i need want")
_PEOPLE = word_set("who people person persons anybody anyone everybody everyone somebody someone")
ORGANISATIONS = word_set(
    "agency airline band bank brand chain club company contractor country department firm "
    "franchise group institution label maker manufacturer organisation organization party "
    "provider publisher school shop store studio supplier team union university vendor"
)
"""Things that *who* asks for, too."""
_THINGS = word_set("thing things item items one ones kind kinds type types sort sorts times")
_AVERAGE = word_set("average averages avg")
_TOTAL = word_set("total sum altogether alltogether overall together combined")
_AVERAGED = word_set("rating ratings rated score scores grade grades")
"""Averages by themselves."""
_CALLED = {"item": "product", "thing": "product", "article": "product", "town": "city"}
_CALLED |= {"client": "customer", "buyer": "customer", "worker": "employee", "movie": "film"}
_CALLED |= {"customer": "buyer", "plane": "aircraft", "airplane": "aircraft", "pupil": "student"}
"""What people call a thing that may be known by another noun."""
_MEASURES = word_set(
    "second minute hour day week month year euro dollar pound cent kilometer kilometre meter metre "
    "mile foot feet inch inche yard centimeter centimetre gram kilo kilogram ton tonne ounce liter "
    "litre people person"
)
_EACH = word_set("each per every")
_BEFORE_EACH = word_set("in for of by at from on does do did is are to")
_COMPARING = word_set(
    "before after since in until than above over under below least most between exactly"
)
_SUPERLATIVE = re.compile(r"\b(?:(?:most|least) \w+|\w{2,}est)\b")
_OF = re.compile(r"\bof (?:the )?$")
_MOST = word_set("most fewest least")
_EXTREME = word_set("largest greatest highest biggest smallest lowest")
_PLACES = word_set("second third fourth fifth sixth 2nd 3rd 4th 5th 6th")
"""Of a superlative that is not the first."""
_PREFIXES = ("in", "un", "non", "dis", "im", "ir")
_COUNTING = word_set(
    "how many number numbers count counts counted total per each every much amount"
)
_COMPARED = word_set(
    "more less later earlier fewer longer shorter greater higher lower larger smaller older newer "
    "sooner bigger taller than only before after over under"
)


def negations(tokens: str) -> list[int]:
    """Where words deny something; not in "no more than"."""
    words = [*tokens.split(), ""]
    return [
        place
        for place, word in enumerate(words[:-1])
        if (word in NEGATIONS or word in _DRAWN or word.endswith("n't"))
        and words[place + 1] not in _COMPARED
    ]


def _lead(words: Sequence[str], *determiners: str) -> int:
    """How many words a question begins with before what it asks for: "how many", or one of the
    determiners; 0 of another question."""
    if [*words[:2]] == ["how", "many"]:
        return 2
    return int(bool(words) and words[0] in determiners)


def asked_thing(tokens: str) -> str | None:
    """What a question asks for by its noun: ``film`` of "how many films …", of "films that …", of
    "which long films" ``long``; None of "what is the …", "who …"."""
    words = tokens.split()
    lead = _lead(words, "which", "what")
    if not lead:
        named = next((word for word in words if word not in ASKING), "")
        return base(named) if base(named) != named else None
    rest = [word for word in words[lead:] if not word.startswith("_")]
    return base(rest[0]) if rest and rest[0] not in ASKING else None


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
    if not (_PEOPLE | _THINGS).isdisjoint(asked):
        return None
    return next((word for word in asked if base(word) != word), asked[-1])


def asked_plural(tokens: str) -> tuple[str, bool] | None:
    """``animals`` of "animals that …", "show me all animals", "how many animals …", and whether
    their number is asked for; None of a question that begins otherwise."""
    words = tokens.split()
    start = _start(words)
    number = words[start : start + 2] == ["how", "many"]
    start += 2 * number
    word = words[start] if start < len(words) else ""
    return (word, number) if base(word) != word else None


def asked_kinds(tokens: str) -> str | None:
    """The plural by which a question asks: ``works`` of "how many works …", "list all works"."""
    noun = asked_noun(tokens)
    if noun is not None and base(noun) != noun:
        return noun
    plural = asked_plural(tokens)
    return plural[0] if plural else None


def _start(words: Sequence[str]) -> int:
    """Where a question begins behind words such as "show me all the"."""
    return next((at for at, word in enumerate(words) if word not in _LEADING), len(words))


def asked_nouns(tokens: str, things: Collection[str]) -> list[str]:
    """The noun phrase of what a question asks for, as far as its words are known ``things``, the
    head last: ``[customer, city]`` of "which customer cities …", ``[review]`` of "reviews of
    _film_", ``[owner]`` of "who is the owner of _film_"."""
    words = [word for word in tokens.split() if not word.startswith("_")]
    role = words[:1] == ["who"] and words[2:3] == ["the"]  # who is the owner of …
    words = words[role:]
    start = _start(words)
    lead = [word for word in words[:start] if word not in ("of", "our", "the")]
    if lead[-1:] in (["do"], ["does"], ["did"]):  # a subject
        return []
    number = words[start : start + 2] == ["how", "many"]
    found: list[str] = []
    plural = False
    for word in words[start + 2 * number :]:
        if word in FUNCTION_WORDS or plural or (found and not _known(base(word), things)):
            break
        if noun := _known(base(word), things):
            found.append(noun)
            plural = base(word) != word
    return found if number or plural or role or (lead and lead[-1] in _DETERMINING) else []


def _known(noun: str, things: Collection[str]) -> str | None:
    named = _CALLED.get(noun, noun)
    return noun if noun in things else named if named in things else None


def misses_number(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks how many, and what was understood which; or how much, where what is
    counted is no measure."""
    how, many, counted, *_ = [*tokens.split(), "", "", ""]
    asked, of, *_ = [*paraphrase.split(), "", ""]
    if (how, many) != ("how", "many"):
        return False
    if asked == "how" and of not in ("many", "much"):
        return base(counted) not in _MEASURES
    return asked in ("which", "who") and counted != ""


def denies_alone(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood denies with a *not* what the question does not deny."""
    words = tokens.split()
    denied = "not" in paraphrase.split() and bool(negations(paraphrase))
    said = any(map(_denying, words)) or denied_word(tokens, paraphrase) is not None
    return denied and not negations(tokens) and not said


def denied_word(tokens: str, paraphrase: str) -> str | None:
    """``inactive`` where what was understood says "active"."""
    words = set(paraphrase.split())
    for word in tokens.split():
        rest = next((word[len(p) :].strip("-") for p in _PREFIXES if word.startswith(p)), "")
        if len(rest) > 3 and rest in words and word not in words:
            return word
    return None


def counts_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood counts, and the question asks for no number."""
    return paraphrase.startswith("how many ") and _COUNTING.isdisjoint(tokens.split())


def _denying(word: str) -> bool:
    return word in DENYING or word.startswith(("un", "non", "dis"))


def asks_for_other(tokens: str, paraphrase: str) -> str | None:
    """``film`` where a question asks who did something to a film, and what was understood asks
    for films, else None."""
    if not asks_who_does(tokens):
        return None
    words = tokens.split()
    asked = asked_thing(paraphrase)
    return asked if asked and {f"_{asked}_", asked} & {*words, *map(base, words)} else None


def asks_who_does(tokens: str) -> bool:
    """Whether a question asks who does or did something, not who somebody is."""
    words = tokens.split()
    return words[:1] == ["who"] and words[1:2] not in (["is"], ["are"], ["was"], ["were"])


def turned_round(tokens: str, paraphrase: str) -> bool:
    """Whether something is done *by* a name, and what was understood has a *by* elsewhere:
    "which members is _member_ referred by" of "who was referred by _member_"."""
    words = paraphrase.split()
    by = {name for before, name in pairwise(words) if before == "by"}
    agents = [name for before, name in pairwise(tokens.split()) if before == "by"]
    return "by" in words and any(
        name.startswith("_") and name in words and name not in by for name in agents
    )


def asks_people(tokens: str) -> bool:
    """Whether a question is about people: "people who …", "has anybody …"."""
    first = next((word for word in tokens.split() if word not in _LEADING), "")
    return first != "who" and first in _PEOPLE


def asks_when(tokens: str) -> bool:
    """Whether the answer is a moment."""
    words = tokens.split()
    return words[:1] == ["when"] or any(
        first in ("which", "what") and second in ("day", "date")
        for first, second in pairwise(words)
    )


def misses_average(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for an average, and what was understood has none by name."""
    given = _AVERAGE | _AVERAGED
    return not _AVERAGE.isdisjoint(tokens.split()) and given.isdisjoint(paraphrase.split())


def says_total(tokens: str) -> bool:
    """Whether a total is asked for, and no average."""
    words = {*tokens.split()}
    return not _TOTAL.isdisjoint(words) and _AVERAGE.isdisjoint(words)


def misses_total(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for a total, and what was understood for an average by name."""
    words = {*paraphrase.split()}
    return says_total(tokens) and not _AVERAGE.isdisjoint(words) and _TOTAL.isdisjoint(words)


def misses_each(tokens: str, paraphrase: str) -> str | None:
    """``department`` of "per department", "in each department", where what was understood has
    nothing for each; a unit of time or of money behind "per" is none: "earns per year"."""
    if not _EACH.isdisjoint(paraphrase.split()):
        return None
    words = tokens.split()
    for before, word, noun in zip(["", *words], words, [*words[1:], ""]):
        if word == "per" and base(noun) not in _MEASURES:
            return noun
        if word == "each" and (before in _BEFORE_EACH):
            return noun
    return None


def groups_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood says something of each, and the question nothing like it."""
    each = not {"each", "per"}.isdisjoint(paraphrase.split())
    return each and (_EACH | {"by", "all", "respectively"}).isdisjoint(tokens.split())


def ranks_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is the first so many of something, and the question compares
    with that number: "the 1700 oldest" of "born before 1700"."""
    if not paraphrase.startswith("what are the _number_"):
        return False
    words = ["", *tokens.split()]
    return any(word == "_number_" and before in _COMPARING for before, word in pairwise(words))


def denies_other(tokens: str, paraphrase: str) -> bool:
    """Whether both deny something, and what was understood denies the name that the question says
    before its *not*: those "not of _donor_", of "of _donor_ that are not on display"."""
    places, given = negations(tokens), _denied(paraphrase)
    if not places or given is None or not given.startswith("_"):
        return False
    words = tokens.split()
    return given in words[: places[0]] and given not in words[places[0] :]


def _denied(tokens: str) -> str | None:
    """The first word behind a negation that is none of asking or function."""
    places = negations(tokens)
    rest = tokens.split()[places[0] + 1 :] if places else []
    said = (word for word in rest if word not in FUNCTION_WORDS | ASKING)
    return next(map(base, said), None)


def asks_how(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks how old, long or much something is, and what was understood when."""
    words = tokens.split()
    measured = words[:1] == ["how"] and words[1:2] not in (["many"], ["do"], ["can"])
    return measured and paraphrase.startswith("when ")


def says_how(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is how long the longest is, and the question asks which is."""
    how, degree, *_ = [*paraphrase.split(), "", ""]
    best = _SUPERLATIVE.search(tokens)
    if how != "how" or degree in ("many", "much") or "how" in tokens.split() or best is None:
        return False
    of = _OF.search(tokens[: best.start()])
    return of is None and (degree in best[0].split() or best[0].startswith(degree[:3]))


def asks_for_head(tokens: str, paraphrase: str, given: Sequence[str]) -> str | None:
    """``works`` of "works that were in six exhibitions", where what was understood asks for
    exhibitions and has no works: the noun that a question begins with is what it asks for."""
    plural = asked_plural(tokens)
    head = asked_noun(tokens) or (plural[0] if plural else None)
    if head is None or not given or base(head) == given[-1]:
        return None
    words = tokens.split()
    rest = words[words.index(head) + 1 :]
    there = list(map(base, rest))
    if given[-1] not in there or base(head) in {*map(base, paraphrase.split())}:
        return None
    between = rest[: there.index(given[-1])]
    return head if any(word in FUNCTION_WORDS for word in between) else None


def misses_place(tokens: str, paraphrase: str) -> str | None:
    """``second`` of "the second longest …" where what was understood has no such word."""
    words = tokens.split()
    for word, following in zip(words, [*words[1:], ""]):
        superlative = following in ("most", "least", "best", "worst") or following.endswith("est")
        if word in _PLACES and superlative and word not in paraphrase.split():
            return word
    return None


def counted_most(tokens: str) -> list[str]:
    """Nouns whose number decides: ``ship`` of "most ships", "the largest number of ships"."""
    words = ["", "", "", *tokens.split()]  # each noun has three before it
    return [
        base(noun)
        for third, second, first, noun in zip(words, words[1:], words[2:], words[3:])
        if (first in _MOST and second != "at")
        or (first == "of" and second == "number" and third in _MOST | _EXTREME)
    ]


def core(tokens: str) -> list[str]:
    """The words of a question without those that only ask; plurals and third persons in -s as their
    base."""
    words = (word for word in tokens.split() if word not in ASKING and any(map(str.isalnum, word)))
    return list(map(base, words))


def base(word: str) -> str:
    """Of a plural or third person in -s."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word


def same_root(word: str, other: str) -> bool:
    """Whether two words are likely forms of one: *directed* and *director*, *stars* and
    *starring*. They share their first four letters, and three fifths of the shorter one."""
    needed = max(4, round(0.6 * min(len(word), len(other))))
    alike = len(word) >= needed and word[:needed] == other[:needed]
    return word == other or alike
