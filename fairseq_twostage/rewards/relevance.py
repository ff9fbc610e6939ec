"""R_rel: does a sample keep the meaning of its input?"""

from __future__ import annotations

import torch
from torch import Tensor

from fairseq_twostage.decoding.lean import evaluation_mode
from fairseq_twostage.models.scoring import map_by_length, sentence_log_probs
from fairseq_twostage.rewards.samples import Inputs, Samples


class Relevance:
    """``log P(x | z̃; D_x∘E)``, or ``log P(z | x̃; D_z∘E)``: the dual model's view.

    Summed over the input's words, by the current model in evaluation mode.
    """

    @torch.no_grad()
    def __call__(self, inputs: Inputs, samples: Samples) -> Tensor:
        """A log-probability, ``(n,)``, in nats."""
        model = samples.policy
        with evaluation_mode(model):
            return dual_log_probs(inputs, samples)


def dual_log_probs(inputs: Inputs, samples: Samples) -> Tensor:
    """``log P(input | sample)`` under the dual direction, differentiable, ``(n,)``."""
    model = samples.policy
    decoder = model.decoder(inputs.side)
    targets = model.as_target(inputs.tokens, inputs.side)
    lengths = targets.ne(decoder.padding_idx).sum(dim=1)

    def score(chosen: Tensor, sources: Tensor) -> Tensor:
        rows = samples.rows[chosen]
        memory = model.memory(sources, samples.side, inputs.side)
        return sentence_log_probs(decoder, memory, targets[rows, : int(lengths[rows].max())])

    return map_by_length(score, samples.source_tokens, decoder.padding_idx)
