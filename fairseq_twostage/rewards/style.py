"""R_sty: does a sample look like its side?"""

from __future__ import annotations

import torch
from torch import Tensor

from fairseq_twostage.decoding.samples import Inputs, Samples
from fairseq_twostage.models.style_cnn import StyleCNN


class Style:
    """``P_dis(z̃)`` for a canonical sample, ``1 − P_dis(x̃)`` for a natural one.

    Args:
        classifier: the frozen P_dis, in evaluation mode.
    """

    def __init__(self, classifier: StyleCNN) -> None:
        self.classifier = classifier

    @torch.no_grad()
    def __call__(self, inputs: Inputs, samples: Samples) -> Tensor:
        canonical = self.classifier.probability_canonical(samples.utterance_tokens)
        return canonical if samples.side == "cf" else 1.0 - canonical
