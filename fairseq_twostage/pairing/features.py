"""The similarity of X and Z from what may be known beforehand: two classes of resources."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from fairseq_twostage.corpora.databin import read_manifest, read_word_vectors
from fairseq_twostage.pairing.comparisons import comparison_mismatch
from fairseq_twostage.pairing.similarity import (
    Matrix,
    Words,
    anchor_mismatch,
    rarity,
    soft_alignment,
    standardise,
    word_overlap,
)

if TYPE_CHECKING:
    from fairseq_twostage.models.sentence_encoder import SentenceEncoder

SIMILARITIES = ("word_vectors", "sentence_encoder")
# What two utterances of one meaning share whatever their words: how far they differ in it.
ANCHORS: Mapping[str, Callable[[Sequence[Words], Sequence[Words]], Matrix]] = {
    "numbers": anchor_mismatch,
    "comparisons": comparison_mismatch,
}
ANCHOR_WEIGHT = 0.5


class Resources(Protocol):
    """What similarity is computed from."""

    def similarity(self, natural: Sequence[Words], canonical: Sequence[Words]) -> Matrix:
        """``(x, z)``, any scale."""
        ...

    def embed(self, phrases: Sequence[str]) -> Matrix:
        """Vectors of length 1, or 0 for a phrase of unknown words, ``(n, dim)``."""
        ...


def resources(name: str, data: Path, anchors: Collection[str] = tuple(ANCHORS)) -> Resources:
    """The resources ``name`` of a data-bin, with ``anchors`` of those in ``ANCHORS``."""
    if name == "word_vectors":
        vectors, dim = read_word_vectors(data), read_manifest(data).embeddings.dim
        return WordVectors(vectors, dim, anchors)
    from fairseq_twostage.models.sentence_encoder import SentenceEncoder

    return EncoderStates(SentenceEncoder.load(), anchors)


class WordVectors:
    """Class A: word vectors alone.

    Args:
        vectors: of words, ``(dim,)`` each.
        dim: see there.
        anchors: names in ``ANCHORS``.
    """

    def __init__(
        self,
        vectors: Mapping[str, NDArray[np.float64]],
        dim: int,
        anchors: Collection[str] = tuple(ANCHORS),
    ) -> None:
        self.anchors = anchors
        self.vectors = dict(vectors)
        self.dim = dim
        if self.vectors:  # what all words have in common tells none apart
            mean = np.mean(list(self.vectors.values()), axis=0)
            self.vectors = {word: vector - mean for word, vector in self.vectors.items()}

    def similarity(self, natural: Sequence[Words], canonical: Sequence[Words]) -> Matrix:
        """Soft alignment of word vectors, word overlap, anchors."""
        states = [[self._states(words) for words in side] for side in (natural, canonical)]
        aligned = soft_alignment(*states, *(_weights(side) for side in (natural, canonical)))
        overlap = word_overlap(natural, canonical)
        alike = standardise(aligned) + standardise(overlap)
        return _with_anchors(alike, natural, canonical, self.anchors)

    def embed(self, phrases: Sequence[str]) -> Matrix:
        """Mean of the words' vectors."""
        sums = np.array([self._states(phrase.split()).sum(axis=0) for phrase in phrases])
        sums = sums.reshape(-1, self.dim)  # of no phrase, too
        return sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)

    def _states(self, words: Words) -> Matrix:
        unknown = np.zeros(self.dim)
        return np.array([self.vectors.get(word, unknown) for word in words]).reshape(-1, self.dim)


class EncoderStates:
    """Class B: a frozen, pre-trained sentence encoder.

    Args:
        encoder: see there.
        anchors: names in ``ANCHORS``.
    """

    def __init__(self, encoder: SentenceEncoder, anchors: Collection[str] = tuple(ANCHORS)) -> None:
        self.encoder = encoder
        self.anchors = anchors

    def similarity(self, natural: Sequence[Words], canonical: Sequence[Words]) -> Matrix:
        """Cosine of sentences, soft alignment of word states, anchors."""
        vectors = [self.embed([" ".join(words) for words in side]) for side in (natural, canonical)]
        states = [self._states(side) for side in (natural, canonical)]
        aligned = soft_alignment(*states, *(_weights(side) for side in (natural, canonical)))
        cosine = vectors[0] @ vectors[1].T
        alike = standardise(cosine) + standardise(aligned)
        return _with_anchors(alike, natural, canonical, self.anchors)

    def embed(self, phrases: Sequence[str]) -> Matrix:
        """Sentence vectors."""
        return self.encoder.embed(phrases).double().numpy()

    def _states(self, sentences: Sequence[Words]) -> list[Matrix]:
        states, mask = self.encoder.token_states(sentences)
        return [row[present].double().numpy() for row, present in zip(states, mask)]


def _weights(sentences: Sequence[Words]) -> list[Matrix]:
    rare = rarity(sentences)
    return [np.array([rare[word] for word in words]) for words in sentences]


def _with_anchors(
    scores: Matrix,
    natural: Sequence[Words],
    canonical: Sequence[Words],
    anchors: Collection[str],
) -> Matrix:
    mismatch = sum(ANCHORS[name](natural, canonical) for name in anchors)
    return standardise(scores) - ANCHOR_WEIGHT * mismatch
