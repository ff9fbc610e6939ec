"""Log-probabilities of given sentences under a decoder."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.utterance_lm import shift_right


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
    chosen = logits.gather(2, target.unsqueeze(2)).squeeze(2) - logits.logsumexp(dim=2)
    return chosen.masked_fill(target.eq(words.pad()), 0.0).sum(dim=1)


def chunked_sentence_log_probs(
    decoder: AttentionalLSTMDecoder, memory: Memory, rows: Tensor, target: Tensor
) -> Tensor:
    """The same for many targets of few inputs, without paying for their padding.

    Targets run in chunks of like length, each cut to its own longest target and longest
    input; the inputs are encoded once and expanded chunk by chunk.

    Args:
        decoder: writes ids of its own dictionary.
        memory: one row per input.
        rows: the input of each target, ``(n,)``.
        target: ``(n, length)``, padded on the right.

    Returns:
        ``(n,)``, in nats, in the order of ``target``.
    """
    input_lengths = (~memory.padding).sum(dim=1)

    def score(chosen: Tensor, tokens: Tensor) -> Tensor:
        inputs = rows[chosen]
        part = memory.select(inputs).shorten(int(input_lengths[inputs].max()))
        return sentence_log_probs(decoder, part, tokens)

    return map_by_length(score, target, decoder.padding_idx)


def map_by_length(
    function: Callable[[Tensor, Tensor], Tensor],
    tokens: Tensor,
    padding_idx: int,
    chunks: int = 2,
) -> Tensor:
    """Apply a function of sentences chunk by chunk, shortest sentences first.

    Args:
        function: (rows ``(m,)``, their sentences cut to the longest ``(m, length)``) to ``(m,)``.
        tokens: sentences padded on the right, ``(n, length)``.
        padding_idx: id of the padding.
        chunks: number of chunks.

    Returns:
        ``(n,)``, in the order of ``tokens``.
    """
    lengths = tokens.ne(padding_idx).sum(dim=1)
    order = lengths.argsort(stable=True)
    pieces = [
        function(chosen, tokens[chosen, : int(lengths[chosen[-1]])])
        for chosen in order.chunk(chunks)
    ]
    return torch.cat(pieces)[order.argsort()]
