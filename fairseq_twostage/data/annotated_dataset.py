"""Pairs that may know the annotated row they are from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairseq.data import LanguagePairDataset

from fairseq_twostage.text.rows import Row


class AnnotatedDataset(LanguagePairDataset):
    """fairseq's pairs; if rows are given, a batch has its own beside it, under ``rows``.

    Args:
        rows: one per pair, or None.
        arguments: of ``LanguagePairDataset``.
        options: likewise.
    """

    def __init__(self, rows: Sequence[Row] | None, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.rows = rows

    def collater(self, samples: list[Any], pad_to_length: Any = None) -> dict[str, Any]:
        batch: dict[str, Any] = super().collater(samples, pad_to_length)
        if batch and self.rows is not None:
            batch["rows"] = [self.rows[row] for row in batch["id"].tolist()]
        return batch
