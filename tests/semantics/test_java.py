"""Numbers as Java reads and prints them; expected values are Java's documented behaviour."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairseq_twostage.semantics.java import (
    JavaRandom,
    code_units,
    format_number,
    parse_double,
    parse_int,
)


@pytest.mark.parametrize(
    "text, value",
    [
        ("3", 3.0),
        ("+1e3", 1000.0),
        ("3f", 3.0),
        ("2.5D", 2.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("0x1p3", 8.0),
        ("-0X.8P1f", -1.0),
        ("0x1p99999", math.inf),
        ("-0x1p99999", -math.inf),
        ("1e999", math.inf),
        (" 7\t", 7.0),
        ("Infinity", math.inf),
        ("-Infinity", -math.inf),
    ],
)
def test_parse_double(text, value):
    assert parse_double(text) == value


@pytest.mark.parametrize(
    "text",
    ["", ".", "e3", "1e", "abc", "inf", "nan", "1_0", "0x10", "٣", "1 2", "--1", "3ff", "0xp1"],
)
def test_parse_double_refuses(text):
    with pytest.raises(ValueError):
        parse_double(text)


def test_parse_double_knows_nan():
    assert math.isnan(parse_double("NaN")) and math.isnan(parse_double("-NaN"))


def test_parse_int():
    assert parse_int("+2004") == 2004
    assert parse_int("-1") == -1
    assert parse_int("٣") == 3
    assert parse_int("-2147483648") == -(2**31)
    for text in ("2147483648", "", "+", "1.0", "1_0", " 1", "0x1", "9" * 10_000):
        with pytest.raises(ValueError):
            parse_int(text)


@pytest.mark.parametrize(
    "x, text",
    [
        (0.0, "0"),
        (-0.0, "0"),
        (3.0, "3"),
        (-3.7, "-3.700"),
        (72.3985, "72.399"),  # half-up on the decimal representation
        (0.0015, "0.002"),
        (0.0005, "5.00e-04"),
        (-0.0005, "-5.00e-04"),
        (0.0009999, "1.00e-03"),
        (0.000994999, "9.95e-04"),
        (1e-40, "1.00e-40"),
        (1e-41, "0"),
        (2147483647.0, "2147483647"),
        (2147483648.0, "2147483648.000"),
        (-2147483648.0, "-2147483648"),
        (-2147483649.0, "-2147483649.000"),
        (1.339023853043712e11, "133902385304.371"),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
    ],
)
def test_format_number(x, text):
    assert format_number(x) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_printed_numbers_are_near(x):
    printed = float(format_number(x))
    assert abs(printed - x) <= max(0.00051, abs(x) * 1e-15) if abs(x) >= 1e-3 else True
    assert abs(printed - x) <= 0.0051 * abs(x) + 1e-40 if abs(x) < 1e-3 else True


def test_strings_order_by_code_unit():
    beyond, private = "\U0001f600", "\uffee"
    assert private < beyond
    assert sorted([private, beyond, "a"], key=code_units) == ["a", beyond, private]


def test_random_of_seed_42():
    """The first draws of ``new Random(42)``, as widely published: nextInt(), nextDouble()."""
    random = JavaRandom(42)
    words = [random._next(32) for _ in range(2)]
    assert [word - (word >> 31 << 32) for word in words] == [-1170105035, 234785527]
    assert JavaRandom(42).next_double() == 0.7275636800328681


def test_random_bounded_draws_are_remainders_of_31_bits():
    plain, bounded = JavaRandom(42), JavaRandom(42)
    expected = [plain._next(31) % 10 for _ in range(5)]
    assert [bounded.next_int(10) for _ in range(5)] == expected == [0, 3, 8, 4, 0]


def test_random_powers_of_two_take_the_high_bits():
    state = (42 ^ 0x5DEECE66D) * 0x5DEECE66D + 0xB
    assert JavaRandom(42).next_int(8) == (state >> 45) & 7
