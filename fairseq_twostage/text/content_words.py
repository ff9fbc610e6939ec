"""Words of a question that say something, beside those that only ask."""

from __future__ import annotations

from fairseq_twostage.text.question_words import ASKING, DULL
from fairseq_twostage.text.word_forms import base, same_root


def core(tokens: str) -> list[str]:
    """The words of a question without those that only ask; plurals and third persons in -s as their
    base."""
    words = (word for word in tokens.split() if word not in ASKING and any(map(str.isalnum, word)))
    return list(map(base, words))


def unshared_words(tokens: str, paraphrase: str) -> int:
    """How many content words of a question or of a paraphrase have no form of theirs in the
    other."""
    both = [
        [base(word) for word in words.split() if word not in DULL and any(map(str.isalnum, word))]
        for words in (tokens, paraphrase)
    ]
    return sum(
        word not in others
        and (word.startswith("_") or not any(same_root(word, other) for other in others))
        for words, others in (both, both[::-1])
        for word in words
    )
