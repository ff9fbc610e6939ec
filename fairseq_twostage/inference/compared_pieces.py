"""A question beside pieces of known ones: how much of it they say, and what they say besides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fairseq_twostage.inference.candidates import Query
from fairseq_twostage.inference.question_pieces import Piece
from fairseq_twostage.pairing.similarity import Matrix
from fairseq_twostage.text.question_words import negations

if TYPE_CHECKING:
    pass


UNSAID = 0.5  # how much a word that nobody said takes away, beside one that is said
OTHER = 0.5  # the same of another thing that a condition goes through
STRANGE = 0.4  # the cosine of words that have nothing to do with each other
NEAR = 0.8  # the cosine of a word by which another is said


@dataclass(frozen=True, eq=False)
class ComparedQuestion:
    """What is asked, beside all words of the pieces.

    Attributes:
        query: tokens and names.
        places: column of each word of the pieces.
        cosines: of the question's words with these, ``(words of x, words of pieces)``.
        of_x, of_z: rarities of both.
    """

    query: Query
    places: Mapping[str, int]
    cosines: Matrix
    of_x: Matrix
    of_z: Matrix

    @cached_property
    def denies(self) -> bool:
        """Whether it has a negation."""
        return bool(negations(self.query.tokens))

    @cached_property
    def asks_who(self) -> bool:
        """Whether it begins with *who*."""
        return self.query.tokens.startswith("who ")

    @cached_property
    def words(self) -> frozenset[str]:
        """As they are said."""
        return frozenset(self.query.tokens.split())

    @cached_property
    def _near(self) -> Matrix:
        """0 … 1."""
        return np.clip((self.cosines - STRANGE) / (1 - STRANGE), 0.0, 1.0)

    @cached_property
    def _said(self) -> Sequence[bool]:
        nearest: Sequence[bool] = (self.cosines.max(axis=0) >= NEAR).tolist()
        return nearest

    @cached_property
    def _far(self) -> Sequence[float]:
        far: Sequence[float] = (self.of_z * (1 - self._near.max(axis=0))).tolist()
        return far

    @cached_property
    def _rare(self) -> Sequence[float]:
        rare: Sequence[float] = self.of_z.tolist()
        return rare

    def has(self, piece: Piece) -> bool:
        """Whether it has each word of a piece that has to be said, or one near it."""
        return all(self._said[self.places[word]] for word in piece.content)

    def score(self, pieces: Sequence[Piece]) -> float:
        """How much of it some pieces say, without what they say beside it.

        ``Σ_w r(w) max_v near(w, v) − UNSAID · Σ_v r(v) (1 − max_w near(w, v)) − OTHER · others``
        with w of the question and v of the pieces; what these say again is far from all.
        """
        places = [self.places[word] for piece in pieces for word in piece.words]
        there = self._near[:, places].max(axis=1) if places else np.zeros(len(self.of_x))
        unsaid, before = 0.0, set[int]()
        for place in places:
            unsaid += self._rare[place] if place in before else self._far[place]
            before.add(place)
        others = sum(piece.others for piece in pieces)
        return float((self.of_x * there).sum() - UNSAID * unsaid - OTHER * others)
