"""Types of options that several commands have."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

LARGEST_SEED = 2**32 - 1  # of NumPy


def integer(least: int, most: float = math.inf) -> Callable[[str], int]:
    """A whole number from ``least`` to ``most``."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be a whole number, not {text!r}") from None
        if not least <= number <= most:
            limits = f"at least {least}" if most == math.inf else f"from {least} to {most}"
            raise argparse.ArgumentTypeError(f"must be {limits}, not {number}")
        return number

    return read


def real(least: float, most: float = math.inf, above: bool = False) -> Callable[[str], float]:
    """A finite number from ``least``, or above it, to ``most``."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be a number, not {text!r}") from None
        if (
            not (least < number if above else least <= number)
            or number > most
            or number == math.inf
        ):
            limits = f"{'above' if above else 'at least'} {least:g}"
            limits = limits if most == math.inf else f"from {least:g} to {most:g}"
            raise argparse.ArgumentTypeError(f"must be {limits}, not {text}")
        return number

    return read


positive = integer(1)
share = real(0, 1)
seed = integer(0, LARGEST_SEED)
