"""X and Z of a data-bin as pairing sees them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fairseq_twostage.databin.folder import data_bin_lines, read_manifest
from fairseq_twostage.pairing.fitted import FittedSimilarity, Resources
from fairseq_twostage.pairing.pseudo_pairs import PairingConfig, TranslationJudge, assign
from fairseq_twostage.pairing.similarity import Matrix
from fairseq_twostage.pairing.transport import EVEN_BALANCE, Vector

ESTIMATES = 3
EVEN_SHARE = 0.3
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
        frequent = read_manifest(data).canonical == "paper"
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

    def pair(
        self, known: Resources, config: PairingConfig, estimates: int = 0
    ) -> tuple[Matrix, Matrix]:
        """The posterior ``P(z | x)`` and the similarity, ``(x, z)`` each.

        Args:
            known: what similarity is computed from.
            config: of the assignment.
            estimates: where the frequencies are not known, how often they are estimated: each z
                is expected as often as it was found, but for :data:`EVEN_SHARE`, which all have
                alike. Such masses can be balanced wholly.
        """
        x, z = ([line.split() for line in lines] for lines in (self.natural, self.canonical))
        _, similarity = FittedSimilarity.fit(known, x, z)
        posterior = assign(x, z, self.mass, similarity, known.embed, config).posterior
        if self.by_frequency or not estimates:
            return posterior, similarity
        whole = replace(config, balance=1.0, rounds=PairingConfig.rounds)
        judge = TranslationJudge(x, z, known.embed, whole)
        for _ in range(estimates):
            found = posterior.sum(axis=0) / posterior.sum()
            mass = (1 - EVEN_SHARE) * found + EVEN_SHARE / len(found)
            posterior = assign(x, z, mass, similarity, known.embed, whole, judge).posterior
        return posterior, similarity
