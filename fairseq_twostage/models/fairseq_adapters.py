"""Encoder and decoder as fairseq's models, generators and commands call them."""

from __future__ import annotations

from typing import Any

from fairseq import utils
from fairseq.models import FairseqEncoder, FairseqIncrementalDecoder
from torch import Tensor

from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.lstm_encoder import BiLSTMEncoder
from fairseq_twostage.models.vocabulary import Words


class FairseqBiLSTMEncoder(BiLSTMEncoder, FairseqEncoder):
    """:class:`BiLSTMEncoder` for fairseq; the same arguments, parameters and random numbers."""

    def __init__(self, dictionary: Words, *args: Any, **options: Any) -> None:
        FairseqEncoder.__init__(self, dictionary)
        BiLSTMEncoder.__init__(self, dictionary, *args, **options)

    def forward(
        self, src_tokens: Tensor, src_lengths: Tensor | None = None, **_: Any
    ) -> dict[str, list[Tensor]]:
        """Encode a batch.

        Args:
            src_tokens: ``(batch, source length)``, padded on either side.
            src_lengths: not needed; the padding tells the lengths.

        Returns:
            as :meth:`BiLSTMEncoder.forward`.
        """
        if src_tokens[:, 0].eq(self.padding_idx).any():
            src_tokens = utils.convert_padding_direction(
                src_tokens, self.padding_idx, left_to_right=True
            )
        return super().forward(src_tokens)

    def reorder_encoder_out(
        self, encoder_out: dict[str, list[Tensor]], new_order: Tensor
    ) -> dict[str, list[Tensor]]:
        """Rows of ``encoder_out`` in the given order (fairseq's beam search calls this)."""
        return {
            name: [tensor.index_select(0, new_order) for tensor in tensors]
            for name, tensors in encoder_out.items()
        }

    def max_positions(self) -> int:
        return 1024


class FairseqLSTMDecoder(AttentionalLSTMDecoder, FairseqIncrementalDecoder):
    """:class:`AttentionalLSTMDecoder` for fairseq; the same arguments, parameters and
    random numbers."""

    get_incremental_state: Any  # fairseq's methods, which nn.Module hides from the type checker
    set_incremental_state: Any

    def __init__(self, dictionary: Words, *args: Any, **options: Any) -> None:
        FairseqIncrementalDecoder.__init__(self, dictionary)
        AttentionalLSTMDecoder.__init__(self, dictionary, *args, **options)

    def forward(
        self,
        prev_output_tokens: Tensor,
        encoder_out: dict[str, list[Tensor]] | None = None,
        incremental_state: dict[str, dict[str, Tensor | None]] | None = None,
        **_: Any,
    ) -> tuple[Tensor, dict[str, list[Tensor]]]:
        """fairseq's decoder call: the whole prefix, or its last word with a cached state."""
        assert encoder_out is not None
        if incremental_state is None:
            logits, weights = self.teacher_forced(prev_output_tokens, self.memory(encoder_out))
            return logits, {"attn": [weights]}
        cached = self.get_incremental_state(incremental_state, "step")
        if cached:
            state = (cached["hidden"], cached["cell"])
            memory = Memory(cached["values"], cached["keys"], cached["padding"])
        else:
            state = self.initial_state(prev_output_tokens.size(0))
            memory = self.memory(encoder_out)
        logits, weights, state = self.step(prev_output_tokens[:, -1], state, memory)
        buffer = {"hidden": state[0], "cell": state[1], **memory._asdict()}
        self.set_incremental_state(incremental_state, "step", buffer)
        return logits.unsqueeze(1), {"attn": [weights.unsqueeze(1)]}

    def reorder_incremental_state(
        self, incremental_state: dict[str, dict[str, Tensor | None]], new_order: Tensor
    ) -> None:
        cached = self.get_incremental_state(incremental_state, "step")
        if cached:
            rows = {name: tensor.index_select(0, new_order) for name, tensor in cached.items()}
            self.set_incremental_state(incremental_state, "step", rows)

    def max_positions(self) -> int:
        return 1024
