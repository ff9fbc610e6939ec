"""Words of a question that play no part in what was understood."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from fairseq_twostage.inference.candidates import Search
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.text.function_words import DRAWN_IN
from fairseq_twostage.text.placeholders import is_placeholder, words_of_kinds
from fairseq_twostage.text.question_words import negations
from fairseq_twostage.text.word_forms import base

if TYPE_CHECKING:
    from fairseq_twostage.inference.trust import Trust
    from fairseq_twostage.text.utterance import Utterance


def unused_words(
    trust: Trust,
    search: Search,
    reading: Reading,
    utterance: Utterance,
    told: Collection[str],
) -> tuple[str, ...]:
    """Words of the utterance that nothing in ẑ stands for, neighbours as one.

    Args:
        trust: how far words may be from those of ẑ, and which need not play a part.
        search, reading, utterance: what was asked, and what was understood.
        told: words for which the answer speaks (:func:`.spoken_for`).
    """
    lacking = search.lacking(reading.paraphrase)
    if lacking is None:
        marked = [(word, word in utterance.unknown) for word in utterance.tokens.split()]
    else:
        unknown = {*utterance.unknown, *_once(trust, utterance.tokens.split())}
        most = {True: trust.unknown_lacking, False: trust.most_lacking}
        marked = [
            (word, lack > most[word in unknown] or (word in unknown and _numeric(word)))
            for word, lack in lacking
        ]
    again = words_of_kinds(utterance.tokens, reading.paraphrase.split())
    again |= {*told}
    marked = [(word, beyond and word not in again) for word, beyond in marked]
    if _nothing_shared(trust, search, reading):
        marked = [(word, True) for word, _ in marked]
    # The unit behind a number that was read; whether the number is used is told apart.
    said = (words for both in utterance.values.items() for words in both)  # kg, kilograms
    units = {word for words in said for word in words.split() if not _numeric(word)}
    far = [beyond and word not in units and counts(word, trust.ignored) for word, beyond in marked]
    if not negations(reading.paraphrase):
        words = " ".join(word for word, _ in marked)
        for place in negations(words):
            far[place] = marked[place][0] not in told
    for step in (1, -1):  # a name is unknown whole: words of it may be near by chance
        for at in range(len(marked))[::step]:
            before = at - step
            if 0 <= before < len(marked) and far[before] and marked[at][0] in utterance.unknown:
                far[at] = True
    spans = groupby(zip(marked, far), key=lambda pair: pair[1])
    return tuple(" ".join(word for (word, _), _ in span) for unused, span in spans if unused)


def names_left_out(
    tokens: Sequence[str], reading: Reading, utterance: Utterance
) -> tuple[str, ...]:
    """Names and numbers of the utterance that ẑ has not, as they were said."""
    kept = set(reading.paraphrase.split())
    left = (word for word in tokens if is_placeholder(word) and word not in kept)
    return tuple(utterance.phrases.get(word, word) for word in dict.fromkeys(left))


def counts(word: str, ignored: frozenset[str]) -> bool:
    """Whether a word has to play a part: it has a letter or a digit, and is not ignored.

    Nor does "i'd": what is ignored with a verb drawn into it, nor such a verb cut off, as the "s"
    behind a name. "Don't" does.
    """
    base, _, drawn = word.partition("'")
    if base in ignored and drawn in DRAWN_IN:
        return False
    return word not in ignored and word not in DRAWN_IN and any(map(str.isalnum, word))


def _once(trust: Trust, words: Iterable[str]) -> list[str]:
    """Those that one of few utterances has, and nothing that the domain knows: what people ask for
    need not be there to be known."""
    usage = trust.scope.usage
    if usage is None or not trust.few:
        return []
    return [word for word in words if usage.words.get(base(word)) == 1]


def _nothing_shared(trust: Trust, search: Search, reading: Reading) -> bool:
    """Whether words have no vectors here, and none of the utterance's is in ẑ but names."""
    known = {word for read in search.read.values() for word in read.words}
    known = {w for w in known if counts(w, trust.ignored) and not is_placeholder(w)}
    blank = all(
        not state.any()
        for read in search.read.values()
        for word, state in zip(read.words, read.states)
        if word in known
    )
    return bool(known) and blank and not known & {*reading.paraphrase.split()}


def _numeric(word: str) -> bool:
    """Whether a word has a digit: a number that nothing stands for is never left out."""
    return any(map(str.isdigit, word))
