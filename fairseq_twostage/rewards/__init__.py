"""What a reward is."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from fairseq_twostage.decoding.samples import Inputs, Samples


class Reward(Protocol):
    """How good is each sample: no gradient passes through it."""

    def __call__(self, inputs: Inputs, samples: Samples) -> Tensor:
        """One number per sample, ``(n,)``."""
