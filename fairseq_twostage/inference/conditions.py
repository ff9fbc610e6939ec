"""Conditions that a question says and its reading leaves out: "dogs" of "average weight of dogs",
where the average of all animals was understood.

Two things tell, and neither needs a label. A value of the facts that the question names has to
stand in ŷ. A word that canonical utterances have, too, has to stand in ẑ if the readings of X keep
it: "bikes" may be kept by nearly all of them, "time" by half.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.semantics.gold_forms import constants_of
from fairseq_twostage.text.comparisons import comparisons
from fairseq_twostage.text.function_words import FUNCTION_WORDS
from fairseq_twostage.text.placeholders import is_placeholder, words_of_kinds
from fairseq_twostage.text.synonyms import known_as
from fairseq_twostage.text.word_forms import base, same_root

# Chosen on development rows (research/log.md, 2026-11-27).
COMMON = 0.3
MOSTLY = 0.85  # share of readings that keep a word, from which on another one leaves it out
PRIOR = (2.0, 1.0)  # readings that kept and that lost it, before one is seen
FORMS_KEPT = 20_000  # words of questions whose form is remembered
SAME = 5  # letters of words that are forms of one
ELSEWHERE = 0.5  # share below which the name of a value means something else in questions

Kept = Mapping[str, tuple[int, int]]
"""Of a word's base: how many readings of X kept it, and how many of its questions there are."""


class Conditions:
    """What the known questions can say.

    Args:
        pairs: logical forms by canonical utterance.

    Attributes:
        words: of canonical utterances, their bases; no names, no function words, and none that
            more than :data:`COMMON` of them have: that are the things that are asked for.
        values: constants of the forms by the words of their names.
    """

    def __init__(self, pairs: Mapping[str, str]) -> None:
        found = Counter(word for z in pairs for word in {*map(base, _content(z))})
        self.words = frozenset(word for word in found if found[word] <= COMMON * len(pairs))
        self._sorted = sorted(self.words)
        self._hyphened = {word for z in pairs for word in z.split() if "-" in word}
        self._known = lru_cache(FORMS_KEPT)(self._form_of)
        self.values: dict[tuple[str, ...], set[str]] = {}
        for constant in {each for form in pairs.values() for each in constants_of(form)}:
            _, _, name = constant.rpartition(".")
            words = tuple(map(base, name.split("_")))
            if constant.count(".") > 1 and all(words):
                self.values.setdefault(words, set()).add(constant)

    def counted(self, readings: Iterable[tuple[str, str]]) -> Kept:
        """How readings treat the words that they might keep.

        Args:
            readings: utterances of X, each with the ẑ that was found.
        """
        kept, seen = Counter[str](), Counter[str]()
        for tokens, z in readings:
            lost = {self._known(word) for word in self._lost(tokens, z)}
            for word in filter(None, {*map(self._known, _content(tokens))}):
                seen[word] += 1
                kept[word] += word not in lost
        return {word: (kept[word], seen[word]) for word in sorted(seen)}

    def left_out(self, tokens: str, reading: Reading, kept: Kept) -> tuple[str, ...]:
        """Words of a question that its reading has not and should have, as they were said.

        Args:
            tokens: of the question.
            reading: as it was understood.
            kept: how readings of X treat words.
        """
        z = reading.paraphrase
        found = set(self._values_lost(tokens, z, reading.logical_form, kept))
        there = {base(word) for word in z.split()}
        pairs = pairwise(tokens.split())
        said = [(one, noun) for one, noun in pairs if noun not in FUNCTION_WORDS]
        # Right before a noun of ẑ: "free exhibitions", and no "order total"
        before = {
            one
            for one, noun in said
            if base(noun) in there and (base(noun) != noun or one.endswith("ed"))
        }
        # Before names that are nouns, too: "part-time _job_title_"
        found |= {
            one
            for one, noun in said
            if one in self._hyphened and base(noun) in there and base(one) not in there
        }
        for word in self._lost(tokens, z):
            if word in before or _share(self._known(word) or base(word), kept) >= MOSTLY:
                found.add(word)
        return tuple(word for word in dict.fromkeys(tokens.split()) if word in found)

    def _lost(self, tokens: str, z: str) -> Iterator[str]:
        there = {base(word) for word in z.split()}
        again = words_of_kinds(tokens, z.split())
        for word in _content(tokens):
            mine = self._known(word)
            if (
                mine is not None
                and word not in again
                and not any(same_root(form, each) for form in (mine, base(word)) for each in there)
            ):
                yield word

    def _form_of(self, word: str) -> str | None:
        """The word of canonical utterances that one of a question is, or is a form of: *subtitles*,
        of subtitled films; or that people have it for: *children*, of kids."""
        mine = base(word)
        known = known_as(mine, self.words)
        if known or len(mine) < SAME or comparisons([word]):  # later is no latest
            return known
        alike = (each for each in self._sorted if mine[:SAME] == each[:SAME])
        return next((each for each in alike if same_root(mine, each)), None)

    def _values_lost(self, tokens: str, z: str, form: str, kept: Kept) -> Iterator[str]:
        """Words of values that the question names and neither ẑ nor ŷ has."""
        words = tokens.split()
        bases = list(map(base, words))
        there = {base(word) for word in z.split()}
        mine = set(constants_of(form))
        for value, constants in self.values.items():
            if constants & mine or there.issuperset(value):
                continue
            if any(_share(word, kept) < ELSEWHERE for word in value):
                continue
            for start in range(len(bases) - len(value) + 1):
                if tuple(bases[start : start + len(value)]) == value:
                    yield from words[start : start + len(value)]


def _content(tokens: str) -> Iterator[str]:
    for word in tokens.split():
        if word not in FUNCTION_WORDS and not is_placeholder(word) and word.isalpha():
            yield word


def _share(word: str, kept: Kept) -> float:
    """Of the readings that keep a word; of one that was never seen by the prior."""
    held, seen = kept.get(word, (0, 0))
    return (held + PRIOR[0]) / (seen + sum(PRIOR))
