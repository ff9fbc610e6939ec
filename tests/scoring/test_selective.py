"""Selective prediction against a naive count and hand-computed values."""

import numpy as np
import pytest

from fairseq_twostage.scoring.selective import Selective, auroc, calibration_error, risks


def test_auroc_is_the_share_of_pairs_in_order():
    draw = np.random.default_rng(3)
    p = draw.integers(0, 6, 60) / 5
    right = draw.random(60) < p
    pairs = [1.0 if a > b else 0.5 if a == b else 0.0 for a in p[right] for b in p[~right]]
    assert auroc(p, right) == pytest.approx(np.mean(pairs))
    assert auroc(p, np.ones(60, dtype=bool)) is None


def test_risks_by_hand():
    p, right = np.array([0.9, 0.8, 0.8, 0.1]), np.array([True, True, False, False])
    assert risks(p, right) == pytest.approx([0.0, 0.25, 1 / 3, 0.5])


def test_calibration_error_by_hand():
    p = np.array([0.1, 0.1, 0.9, 0.9])
    right = np.array([False, True, True, True])
    # bins of two: |0.1 − 0.5| and |0.9 − 1|
    assert calibration_error(p, right, bins=2) == pytest.approx((0.4 + 0.1) / 2)


def test_of_answers():
    found = Selective.of(
        [0.9, 0.8, 0.3, 0.2], [True, False, True, False], [True, True, False, False]
    )
    assert found.coverage == 0.5 and found.precision == 0.5 and found.auroc == 0.75
    assert Selective.of([0.1], [False], [False]).precision is None
