"""Likelihoods of many pairs at once against one sentence at a time, word by word."""

import numpy as np
import pytest
import torch

from fairseq_twostage.inference import likelihood
from fairseq_twostage.inference.likelihood import Direction, DirectLikelihood, DualLikelihood
from tests.builders import dictionaries, paraphraser, teacher_forced_log_prob, tokens_of

NATURAL = ["the longest ship", "port", "longest port in the port please"]
CANONICAL = ["ship whose length is largest", "port", "ship in port"]


def direction(model, source):
    target = "cf" if source == "nl" else "nl"
    return Direction(model.encoder(target), model.decoder(target))


def one_pair(model, source, read, written):
    """``log P(written | read)``, teacher-forced."""
    target = "cf" if source == "nl" else "nl"
    words = dictionaries()
    with torch.no_grad():
        memory = model.memory(tokens_of(words["utterance"], read), target)
        ids = words[target].encode_line(written, add_if_not_exist=False).tolist()
        return teacher_forced_log_prob(model.decoder(target), memory, ids).item()


@pytest.fixture(scope="module", params=[{}, {"separate_encoders": True}, {"bottleneck_dim": 3}])
def model(request):
    return paraphraser(scale=3.0, **request.param).eval()


@pytest.mark.parametrize("source", ["nl", "cf"])
def test_both_directions_pair_by_pair(model, source, monkeypatch):
    monkeypatch.setattr(likelihood, "BATCH", 2)
    sides = (NATURAL, CANONICAL) if source == "nl" else (CANONICAL, NATURAL)
    found = direction(model, source).log_probs(*sides)
    expected = [[one_pair(model, source, x, y) for y in sides[1]] for x in sides[0]]
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize("kind", [DirectLikelihood, DualLikelihood])
def test_candidates_of_one_utterance_in_any_order_and_company(model, kind):
    direct = kind is DirectLikelihood
    asked = kind(direction(model, "nl" if direct else "cf"))
    for x in (*NATURAL, NATURAL[0]):  # what is kept of a candidate serves the next utterance
        ask = asked.of(x)
        for candidates in (CANONICAL[1:], CANONICAL, CANONICAL[::-1], [CANONICAL[2]] * 3):
            found = ask(candidates)
            expected = [
                one_pair(model, "nl", x, z) if direct else one_pair(model, "cf", z, x)
                for z in candidates
            ]
            np.testing.assert_allclose(found.numpy(), expected, atol=1e-9)


def test_dropout_is_off_and_comes_back():
    model = paraphraser(dropout=0.5).train()
    found = [direction(model, "nl").log_probs(NATURAL, CANONICAL) for _ in range(2)]
    np.testing.assert_array_equal(*found)
    assert model.training


def test_scores_keep_no_gradient():
    model = paraphraser()
    assert torch.is_grad_enabled()
    direction(model, "nl").log_probs(NATURAL, CANONICAL)
    assert not DirectLikelihood(direction(model, "nl")).of("ship")(CANONICAL).requires_grad
    assert not DualLikelihood(direction(model, "cf")).of("ship")(CANONICAL).requires_grad
    assert torch.is_grad_enabled()
