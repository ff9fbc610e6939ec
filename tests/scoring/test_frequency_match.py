"""The overlap of two distributions against hand-computed ones and the total variation distance."""

import random
from collections import Counter

import pytest

from fairseq_twostage.scoring.frequency_match import frequency_match


def test_by_hand():
    corpus = ["port"] * 6 + ["ship"] * 3 + ["largest ship"]
    assert frequency_match(corpus, corpus) == pytest.approx(1.0)
    assert frequency_match(["port", "ship"], corpus) == pytest.approx(0.5 + 0.3)
    assert frequency_match(["harbour"] * 4, corpus) == 0.0
    # A circle: what is asked for six times is read as what is asked for three times.
    assert frequency_match(["ship"] * 6 + ["port"] * 4, corpus) == pytest.approx(0.4 + 0.3)


def test_is_one_minus_the_total_variation_distance():
    draw = random.Random(7)
    for _ in range(20):
        left = [draw.choice("abcdef") for _ in range(30)]
        right = [draw.choice("cdefgh") for _ in range(47)]
        p, q = Counter(left), Counter(right)
        distance = sum(abs(p[z] / 30 - q[z] / 47) for z in "abcdefgh") / 2
        assert frequency_match(iter(left), iter(right)) == pytest.approx(1 - distance)
        assert frequency_match(right, left) == pytest.approx(frequency_match(left, right))


def test_nothing_to_compare():
    for written, corpus in (([], ["port"]), (["port"], [])):
        with pytest.raises(ValueError, match="no sentences"):
            frequency_match(written, corpus)
