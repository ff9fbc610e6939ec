"""Numbers as people write them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairseq_twostage.semantics.numerals import OPERATIONS, add_up, in_full, mean, readable


@pytest.mark.parametrize(
    "x, text",
    [
        (4.0, "4"),
        (-3.5, "-3.5"),
        (0.00125, "0.00125"),
        (1e-7, "0.0000001"),
        (1e-8, "1e-08"),
        (2147483648.0, "2147483648"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (3.141592653589793, "3.141592653589793"),
        (-0.0, "-0.0"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (math.nan, "NaN"),
    ],
)
def test_in_full(x, text):
    assert in_full(x) == text


@given(st.floats(allow_nan=False))
def test_in_full_reads_back(x):
    assert float(in_full(x)) == x


@pytest.mark.parametrize(
    "x, text",
    [
        (14 / 3, "4.67"),
        (-14 / 3, "-4.67"),
        (0.002 / 3, "0.000667"),
        (2000 / 3, "666.67"),
        (2.015625, "2.015625"),
        (4.5, "4.5"),
        (4.0, "4"),
        (14e12 / 3, "4666666666666.67"),
        (1e300 / 3, in_full(1e300 / 3)),
        (math.nan, "NaN"),
    ],
)
def test_what_was_computed_is_short_enough_to_be_read(x, text):
    assert readable(x) == text


def test_sums_are_those_of_the_numbers_as_they_are_written():
    assert add_up([0.1, 0.2]) == 0.3 != 0.1 + 0.2
    assert add_up([]) == 0
    assert add_up([1e300, 1.0, -1e300]) == 1.0
    assert mean([0.1, 0.2, 0.3]) == 0.2
    assert math.isnan(add_up([math.inf, -math.inf]))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.randoms())
def test_the_order_does_not_matter(numbers, random):
    shuffled = random.sample(numbers, len(numbers))
    assert (add_up(numbers), mean(numbers)) == (add_up(shuffled), mean(shuffled))


def test_operations():
    assert OPERATIONS["+"](0.1, 0.2) == 0.3
    assert OPERATIONS["-"](0.3, 0.1) == 0.2
    assert OPERATIONS["*"](1.1, 3.0) == 3.3
    assert OPERATIONS["/"](2.0, 3.0) == 2 / 3
    assert OPERATIONS["/"](-1.0, 0.0) == -math.inf
    assert math.isnan(OPERATIONS["/"](0.0, 0.0))
