"""Exhaustive scores against one sentence at a time, and what the balance changes."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from fairseq_twostage.decoding.reranking import (
    Direction,
    FluencyOfCandidates,
    Reranker,
    StyleOfCandidates,
)
from tests.builders import (
    dictionaries,
    language_model,
    paraphraser,
    style_cnn,
    teacher_forced_log_prob,
    tokens_of,
)

NATURAL = ["the longest ship", "port", "longest port in the port please"]
CANONICAL = ["ship whose length is largest", "port"]


@pytest.mark.parametrize("source", ["nl", "cf"])
def test_both_directions_pair_by_pair(source):
    words, model = dictionaries(), paraphraser(scale=3.0)
    target = "cf" if source == "nl" else "nl"
    found = Direction(model, source)(NATURAL, CANONICAL)
    mean = Direction(model, source, per_word=True)(NATURAL, CANONICAL)
    assert found.shape == (3, 2)
    for i, x in enumerate(NATURAL):
        for j, z in enumerate(CANONICAL):
            read, written = (x, z) if source == "nl" else (z, x)
            memory = model.memory(tokens_of(words["utterance"], read), target)
            ids = words[target].encode_line(written, add_if_not_exist=False).tolist()
            expected = teacher_forced_log_prob(model.decoder(target), memory, ids).item()
            assert found[i, j] == pytest.approx(expected)
            assert mean[i, j] == pytest.approx(expected / len(ids))


def test_dropout_is_off_and_comes_back():
    model = paraphraser(dropout=0.5).train()
    found = [Direction(model, "nl")(NATURAL, CANONICAL) for _ in range(2)]
    np.testing.assert_array_equal(*found)
    assert model.training


def test_features_of_candidates_alone():
    words = dictionaries()
    lm, cnn = language_model(words["cf"], scale=3.0), style_cnn(words["utterance"])
    fluency = FluencyOfCandidates(lm)(NATURAL, CANONICAL)
    style = StyleOfCandidates(cnn, words["utterance"])(NATURAL, CANONICAL)
    for j, z in enumerate(CANONICAL):
        expected = lm.sentence_log_probs(tokens_of(words["cf"], z)).item()
        np.testing.assert_allclose(fluency[:, j], expected)
        one = cnn.probability_canonical(tokens_of(words["utterance"], z)).log().item()
        np.testing.assert_allclose(style[:, j], one, rtol=1e-6)


def table(values):
    return lambda natural, canonical: np.array([values[x] for x in natural])


def test_weights_decide():
    one, other = {"a": [1.0, 0.0], "b": [2.0, 0.0]}, {"a": [0.0, 3.0], "b": [0.0, 3.0]}
    features = {"one": table(one), "other": table(other)}
    ranked = Reranker(["y", "z"], features, {"one": 1.0, "other": 0.5})(["a", "b"])
    assert ranked == [["z", "y"], ["y", "z"]]
    ranked = Reranker(["y", "z"], features, {"one": 1.0}, best=1)(["a", "b"])
    assert ranked == [["y"], ["y"]]


def test_balance_keeps_a_favourite_back():
    scores = {"a": [3.0, 2.0], "b": [3.0, 2.9]}
    ranker = Reranker(["y", "z"], {"one": table(scores)}, {"one": 10.0}, best=1)
    assert ranker(["a", "b"]) == [["y"], ["y"]]
    balanced = ranker.balanced(["a", "b"], np.ones(2))
    assert balanced(["a", "b"]) == [["y"], ["z"]]
    assert ranker.balanced(["a", "b"], np.ones(2), weight=0.0)(["b"]) == [["y"]]


def test_scores_keep_no_gradient():
    assert torch.is_grad_enabled()
    Direction(paraphraser(), "nl")(NATURAL, CANONICAL)
    assert torch.is_grad_enabled()


def lengths(natural, canonical):
    return -np.abs(np.array([[len(z) - len(x) for z in canonical] for x in natural], dtype=float))


def test_proposals_stand_beside_the_list_with_its_smallest_prior():
    listed = ["aa", "aaaa"]
    plain = Reranker(listed, {"lengths": lengths}, {"lengths": 1.0}, np.array([0.0, -0.5]), best=3)
    assert plain(["bbb"]) == [["aa", "aaaa"]]  # -1 and -1.5
    proposed = replace(plain, proposals=lambda lines: [["ccc", "aa", "ccc"]] * len(lines))
    assert proposed(["bbb"]) == [["ccc", "aa", "aaaa"]]  # 0 - 0.5: ahead of both
    assert proposed(["bb"]) == [["aa", "ccc", "aaaa"]]  # 0, -1 - 0.5, -2 - 0.5
