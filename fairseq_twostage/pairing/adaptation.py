"""A sentence encoder adapted to a domain, by its own balanced pairs; no label is seen.

The encoder knows words that people use, but neither which z a domain has nor how often each is
meant. The balanced assignment of X to Z knows that (:mod:`.pseudo_pairs`). Its posterior is what
the last layers learn: of each x and some z beside it, those that lie near it among them,
``P(z | x) ∝ exp((cosine of the vectors + alignment of the states) / temperature)``. Each round
pairs anew with what the round before has learnt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from fairseq_twostage.models.sentence_encoder import SentenceEncoder
from fairseq_twostage.pairing.scores import Scores, part_of, reduced_rows, row_of, whole_matrix

Pair = Callable[[SentenceEncoder], tuple[Scores, Scores]]
WARM_UP = 15  # steps until the learning rate is whole
LONGEST_GRADIENT = 1.0
DROPOUT = 0.1


@dataclass(frozen=True)
class AdaptationConfig:
    """How the encoder is adapted.

    Attributes:
        rounds: of pairing and learning.
        steps: of learning in a round.
        layers: how many are learnt, the last ones.
        rate: learning rate, falling to 0 within each round.
        batch: utterances of X in a step.
        near: further z for each of them, drawn from the :attr:`nearest`.
        nearest: z beside an x that it may be mistaken for.
        temperature: of the similarity.
        seed: of draws and dropout.
    """

    rounds: int = 2
    steps: int = 150
    layers: int = 2
    rate: float = 5e-5
    batch: int = 24
    near: int = 3
    nearest: int = 12
    temperature: float = 0.1
    seed: int = 1


def adapt(
    encoder: SentenceEncoder,
    natural: Sequence[str],
    canonical: Sequence[str],
    pair: Pair,
    config: AdaptationConfig,
    report: Callable[[int, float], None] = lambda round, loss: None,
) -> SentenceEncoder:
    """The encoder with other last layers.

    Args:
        encoder: frozen; it stays as it is.
        natural: X, not empty.
        canonical: distinct z.
        pair: the posterior ``P(z | x)`` and the similarity, ``(x, z)`` each, by an encoder.
        config: how.
        report: called with each round and its mean loss.
    """
    random = np.random.default_rng(config.seed)
    below: dict[str, Tensor] = {}
    for number in range(1, config.rounds + 1):
        posterior, similarity = pair(encoder)
        encoder = encoder.copy()
        layers = nn.ModuleList(encoder.last_layers(config.layers))
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed + number)
            draw = Draw(posterior, similarity, config, random)
            batches = [draw() for _ in range(config.steps)]
            drawn = {natural[x] for rows, _ in batches for x in rows}
            drawn |= {canonical[z] for _, columns in batches for z in columns}
            below |= _states_below(encoder, drawn - below.keys(), config.layers)
            loss = _learn(_Upper(layers, below), natural, canonical, batches, posterior, config)
        report(number, loss)
        encoder = encoder.with_layers(
            encoder.weights_of(config.layers)
        )  # rounded, as they are kept
    return encoder


class Draw:
    """Batches: x by how sure their pairs are, of z a probable one and some near it."""

    def __init__(
        self,
        posterior: Scores,
        similarity: Scores,
        config: AdaptationConfig,
        random: np.random.Generator,
    ) -> None:
        self.random = random
        self.posterior = posterior
        self.similarity = similarity
        sure = reduced_rows(np.maximum, posterior)
        self.sure = sure / sure.sum()
        self.batch = min(config.batch, len(sure))
        self.nearest = config.nearest
        self.near = min(config.near, max(min(config.nearest, posterior.shape[1]) - 1, 0))

    def __call__(self) -> tuple[list[int], list[int]]:
        """Rows of X and of Z."""
        size = len(self.sure)
        rows = self.random.choice(size, size=self.batch, p=self.sure, replace=False).tolist()
        columns: dict[int, None] = {}
        for row in rows:
            probable, probabilities = row_of(self.posterior, row)
            meant = self.random.choice(probable, p=probabilities / probabilities.sum())
            considered, alike = row_of(self.similarity, row)
            nearest = considered[np.argsort(-alike, kind="stable")[: self.nearest]]
            others = nearest[nearest != meant]
            near = self.random.choice(others, size=min(self.near, len(others)), replace=False)
            columns.update(dict.fromkeys([int(meant), *near.tolist()]))
        return rows, list(columns)


class _Upper(nn.Module):
    """Vectors and states of utterances by the last layers.

    Args:
        layers: that are learnt.
        below: states under them of each utterance, ``(pieces, dim)``.
    """

    def __init__(self, layers: nn.ModuleList, below: dict[str, Tensor]) -> None:
        super().__init__()
        self.layers = layers
        self.below = below

    def forward(self, lines: Sequence[str]) -> tuple[Tensor, Tensor, Tensor]:
        """Vectors ``(n, dim)``, states ``(n, pieces, dim)``, both of length 1, and where there is
        a piece ``(n, pieces)``."""
        found = [self.below[line] for line in lines]
        states = nn.utils.rnn.pad_sequence(found, batch_first=True)
        lengths = torch.tensor([len(each) for each in found])
        mask = (torch.arange(states.shape[1]) < lengths.unsqueeze(1)).float()
        unseen = (1 - mask)[:, None, None, :] * torch.finfo(states.dtype).min
        for layer in self.layers:
            output = layer(states, unseen)
            states = output[0] if isinstance(output, tuple) else output
        means = (states * mask.unsqueeze(2)).sum(dim=1) / mask.sum(dim=1, keepdim=True)
        states = nn.functional.normalize(states, dim=2) * mask.unsqueeze(2)
        return nn.functional.normalize(means, dim=1), states, mask


def _learn(
    upper: _Upper,
    natural: Sequence[str],
    canonical: Sequence[str],
    batches: Sequence[tuple[list[int], list[int]]],
    posterior: Scores,
    config: AdaptationConfig,
) -> float:
    """One round; returns the mean loss."""
    upper.requires_grad_(True).train()
    for module in upper.modules():
        if isinstance(module, nn.Dropout):
            module.p = DROPOUT
    optimiser = torch.optim.AdamW(upper.layers.parameters(), lr=config.rate, weight_decay=0.01)
    total = 0.0
    for step, (rows, columns) in enumerate(batches):
        known = part_of(posterior, np.array(rows), np.array(columns))
        wanted = torch.tensor(whole_matrix(known), dtype=torch.float32)
        wanted = wanted / wanted.sum(dim=1, keepdim=True).clamp(min=1e-9)
        alike = _alike(
            upper([natural[row] for row in rows]), upper([canonical[z] for z in columns])
        )
        loss = nn.functional.cross_entropy(alike / config.temperature, wanted)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(upper.layers.parameters(), LONGEST_GRADIENT)
        for group in optimiser.param_groups:
            group["lr"] = config.rate * min(1.0, (step + 1) / WARM_UP) * (1 - step / config.steps)
        optimiser.step()
        total += float(loss.detach())
    upper.requires_grad_(False).eval()
    return total / max(config.steps, 1)


def _alike(x: tuple[Tensor, Tensor, Tensor], z: tuple[Tensor, Tensor, Tensor]) -> Tensor:
    """Cosine of the vectors plus the mean, both ways, of each piece's largest cosine to a piece of
    the other, ``(x, z)``."""
    cosines = torch.einsum("aik,bjk->abij", x[1], z[1])
    there = (cosines.max(dim=3).values * x[2].unsqueeze(1)).sum(dim=2) / x[2].sum(dim=1)[:, None]
    back = (cosines.max(dim=2).values * z[2].unsqueeze(0)).sum(dim=2) / z[2].sum(dim=1)[None]
    return x[0] @ z[0].T + (there + back) / 2


def _states_below(encoder: SentenceEncoder, lines: set[str], layers: int) -> dict[str, Tensor]:
    """Of each utterance what goes into the last layers, ``(pieces, dim)``."""
    ordered = sorted(lines, key=lambda line: (len(line.split()), line))
    found: dict[str, Tensor] = {}
    for start in range(0, len(ordered), encoder.batch_size):
        part = ordered[start : start + encoder.batch_size]
        found.update(zip(part, encoder.states_below([line.split() for line in part], layers)))
    return found
