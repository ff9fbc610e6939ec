"""Log-probabilities of given sentences under a decoder."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.packing import (
    WrittenWords,
    attend_in_groups,
    split_by_length,
    written_words,
)
from fairseq_twostage.models.sentences import shift_right

Mask = Callable[[Tensor, Tensor], Tensor]


def at_least_single(values: Tensor) -> Tensor:
    """The same in single precision, if they are in half: log-probabilities are summed."""
    return values.float() if values.dtype in (torch.float16, torch.bfloat16) else values


def sentence_log_probs(decoder: AttentionalLSTMDecoder, memory: Memory, target: Tensor) -> Tensor:
    """``log P(target | memory)``, summed over words and end of sentence.

    Args:
        decoder: writes ids of its own dictionary.
        memory: one row per row of ``target``.
        target: words and end of sentence, padded on the right, ``(batch, length)``.

    Returns:
        ``(batch,)``, in nats, differentiable.
    """
    words = decoder.dictionary
    logits, _ = decoder.teacher_forced(shift_right(target, words.eos()), memory)
    return summed_log_probs(logits, target, words.pad())


def summed_log_probs(logits: Tensor, target: Tensor, padding_idx: int) -> Tensor:
    """Log-probability of each row of ``target`` ``(batch, length)``, ``(batch,)``, in nats."""
    losses = nn.functional.cross_entropy(
        at_least_single(logits).flatten(0, 1),
        target.flatten(),
        ignore_index=padding_idx,
        reduction="none",
    )
    return -losses.view_as(target).sum(dim=1)


def chunked_sentence_log_probs(
    decoder: AttentionalLSTMDecoder,
    memory: Memory,
    rows: Tensor,
    target: Tensor,
    mask: Mask | None = None,
) -> Tensor:
    """The same for many targets of few inputs, without paying for their padding.

    Args:
        decoder: writes ids of its own dictionary.
        memory: one row per input.
        rows: the input of each target, ``(n,)``.
        target: ``(n, length)``, padded on the right.
        mask: (logits ``(words, dictionary)``, the target of each word ``(words,)``, each
            target's words in order) to logits in which words that must not be written are at
            minus infinity; the others share their probability.

    Returns:
        ``(n,)``, in nats, in the order of ``target``.
    """
    written = written_words(decoder, target)
    contexts = attend_in_groups(decoder.attention, written.states, rows[written.sentences], memory)
    return sum_by_sentence(decoder, written, contexts, target.size(0), mask)


def sum_by_sentence(
    decoder: AttentionalLSTMDecoder,
    written: WrittenWords,
    contexts: Tensor,
    sentences: int,
    mask: Mask | None = None,
) -> Tensor:
    """Log-probability of each sentence from the contexts of its words, ``(sentences,)``."""
    logits = decoder.predict(written.states, contexts)
    if mask is not None:
        logits = mask(logits, written.sentences)
    losses = nn.functional.cross_entropy(at_least_single(logits), written.words, reduction="none")
    return -losses.new_zeros(sentences).index_add(0, written.sentences, losses)


def map_by_length(
    function: Callable[[Tensor, Tensor], Tensor], tokens: Tensor, padding_idx: int
) -> Tensor:
    """Apply a function of sentences batch by batch, shortest sentences first.

    Args:
        function: (rows ``(m,)``, their sentences cut to the longest ``(m, length)``) to ``(m,)``.
        tokens: sentences padded on the right, ``(n, length)``.
        padding_idx: id of the padding.

    Returns:
        ``(n,)``, in the order of ``tokens``.
    """
    lengths = tokens.ne(padding_idx).sum(dim=1)
    batches = split_by_length(lengths)
    pieces = [function(rows, tokens[rows, : int(lengths[rows[-1]])]) for rows in batches]
    return torch.cat(pieces)[torch.cat(batches).argsort()]
