"""Numbers as people write them: in full, computed in decimals, and short enough to be read.

A published world prints as :func:`fairseq_twostage.semantics.java.format_number` does, which
rounds; a world of one's own as it is here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal

ORDINARY = (1e-7, 1e21)
"""Magnitudes that are written without an exponent."""
READABLE_DIGITS = 12
"""A computed number with more significant digits is rounded where it is shown."""

# Wide enough for sums and products of any two doubles to be exact.
_EXACT = Context(prec=1500, rounding=ROUND_HALF_UP, Emin=-9999, Emax=9999, traps=[])
_QUOTIENT = Context(prec=60, rounding=ROUND_HALF_EVEN, Emin=-9999, Emax=9999, traps=[])


def in_full(x: float) -> str:
    """The shortest text that reads back as ``x``: ``0.00125``, ``4``, ``1e+300``, ``-0.0``."""
    text = repr(float(x))
    if "n" in text:
        return text.replace("inf", "Infinity").replace("nan", "NaN")
    if "e" in text and ORDINARY[0] <= abs(x) < ORDINARY[1]:
        text = format(Decimal(text), "f")
    return text if text == "-0.0" else text.removesuffix(".0")


def readable(x: float) -> str:
    """A computed number: in full if it comes out even, else two decimals, at least three digits.

    4.666666666666667 is ``4.67``, 0.0006666666666666666 ``0.000667``, 2.015625 itself.
    """
    exact = Decimal(repr(float(x)))
    if not math.isfinite(x) or len(exact.normalize(_EXACT).as_tuple().digits) <= READABLE_DIGITS:
        return in_full(x)
    places = max(2, 2 - exact.adjusted())
    return in_full(float(exact.quantize(Decimal((0, (1,), -places)), context=_EXACT)))


def add_up(numbers: Iterable[float]) -> float:
    """The sum of the numbers as they are written, in whatever order: 0.1 and 0.2 make 0.3."""
    return float(_add_up(numbers))


def mean(numbers: list[float]) -> float:
    """The average of at least one number as they are written, in whatever order."""
    return float(_QUOTIENT.divide(_add_up(numbers), Decimal(len(numbers))))


def _add_up(numbers: Iterable[float]) -> Decimal:
    total = Decimal(0)
    for number in numbers:
        total = _EXACT.add(total, Decimal(repr(number)))
    return total


def _in_decimals(compute: Callable[[Decimal, Decimal], Decimal]) -> Callable[[float, float], float]:
    return lambda a, b: float(compute(Decimal(repr(a)), Decimal(repr(b))))


OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": _in_decimals(_EXACT.add),
    "-": _in_decimals(_EXACT.subtract),
    "*": _in_decimals(_EXACT.multiply),
    "/": _in_decimals(_QUOTIENT.divide),
}
