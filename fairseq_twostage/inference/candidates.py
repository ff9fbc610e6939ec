"""How ẑ is found: by a beam, by word distance, or not at all where one stage reads all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from fairseq_twostage.decoding.mixture import MixtureStage
from fairseq_twostage.decoding.stage import BeamStage, Hypothesis
from fairseq_twostage.pairing.fitted import Read
from fairseq_twostage.text.lexicon import is_placeholder

Weights = list[list[float]]


class Query(NamedTuple):
    """What is looked for: an utterance's tokens, and the placeholders that it has."""

    tokens: str
    names: frozenset[str]


class Pool(NamedTuple):
    """The foremost candidates of one utterance and what speaks for each, ``(candidates,)``.

    Attributes:
        lines: the candidates; one of them is the ẑ that was chosen.
        bound: similarity and prior.
        direct: the share of ``log P(z | x)``.
        dual: the share of ``log P(x | z)``.
        aligned: how well the words of each fit those of x.
        mismatch: marks that one has and the other lacks.
        length: words of x.
        temperature: by which scores are divided before they are probabilities.
    """

    lines: Sequence[str]
    bound: npt.NDArray[np.float64]
    direct: npt.NDArray[np.float64]
    dual: npt.NDArray[np.float64]
    aligned: npt.NDArray[np.float64]
    mismatch: npt.NDArray[np.float64]
    length: int
    temperature: float

    @property
    def total(self) -> npt.NDArray[np.float64]:
        """The score by which candidates are ranked."""
        return self.bound + self.direct + self.dual


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
        none = np.zeros(len(self.found))
        direct = lengths * np.array([score for _, score in self.found])
        lines = [text for text, _ in self.found]
        return Pool(lines, none, direct, none, none, none, len(self.query.tokens.split()), 1.0)


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
