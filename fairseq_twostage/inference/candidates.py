"""How ẑ is found: by a beam, by word distance, or not at all where one stage reads all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from fairseq_twostage.decoding.mixture import MixtureStage
from fairseq_twostage.decoding.stage import BeamStage, Hypothesis
from fairseq_twostage.pairing.fitted import Read
from fairseq_twostage.text.content_words import core
from fairseq_twostage.text.placeholders import is_placeholder

Weights = list[list[float]]
# Temperatures are divided by it where answers are weighed: those of scores with likelihoods, and of
# a similarity alone. Chosen on development rows (research/log.md, 2026-11-26).
SHARPER, SHARPER_ALONE = 2.0, 4.0


class Query(NamedTuple):
    """What is looked for: an utterance's tokens, and the placeholders that it has.

    ``more`` are candidates beside the known ones, with their logical forms.
    """

    tokens: str
    names: frozenset[str]
    more: Mapping[str, str] = MappingProxyType({})

    @classmethod
    def of(cls, tokens: str) -> Query:
        """For an utterance."""
        return cls(tokens, names_in(tokens))


class Pool(NamedTuple):
    """The foremost candidates of one utterance, and what speaks for each.

    Attributes:
        lines: the candidates; one of them is the ẑ that was chosen.
        total: the score by which each is ranked, ``(candidates,)``.
        temperature: by which scores are divided before they are probabilities.
        sharp_temperature: the same where the chosen answer is weighed against the others.
        alike: the standardised similarity of x and the chosen ẑ; None where nothing compares them.
        mismatch: marks that one of these two has and the other lacks.
        literal: whether they have the same words, but for those that only ask.
    """

    lines: Sequence[str]
    total: npt.NDArray[np.float64]
    temperature: float
    sharp_temperature: float
    alike: float | None = None
    mismatch: float = 0.0
    literal: bool = False


class Search(Iterator[Hypothesis]):
    """The ẑ of one query, best first, worked out as far as they are asked for.

    Attributes:
        query: that is answered.
        read: the utterance as each similarity sees it, by name; empty without one.
    """

    query: Query
    read: Mapping[str, Read] = {}

    def pool(self, chosen: str) -> Pool | None:
        """What else could be meant instead of ``chosen``; None where nothing judges it."""
        return None

    def lacking(self, chosen: str) -> Sequence[tuple[str, float]] | None:
        """The words of the query but its names, each with its distance to the words of ``chosen``.

        That is ``(1 − largest cosine) · rarity``; None without a similarity.
        """
        return None

    def alike(self, word: str, chosen: str) -> float | None:
        """The largest cosine of a word to the words of ``chosen`` but its names, each by itself;
        None without a similarity."""
        return None

    def labelled(self, chosen: str) -> bool:
        """Whether a label says that the query means ``chosen``."""
        return False

    def meant(self, word: str, said: str) -> float | None:
        """How near a word of a candidate is to words of the query: :meth:`alike`, and 1 where
        labels teach that the query asks for it."""
        return self.alike(word, said)


class Listed(Search):
    """Hypotheses that are there already."""

    def __init__(self, query: Query, found: Sequence[Hypothesis]) -> None:
        self.query = query
        self.found = found
        self._rest = iter(found)

    def __next__(self) -> Hypothesis:
        return next(self._rest)

    def pool(self, chosen: str) -> Pool | None:
        """The beam's hypotheses by ``log P(z | x)``; None where there is but one."""
        if len(self.found) < 2:
            return None
        lengths = np.array([len(text.split()) + 1.0 for text, _ in self.found])
        total = lengths * np.array([score for _, score in self.found])
        lines = [text for text, _ in self.found]
        literal = core(self.query.tokens) == core(chosen)
        return Pool(lines, total, 1.0, 1.0 / SHARPER, literal=literal)


class FirstStage(Protocol):
    """The first stage of inference."""

    def search(self, queries: Sequence[Query]) -> Sequence[Search]:
        """The ẑ of each query."""
        ...

    def attention(self, source: str, target: str) -> Weights:
        """For each word of ``target`` the weights over the words of ``source``."""
        ...


class BeamSearch:
    """The beam of one paraphraser, or of several as a mixture."""

    def __init__(self, stage: BeamStage | MixtureStage) -> None:
        self.stage = stage
        self.attention = stage.attention

    def search(self, queries: Sequence[Query]) -> Sequence[Search]:
        """See :class:`FirstStage`."""
        found = self.stage.scored([query.tokens for query in queries])
        return [Listed(*both) for both in zip(queries, found)]


class NoParaphrase:
    """The utterance is what the second stage reads: one stage, or gold canonical utterances.

    Args:
        canonical: words that Z has; with them, tokens without letter or digit that Z does not have
            are left out.
    """

    def __init__(self, canonical: Collection[str] | None = None) -> None:
        self.canonical = canonical

    def search(self, queries: Sequence[Query]) -> Sequence[Search]:
        """See :class:`FirstStage`."""
        return [Listed(query, [Hypothesis(self._read(query.tokens), 0.0)]) for query in queries]

    def attention(self, source: str, target: str) -> Weights:
        """None."""
        return no_attention(source, target)

    def _read(self, tokens: str) -> str:
        if self.canonical is None:
            return tokens
        words = tokens.split()
        kept = [word for word in words if word in self.canonical or any(map(str.isalnum, word))]
        return " ".join(kept) or tokens


class NearestWords:
    """The one z that is nearest by Word Mover's Distance.

    Args:
        nearest: utterances to the nearest z of each.
    """

    def __init__(self, nearest: Callable[[Sequence[str]], Sequence[str]]) -> None:
        self.nearest = nearest

    def search(self, queries: Sequence[Query]) -> Sequence[Search]:
        """See :class:`FirstStage`."""
        found = self.nearest([query.tokens for query in queries])
        return [Listed(query, [Hypothesis(z, 0.0)]) for query, z in zip(queries, found)]

    def attention(self, source: str, target: str) -> Weights:
        """None."""
        return no_attention(source, target)


def no_attention(source: str, target: str) -> Weights:
    """Of what attends to nothing."""
    return [[0.0] * len(source.split()) for _ in target.split()]


def names_in(text: str) -> frozenset[str]:
    """The placeholders of a text."""
    return frozenset(word for word in text.split() if is_placeholder(word))


def words_in(text: str) -> list[str]:
    """The words of a text but its placeholders."""
    return [word for word in text.split() if not is_placeholder(word)]
