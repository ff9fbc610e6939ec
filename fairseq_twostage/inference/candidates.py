"""How ẑ is found: by a beam, by word distance, or not at all where one stage reads all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple, Protocol

from fairseq_twostage.decoding.mixture import MixtureStage
from fairseq_twostage.decoding.stage import BeamStage, Hypothesis
from fairseq_twostage.text.lexicon import is_placeholder

Weights = list[list[float]]


class Query(NamedTuple):
    """What is looked for: an utterance's tokens, and the placeholders that it has."""

    tokens: str
    names: frozenset[str]


class FirstStage(Protocol):
    """The first stage of inference."""

    def search(self, queries: Sequence[Query]) -> list[Iterator[Hypothesis]]:
        """The ẑ of each query, best first, worked out as far as they are asked for."""
        ...

    def attention(self, source: str, target: str) -> Weights:
        """For each word of ``target`` the weights over the words of ``source``."""
        ...


class BeamSearch:
    """The beam of one paraphraser, or of several as a mixture."""

    def __init__(self, stage: BeamStage | MixtureStage) -> None:
        self.stage = stage
        self.attention = stage.attention

    def search(self, queries: Sequence[Query]) -> list[Iterator[Hypothesis]]:
        """See :class:`FirstStage`."""
        return [iter(found) for found in self.stage.scored([query.tokens for query in queries])]


class NoParaphrase:
    """The utterance is what the second stage reads: one stage, or gold canonical utterances.

    Args:
        canonical: words that Z has; with them, tokens without letter or digit that Z does not have
            are left out.
    """

    def __init__(self, canonical: Collection[str] | None = None) -> None:
        self.canonical = canonical

    def search(self, queries: Sequence[Query]) -> list[Iterator[Hypothesis]]:
        """See :class:`FirstStage`."""
        return [iter([Hypothesis(self._read(query.tokens), 0.0)]) for query in queries]

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

    def search(self, queries: Sequence[Query]) -> list[Iterator[Hypothesis]]:
        """See :class:`FirstStage`."""
        found = self.nearest([query.tokens for query in queries])
        return [iter([Hypothesis(z, 0.0)]) for z in found]

    def attention(self, source: str, target: str) -> Weights:
        """None."""
        return no_attention(source, target)


def no_attention(source: str, target: str) -> Weights:
    """Of what attends to nothing."""
    return [[0.0] * len(source.split()) for _ in target.split()]


def names_in(text: str) -> frozenset[str]:
    """The placeholders of a text."""
    return frozenset(word for word in text.split() if is_placeholder(word))
