"""Word vectors adapted to a domain, by its own balanced pairs; no label is seen.

What :mod:`.adaptation` does to the last layers of an encoder is done here to the vectors of the
words of X and Z: they learn the posterior of the balanced assignment through the similarity that
pairs and ranks (:mod:`.fitted`), whose alignment of words they change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from fairseq_twostage.pairing.adaptation import WARM_UP, AdaptationConfig, Draw
from fairseq_twostage.pairing.features import WordVectors
from fairseq_twostage.pairing.fitted import ANCHOR_WEIGHT, MOST_FITTED, FittedSimilarity
from fairseq_twostage.pairing.index import Rarity
from fairseq_twostage.pairing.scores import Scores, part_of, whole_matrix
from fairseq_twostage.pairing.similarity import Words

Pair = Callable[[WordVectors], tuple[Scores, Scores]]
FORGOTTEN = 0.1  # share of the words of x that a step does not see
OF_WORDS = AdaptationConfig(
    steps=200, layers=0, rate=3e-3, batch=48, near=8, nearest=24, temperature=0.3
)


def adapt_words(
    known: WordVectors,
    natural: Sequence[Words],
    canonical: Sequence[Words],
    pair: Pair,
    config: AdaptationConfig,
    report: Callable[[int, float], None] = lambda round, loss: None,
) -> WordVectors:
    """The word vectors with others for the words of X and Z that have one.

    Args:
        known: they stay as they are.
        natural: X, not empty.
        canonical: distinct z.
        pair: the posterior ``P(z | x)`` and the similarity, ``(x, z)`` each, by word vectors.
        config: how; it has no layers.
        report: called with each round and its mean loss.
    """
    random = np.random.default_rng(config.seed)
    words = {word for side in (natural, canonical) for line in side for word in line}
    words = {word for word in words if np.any(known.vectors.get(word, 0.0))}
    for number in range(1, config.rounds + 1):
        posterior, similarity = pair(known)
        fitted, _ = FittedSimilarity.fit(known, natural, canonical, MOST_FITTED)
        draw = Draw(posterior, similarity, config, random)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed + number)
            table = _Table(known, sorted(words))
            loss = _learn(table, _Sides(fitted, natural, canonical), draw, posterior, config)
        report(number, loss)
        known = known.with_words(table.vectors())
    return known


class _Table(nn.Module):
    """Vectors of words, in units of their mean length; that of any other word is 0.

    Args:
        known: where they begin.
        words: that learn.
    """

    def __init__(self, known: WordVectors, words: Sequence[str]) -> None:
        super().__init__()
        self.words = words
        self.place = {word: place for place, word in enumerate(words)}
        found = np.array([known.vectors[word] for word in words]).reshape(-1, known.dim)
        self.unit = float(np.linalg.norm(found, axis=1).mean()) if words else 1.0
        self.first = torch.tensor(found / self.unit, dtype=torch.float32)
        self.change = nn.Parameter(torch.zeros_like(self.first))

    def forward(self) -> Tensor:
        """Of length 1, the last of no word, ``(words + 1, dim)``."""
        found = nn.functional.normalize(self.first + self.change, dim=1)
        return nn.functional.pad(found, (0, 0, 0, 1))

    def vectors(self) -> dict[str, np.ndarray]:
        """Of each word in single precision, as they are kept."""
        found = ((self.first + self.change.detach()) * self.unit).numpy()
        return dict(zip(self.words, found))


@dataclass(frozen=True)
class _Sides:
    """X, Z and their similarity."""

    fitted: FittedSimilarity
    natural: Sequence[Words]
    canonical: Sequence[Words]

    def alike(self, table: _Table, rows: Sequence[int], columns: Sequence[int]) -> Tensor:
        """The standardised similarity by a table, some words of x left out, ``(x, z)``."""
        fitted, natural = self.fitted, [self.natural[row] for row in rows]
        index = fitted.index.select(np.array(columns))
        read = fitted.resources.read(natural)
        x, of_x = _padded(natural, table, fitted.natural)
        z, of_z = _padded([self.canonical[column] for column in columns], table, fitted.canonical)
        of_x = of_x * (torch.rand(of_x.shape) > FORGOTTEN)
        states = table()
        aligned = _aligned(states[x], of_x, states[z], of_z)
        whole = torch.tensor(fitted.wholes(read, index), dtype=torch.float32)
        alike = self._standard("whole", whole) + self._standard("aligned", aligned)
        mismatch = torch.tensor(fitted.mismatches(read, index), dtype=torch.float32)
        total = self._standard("alike", alike) - ANCHOR_WEIGHT * mismatch
        return self._standard("total", total)

    def _standard(self, name: str, part: Tensor) -> Tensor:
        mean, deviation = self.fitted.scales[name]
        return (part - mean) / deviation


def _padded(lines: Sequence[Words], table: _Table, rarity: Rarity) -> tuple[Tensor, Tensor]:
    """Places in the table and weights of words, ``(n, longest)`` each; of no word 0."""
    width = max(map(len, lines))
    places = torch.full((len(lines), width), len(table.words))
    weights = torch.zeros(len(lines), width)
    for row, line in enumerate(lines):
        places[row, : len(line)] = torch.tensor(
            [table.place.get(word, len(table.words)) for word in line]
        )
        weights[row, : len(line)] = torch.tensor(rarity.weights(line), dtype=torch.float32)
    return places, weights


def _aligned(x: Tensor, of_x: Tensor, z: Tensor, of_z: Tensor) -> Tensor:
    """The alignment of :meth:`.FittedSimilarity.aligned`, ``(x, z)``."""
    cosines = torch.einsum("aik,bjk->abij", x, z)
    there = cosines.masked_fill((of_z == 0)[None, :, None], -1).max(dim=3).values
    back = cosines.masked_fill((of_x == 0)[:, None, :, None], -1).max(dim=2).values
    there = (there * of_x[:, None]).sum(dim=2) / of_x.sum(dim=1).clamp(min=1e-9)[:, None]
    back = (back * of_z[None]).sum(dim=2) / of_z.sum(dim=1).clamp(min=1e-9)
    return (there + back) / 2


def _learn(
    table: _Table, sides: _Sides, draw: Draw, posterior: Scores, config: AdaptationConfig
) -> float:
    """One round; returns the mean loss."""
    optimiser = torch.optim.AdamW(table.parameters(), lr=config.rate, weight_decay=0.01)
    total = 0.0
    for step in range(config.steps):
        rows, columns = draw()
        known = whole_matrix(part_of(posterior, np.array(rows), np.array(columns)))
        wanted = torch.tensor(known, dtype=torch.float32)
        wanted = wanted / wanted.sum(dim=1, keepdim=True).clamp(min=1e-9)
        alike = sides.alike(table, rows, columns)
        loss = nn.functional.cross_entropy(alike / config.temperature, wanted)
        optimiser.zero_grad()
        loss.backward()
        for group in optimiser.param_groups:
            group["lr"] = config.rate * min(1.0, (step + 1) / WARM_UP) * (1 - step / config.steps)
        optimiser.step()
        total += float(loss.detach())
    return total / max(config.steps, 1)
