"""Baselines b of REINFORCE: what the paper tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import torch
from torch import Tensor

Greedy = Callable[[], Tensor] | None


class Baseline(Protocol):
    """What is subtracted from the rewards of the K samples of each input."""

    wants_greedy: bool

    def __call__(self, side: str, rewards: Tensor, greedy: Greedy) -> Tensor:
        """b, broadcastable to ``rewards`` ``(batch, K)``.

        Args:
            side: of the inputs; each direction has a baseline of its own.
            rewards: of the samples.
            greedy: gives the rewards of greedy decoding ``(batch,)``, if asked for.
        """


class MeanOfSamples:
    """The mean reward of the K samples of the same input: the paper's choice."""

    wants_greedy = False

    def __call__(self, side: str, rewards: Tensor, greedy: Greedy) -> Tensor:
        return rewards.mean(dim=1, keepdim=True)


class NoBaseline:
    """b = 0."""

    wants_greedy = False

    def __call__(self, side: str, rewards: Tensor, greedy: Greedy) -> Tensor:
        return rewards.new_zeros(())


class RunningMean:
    """An exponential moving average of the batches' mean rewards.

    It starts at the first batch it sees, so it is not restored when a run is resumed.
    """

    wants_greedy = False

    def __init__(self, momentum: float = 0.9) -> None:
        self.momentum = momentum
        self.mean: dict[str, Tensor] = {}

    def __call__(self, side: str, rewards: Tensor, greedy: Greedy) -> Tensor:
        """The average before this batch; then this batch is added."""
        new = rewards.mean()
        old = self.mean.get(side, new)
        self.mean[side] = self.momentum * old + (1 - self.momentum) * new
        return old


class CumulativeMean:
    """The mean reward of everything before; a resumed run begins anew."""

    wants_greedy = False

    def __init__(self) -> None:
        self.total: dict[str, Tensor] = {}
        self.count: dict[str, int] = {}

    def __call__(self, side: str, rewards: Tensor, greedy: Greedy) -> Tensor:
        """The mean of everything before this batch; then this batch is added."""
        count = self.count.get(side, 0)
        total = self.total.get(side, torch.zeros_like(rewards.sum()))
        self.total[side] = total + rewards.sum()
        self.count[side] = count + rewards.numel()
        return total / count if count else rewards.mean()


class GreedyReward:
    """The reward of the greedy decoding of the same input (self-critical)."""

    wants_greedy = True

    def __call__(self, side: str, rewards: Tensor, greedy: Greedy) -> Tensor:
        assert greedy is not None
        return greedy().unsqueeze(1)


BASELINES: dict[str, Callable[[], Baseline]] = {
    "mean": MeanOfSamples,
    "none": NoBaseline,
    "running": RunningMean,
    "cumulative": CumulativeMean,
    "greedy": GreedyReward,
}
