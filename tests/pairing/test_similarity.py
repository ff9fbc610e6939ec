import math

import numpy as np

from fairseq_twostage.pairing.features import WordVectors
from fairseq_twostage.pairing.similarity import anchors, standardise, unit_rows


def test_anchors():
    assert anchors(["two", "ships", "at", "10am", "on", "jan", "2"]) == {"2", "10am"}
    assert anchors(["that", "one", "costs", "three"]) == {"3"}


def test_standardise():
    scores = standardise(np.array([[1.0, 3.0], [5.0, 7.0]]))
    assert scores.mean() == 0 and math.isclose(scores.std(), 1)
    assert not standardise(np.full((2, 2), 0.3)).any()


def test_rows_of_length_1_and_zeros():
    found = unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    np.testing.assert_allclose(found, [[0.6, 0.8], [0.0, 0.0]])


def test_no_phrase_has_no_vectors():
    assert WordVectors({"a": np.ones(3)}, 3).embed([]).shape == (0, 3)
