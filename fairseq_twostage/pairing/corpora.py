"""X and Z of a data-bin as pairing sees them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from fairseq_twostage.databin.folder import data_bin_lines, read_manifest
from fairseq_twostage.pairing.fitted import FittedSimilarity, Resources
from fairseq_twostage.pairing.pseudo_pairs import PairingConfig, assign
from fairseq_twostage.pairing.similarity import Matrix
from fairseq_twostage.pairing.transport import (
    EVEN_BALANCE,
    Assignment,
    Blocks,
    Vector,
    balanced_in_blocks,
    value_blocks,
)

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

    def balanced(self, scores: Matrix, balance: float) -> Assignment:
        """The assignment of X to Z by scores ``(x, z)``; ``balance``: share of its potentials."""
        return balanced_in_blocks(scores, self.mass, balance, self._blocks)

    @cached_property
    def _blocks(self) -> Blocks:
        return value_blocks(*self.words)

    def pair(self, known: Resources, config: PairingConfig) -> tuple[Matrix, Matrix]:
        """The posterior ``P(z | x)`` and the similarity, ``(x, z)`` each."""
        _, similarity = FittedSimilarity.fit(known, *self.words)
        found = assign(*self.words, self.mass, similarity, known.embed, config)
        return found.posterior, similarity
