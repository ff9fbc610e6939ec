"""Aligned sentences: those of another dictionary, and pairs that may know their annotated row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairseq.data import BaseWrapperDataset, Dictionary, FairseqDataset, LanguagePairDataset
from torch import Tensor

from fairseq_twostage.text.rows import Row


class MappedDataset(BaseWrapperDataset):
    """Sentences of ``dataset`` with each id replaced by ``table[id]``.

    Args:
        dataset: items are one-dimensional tensors of ids.
        table: new id of each old one, ``(old words,)``.
    """

    def __init__(self, dataset: object, table: Tensor) -> None:
        super().__init__(dataset)
        self.table = table

    def __getitem__(self, index: int) -> Tensor:
        return self.table[self.dataset[index].long()]


class Pairs(LanguagePairDataset):
    """fairseq's pairs; if rows are given, a batch has its own beside it, under ``rows``.

    Args:
        sources: what is read.
        words: its dictionary.
        targets: what is written, or None.
        symbols: its dictionary.
        rows: one per pair, or None.
    """

    def __init__(
        self,
        sources: FairseqDataset,
        words: Dictionary,
        targets: FairseqDataset | None,
        symbols: Dictionary,
        rows: Sequence[Row] | None = None,
    ) -> None:
        sizes = None if targets is None else targets.sizes
        super().__init__(
            sources, sources.sizes, words, targets, sizes, symbols, left_pad_source=False
        )
        self.rows = rows

    def collater(self, samples: list[Any], pad_to_length: Any = None) -> dict[str, Any]:
        batch: dict[str, Any] = super().collater(samples, pad_to_length)
        if batch and self.rows is not None:
            batch["rows"] = [self.rows[row] for row in batch["id"].tolist()]
        return batch
