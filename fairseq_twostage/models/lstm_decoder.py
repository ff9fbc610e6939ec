"""The attentional LSTM decoder (D_x, D_z and the naive parser's)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from fairseq_twostage.models.attention import AdditiveAttention, Memory
from fairseq_twostage.models.dropout import Dropout
from fairseq_twostage.models.vocabulary import Words

State = tuple[Tensor, Tensor]


class AttentionalLSTMDecoder(nn.Module):
    """``s_t = LSTM(φ(z_{t-1}), s_{t-1})``, ``P(z_t) = softmax(W_o [s_t; c_t] + b_o)``.

    The first state is zero and the attention context is not fed back, so the LSTM is a
    language model over the prefix: teacher forcing is one LSTM call and one batched
    attention. :meth:`step` does the same one word at a time.

    Args:
        dictionary: the words that the decoder writes.
        embedding: φ, ``(words, embed dim)``.
        hidden_dim: LSTM units.
        encoder_dim: size of the encoder's states.
        dropout: on the embedded prefix and before the output layer.
        attention_bias: see :class:`AdditiveAttention`.
        bottleneck_dim: if positive, ``[s; c]`` passes through a linear layer of this size, with
            dropout before and after it, on its way to the output (the paper's released code: 100).
        bottleneck_dropout: whether there is dropout before it.
    """

    def __init__(
        self,
        dictionary: Words,
        embedding: nn.Embedding,
        hidden_dim: int,
        encoder_dim: int,
        dropout: float,
        attention_bias: bool = True,
        bottleneck_dim: int = 0,
        bottleneck_dropout: bool = True,
    ) -> None:
        nn.Module.__init__(self)  # not super(): the adapter to fairseq has another base
        self.dictionary = dictionary
        self.padding_idx = dictionary.pad()
        self.hidden_dim = hidden_dim
        self.embedding = embedding
        self.dropout = Dropout(dropout)
        self.bottleneck_dropout = bottleneck_dropout
        self.lstm = nn.LSTM(embedding.embedding_dim, hidden_dim, batch_first=True)
        self.attention = AdditiveAttention(encoder_dim, hidden_dim, hidden_dim, attention_bias)
        feature_dim = hidden_dim + encoder_dim
        self.bottleneck: nn.Linear | None = None
        if bottleneck_dim > 0:
            self.bottleneck = nn.Linear(feature_dim, bottleneck_dim)
            feature_dim = bottleneck_dim
        self.output = nn.Linear(feature_dim, len(dictionary))

    def memory(self, encoder_out: dict[str, list[Tensor]]) -> Memory:
        """What this decoder attends to, from an encoder's output."""
        return self.attention.memory(
            encoder_out["encoder_out"][0], encoder_out["encoder_padding_mask"][0]
        )

    def teacher_forced(self, prefix: Tensor, memory: Memory) -> tuple[Tensor, Tensor]:
        """Logits of every next word of a known prefix, in one fused pass.

        Args:
            prefix: the target shifted right, end of sentence first, ``(batch, target length)``.
            memory: one row per row of ``prefix``.

        Returns:
            logits ``(batch, target length, words)`` and attention weights
            ``(batch, target length, source length)``.
        """
        states = self.states(prefix)
        context, weights = self.attention(states, memory)
        return self.predict(states, context), weights

    def states(self, prefix: Tensor) -> Tensor:
        """``s`` after each word of a known prefix, ``(batch, target length, hidden)``."""
        states: Tensor = self.lstm(self.dropout(self.embedding(prefix)))[0]
        return states

    def predict(self, states: Tensor, context: Tensor) -> Tensor:
        """``W_o [s; c] + b_o``, with the optional bottleneck."""
        features = torch.cat([states, context], dim=-1)
        if self.bottleneck is not None:
            if self.bottleneck_dropout:
                features = self.dropout(features)
            features = self.bottleneck(features)
        return self.output(self.dropout(features))

    def state_share(self, states: Tensor) -> Tensor:
        """What ``s`` adds to :meth:`from_shares`, dropout off: ``(…, hidden)`` to ``(…, dim)``."""
        layer = self._first_layer
        share: Tensor = nn.functional.linear(states, layer.weight[:, : self.hidden_dim], layer.bias)
        return share

    def context_share(self, values: Tensor) -> Tensor:
        """Likewise what ``c`` adds. It is linear: that of a mean is the mean of those."""
        share: Tensor = nn.functional.linear(values, self._first_layer.weight[:, self.hidden_dim :])
        return share

    def from_shares(self, shares: Tensor) -> Tensor:
        """The logits of :meth:`predict` from the sum of both shares."""
        logits: Tensor = shares if self.bottleneck is None else self.output(shares)
        return logits

    @property
    def _first_layer(self) -> nn.Linear:
        return self.output if self.bottleneck is None else self.bottleneck

    def initial_state(self, rows: int) -> State:
        """The zero state of ``rows`` sequences."""
        zeros = self.output.weight.new_zeros(rows, self.hidden_dim)
        return zeros, zeros

    def step(self, words: Tensor, state: State, memory: Memory) -> tuple[Tensor, Tensor, State]:
        """One word further.

        Args:
            words: the last word of each row, ``(batch,)``.
            state: from :meth:`initial_state` or the step before.
            memory: one row per row of ``words``, or one per group of as many neighbouring
                rows as fit (the hypotheses of one input).

        Returns:
            logits ``(batch, words)``, attention weights ``(batch, source length)``, state.
        """
        hidden, cell = torch.lstm_cell(
            self.dropout(self.embedding(words)), state, *self.lstm.all_weights[0]
        )
        grouped = hidden.view(memory.padding.size(0), -1, self.hidden_dim)
        context, weights = self.attention(grouped, memory)
        logits = self.predict(hidden, context.flatten(0, 1))
        return logits, weights.flatten(0, 1), (hidden, cell)
