"""Where a question denies something and what was understood does not, or another thing.

See :mod:`fairseq_twostage.text.disagreement`, whose rules these are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from fairseq_twostage.text.function_words import FUNCTION_WORDS, word_set
from fairseq_twostage.text.placeholders import is_placeholder
from fairseq_twostage.text.question_words import ASKING, HAVE_ONE, NEGATIONS, negations
from fairseq_twostage.text.word_forms import DENYING_PREFIXES, base, has_form, same_root

DENYING = word_set(
    "without outside other others else exclude excludes excluding excluded apart besides but lack "
    "lacks lacking missing free unlike different rather instead beyond still yet left remaining"
)
"""Words that deny without being a negation."""
_LIFE = word_set("alive living survive survived survives"), word_set("dead deceased died dies")
_LIVING_THERE = re.compile(r"\bliving (?:in|at|near|with|on|outside|by)\b")
_EITHER_SIDE = re.compile(
    r"\b(?:less|fewer|more|before|after) (?:or|and) (?:less|fewer|more|before|after)\b"
)
_COMPLEMENTS = [
    _LIFE,
    (word_set("open"), word_set("closed shut")),
    (word_set("empty vacant"), word_set("occupied full")),
    (word_set("sold available offered"), word_set("discontinued")),
]
"""What is the one is not the other."""
_BEGINNING = (
    word_set("began begin begins begun start started starting starts"),
    word_set("end ended ending ends finish finished finishes"),
)
_NOT_ALL = re.compile(r"\bnot (?:just|only|all|every|each|necessarily|a\b.* not)\b")
_SOLD_OUT = re.compile(r"\b(?:sold out|out of stock)\b")
_IN_STOCK = re.compile(r"\b(?:available|in stock|on hand)\b")
_CLAUSES = word_set("and but when where which who")
_BESIDE = word_set("from in of at for on with and or")
_AUXILIARIES = word_set("do does did has have had is are was were will can could")
_LEFT_OUT = word_set("count counted counting include included wanted")
_FREE = re.compile(r"\b([a-z]{3,})[ -]free\b")
_BY_NO = re.compile(r"\bby no ([a-z]+)")
_UNDONE = re.compile(
    r"\bun(?!der|til|ited|ique|ion)(\w+(?:ed|aid|old|ead|een|own|aken|ent|uilt))\b"
)
_OPPOSITES = [
    (word_set(one), word_set(other))
    for one, other in (
        *(("longer slower", "faster quicker shorter"), ("older", "younger newer")),
        *(("larger bigger greater higher taller", "smaller lower shorter"), ("heavier", "lighter")),
        *(("cheaper", "dearer pricier costlier"), ("earlier", "later")),
        *(("longest slowest", "shortest fastest quickest"), ("oldest", "youngest newest")),
        ("largest biggest greatest highest tallest", "smallest lowest shortest fewest"),
        *(("heaviest", "lightest"), ("cheapest", "dearest priciest costliest")),
        *(
            ("longest first earliest", "last latest newest"),
            ("part-time parttime part", "full-time fulltime full"),
        ),
    )
]


def denies_alone(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood denies what the question does not deny."""
    words, given = tokens.split(), {*paraphrase.split()}
    still = not {"no", "without"}.isdisjoint(given)  # who is still waiting has what they wait for
    said = any(
        _denying(word) and word not in given and not (still and word == "still") for word in words
    )
    said = said or denied_word(tokens, paraphrase) is not None or bool(_EITHER_SIDE.search(tokens))
    said = said or any(word in one | other for one, other in _COMPLEMENTS for word in words)
    return bool(negations(paraphrase)) and not negations(tokens) and not said


def complements(tokens: str, paraphrase: str) -> tuple[str, str] | None:
    """``alive`` and ``deceased``, where a question says the one and what was understood the other,
    and one of both denies it as often as the other."""
    said, given = {*tokens.split()}, {*paraphrase.split()}
    denied, denies = (not NEGATIONS.isdisjoint(words) for words in (said, given))
    life = frozenset[str]().union(*_LIFE)
    if _LIVING_THERE.search(tokens):
        said.discard("living")
    if said & life and not given & life:
        return min(said & life), "all"
    for pair in _COMPLEMENTS:
        for one, other in (pair, pair[::-1]):
            if said & one and given & other and not given & one and denied == denies:
                return min(said & one), min(given & other)
            if said & one and given & one and not given & other and denied != denies:
                return min(said & one), f"not {min(given & one)}" if denies else min(given & one)
    return None


