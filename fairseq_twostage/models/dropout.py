"""Dropout whose mask is cheap on a CPU."""

from __future__ import annotations

import torch
from torch import Tensor, nn

PER_NUMBER = 8  # bytes in the random numbers that are drawn


class Dropout(nn.Dropout):
    """As ``nn.Dropout``; where p is a multiple of 1/256, eight elements share a random number.

    On a CPU torch draws a number for each element, one after the other, which shows in the time
    that small models take to train. Here an element is dropped if its byte of a 64-bit number is
    below 256 p. Otherwise, and on other devices, this is ``nn.Dropout``; never in place.
    """

    def forward(self, input: Tensor) -> Tensor:
        """``input``, any shape, in training with elements dropped and the others over 1 − p."""
        threshold = int(self.p * 256)
        exact = threshold == self.p * 256 and 0 < threshold < 256
        if not self.training or not exact or input.device.type != "cpu":
            return super().forward(input)
        mask = _random_bytes(input.numel(), input.device).view(input.shape) >= threshold
        return input * mask.to(input.dtype).mul_(1 / (1 - self.p))


def _random_bytes(count: int, device: torch.device) -> Tensor:
    """``count`` even random numbers of 0 … 255, by torch's generator."""
    numbers = torch.empty(-(-count // PER_NUMBER), dtype=torch.int64, device=device)
    return numbers.random_(-(2**63), None).view(torch.uint8)[:count]
