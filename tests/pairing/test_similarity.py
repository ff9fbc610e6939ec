import math

import numpy as np

from fairseq_twostage.pairing.features import WordVectors
from fairseq_twostage.pairing.similarity import (
    anchor_mismatch,
    anchors,
    rarity,
    soft_alignment,
    standardise,
    word_overlap,
)


def split(*lines):
    return [line.split() for line in lines]


def test_rarity():
    assert rarity(split("a b b", "a c")) == {
        "a": math.log(3 / 2),
        "b": math.log(3 / 1),
        "c": math.log(3 / 1),
    }


def naive_alignment(left, right, left_weights, right_weights):
    def cosine(a, b):
        norms = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(x * x for x in b))
        return sum(x * y for x, y in zip(a, b)) / norms if norms else 0.0

    def one_way(words, weights, others):
        total = sum(weights)
        best = [max(cosine(word, other) for other in others) for word in words]
        return sum(w * b for w, b in zip(weights, best)) / total if total else 0.0

    return [
        [
            (one_way(a, wa, b) + one_way(b, wb, a)) / 2
            for b, wb in zip(right, right_weights)
        ]
        for a, wa in zip(left, left_weights)
    ]  # fmt: skip


def test_soft_alignment_is_that_of_loops():
    random = np.random.default_rng(0)
    left = [random.normal(size=(n, 3)) for n in (2, 5, 1)]
    right = [random.normal(size=(n, 3)) for n in (4, 1)]
    left[1][2] = 0.0
    weights = [[random.random(len(words)) for words in side] for side in (left, right)]
    weights[0][2][:] = 0.0
    found = soft_alignment(left, right, *weights)
    np.testing.assert_allclose(found, naive_alignment(left, right, *weights), atol=1e-12)


def test_word_overlap():
    left, right = split("red ship", "blue ship"), split("red boat", "ship")
    rare = math.log(3 / 1)
    common = math.log(3 / 2)  # "ship" on the left
    expected = [
        [2 * rare / (rare + common + 2 * rare), (common + rare) / (rare + common + rare)],
        [0.0, (common + rare) / (rare + common + rare)],
    ]
    np.testing.assert_allclose(word_overlap(left, right), expected)


def test_sentences_with_nothing_in_common():
    assert not word_overlap(split("a"), split("b")).any()


def test_anchors():
    assert anchors(["two", "ships", "at", "10am", "on", "jan", "2"]) == {"2", "10am"}
    assert anchors(["that", "one", "costs", "three"]) == {"3"}


def test_anchor_mismatch():
    natural = split("two ships at 10am", "ships at 10am", "ships in 1999")
    canonical = split("time 10am", "time 10am count 2")
    # 1999 is nowhere in the canonical utterances, so that it tells nothing.
    np.testing.assert_array_equal(anchor_mismatch(natural, canonical), [[1, 0], [0, 1], [1, 2]])


def test_standardise():
    scores = standardise(np.array([[1.0, 3.0], [5.0, 7.0]]))
    assert scores.mean() == 0 and math.isclose(scores.std(), 1)
    assert not standardise(np.full((2, 2), 0.3)).any()


def test_no_phrase_has_no_vectors():
    assert WordVectors({"a": np.ones(3)}, 3).embed([]).shape == (0, 3)
