"""Forms of English words, as far as rules over words need them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fairseq_twostage.text.function_words import word_set

_ENDINGS = word_set("s d r er or ed ing")
DENYING_PREFIXES = ("in", "un", "non", "dis", "im", "ir")
_IN_IES = word_set(
    "brownies calories cookies genies hoodies movies newbies pies pixies prairies rookies selfies "
    "smoothies ties zombies"
)
PARTICIPLES = {
    "beat": "beaten", "bring": "brought", "build": "built", "buy": "bought", "catch": "caught",
    "choose": "chosen", "cut": "cut", "do": "done", "draw": "drawn", "drive": "driven",
    "find": "found", "fly": "flown", "give": "given", "grow": "grown", "hang": "hung",
    "hold": "held", "keep": "kept", "know": "known", "lead": "led", "leave": "left",
    "lend": "lent", "lose": "lost", "make": "made", "meet": "met", "pay": "paid", "put": "put",
    "read": "read", "ride": "ridden", "run": "run", "say": "said", "see": "seen", "sell": "sold",
    "send": "sent", "set": "set", "shoot": "shot", "show": "shown", "sing": "sung",
    "speak": "spoken", "spend": "spent", "take": "taken", "teach": "taught", "tell": "told",
    "throw": "thrown", "wear": "worn", "win": "won", "write": "written",
}  # fmt: skip
"""Past participles of irregular verbs."""
_IN_SES = word_set("analyses crises diagnoses emphases hypotheses prognoses syntheses theses")
_IN_ES = ("sses", "xes", "ches", "shes", "tuses", "nuses", "ruses", "puses", "buses")


def base(word: str) -> str:
    """Of a plural or third person in -s."""
    if word in _IN_SES:
        return f"{word[:-2]}is"
    if word.endswith("sis"):
        return word
    if (
        len(word) > 4
        and word.endswith(_IN_ES)
        and (len(word) > 5 or word.endswith(("xes", "buses")))
    ):
        return word[:-2]
    if len(word) > 4 and word.endswith("ies"):
        if word in ("series", "species"):
            return word
        return word[:-1] if word in _IN_IES else f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word


def stems(word: str) -> Iterator[str]:
    """A word, and what a past or a form in -ing may be of: resolve, of resolved."""
    yield word
    for ending in ("ed", "ing"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            stem = word.removesuffix(ending)
            yield from (stem, f"{stem}e")


def same_root(word: str, other: str) -> bool:
    """Whether two words are likely forms of one: *directed* and *director*, *stars* and
    *starring*. They share their first four letters, and three fifths of the shorter one; or one
    is the other and an ending: *own* and *owner*; or a verb and its participle: *teach* and
    *taught*."""
    needed = max(4, round(0.6 * min(len(word), len(other))))
    alike = len(word) >= needed and word[:needed] == other[:needed]
    short, long = sorted((word, other), key=len)
    ended = len(short) > 2 and long.startswith(short) and long[len(short) :] in _ENDINGS
    participle = PARTICIPLES.get(word) == other or PARTICIPLES.get(other) == word
    participle = participle or {word, other} == {"rated", "rating"}
    return word == other or alike or ended or participle


def has_form(word: str, words: Iterable[str]) -> bool:
    """Whether one of the words is likely a form of a word."""
    return any(same_root(base(word), base(other)) for other in words)


def one_of(things: str) -> str:
    """``order line``, of order lines."""
    *before, last = things.split()
    return " ".join((*before, base(last)))
