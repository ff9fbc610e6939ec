"""The generator of ``java.util.Random``, which draws the generated worlds."""

from __future__ import annotations

_MULTIPLIER = 0x5DEECE66D
_MASK = (1 << 48) - 1


class JavaRandom:
    """A 48-bit linear congruential generator (Knuth, TAOCP 2, section 3.2.1)."""

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ _MULTIPLIER) & _MASK

    def _next(self, bits: int) -> int:
        self._state = (self._state * _MULTIPLIER + 0xB) & _MASK
        return self._state >> (48 - bits)

    def next_int(self, bound: int) -> int:
        """Uniform in [0, bound); ``bound`` is positive."""
        if bound & (bound - 1) == 0:
            return (bound * self._next(31)) >> 31
        while True:
            bits = self._next(31)
            value = bits % bound
            if bits - value + bound - 1 < 1 << 31:
                return value

    def next_double(self) -> float:
        """Uniform in [0, 1), with 53 bits."""
        return ((self._next(26) << 27) + self._next(27)) / (1 << 53)
