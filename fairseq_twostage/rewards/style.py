"""R_sty: does a sample look like its side?"""

from __future__ import annotations

import torch
from torch import Tensor

from fairseq_twostage.models.style_cnn import StyleCNN
from fairseq_twostage.rewards.memory import RememberedValues
from fairseq_twostage.rewards.samples import Inputs, Samples


class Style:
    """``P_dis(z̃)`` for a canonical sample, ``1 − P_dis(x̃)`` for a natural one.

    Args:
        classifier: the frozen P_dis, in evaluation mode.
    """

    def __init__(self, classifier: StyleCNN) -> None:
        self.classifier = classifier
        self.padding_idx = int(classifier.embedding.padding_idx or 0)
        self.remembered = RememberedValues()

    @torch.no_grad()
    def __call__(self, inputs: Inputs, samples: Samples) -> Tensor:
        """A probability, ``(n,)``."""
        canonical = self.remembered(
            samples.source_tokens,
            self.padding_idx,
            self.classifier.probability_canonical,
        )
        return canonical if samples.side == "cf" else 1.0 - canonical
