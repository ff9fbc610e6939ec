"""The same sentences in the ids of another dictionary."""

from __future__ import annotations

from fairseq.data import BaseWrapperDataset
from torch import Tensor


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
