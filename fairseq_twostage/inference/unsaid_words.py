"""Words of what was understood that nothing in the question says."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence

from fairseq_twostage.text.function_words import FUNCTION_WORDS, word_set
from fairseq_twostage.text.placeholders import is_placeholder
from fairseq_twostage.text.question_words import ASKING, AVERAGE, DULL, MOST_OF, TOTAL
from fairseq_twostage.text.word_forms import has_form

Alike = Callable[[str, str], float | None]
MOST_ADDED = 5  # words
SAID_OTHERWISE = 0.4  # cosine, of words that may mean the same
_PLAIN = FUNCTION_WORDS | ASKING
_ASKS = word_set("that of whose who whom which what how")
_COMPARING = (
    TOTAL | AVERAGE | word_set("than less more not before after above below between larger smaller")
)
"""What other rules tell: how things compare, the most of them, their total."""


def adds_unsaid(tokens: str, z: str, known: Container[str], alike: Alike | None = None) -> bool:
    """Whether z is another known one and something besides that no word of the question says:
    *intermediate* courses with the fewest places, of "which course has the fewest places".

    Args:
        tokens: of the question.
        z: what was understood.
        known: canonical utterances.
        alike: the largest cosine of a word to those of a text; without it a word is said by its
            forms alone, and any word that is not in z may say what is added.
    """
    said = tokens.split()
    content = [w for w in said if w not in DULL and not is_placeholder(w)]
    for added, rest in _parts(z.split(), said):
        text = " ".join(rest)
        if text not in known and f"{text} are there" not in known:
            continue
        others = [word for word in content if not has_form(word, rest)]
        if not others or (alike is not None and not _near(added, others, alike)):
            return True
    return False


def _parts(words: Sequence[str], said: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    """The content words of each part that may be left out, and what is left then."""
    unsaid = [
        word not in _COMPARING
        and not MOST_OF.fullmatch(word)
        and not is_placeholder(word)
        and (word in _PLAIN or not has_form(word, said))
        for word in words
    ]
    for start in range(len(words)):
        for end in range(start + 1, min(start + MOST_ADDED, len(words)) + 1):
            if not unsaid[end - 1] or end - start == len(words):
                break
            part = words[start:end]
            added = [word for word in part if word not in _PLAIN]
            if added and (start or _ASKS.isdisjoint(part)):  # "person that is" is asked for
                yield added, [*words[:start], *words[end:]]


def _near(added: Sequence[str], others: Sequence[str], alike: Alike) -> bool:
    """Whether one of the words added may be meant by one of the others; so it is where no
    similarity knows."""
    found = (alike(word, " ".join(others)) for word in added)
    return any(near is None or near >= SAID_OTHERWISE for near in found)
