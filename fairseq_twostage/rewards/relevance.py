"""R_rel: does a sample keep the meaning of its input?"""

from __future__ import annotations

import torch
from torch import Tensor

from fairseq_twostage.decoding.lean import evaluation_mode
from fairseq_twostage.models.scoring import sentence_log_probs
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
    target = model.as_target(inputs.tokens, inputs.side)[samples.rows]
    memory = model.memory(samples.source_tokens, samples.side, inputs.side)
    return sentence_log_probs(model.decoder(inputs.side), memory, target)
