"""Text and numbers as the Java platform reads, prints, orders and draws them."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal

_DECIMAL = re.compile(
    r"[+-]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fFdD]?)"
)
_HEXADECIMAL = re.compile(
    r"([+-]?0[xX](?:[0-9a-fA-F]+\.?|[0-9a-fA-F]*\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)[fFdD]?"
)
_INTEGER = re.compile(r"[+-]?\d{1,4000}")
_CONTROL_AND_SPACE = "".join(map(chr, range(0x21)))
_INT_MIN, _INT_MAX = -(2**31), 2**31 - 1
_WIDE = Context(prec=1200, rounding=ROUND_HALF_UP)
_THOUSANDTH = Decimal("0.001")
_MULTIPLIER = 0x5DEECE66D
_MASK = (1 << 48) - 1


def parse_double(text: str) -> float:
    """Java's ``Double.parseDouble``: ``1e3``, ``3f``, ``0x1p3``, ``NaN``; else ValueError."""
    text = text.strip(_CONTROL_AND_SPACE)
    if _DECIMAL.fullmatch(text):
        return float(text if text[-1] in "Ny" else text.rstrip("fFdD"))
    hexadecimal = _HEXADECIMAL.fullmatch(text)
    if hexadecimal is None:
        raise ValueError(text)
    try:
        return float.fromhex(hexadecimal[1])
    except OverflowError:
        return float("-inf" if text.startswith("-") else "inf")


def parse_int(text: str) -> int:
    """Java's ``Integer.parseInt``: optional sign, decimal digits, 32 bits; else ValueError."""
    if not _INTEGER.fullmatch(text):
        raise ValueError(text)
    number = int(text)
    if not _INT_MIN <= number <= _INT_MAX:
        raise ValueError(text)
    return number


def format_number(x: float) -> str:
    """Integers that fit 32 bits plain, tiny numbers as ``5.00e-04``, others with 3 decimals.

    Rounding is half-up on the shortest decimal representation, as Java's formatter does it.
    """
    if x != x:
        return "NaN"
    as_int = _INT_MAX if x >= _INT_MAX else _INT_MIN if x <= _INT_MIN else int(x)
    if abs(x - as_int) < 1e-40:
        return str(as_int)
    if abs(x) == float("inf"):
        return "Infinity" if x > 0 else "-Infinity"
    if abs(x) < 1e-3:
        return _format_scientific(x)
    return format(Decimal(repr(x)).quantize(_THOUSANDTH, context=_WIDE), "f")


def _format_scientific(x: float) -> str:
    exact = Decimal(repr(x))
    hundredth = Decimal((0, (1,), exact.adjusted() - 2))
    rounded = exact.quantize(hundredth, context=_WIDE)
    mantissa = rounded.scaleb(-rounded.adjusted()).quantize(Decimal("0.01"), context=_WIDE)
    return f"{mantissa}e{rounded.adjusted():+03d}"


def code_units(text: str) -> bytes:
    """A sort key that orders strings as Java does, by UTF-16 code unit."""
    return text.encode("utf-16-be", "surrogatepass")


class JavaRandom:
    """``java.util.Random``, a linear congruential generator (Knuth, TAOCP 2, section 3.2.1)."""

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
