"""Some rows of a dataset, in an order of their own, repeated or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from fairseq.data import BaseWrapperDataset


class SelectedRows(BaseWrapperDataset):
    """Item ``i`` is item ``rows[i]`` of ``dataset``.

    Args:
        dataset: has ``sizes``.
        rows: indices into it.
    """

    def __init__(self, dataset: Any, rows: Sequence[int] | np.ndarray) -> None:
        super().__init__(dataset)
        self.rows = np.asarray(rows, dtype=np.int64)

    def __getitem__(self, index: int) -> Any:
        """The item ``rows[index]``."""
        return self.dataset[int(self.rows[index])]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def sizes(self) -> np.ndarray:
        """Sizes of the items, ``(rows,)``."""
        return np.asarray(self.dataset.sizes)[self.rows]