def begins_and_ends(tokens: str, paraphrase: str) -> tuple[str, str] | None:
    """``begun`` and ``ended``, where a question says the one and what was understood the other."""
    said, given = {*tokens.split()}, {*paraphrase.split()}
    for one, other in (_BEGINNING, _BEGINNING[::-1]):
        if said & one and given & other and not (said & other or given & one):
            return min(said & one), min(given & other)
    return None


def frees_otherwise(tokens: str, paraphrase: str) -> str | None:
    """``gluten`` of "without gluten", where what was understood is not free of it; or of what has
    it, where that is."""
    for thing in _FREE.findall(paraphrase):
        if thing not in tokens.split() or re.search(rf"\b{thing}[ -]free\b", tokens):
            continue
        frees = bool(negations(tokens)) or re.search(rf"\bfree (?:of|from) {thing}\b", tokens)
        if bool(frees) == bool(negations(paraphrase)):
            return str(thing)
    return None


def denies_doer(tokens: str, paraphrase: str) -> str | None:
    """``authors`` where what was understood is by none of them, and the question is not of them:
    "titles by no authors" of "titles that nobody has borrowed"."""
    found = _BY_NO.search(paraphrase)
    words = tokens.split()
    said = found is None or "by" in words or any(same_root(base(found[1]), w) for w in words)
    return None if found is None or said else found[1]


def denies_once(tokens: str, paraphrase: str) -> bool:
    """Whether a question denies two things, "no email and no orders", and what was understood
    one."""
    said, given = len(negations(tokens)), len(negations(paraphrase))
    joined = not {"and", "or", "nor", "but"}.isdisjoint(tokens.split())
    return said > given > 0 and joined


def affirms_name(tokens: str, paraphrase: str) -> bool:
    """Whether a question denies something of a name, "never bought _product_", and what was
    understood is of those of that name: "that buy _product_ never bought"."""
    asked, given = (_denial(words.split()) for words in (tokens, paraphrase))
    if asked is None or given is None:
        return False
    names, _ = asked
    return bool(names) and names <= {*paraphrase.split()[: given[1]]} and not names & given[0]


def _denial(words: Sequence[str]) -> tuple[set[str], int] | None:
    """The names that the only negation is about: those behind it, and the one right before it that
    does the thing, "_supplier_ does not"; and where it stands. None of another text."""
    places = negations(" ".join(words))
    if len(places) != 1:
        return None
    (place,) = places
    behind = pairwise(words[place:])
    names = {word for lead, word in behind if is_placeholder(word) and lead not in _BESIDE}
    two, one = ["", "", *words[:place]][-2:]
    verbal = words[place] in ("not", "never")
    doing = {one: verbal and two in _AUXILIARIES, two: verbal and one in _AUXILIARIES}
    names |= {name for name, does in doing.items() if does and is_placeholder(name)}
    if words[place].endswith("n't") and is_placeholder(one):
        names.add(one)
    return names, place


def sells_out(tokens: str, paraphrase: str) -> bool:
    """Whether one is of what is sold out, and the other of what is there, or of what was sold."""
    out, given = (bool(_SOLD_OUT.search(words)) for words in (tokens, paraphrase))
    there = bool(_IN_STOCK.search(tokens)) and not negations(tokens)
    sold = "sold" in paraphrase.split() and not given
    return (there and given and not negations(paraphrase) and not out) or (out and sold)


def not_all(tokens: str, paraphrase: str) -> bool:
    """Whether a question says "not all", "not only", and what was understood denies it of all."""
    return bool(_NOT_ALL.search(tokens)) and bool(negations(paraphrase))


def denies_by_word(tokens: str, paraphrase: str) -> str | None:
    """``inactive`` where what was understood says "active" and denies nothing."""
    return None if negations(paraphrase) else denied_word(tokens, paraphrase)


def denied_by_word(tokens: str, paraphrase: str) -> str | None:
    """``active`` where what was understood says "inactive", and the question denies nothing."""
    denies = negations(tokens) or not NEGATIONS.isdisjoint(tokens.split())  # "no longer", too
    denied = None if denies else denied_word(paraphrase, tokens)
    return denied and denied.removeprefix(_prefix(denied)).strip("-")


def has_denied(tokens: str, paraphrase: str) -> bool:
    """Whether a question denies something, and what was understood has it: "have a phone"."""
    return (
        bool(negations(tokens)) and not negations(paraphrase) and bool(HAVE_ONE.search(paraphrase))
    )


def denied_word(tokens: str, paraphrase: str) -> str | None:
    """``inactive`` where what was understood says "active"."""
    words = {*map(base, paraphrase.split())}
    for word in tokens.split():
        rest = word.removeprefix(_prefix(word)).strip("-")
        if len(rest) > 3 and base(rest) in words and base(word) not in words:
            return word
    return None


