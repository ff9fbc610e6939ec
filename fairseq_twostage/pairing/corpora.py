"""X and Z of a data-bin as pairing sees them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from fairseq_twostage.databin.folder import data_bin_lines, read_manifest
from fairseq_twostage.pairing.fitted import MOST_FITTED, FittedSimilarity, Resources
from fairseq_twostage.pairing.neighbours import nearest_pairs
from fairseq_twostage.pairing.pseudo_pairs import PairingConfig, assign
from fairseq_twostage.pairing.scores import Scores, Vector
from fairseq_twostage.pairing.similarity import standardise
from fairseq_twostage.pairing.transport import (
    EVEN_BALANCE,
    Assignment,
    Blocks,
    balanced_in_blocks,
    value_blocks,
)

ALL_PAIRS = 4_000_000  # of X and Z: up to so many are all considered
MASSES = FREQUENCY, UNIFORM = ("frequency", "uniform")


@dataclass(frozen=True)
class Corpora:
    """X and Z.

    Attributes:
        natural: X.
        canonical: distinct z, in alphabetic order.
        mass: how often each z is expected, up to a factor, ``(z,)``.
        by_frequency: whether that is how often it stands in Z.
    """

    natural: list[str]
    canonical: list[str]
    mass: Vector
    by_frequency: bool

    @classmethod
    def of(cls, data: Path, mass: str | None = None) -> Corpora:
        """Those of a data-bin's training part; nothing of its annotated rows is read.

        Args:
            data: the data-bin.
            mass: one of ``MASSES``; None: frequency in the setting ``paper``, else uniform.

        Raises:
            UserError: it is no data-bin.
        """
        frequent = read_manifest(data).frequent_as_meant
        by_frequency = frequent if mass is None else mass == FREQUENCY
        counts = Counter(data_bin_lines(data / "text" / "train.cf"))
        canonical = sorted(counts)
        masses = [counts[line] if by_frequency else 1 for line in canonical]
        natural = data_bin_lines(data / "text" / "train.nl")
        return cls(natural, canonical, np.array(masses, dtype=float), by_frequency)

    def usual(self, config: PairingConfig) -> PairingConfig:
        """With the balance and the rounds of translation that are usual with such a mass."""
        if self.by_frequency:
            return config
        return replace(config, balance=EVEN_BALANCE, rounds=0)

    @cached_property
    def words(self) -> tuple[list[list[str]], list[list[str]]]:
        """X and Z as words."""
        x, z = ([line.split() for line in lines] for lines in (self.natural, self.canonical))
        return x, z

    def balanced(self, scores: Scores, balance: float) -> Assignment:
        """The assignment of X to Z by scores ``(x, z)``; ``balance``: share of its potentials."""
        return balanced_in_blocks(scores, self.mass, balance, self._blocks)

    @cached_property
    def _blocks(self) -> Blocks:
        return value_blocks(*self.words)

    def pair(self, known: Resources, config: PairingConfig) -> tuple[Scores, Scores]:
        """The posterior ``P(z | x)`` and the similarity, ``(x, z)`` each.

        They are sparse, the nearest of each alone, where X and Z have more than :data:`ALL_PAIRS`.
        """
        similarity = self.similarity(known)
        found = assign(*self.words, self.mass, similarity, known.embed, config)
        return found.posterior, similarity

    def similarity(self, known: Resources, all_pairs: int = ALL_PAIRS) -> Scores:
        """The standardised similarity, ``(x, z)``, sparse where there are more than ``all_pairs``
        pairs."""
        if len(self.natural) * len(self.canonical) <= all_pairs:
            return standardise(FittedSimilarity.fit(known, *self.words)[1])
        fitted, _ = FittedSimilarity.fit(known, *self.words, MOST_FITTED)
        return nearest_pairs(fitted, self.words[0], self._blocks)
