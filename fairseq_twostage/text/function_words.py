"""Names that are written like words of every sentence: the code ``IN``, the film *It*."""

from __future__ import annotations

import re
from collections.abc import Collection


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


FUNCTION_WORDS = word_set(
    "a about after all am among an and any are as at be been before but by can could did do does "
    "each every for from had has have he her his how i if in into is it its least less many "
    "me more most much my no not of off on one or our out over per she should so some than "
    "that the their them then there these they this those to under up us was we were what "
    "when where which who whom whose why with without would you your "
)
DRAWN_IN = word_set("d ll m re s ve")
"""What is left of a verb behind an apostrophe, and of whose something is."""
LIGHT = word_set(
    "live lives lived living located situated based kept stored housed "
    "sit sits sitting come comes place placed currently "
    "moment temporarily presently "
    "during "
    "hi hello hey dear thanks thank thx please pls plz kindly sorry ok okay everybody everyone "
    "caused generated being having get gets got getting take takes took taken "
    "happen happens happened occur occurs occurred belong belongs belonging affiliated "
    "receive receives received receiving "
    "named called titled entitled used using "
    "linked related relate relates connected regarding concerning pertaining"
)
"""Verbs and the like that add nothing to what stands beside them, where people live is where they
are; and what is said before a question or behind it."""
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_MARKED = re.compile(r"[\"“”«»„'‘’]")
_SENTENCE_END = re.compile(r"[.?!]\s*$|^\s*$")


def zipf(word: str) -> float:
    """How common a word is in English: log₁₀ of its occurrences in 10⁹ words; 0 of an unknown one.

    Of the 25,000 most common words (Speer's wordfreq).
    """
    from wordfreq import zipf_frequency

    return float(zipf_frequency(word, "en", wordlist="small"))


_IS = re.compile(r"\b(?:is|are|was|were|still|currently)\s+$", re.IGNORECASE)
_NO_MORE = re.compile(
    r"\s*(?:$|[?.!,;]|(?:now|today|currently|right now|at the moment)\b)", re.IGNORECASE
)


def said_as_names(text: str, words: Collection[str]) -> dict[str, list[bool]]:
    """Where a text has ``words``, whether each is written as people write names: in capitals, or
    with a capital letter where no sentence starts, or in quotes, or as what something is: loans
    that *are out*; in a text of capitals alone, none is by its letters.

    Args:
        text: as typed.
        words: in small letters.
    """
    shouted = text.upper() == text
    found: dict[str, list[bool]] = {}
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if word not in words:
            continue
        before, after = text[: match.start()], text[match.end() :]
        quoted = bool(_MARKED.fullmatch(before[-1:]) and _MARKED.fullmatch(after[:1]))
        capital = match[0][0].isupper() and word != "i"
        whole = len(word) > 1 and match[0].isupper()
        predicate = _IS.search(before) is not None and _NO_MORE.match(after) is not None
        by_letters = whole or (capital and not _SENTENCE_END.search(before))
        said = quoted or predicate or (by_letters and not shouted)
        found.setdefault(word, []).append(said)
    return found