def _prefix(word: str) -> str:
    """By which a word denies, such as ``in``, or nothing."""
    return next(filter(word.startswith, DENYING_PREFIXES), "")


def misses_denied(tokens: str, paraphrase: str) -> str | None:
    """``unpaid`` where what was understood has no such word, and denies nothing, or only what the
    question does not: *unresolved* violations, and *no* violations."""
    given, other_word = paraphrase.split(), denied(paraphrase)
    other = other_word is not None and other_word in {*map(base, tokens.split())}
    if (negations(paraphrase) and not other) or any(map(_denying, given)):
        return None
    words = (found[0] for found in _UNDONE.finditer(tokens) if found[1] not in given)
    return next(words, None)


def opposite_degree(tokens: str, paraphrase: str) -> tuple[str, str] | None:
    """``longer`` and ``faster``, where a question says the one and what was understood the other;
    None where either denies anything."""
    said, given = {*tokens.split()}, {*paraphrase.split()}
    if negations(tokens) or negations(paraphrase) or not NEGATIONS.isdisjoint(said | given):
        return None  # "no longer than", too
    for pair in _OPPOSITES:
        for one, other in (pair, pair[::-1]):
            if said & one and given & other and not (said & other or given & one):
                return min(said & one), min(given & other)
    return None


def denies_other(tokens: str, paraphrase: str) -> bool:
    """Whether both deny something, and what was understood denies the name that the question says
    before its *not*: those "not of _donor_", of "of _donor_ that are not on display"; or a word
    that the question says, and not what it denies: *not planted*, of "planted, never harvested"."""
    places, given = negations(tokens), denied(paraphrase)
    if not places or given is None:
        return False
    words = tokens.split()
    if not given.startswith("_"):
        before = paraphrase.split()[: negations(paraphrase)[0]]
        asks = paraphrase.startswith(("which ", "how many "))
        said = denied(tokens)
        there = said is not None and said in map(base, before)
        if asks and there and given not in map(base, words):
            return True
        kept = said is None or any(same_root(said, word) for word in paraphrase.split())
        other = not kept and not same_root(given, str(said))
        return asks and other and _apart(given, [*map(base, words)], places[0])
    if given in words[places[0] :]:
        return _left_undenied(words, places[0], given, paraphrase)
    return given in words[: places[0]]


def _left_undenied(words: Sequence[str], place: int, name: str, paraphrase: str) -> bool:
    """Whether a negation is of another thing than the name behind an *and* that follows it, and
    what was understood has no such thing: "never in an accident and of _depot_"."""
    clause = words[place + 1 : words.index(name, place)]
    if {"and", "but"}.isdisjoint(clause) or "or" in clause:
        return False
    small = FUNCTION_WORDS | ASKING | {"yet", "ever"}
    before = takewhile(lambda word: word not in ("and", "but"), clause)
    said = [word for word in before if word not in small]
    return bool(said) and not any(has_form(word, paraphrase.split()) for word in said)


def denies_named_before(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood denies the property that has a name, and the question says the
    name before its only *not*: "do not have home _depot_", of "_depot_ drivers who haven't left".
    """
    places, given = negations(tokens), negations(paraphrase)
    if len(places) != 1 or not given:
        return False
    words, behind = tokens.split(), paraphrase.split()[given[0] + 1 :]
    clause = list(takewhile(lambda word: word not in _CLAUSES | {"that"}, behind))
    names = {word for word in clause if is_placeholder(word)}
    before, after = words[: places[0]], words[places[0] :]
    left_out = not _LEFT_OUT.isdisjoint(after)  # cancelled ones don't count
    return bool(names) and names <= {*before} and names.isdisjoint(after) and not left_out


def _apart(word: str, words: Sequence[str], place: int) -> bool:
    """Whether a word is said before a negation, or behind it in another clause: *received a
    delivery* is denied as a whole."""
    at = next((at for at, each in enumerate(words) if each == word), None)
    return at is not None and (at < place or not _CLAUSES.isdisjoint(words[place:at]))


def denied(tokens: str) -> str | None:
    """The first word behind a negation that is none of asking or function."""
    places = negations(tokens)
    rest = tokens.split()[places[0] + 1 :] if places else []
    said = (word for word in rest if word not in FUNCTION_WORDS | ASKING | {"yet"})
    return next(map(base, said), None)


def _denying(word: str) -> bool:
    return word in DENYING or word.startswith(("un", "non", "dis"))
