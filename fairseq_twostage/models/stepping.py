"""Word by word through a decoder, with what does not change computed once.

Nothing is fed back from attention to the LSTM, and without dropout much of a step is the same for
every word: so a step needs far less than :meth:`AttentionalLSTMDecoder.step` does.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder


class Prefixes(NamedTuple):
    """What has been written so far, as the LSTM sees it.

    Attributes:
        of_row: the prefix of each row, ``(rows,)``; rows may share one.
        tensors: the state after each prefix, ``(prefixes, …)`` each.
    """

    of_row: Tensor
    tensors: tuple[Tensor, Tensor]

    def select(self, rows: Tensor) -> Prefixes:
        """Of the given rows, in their order."""
        return self._replace(of_row=self.of_row[rows])


class Steps(Protocol):
    """One decoding: the memory made ready once, then a step for every word."""

    def prepare(self, memory: Memory) -> Memory:
        """What :meth:`step` attends to."""

    def start(self, rows: int) -> Prefixes:
        """``rows`` empty prefixes."""

    def step(self, words: Tensor, before: Prefixes, memory: Memory) -> tuple[Tensor, Prefixes]:
        """Logits ``(rows, words)`` of the next word, and the prefixes with ``words``.

        Args:
            words: the last word of each row, ``(rows,)``.
            before: what stands before it.
            memory: prepared; one row per row of ``words``, or one per group of as many
                neighbouring rows as fit.
        """


def steps_of(decoder: AttentionalLSTMDecoder) -> Steps:
    """The fastest steps that the decoder's mode allows; they keep no gradient."""
    if decoder.training and decoder.dropout.p > 0:
        return PlainSteps(decoder)
    return FusedSteps(decoder)


class PlainSteps:
    """The decoder's own steps, with dropout if it is on."""

    def __init__(self, decoder: AttentionalLSTMDecoder) -> None:
        self.decoder = decoder

    def prepare(self, memory: Memory) -> Memory:
        """The memory itself."""
        return memory

    def start(self, rows: int) -> Prefixes:
        state = self.decoder.initial_state(rows)
        return Prefixes(torch.arange(rows, device=state[0].device), state)

    @torch.no_grad()
    def step(self, words: Tensor, before: Prefixes, memory: Memory) -> tuple[Tensor, Prefixes]:
        hidden, cell = (tensor[before.of_row] for tensor in before.tensors)
        logits, _, state = self.decoder.step(words, (hidden, cell), memory)
        return logits, Prefixes(torch.arange(len(words), device=words.device), state)


class FusedSteps:
    """The same numbers, up to rounding, with less work.

    - The LSTM reads prefixes alone: rows with the same one, of whatever input, share its state.
    - ``E W_ih^T + b`` is a table with one row per word.
    - All that is linear in the new hidden state is one matrix product: the recurrent part of
      the next gates, the attention's query and the state's share of the output layer. So the
      state is (recurrent gates, cell), and not (hidden, cell).
    - ``W_c Σ_i a_i h_i = Σ_i a_i (W_c h_i)``: the context's share of the output layer is applied
      to the encoder's states, once.
    - ``tanh(m) = 2 σ(2m) − 1``: one sigmoid for all gates, and a faster one.

    Args:
        decoder: its parameters must not change during the decoding; dropout is left out.
    """

    @torch.no_grad()
    def __init__(self, decoder: AttentionalLSTMDecoder) -> None:
        weight_ih, weight_hh, bias_ih, bias_hh = decoder.lstm.all_weights[0]
        attention, hidden = decoder.attention, decoder.hidden_dim
        first = decoder.bottleneck or decoder.output
        self.after = None if decoder.bottleneck is None else decoder.output
        self.hidden_dim = hidden
        double_candidate = weight_hh.new_ones(4 * hidden)
        double_candidate[2 * hidden : 3 * hidden] = 2.0  # gates stand in the order i, f, g, o
        self.word_gates = decoder.embedding.weight @ weight_ih.t() + (bias_ih + bias_hh)
        self.word_gates *= double_candidate
        from_state, self.from_context = first.weight.split(
            [hidden, first.in_features - hidden], dim=1
        )
        query = attention.project_query
        query_bias = weight_hh.new_zeros(query.out_features) if query.bias is None else query.bias
        parts = [weight_hh * double_candidate.unsqueeze(1), 2.0 * query.weight, from_state]
        self.sizes = [part.size(0) for part in parts]
        self.weight = torch.cat(parts).t().contiguous()
        self.bias = torch.cat([torch.zeros_like(bias_hh), 2.0 * query_bias, first.bias])
        self.score = 2.0 * attention.score.weight[0]

    def prepare(self, memory: Memory) -> Memory:
        """Values become their share of the output layer."""
        return memory._replace(values=memory.values @ self.from_context.t())

    def start(self, rows: int) -> Prefixes:
        recurrent = self.weight.new_zeros(1, self.sizes[0])
        cell = self.weight.new_zeros(1, self.hidden_dim)
        of_row = torch.zeros(rows, dtype=torch.long, device=cell.device)
        return Prefixes(of_row, (recurrent, cell))

    @torch.no_grad()
    def step(self, words: Tensor, before: Prefixes, memory: Memory) -> tuple[Tensor, Prefixes]:
        vocabulary = len(self.word_gates)
        longer, of_row = torch.unique(before.of_row * vocabulary + words, return_inverse=True)
        linear, cell = self._lstm(longer % vocabulary, longer // vocabulary, *before.tensors)
        recurrent, query, features = linear.split(self.sizes, dim=1)
        query = query[of_row].view(memory.padding.size(0), -1, 1, query.size(1))
        scores = (memory.keys.unsqueeze(1) + query).sigmoid_() @ self.score
        weights = scores.masked_fill_(memory.padding.unsqueeze(1), float("-inf")).softmax(dim=-1)
        logits = features[of_row].add_(torch.bmm(weights, memory.values).flatten(0, 1))
        if self.after is not None:
            logits = self.after(logits)
        return logits, Prefixes(of_row, (recurrent, cell))

    def _lstm(
        self, words: Tensor, prefixes: Tensor, recurrent: Tensor, cell: Tensor
    ) -> tuple[Tensor, Tensor]:
        """All that is linear in the hidden state after one more word of each prefix; its cell."""
        gates = self.word_gates[words].add_(recurrent[prefixes]).sigmoid_()
        i, f, candidate, o = gates.chunk(4, dim=1)
        cell = torch.addcmul(f * cell[prefixes], i, candidate.mul_(2.0).sub_(1.0))
        hidden = (2.0 * cell).sigmoid_().mul_(2.0).sub_(1.0).mul_(o)
        return torch.addmm(self.bias, hidden, self.weight), cell
