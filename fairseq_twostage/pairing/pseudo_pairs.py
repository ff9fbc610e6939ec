"""Pseudo-pairs (x, z): which z an x probably belongs to, found without a label.

Similarities give a first balanced assignment. Rounds of word translation sharpen it: the
translation table learnt from the pairs of the other folds judges the pairs of this one, so
that no row's pair supports itself. (Rows with the same x may stand in different folds.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.special import softmax

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_lines
from fairseq_twostage.pairing.scores import (
    Scores,
    Vector,
    places,
    row_of,
    values,
    with_values,
)
from fairseq_twostage.pairing.similarity import Matrix, Words
from fairseq_twostage.pairing.translation import PhraseCounts, TranslationTable, log_probabilities
from fairseq_twostage.pairing.transport import Assignment, balanced_in_blocks, value_blocks
from fairseq_twostage.writing import atomic_write

PAIRS = "pairs.tsv"
# Of large corpora word translation learns the commonest phrases, from some of X.
MOST_PHRASES, MOST_LEARNT = 4_000, 5_000
BLOCK = 1_024  # x that are judged at once
Embed = Callable[[Sequence[str]], Matrix]


@dataclass(frozen=True)
class PseudoPair:
    """An x, a z and how probable it is that they belong together, in (0, 1]."""

    utterance: str
    canonical: str
    weight: float


@dataclass(frozen=True)
class PairingConfig:
    """How pairs are sought.

    Attributes:
        temperature: of the standardised similarities in the transport.
        rounds: of word translation.
        translation_weight: of its log-likelihood beside the similarities.
        prior_temperature: of phrase similarities as the translation table's prior.
        folds: parts of X whose pairs are judged by the tables of the others.
        min_confidence: pairs below this probability are left out.
        seed: of the folds.
        balance: share of the transport's potentials that is kept.
    """

    temperature: float = 0.1
    rounds: int = 3
    translation_weight: float = 0.3
    prior_temperature: float = 0.1
    folds: int = 5
    min_confidence: float = 0.3
    seed: int = 1
    balance: float = 1.0


def assign(
    natural: Sequence[Words],
    canonical: Sequence[Words],
    mass: Vector,
    similarity: Scores,
    embed: Embed,
    config: PairingConfig,
) -> Assignment:
    """The probability of each distinct z for each x.

    Args:
        natural: X.
        canonical: distinct z.
        mass: how often each z is expected, up to a factor, ``(z,)``.
        similarity: of mean 0 and deviation 1 over all pairs, ``(x, z)``.
        embed: vectors of length 1 (or 0) of phrases, for the prior of translation.
    """
    scores = similarity / config.temperature
    blocks = value_blocks(natural, canonical)
    found = balanced_in_blocks(scores, mass, config.balance, blocks)
    if config.rounds == 0 or len(natural) < config.folds:
        return found
    judge = TranslationJudge(natural, canonical, embed, config)
    for _ in range(config.rounds):
        judged = config.translation_weight * values(judge(found.posterior)) + values(scores)
        found = balanced_in_blocks(with_values(scores, judged), mass, config.balance, blocks)
    return found


class TranslationJudge:
    """``log P(x | z) + log P(z | x)`` by word translation, cross-fitted over folds of X."""

    def __init__(
        self,
        natural: Sequence[Words],
        canonical: Sequence[Words],
        embed: Embed,
        config: PairingConfig,
    ) -> None:
        phrases = (
            PhraseCounts(natural, most=MOST_PHRASES),
            PhraseCounts(canonical, most=MOST_PHRASES),
        )
        self.natural = phrases[0].of(natural)
        self.canonical = phrases[1].of(canonical)
        vectors = [embed(side.phrases) for side in phrases]
        alike = _phrase_similarity(phrases, vectors) / config.prior_temperature
        self.to_natural = TranslationTable(softmax(alike.T, axis=1))
        self.to_canonical = TranslationTable(softmax(alike, axis=1))
        random = np.random.default_rng(config.seed)
        self.fold = random.permutation(len(natural)) % config.folds

    def __call__(self, pairs: Scores) -> Scores:
        """Of the pairs that are considered, by their probabilities."""
        evidence = np.zeros_like(values(pairs))
        for fold in np.unique(self.fold):
            judged = np.flatnonzero(self.fold == fold)
            others = np.flatnonzero(self.fold != fold)[:MOST_LEARNT]
            x, z, known = self.natural[others], self.canonical, pairs[others]
            forth = log_probabilities(z, self.to_natural.learn(x, z, known))
            back = self.to_canonical.learn(z, x, known.T)
            for rows in np.split(judged, range(BLOCK, len(judged), BLOCK)):
                found = self.natural[rows] @ forth
                found += (z @ log_probabilities(self.natural[rows], back)).T
                where, row, column = places(pairs, rows)
                evidence[where] = found[row, column]
        return with_values(pairs, evidence)


def _phrase_similarity(phrases: tuple[PhraseCounts, PhraseCounts], vectors: list[Matrix]) -> Matrix:
    """Cosines of natural and canonical phrases; equal phrases have 1."""
    alike = vectors[0] @ vectors[1].T
    for phrase, row in phrases[0].columns.items():
        if phrase in phrases[1].columns:
            alike[row, phrases[1].columns[phrase]] = 1.0
    return alike


def confident_pairs(
    natural: Sequence[str],
    canonical: Sequence[str],
    posterior: Scores,
    min_confidence: float,
) -> list[PseudoPair]:
    """All pairs above 0 whose probability reaches ``min_confidence``, x by x, best first."""
    pairs = []
    for row, utterance in enumerate(natural):
        columns, probabilities = row_of(posterior, row)
        for index in np.argsort(-probabilities, kind="stable"):
            weight = float(probabilities[index])
            if weight < min_confidence or weight == 0:
                break
            pairs.append(PseudoPair(utterance, canonical[columns[index]], weight))
    return pairs


def write_pairs(path: Path, pairs: Iterable[PseudoPair]) -> None:
    """Write utterance, canonical utterance and weight, separated by tabs."""
    with atomic_write(path) as file:
        for pair in pairs:
            print(pair.utterance, pair.canonical, f"{pair.weight:.6g}", sep="\t", file=file)


def read_pairs(path: Path) -> list[PseudoPair]:
    """What :func:`write_pairs` wrote; ``path`` may be the folder of ``pairs.tsv``.

    Raises:
        UserError: there is no such file, it is empty, or a line is none of its lines.
    """
    if path.is_dir():
        path = path / PAIRS
    if not path.is_file():
        raise UserError("no such file of pseudo-pairs; make it with twostage pair", str(path))
    pairs = []
    for number, line in enumerate(read_lines(path), start=1):
        fields = line.split("\t")
        try:
            utterance, canonical, weight = fields
            pair = PseudoPair(utterance, canonical, float(weight))
        except ValueError:
            raise UserError("expected utterance, canonical, weight", f"{path}:{number}") from None
        if not 0 < pair.weight < float("inf"):
            raise UserError(f"a weight is above 0, not {weight}", f"{path}:{number}")
        pairs.append(pair)
    if not pairs:
        raise UserError("holds no pair", str(path))
    return pairs
