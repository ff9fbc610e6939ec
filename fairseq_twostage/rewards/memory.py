"""Values of a frozen model, remembered by sentence: samples repeat, so do their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor


class RememberedValues:
    """One number per sentence, asked for once.

    Args:
        capacity: values remembered; when full, everything is forgotten.
    """

    def __init__(self, capacity: int = 500_000) -> None:
        self.capacity = capacity
        self.values: dict[tuple[int, ...], float] = {}
        self.dtype = torch.get_default_dtype()

    def __call__(
        self, tokens: Tensor, padding_idx: int, judge: Callable[[Tensor], Tensor]
    ) -> Tensor:
        """The values of sentences ``(n, length)``, padded on the right.

        Args:
            tokens: the sentences.
            padding_idx: id of the padding.
            judge: rows of ``tokens`` ``(m, length)`` to their values ``(m,)``; sees each
                sentence that is not remembered once.

        Returns:
            ``(n,)``, of the type that ``judge`` gives.
        """
        keys = sentence_keys(tokens, padding_idx)
        new = {key: row for row, key in enumerate(keys) if key not in self.values}
        if len(self.values) + len(new) > self.capacity:
            self.values.clear()
            new = {key: row for row, key in enumerate(keys)}
        if new:
            rows = torch.tensor(list(new.values()), device=tokens.device)
            longest = max(map(len, new))
            judged = judge(tokens[rows, :longest])
            self.dtype = judged.dtype
            self.values.update(zip(new, judged.tolist()))
        values = [self.values[key] for key in keys]
        return torch.tensor(values, dtype=self.dtype, device=tokens.device)


def sentence_keys(tokens: Tensor, padding_idx: int) -> Sequence[tuple[int, ...]]:
    """Each row of ``(n, length)`` without its padding, as a tuple."""
    lengths = tokens.ne(padding_idx).sum(dim=1).tolist()
    return [tuple(row[:length]) for row, length in zip(tokens.tolist(), lengths)]
