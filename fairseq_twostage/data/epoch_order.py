"""Datasets whose items change with the epoch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from fairseq.data import FairseqDataset


class EpochDataset(FairseqDataset):
    """Items that every epoch draws anew, so that batches are made anew, of neighbours.

    Attributes:
        length: how many items an epoch has.
    """

    length: int

    @property
    def can_reuse_epoch_itr_across_epochs(self) -> bool:
        return False

    def __len__(self) -> int:
        return self.length

    def num_tokens(self, index: int) -> int:
        return self.size(index)

    def ordered_indices(self) -> np.ndarray:
        return np.arange(self.length)  # the items are shuffled already


class EpochOrder(EpochDataset):
    """Some rows of ``dataset`` in random order; if an epoch is longer, they go round.

    A batch is made of neighbours in that order. fairseq's own batches are of rows of like length,
    so rows that are repeated, as canonical utterances are, would meet in one batch. The order
    depends on seed and epoch alone.

    Args:
        dataset: whose items are visited.
        rows: indices into it, at least one.
        length: how many items an epoch has.
        seed: of the order.
    """

    def __init__(
        self, dataset: FairseqDataset, rows: Sequence[int] | np.ndarray, length: int, seed: int
    ) -> None:
        self.dataset = dataset
        self.rows = np.asarray(rows, dtype=np.int64)
        self.length = length
        self.seed = seed
        self.set_epoch(1)

    def set_epoch(self, epoch: int) -> None:
        self.order = self.rows[going_round(len(self.rows), self.length, [self.seed, epoch])]

    def __getitem__(self, index: int) -> Any:
        return self.dataset[int(self.order[index])]

    def collater(self, samples: list[Any]) -> dict[str, Any]:
        batch: dict[str, Any] = self.dataset.collater(samples)
        return batch

    def num_tokens(self, index: int) -> int:
        return int(self.dataset.num_tokens(int(self.order[index])))

    def size(self, index: int) -> Any:
        return self.dataset.size(int(self.order[index]))


def going_round(size: int, length: int, seed: Sequence[int]) -> np.ndarray:
    """Row of each of ``length`` items: all of ``size`` rows, then again in another order."""
    random = np.random.default_rng(seed)
    rounds = -(-length // size)
    return np.concatenate([random.permutation(size) for _ in range(rounds)])[:length]
