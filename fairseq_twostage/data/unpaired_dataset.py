"""What a batch of unsupervised training looks like: some x and some z, unrelated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from fairseq.data import data_utils
from torch import Tensor

from fairseq_twostage.data.epoch_order import EpochDataset, going_round

Noise = Callable[[Sequence[int], np.random.Generator], Sequence[int]]
NoiseGenerator = Callable[[int, int, str, int], np.random.Generator]


@dataclass(frozen=True)
class Corpus:
    """One side's utterances.

    Attributes:
        sentences: utterance ids with end of sentence, each ``(length,)``.
        variables: for each sentence what replaces its variables before execution, or None.
        parts: rows, and the share of an epoch's items that is drawn from them; shares sum to 1.
            Without parts every row is drawn as often as another.
    """

    sentences: Sequence[np.ndarray]
    variables: Sequence[Mapping[str, str]] | None = None
    parts: Sequence[tuple[np.ndarray, float]] = ()


class UnpairedDataset(EpochDataset):
    """Item ``i`` is one utterance of each side; which ones changes with the epoch.

    An epoch visits every utterance of the longer side once; the shorter side goes round
    again, each time in a new order. Without ``shuffle`` (validation) the order is the
    corpus's and nothing goes round. Order and noise depend on seed, epoch and index alone,
    so a resumed run sees what an uninterrupted one sees.

    Args:
        corpora: by side, ``nl`` and ``cf``.
        padding_idx: id of the padding.
        seed: of order and noise.
        shuffle: a new order at each epoch.
        noise: by side, or None for no noised copy.
        noise_generator: makes the random generator of (seed, epoch, side, sentence).
        labelled: pairs (x, z) that every batch also brings, one per item, going round.
        pseudo_pairs: pairs (x, z, weight) that every batch also brings, likewise.
    """

    def __init__(
        self,
        corpora: Mapping[str, Corpus],
        padding_idx: int,
        seed: int,
        shuffle: bool = True,
        noise: Mapping[str, Noise] | None = None,
        noise_generator: NoiseGenerator | None = None,
        labelled: Sequence[tuple[np.ndarray, np.ndarray]] = (),
        pseudo_pairs: Sequence[tuple[np.ndarray, np.ndarray, float]] = (),
    ) -> None:
        self.corpora = corpora
        self.padding_idx = padding_idx
        self.seed = seed
        self.shuffle = shuffle
        self.noise = noise
        self.noise_generator = noise_generator
        self.labelled = labelled
        self.pseudo_pairs = pseudo_pairs
        self.length = max(len(corpus.sentences) for corpus in corpora.values())
        self.epoch = -1
        self.set_epoch(1)

    def set_epoch(self, epoch: int) -> None:
        if epoch == self.epoch:
            return
        self.epoch = epoch
        self.rows = {
            side: self._order_of(number, corpus)
            for number, (side, corpus) in enumerate(sorted(self.corpora.items()))
        }
        if self.labelled:
            self.labelled_rows = self._order(len(self.corpora), len(self.labelled))
        if self.pseudo_pairs:
            self.pseudo_rows = self._order(len(self.corpora) + 1, len(self.pseudo_pairs))

    def _order_of(self, number: int, corpus: Corpus) -> np.ndarray:
        if not (self.shuffle and corpus.parts):
            return self._order(number, len(corpus.sentences))
        ends = np.round(np.cumsum([share for _, share in corpus.parts]) * self.length).astype(int)
        drawn = [
            rows[going_round(len(rows), int(count), [self.seed, self.epoch, number, part])]
            for part, ((rows, _), count) in enumerate(zip(corpus.parts, np.diff(ends, prepend=0)))
        ]
        random = np.random.default_rng([self.seed, self.epoch, number])
        return random.permutation(np.concatenate(drawn))

    def _order(self, number: int, size: int) -> np.ndarray:
        """Row of each item, ``(length,)``; -1 where an unshuffled side has ended."""
        if not self.shuffle:
            rows = np.full(self.length, -1)
            rows[:size] = np.arange(size)
            return rows
        return going_round(size, self.length, [self.seed, self.epoch, number])

    def __getitem__(self, index: int) -> dict[str, Any]:
        item: dict[str, Any] = {"id": index}
        for side, corpus in self.corpora.items():
            row = int(self.rows[side][index])
            if row < 0:
                continue
            sentence = corpus.sentences[row]
            entry: dict[str, Any] = {"tokens": sentence}
            if corpus.variables is not None:
                entry["variables"] = corpus.variables[row]
            if self.noise is not None and self.noise_generator is not None:
                random = self.noise_generator(self.seed, self.epoch, side, index)
                words = self.noise[side](sentence[:-1].tolist(), random)
                entry["noised"] = np.append(np.asarray(words, dtype=np.int64), sentence[-1])
            item[side] = entry
        if self.labelled:
            item["labelled"] = self.labelled[self.labelled_rows[index]]
        if self.pseudo_pairs:
            item["pseudo_pairs"] = self.pseudo_pairs[self.pseudo_rows[index]]
        return item

    def collater(self, samples: list[dict[str, Any]]) -> dict[str, Any]:
        """Pad a batch on the right.

        Returns:
            ``id``, ``nsentences`` (of both sides together), ``ntokens``, and for each side
            ``{"tokens": (batch, length), "noised": (batch, length) if there is noise,
            "variables": a list}``; ``labelled``: ``{"nl": tokens, "cf": tokens}`` row by row;
            ``pseudo_pairs``: the same with ``"weight"`` ``(batch,)``.
        """
        if not samples:
            return {}
        batch: dict[str, Any] = {"id": torch.tensor([sample["id"] for sample in samples])}
        for side in self.corpora:
            entries = [sample[side] for sample in samples if side in sample]
            if entries:
                batch[side] = {"tokens": self._pad([entry["tokens"] for entry in entries])}
                if "noised" in entries[0]:
                    batch[side]["noised"] = self._pad([entry["noised"] for entry in entries])
                if "variables" in entries[0]:
                    batch[side]["variables"] = [entry["variables"] for entry in entries]
        if self.labelled:
            pairs = [sample["labelled"] for sample in samples]
            batch["labelled"] = {
                "nl": self._pad([x for x, _ in pairs]),
                "cf": self._pad([z for _, z in pairs]),
            }
        if self.pseudo_pairs:
            guessed = [sample["pseudo_pairs"] for sample in samples]
            batch["pseudo_pairs"] = {
                "nl": self._pad([x for x, _, _ in guessed]),
                "cf": self._pad([z for _, z, _ in guessed]),
                "weight": torch.tensor([weight for _, _, weight in guessed]),
            }
        sides = [batch[side]["tokens"] for side in self.corpora if side in batch]
        batch["nsentences"] = sum(tokens.size(0) for tokens in sides)
        batch["ntokens"] = sum(int(tokens.ne(self.padding_idx).sum()) for tokens in sides)
        return batch

    def _pad(self, sentences: Sequence[np.ndarray]) -> Tensor:
        return padded(sentences, self.padding_idx)

    def size(self, index: int) -> int:
        return max(
            len(corpus.sentences[self.rows[side][index]])
            for side, corpus in self.corpora.items()
            if self.rows[side][index] >= 0
        )


def padded(sentences: Sequence[np.ndarray], padding_idx: int) -> Tensor:
    """Ids padded on the right, ``(sentences, longest)``."""
    rows = [torch.from_numpy(np.asarray(sentence, dtype=np.int64)) for sentence in sentences]
    return data_utils.collate_tokens(rows, padding_idx)
