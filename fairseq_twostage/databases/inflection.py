"""Forms of English nouns and verbs: plurals, articles, participles."""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from unittest.mock import patch

from fairseq_twostage.text.function_words import zipf
from fairseq_twostage.text.word_forms import PARTICIPLES

LEAST_DONE = 3.0  # how common a participle is at least (Zipf scale), no "availed"


def singular(word: str) -> str:
    """``cities``, city; a word that is none stays."""
    if word.endswith(("ss", "us", "is")) or len(word) < 4 or not word.isascii():
        return word
    found = _inflect().singular_noun(word)
    return str(found) if found else word


def is_plural(words: str) -> bool:
    """Whether they name several things: ``delivery days``; not ``price``."""
    last = words.rpartition(" ")[2]
    return singular(last) != last


def plural(words: str) -> str:
    """``city``, cities."""
    head, _, last = words.rpartition(" ")
    one = last[:-1]
    many = len(one) > 2 and last.endswith("s") and one[-1] not in "suai" and zipf(one) > 3
    if (many and last != "lens") or last in ("staff", "personnel"):
        return words
    made = str(_inflect().plural_noun(last)) if last.isascii() and last.isalpha() else last
    return f"{head} {made}".strip()


def with_article(words: str) -> str:
    """``lab fee``, a lab fee; ``email``, an email."""
    return str(_inflect().a(words)) if words.isascii() else f"a {words}"


def third_person(verb: str) -> str:
    """``run through``, runs through; ``have``, has."""
    first, *rest = verb.split()
    irregular = {"have": "has", "be": "is", "are": "is", "do": "does", "go": "goes"}
    if first in irregular:
        first = irregular[first]
    elif first.endswith(("s", "x", "z", "ch", "sh", "o")):
        first += "es"
    elif first.endswith("y") and first[-2:-1] not in "aeiou":
        first = f"{first[:-1]}ies"
    else:
        first += "s"
    return " ".join([first, *rest])


def base_form(verb: str) -> str:
    """``runs through``, run through."""
    first, *rest = verb.split()
    irregular = {"has": "have", "is": "are", "be": "are", "does": "do", "goes": "go"}
    if first in irregular:
        return " ".join([irregular[first], *rest])
    if first.endswith("ies") and len(first) > 4:
        first = f"{first[:-3]}y"
    elif first.endswith(("sses", "xes", "zes", "ches", "shes")):
        first = first[:-2]
    elif first.endswith("s") and not first.endswith("ss"):
        first = first[:-1]
    return " ".join([first, *rest])


_DOUBLED = re.compile(r"[^aeiou]*[aeiou][bdgklmnprt]")


def participle(verb: str) -> str:
    """``order``, ordered."""
    if verb in PARTICIPLES:
        return PARTICIPLES[verb]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ied"
    doubled = verb[-1] if _DOUBLED.fullmatch(verb) else ""
    return f"{verb}{doubled}{'d' if verb.endswith('e') else 'ed'}"


def done_to(able: str) -> str | None:
    """``recyclable``, recycled: what can be done to what is so; None of another word."""
    stem = able.removesuffix("able")
    if stem == able or len(stem) < 3:
        return None
    done = participle(max((stem, f"{stem}e"), key=zipf))
    return done if zipf(done) > LEAST_DONE else None


def present(past: str) -> str:
    """``joined``, join; the most common of the words that it may come of."""
    if not past.endswith("ed"):
        return next((verb for verb, done in PARTICIPLES.items() if done == past), past)
    stem = past[:-2]
    doubled = [stem[:-1]] if len(stem) > 2 and stem[-1] == stem[-2] else []
    ended = [f"{stem[:-1]}y"] if stem.endswith("i") else []
    return max((stem, f"{stem}e", *doubled, *ended), key=zipf)


@cache
def _inflect() -> Any:
    import typeguard

    # inflect has the types of 23 functions checked; making ready for it takes longer than all
    # else that a question needs
    with patch.object(typeguard, "typechecked", lambda function: function):
        import inflect

    return inflect.engine()
