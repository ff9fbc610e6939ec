"""Additive attention (Bahdanau et al. 2015), as the paper writes it."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable


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
        return self.attend(self.queries(query), memory)

    def queries(self, states: Tensor) -> Tensor:
        """``2 (W_s s + b_a)``, ``(…, attention dim)``."""
        return 2.0 * self.project_query(states)

    def attend(self, queries: Tensor, memory: Memory) -> tuple[Tensor, Tensor]:
        """:meth:`forward` for what :meth:`queries` made."""
        scores = _Scores.apply(memory.keys, queries, 2.0 * self.score.weight[0])
        scores = scores.masked_fill(memory.padding.unsqueeze(1), float("-inf"))
        weights = scores.softmax(dim=-1)
        return torch.bmm(weights, memory.values), weights


class _Scores(torch.autograd.Function):
    """``v · σ(k_i + q_t)`` for every i and t, with fewer passes over the largest tensor.

    What autograd would do keeps and reads tensors of the same size two or three times more.
    """

    @staticmethod
    def forward(ctx: Any, keys: Tensor, queries: Tensor, vector: Tensor) -> Tensor:
        """``(batch, S, dim)``, ``(batch, T, dim)`` and ``(dim,)`` to ``(batch, T, S)``."""
        activations = (keys.unsqueeze(1) + queries.unsqueeze(2)).sigmoid_()
        ctx.save_for_backward(activations, vector)
        return activations @ vector

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """``σ' = σ − σ²``."""
        activations, vector = ctx.saved_tensors
        for_vector = activations.flatten(0, 2).t() @ gradient.flatten()
        slopes = torch.addcmul(activations, activations, activations, value=-1.0)
        slopes *= gradient.unsqueeze(-1)
        return slopes.sum(1) * vector, slopes.sum(2) * vector, for_vector
