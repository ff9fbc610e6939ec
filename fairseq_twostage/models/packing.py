"""Sentences without their padding: every word of a batch in one row of a matrix.

Where a few hundred samples of uneven length are scored, padding would be half of the work.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor

from fairseq_twostage.models.attention import AdditiveAttention, Memory
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.sentences import shift_right

# One more call costs about as much as this many words more in a call.
CALL_IN_WORDS = 64


class WrittenWords(NamedTuple):
    """The words of ``n`` sentences, and the decoder's state that predicts each.

    Attributes:
        words: ids, ends of sentences included, ``(words,)``.
        sentences: the sentence of each word, ``(words,)``.
        states: ``s``, ``(words, hidden)``.
    """

    words: Tensor
    sentences: Tensor
    states: Tensor

    def select(self, places: Tensor) -> WrittenWords:
        """Of the given words, in their order; repeats are allowed."""
        return WrittenWords(*(tensor.index_select(0, places) for tensor in self))


def written_words(decoder: AttentionalLSTMDecoder, target: Tensor) -> WrittenWords:
    """Read ``target`` ``(n, length)``, padded on the right, in calls of like length."""
    parts = []
    words = decoder.dictionary
    lengths = target.ne(words.pad()).sum(dim=1)
    for rows in split_by_length(lengths):
        part = target[rows, : int(lengths[rows[-1]])]
        states = decoder.states(shift_right(part, words.eos()))
        row, column = part.ne(words.pad()).nonzero(as_tuple=True)
        places = row * part.size(1) + column
        flat_states = states.flatten(0, 1).index_select(0, places)
        parts.append(WrittenWords(part[row, column], rows[row], flat_states))
    return WrittenWords(*(torch.cat(tensors) for tensors in zip(*parts)))


def repeat_sentences(written: WrittenWords, rows: Tensor) -> WrittenWords:
    """The words of sentence ``rows[0]``, then those of ``rows[1]`` and so on, numbered anew."""
    order = written.sentences.argsort(stable=True)
    lengths = torch.bincount(written.sentences)
    starts = _starts(lengths)
    sentences = torch.arange(len(rows), device=rows.device).repeat_interleave(lengths[rows])
    within = torch.arange(len(sentences), device=rows.device) - _starts(lengths[rows])[sentences]
    selected = written.select(order[starts[rows][sentences] + within])
    return selected._replace(sentences=sentences)


def attend_in_groups(
    attention: AdditiveAttention, states: Tensor, groups: Tensor, memory: Memory
) -> Tensor:
    """Contexts of states that attend to different rows of a memory.

    Args:
        attention: of the decoder.
        states: ``(words, hidden)``.
        groups: the row of ``memory`` that each state attends to, ``(words,)``.
        memory: not copied for states that attend to the same row.

    Returns:
        ``(words, encoder dim)``.
    """
    queries = attention.queries(states)
    counts = torch.bincount(groups, minlength=memory.padding.size(0))
    order = groups.argsort(stable=True)
    starts = _starts(counts)
    input_lengths = (~memory.padding).sum(dim=1)
    contexts, places = [], []
    for rows in split_by_length(counts):
        width = int(counts[rows[-1]])
        if width == 0:
            continue
        slots = torch.arange(width, device=rows.device)
        used = slots < counts[rows].unsqueeze(1)
        # An unused slot repeats some word; nothing is read from it.
        of_slot = order[(starts[rows].unsqueeze(1) + slots).clamp_(max=len(order) - 1)]
        part = memory.select(rows).shorten(int(input_lengths[rows].max()))
        grouped = queries.index_select(0, of_slot.flatten()).view(len(rows), width, -1)
        context, _ = attention.attend(grouped, part)
        contexts.append(context.flatten(0, 1).index_select(0, used.flatten().nonzero().squeeze(1)))
        places.append(of_slot[used])
    return torch.cat(contexts).index_select(0, torch.cat(places).argsort())


def split_by_length(lengths: Tensor, call: int = CALL_IN_WORDS) -> list[Tensor]:
    """Rows in batches of like length, shortest first, so that padding and calls cost least.

    Args:
        lengths: of each row, ``(n,)``.
        call: cost of a batch, in words.

    Returns:
        numbers of rows; the batches minimise the sum of ``rows · longest + call``.
    """
    ascending, order = lengths.sort(stable=True)
    values = ascending.tolist()
    ends = [i for i in range(1, len(values) + 1) if i == len(values) or values[i] > values[i - 1]]
    cheapest, start_of = {0: 0}, {}
    for end in ends:
        longest = values[end - 1]
        cheapest[end], start_of[end] = min(
            (cost + (end - start) * longest + call, start) for start, cost in cheapest.items()
        )
    bounds = [len(values)] if values else []
    while bounds and bounds[-1] > 0:
        bounds.append(start_of[bounds[-1]])
    return [order[start:end] for end, start in reversed(list(pairwise(bounds)))]


def _starts(lengths: Tensor) -> Tensor:
    """Where each of several runs of these lengths begins, laid end to end."""
    return lengths.cumsum(0) - lengths
