"""Relevance: the input's log-probability given the sample, by the dual direction."""

from dataclasses import replace

import pytest
import torch

from fairseq_twostage.decoding.samples import Inputs, Samples
from fairseq_twostage.rewards.relevance import Relevance, dual_log_probs
from tests.builders import (
    dictionaries,
    gradients,
    paraphraser,
    teacher_forced_log_prob,
    tokens_of,
    touched,
)

INPUTS = {
    "nl": ["the longest ship in port please", "ship"],
    "cf": ["ship whose length is largest", "port"],
}
SAMPLES = {
    "cf": ["largest ship", "ship", "", "ship in port is ship", "port"],
    "nl": ["please", "", "the longest ship", "port in port", "ship"],
}
ROWS = [1, 0, 0, 1, 0]


def build(side, **options):
    words = dictionaries()
    other = "cf" if side == "nl" else "nl"
    model = paraphraser(scale=3.0, **options)
    inputs = Inputs(side, tokens_of(words["utterance"], *INPUTS[side]))
    samples = Samples(other, tokens_of(words[other], *SAMPLES[other]), torch.tensor(ROWS), model)
    return model, inputs, samples


def one_by_one(model, side):
    words = dictionaries()
    other = "cf" if side == "nl" else "nl"
    values = []
    for sample, row in zip(SAMPLES[other], ROWS):
        memory = model.memory(tokens_of(words["utterance"], sample), side)
        target = words[side].encode_line(INPUTS[side][row], add_if_not_exist=False).tolist()
        values.append(teacher_forced_log_prob(model.decoder(side), memory, target).item())
    return values


@pytest.mark.parametrize("separate_encoders", [False, True])
@pytest.mark.parametrize("side", ["nl", "cf"])
def test_equals_the_dual_direction_word_by_word(side, separate_encoders):
    model, inputs, samples = build(side, separate_encoders=separate_encoders)
    values = Relevance()(inputs, samples)
    assert values.tolist() == pytest.approx(one_by_one(model, side))
    assert not values.requires_grad


def test_the_current_model_is_asked_in_evaluation_mode():
    model, inputs, samples = build("nl", dropout=0.5)
    model.train()
    values = Relevance()(inputs, samples)
    assert all(module.training for module in model.modules())
    assert values.tolist() == pytest.approx(one_by_one(model.eval(), "nl"))


def test_with_dropout_the_model_is_asked_in_its_own_mode():
    model, inputs, samples = build("nl", dropout=0.5)
    relevance = Relevance(dropout=True)
    values = relevance(inputs, samples)
    assert values.tolist() != pytest.approx(one_by_one(model.eval(), "nl"))
    assert relevance(inputs, samples).tolist() == pytest.approx(one_by_one(model, "nl"))


def test_with_dropout_what_is_known_is_not_computed_again():
    _, inputs, samples = build("nl", dropout=0.5)
    known = torch.arange(5.0)
    values = Relevance(dropout=True)(inputs, replace(samples, dual_log_probs=known))
    assert values.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("side", ["nl", "cf"])
def test_with_dropout_the_encoder_reads_each_sample_with_a_mask_of_its_own(side):
    """A dropout that in effect drops nothing: another way to the same numbers and gradients."""
    results = []
    for dropout in (0.0, 1e-12):
        model, inputs, samples = build(side, dropout=dropout)
        values = dual_log_probs(inputs, samples)
        (values * torch.arange(1.0, 6.0).double()).sum().backward()
        results.append((values.detach(), gradients(model)))
    torch.testing.assert_close(*results)
    model, inputs, samples = build(side, dropout=0.5)
    samples = replace(samples, tokens=samples.tokens[[0] * 5], rows=torch.zeros(5).long())
    assert len(set(dual_log_probs(inputs, samples).tolist())) == 5


def test_the_dual_likelihood_is_differentiable_in_the_dual_direction_alone():
    model, inputs, samples = build("nl")
    dual_log_probs(inputs, samples).sum().backward()
    assert touched(model.encoder("cf"))
    assert touched(model.decoder("nl"))
    assert not touched(model.decoder("cf"))
