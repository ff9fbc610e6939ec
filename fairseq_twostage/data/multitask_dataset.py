"""What a batch of multi-task training looks like: some pairs (z, y) and some noised x."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from fairseq.data import LanguagePairDataset

from fairseq_twostage.data.epoch_order import EpochDataset, going_round
from fairseq_twostage.data.unpaired_dataset import Noise, NoiseGenerator, padded


class MultitaskDataset(EpochDataset):
    """Item ``i`` is one pair and one utterance, unrelated; which ones changes with the epoch.

    An epoch visits every row of the longer corpus once; the shorter one goes round again.
    Order and noise depend on seed, epoch and index alone.

    Args:
        pairs: to be parsed.
        utterances: to be rebuilt; utterance ids with end of sentence, each ``(length,)``.
        noise: of the utterances.
        noise_generator: makes the random generator of (seed, epoch, side, item).
        seed: of order and noise.
    """

    def __init__(
        self,
        pairs: LanguagePairDataset,
        utterances: Sequence[np.ndarray],
        noise: Noise,
        noise_generator: NoiseGenerator,
        seed: int,
    ) -> None:
        self.pairs = pairs
        self.utterances = utterances
        self.noise = noise
        self.noise_generator = noise_generator
        self.seed = seed
        self.length = max(len(pairs), len(utterances))
        self.set_epoch(1)

    def set_epoch(self, epoch: int) -> None:
        self.epoch = epoch
        self.pair_rows = going_round(len(self.pairs), self.length, [self.seed, epoch, 0])
        self.utterance_rows = going_round(len(self.utterances), self.length, [self.seed, epoch, 1])

    def __getitem__(self, index: int) -> dict[str, Any]:
        tokens = self.utterances[self.utterance_rows[index]]
        random = self.noise_generator(self.seed, self.epoch, "nl", index)
        words = self.noise(tokens[:-1].tolist(), random)
        return {
            "pair": self.pairs[int(self.pair_rows[index])],
            "tokens": tokens,
            "noised": np.append(np.asarray(words, dtype=np.int64), tokens[-1]),
        }

    def collater(self, samples: list[dict[str, Any]]) -> dict[str, Any]:
        """fairseq's batch of pairs, and under ``denoising`` the utterances.

        Returns:
            ``LanguagePairDataset``'s batch with
            ``"denoising": {"tokens", "noised"}``, each ``(batch, length)``, padded on the right.
        """
        if not samples:
            return {}
        batch: dict[str, Any] = self.pairs.collater([sample["pair"] for sample in samples])
        batch["denoising"] = {
            name: padded([sample[name] for sample in samples], self.pairs.src_dict.pad())
            for name in ("tokens", "noised")
        }
        return batch

    def size(self, index: int) -> int:
        pair = self.pairs.num_tokens(int(self.pair_rows[index]))
        return max(int(pair), len(self.utterances[self.utterance_rows[index]]))
