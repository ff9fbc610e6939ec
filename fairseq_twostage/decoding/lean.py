"""Greedy decoding and sampling in a lean loop.

fairseq's ``SequenceGenerator`` keeps beams, scores and finished hypotheses; inside training
only the words are wanted. Rows that have ended are removed from the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import torch
from torch import Tensor, nn

from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder


class LengthLimit(NamedTuple):
    """At most ``slope · source length + offset`` words, then end of sentence."""

    slope: float = 1.5
    offset: int = 10

    def of(self, memory: Memory) -> Tensor:
        """The limit of each row of ``memory``, ``(batch,)``."""
        lengths = (~memory.padding).sum(dim=1)
        return (self.slope * lengths + self.offset).long()


def pick_best(logits: Tensor) -> Tensor:
    """Greedy: the most probable word of each row of ``(batch, words)``."""
    return logits.argmax(dim=1)


def draw(logits: Tensor) -> Tensor:
    """Multinomial sampling: one word from each row's softmax, ``(batch, words)``."""
    return torch.multinomial(logits.softmax(dim=1), 1).squeeze(1)


@torch.no_grad()
def decode(
    decoder: AttentionalLSTMDecoder,
    memory: Memory,
    limit: LengthLimit,
    choose: Callable[[Tensor], Tensor] = pick_best,
) -> Tensor:
    """Write one sentence per row of ``memory``, word by word.

    Padding, beginning of sentence and ``<unk>`` are never written.

    Args:
        decoder: in the mode (training or evaluation) that the caller wants.
        memory: what to attend to, one row per sentence.
        limit: a row that reaches it is ended.
        choose: logits ``(rows, words)`` to words ``(rows,)``.

    Returns:
        ids of the decoder's dictionary, end of sentence included, padded on the right,
        ``(batch, length)``.
    """
    words = decoder.dictionary
    forbidden = torch.tensor([words.pad(), words.bos(), words.unk()], device=memory.keys.device)
    count = memory.padding.size(0)
    limits = limit.of(memory)
    rows = torch.arange(count, device=memory.keys.device)
    last = rows.new_full((count,), words.eos())
    state = decoder.initial_state(count)
    columns: list[Tensor] = []
    while rows.numel():
        logits, _, state = decoder.step(last, state, memory)
        logits.index_fill_(1, forbidden, float("-inf"))
        chosen = choose(logits)
        chosen = chosen.masked_fill(limits <= len(columns), words.eos())
        column = chosen.new_full((count,), words.pad())
        column[rows] = chosen
        columns.append(column)
        open_rows = chosen.ne(words.eos())
        if open_rows.all():
            last = chosen
            continue
        kept = open_rows.nonzero().squeeze(1)
        rows, last, limits = rows[kept], chosen[kept], limits[kept]
        state = (state[0][kept], state[1][kept])
        memory = memory.select(kept)
    return torch.stack(columns, dim=1)


@contextmanager
def evaluation_mode(model: nn.Module) -> Iterator[None]:
    """Switch dropout off for a while."""
    training = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(training)
