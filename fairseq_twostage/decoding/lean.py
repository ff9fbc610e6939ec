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

from fairseq_twostage.decoding.constraints import Constraint, mask_logits
from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.stepping import steps_of
from fairseq_twostage.models.vocabulary import Words


class LengthLimit(NamedTuple):
    """At most ``slope · length + offset`` words, then end of sentence.

    The length is that of the input with its end of sentence. By default every canonical
    utterance of the paper's datasets can be written: basketball's need an offset of 17.
    """

    slope: float = 1.5
    offset: int = 20

    def of(self, memory: Memory) -> Tensor:
        """The limit of each row of ``memory``, ``(batch,)``."""
        lengths = (~memory.padding).sum(dim=1)
        return (self.slope * lengths + self.offset).long()


# Logical forms are longer than what they stand for: socialnetwork's of short natural utterances by
# six times the words and 61.
PARSE_LIMIT = LengthLimit(slope=6.0, offset=64)


def pick_best(logits: Tensor) -> Tensor:
    """Greedy: the most probable word of each row of ``(batch, words)``."""
    return logits.argmax(dim=1)


def draw(logits: Tensor) -> Tensor:
    """Multinomial sampling: one word from each row's softmax, ``(batch, words)``.

    By inverting the distribution function with one uniform number per row: torch's
    ``multinomial`` draws one per word. The number lies in (0, 1], so that a word of
    probability zero is never the first to reach it.
    """
    reached = logits.softmax(dim=1).cumsum(dim=1, dtype=torch.double)
    uniform = 1.0 - torch.rand(len(logits), 1, dtype=torch.double, device=logits.device)
    return torch.searchsorted(reached, uniform * reached[:, -1:]).squeeze(1)


@torch.no_grad()
def decode(
    decoder: AttentionalLSTMDecoder,
    memory: Memory,
    limit: LengthLimit,
    choose: Callable[[Tensor], Tensor] = pick_best,
    constraint: Constraint | None = None,
) -> Tensor:
    """Write one sentence per row of ``memory``, word by word.

    Padding, beginning of sentence and ``<unk>`` are never written.

    Args:
        decoder: in the mode (training or evaluation) that the caller wants.
        memory: what to attend to, one row per sentence.
        limit: a row that reaches it is ended.
        choose: logits ``(rows, words)`` to words ``(rows,)``.
        constraint: the set of sentences that may be written; no limit then ends a row.

    Returns:
        ids of the decoder's dictionary, end of sentence included, padded on the right,
        ``(batch, length)``.
    """
    words = decoder.dictionary
    forbidden = torch.tensor([words.pad(), words.bos(), words.unk()], device=memory.keys.device)
    limits = limit.of(memory)
    steps = steps_of(decoder)
    memory = steps.prepare(memory)
    count = memory.padding.size(0)
    rows = torch.arange(count, device=limits.device)
    prefixes, last = steps.start(count), rows.new_full((count,), words.eos())
    states = None if constraint is None else rows.new_full((count,), constraint.start)
    columns: list[Tensor] = []
    while len(rows):
        logits, prefixes = steps.step(last, prefixes, memory)
        logits.index_fill_(1, forbidden, float("-inf"))
        if constraint is None or states is None:
            last = choose(logits).masked_fill(limits <= len(columns), words.eos())
        else:
            last = choose(mask_logits(logits, constraint, states))
            states = constraint.advance(states, last)
        column = last.new_full((count,), words.pad())
        column[rows] = last
        columns.append(column)
        going_on = last.ne(words.eos())
        if not going_on.all():
            kept = going_on.nonzero().squeeze(1)
            rows, last, limits = rows[kept], last[kept], limits[kept]
            prefixes, memory = prefixes.select(kept), memory.select(kept)
            states = None if states is None else states[kept]
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


def sentences(words: Words, rows: Tensor) -> list[str]:
    """What :func:`decode` wrote, as text.

    Args:
        words: of the decoder.
        rows: ids, ``(batch, length)``.
    """
    ends = (words.eos(), words.pad())
    return [" ".join(words[word] for word in row if word not in ends) for row in rows.tolist()]
