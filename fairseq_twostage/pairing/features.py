"""What may be known before anything is learnt: two classes of resources."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairseq_twostage.databin.folder import read_manifest, read_word_vectors
from fairseq_twostage.errors import UserError
from fairseq_twostage.pairing.fitted import Resources
from fairseq_twostage.pairing.index import ANCHORS, Array, Read
from fairseq_twostage.pairing.similarity import Matrix, Words, unit_rows
from fairseq_twostage.text.placeholders import is_placeholder, parts_of
from fairseq_twostage.text.value_settings import DATE, NUMBER, TIME

if TYPE_CHECKING:
    from fairseq_twostage.models.sentence_encoder import SentenceEncoder

WORD_VECTORS, SENTENCE_ENCODER = "word_vectors", "sentence_encoder"
SIMILARITIES = (WORD_VECTORS, SENTENCE_ENCODER)
ADAPTED = "encoder.safetensors"  # layers, or vectors of words, that learnt a domain


def resources(
    name: str,
    data: Path,
    anchors: Collection[str] = tuple(ANCHORS),
    adapted: Path | None = None,
) -> Resources:
    """The resources ``name`` of a data-bin.

    Args:
        name: one of ``SIMILARITIES``.
        data: the data-bin.
        anchors: of those in ``ANCHORS``.
        adapted: file of the resources as they were adapted to a domain.

    Raises:
        UserError: the encoder is not installed, or ``adapted`` is of other resources.
    """
    if name == WORD_VECTORS:
        vectors, dim = read_word_vectors(data), read_manifest(data).embeddings.dim
        words = WordVectors(vectors, dim, anchors)
        return words if adapted is None else words.with_words(read_words(adapted, dim))
    found = EncoderStates.load(anchors)
    return (
        found if adapted is None else EncoderStates(read_adapted(found.encoder, adapted), anchors)
    )


def read_adapted(encoder: SentenceEncoder, path: Path) -> SentenceEncoder:
    """The encoder with the adapted layers of a file.

    Raises:
        UserError: the file is damaged, or of another encoder.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return encoder.with_layers(load_file(path))
    except (ValueError, SafetensorError) as error:
        raise UserError(f"holds no layers of this sentence encoder ({error})", str(path)) from error


def read_words(path: Path, dim: int) -> dict[str, NDArray[np.float32]]:
    """Adapted vectors of words, ``(dim,)`` each, as :meth:`WordVectors.kept` has them.

    Raises:
        UserError: the file is damaged, or of something else.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "np") as file:
            words, table = json.loads((file.metadata() or {})["words"]), file.get_tensor("words")
    except (ValueError, KeyError, SafetensorError) as error:
        raise UserError(f"holds no adapted vectors of words ({error})", str(path)) from error
    if table.shape != (len(words), dim):
        raise UserError(f"holds vectors of other length than {dim}", str(path))
    return dict(zip(words, table))


class WordVectors:
    """Class A: word vectors alone; wholes are compared by the words that they share.

    Args:
        vectors: of words, ``(dim,)`` each.
        anchors: names in ``ANCHORS``.
        centred: whether the vectors' mean has been taken away already.

    Attributes:
        changed: those that were adapted.
    """

    name = WORD_VECTORS

    def __init__(
        self,
        vectors: Mapping[str, NDArray[np.float64]],
        dim: int,
        anchors: Collection[str] = tuple(ANCHORS),
        centred: bool = False,
    ) -> None:
        self.anchors = anchors
        self.vectors = dict(vectors)
        self.dim = dim
        if self.vectors and not centred:  # what all words have in common tells none apart
            mean = np.mean(list(self.vectors.values()), axis=0)
            self.vectors = {word: vector - mean for word, vector in self.vectors.items()}
        self.changed: dict[str, NDArray[np.float32]] = {}

    def with_words(self, changed: Mapping[str, NDArray[np.float32]]) -> WordVectors:
        """Those with other vectors for some words."""
        vectors = self.vectors | {word: each.astype(np.float64) for word, each in changed.items()}
        found = WordVectors(vectors, self.dim, self.anchors, centred=True)
        found.changed = dict(changed)
        return found

    def kept(self) -> bytes:
        """The vectors that :meth:`with_words` changed, as a file."""
        from safetensors.numpy import save

        table = np.array(list(self.changed.values()), dtype=np.float32).reshape(-1, self.dim)
        return save({"words": table}, {"words": json.dumps(list(self.changed))})

    def read(self, sentences: Sequence[Words]) -> list[Read]:
        return [Read(words, self._states(words), None) for words in sentences]

    def embed(self, phrases: Sequence[str]) -> Matrix:
        """Mean of the words' vectors."""
        sums = np.array([self._vectors(phrase.split()).sum(axis=0) for phrase in phrases])
        return unit_rows(sums.reshape(-1, self.dim))  # of no phrase, too

    def _states(self, words: Words) -> Array:
        return unit_rows(self._vectors(words)).astype(np.float32)

    def _vectors(self, words: Words) -> Matrix:
        unknown = np.zeros(self.dim)
        return np.array([self.vectors.get(word, unknown) for word in words]).reshape(-1, self.dim)


# What an encoder reads for a value's placeholder. To it ``_number_`` is near to "number of".
_SAID = {NUMBER: "ten", DATE: "2019", TIME: "8:30"}


def _as_said(word: str) -> str:
    return _SAID.get(parts_of(word)[0], word) if is_placeholder(word) else word


class EncoderStates:
    """Class B: a frozen, pre-trained sentence encoder.

    Args:
        anchors: names in ``ANCHORS``.
    """

    name = SENTENCE_ENCODER

    def __init__(self, encoder: SentenceEncoder, anchors: Collection[str] = tuple(ANCHORS)) -> None:
        self.encoder = encoder
        self.anchors = anchors

    @classmethod
    def load(cls, anchors: Collection[str] = tuple(ANCHORS)) -> EncoderStates:
        """With the encoder that a package carries.

        Raises:
            UserError: it is not installed.
        """
        from fairseq_twostage.models.sentence_encoder import SentenceEncoder

        return cls(SentenceEncoder.load(), anchors)

    def read(self, sentences: Sequence[Words]) -> list[Read]:
        said = [[_as_said(word) for word in words] for words in sentences]
        return [
            Read(words, unit_rows(states.numpy()).astype(np.float32), vector.numpy())
            for words, (vector, states) in zip(sentences, self.encoder.read(said))
        ]

    def embed(self, phrases: Sequence[str]) -> Matrix:
        """Sentence vectors."""
        return self.encoder.embed(phrases).double().numpy()
