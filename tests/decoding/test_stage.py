"""A stage against a step-by-step reference."""

import pytest
import torch

from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.decoding.stage import BeamStage
from tests.builders import naive_parser, only_words, teacher_forced_log_prob, tokens_of

LINES = ["the longest ship in port", "ship", "longest ship in port please the", "ship"]


def stage_of(model, beam=3):
    return BeamStage(model.encoder, model.decoder, beam, LengthLimit(0.0, 6))


def test_scores_are_log_probabilities_per_token():
    model = naive_parser(scale=9.0)
    only_words(model.decoder)
    for line, found in zip(LINES, stage_of(model).scored(LINES)):
        memory = model.decoder.memory(model.encoder(tokens_of(model.encoder.dictionary, line)))
        for text, score in found:
            ids = tokens_of(model.decoder.dictionary, text)[0].tolist()
            with torch.no_grad():
                total = float(teacher_forced_log_prob(model.decoder, memory, ids))
            assert score == pytest.approx(total / len(ids), abs=1e-9)


def test_a_beam_wider_than_the_dictionary():
    model = naive_parser()
    found = stage_of(model, beam=50)(["ship"])[0]
    assert 1 <= len(found) < 50


def test_attention_is_that_of_each_step():
    model = naive_parser(scale=3.0)
    source, target = "longest ship in port", "( ship length )"
    weights = stage_of(model).attention(source, target)
    words = model.decoder.dictionary
    memory = model.decoder.memory(model.encoder(tokens_of(model.encoder.dictionary, source)))
    state, last = model.decoder.initial_state(1), words.eos()
    for token, row in zip(target.split(), weights, strict=True):
        with torch.no_grad():
            _, expected, state = model.decoder.step(torch.tensor([last]), state, memory)
        assert row == pytest.approx(expected[0, :-1].tolist(), abs=1e-9)
        last = words.index(token)


def test_dropout_is_off_and_the_models_mode_is_left_alone():
    model = naive_parser(scale=9.0, dropout=0.5)
    model.train()
    stage = stage_of(model)
    assert stage.scored(LINES) == stage.scored(LINES)
    assert stage.attention("ship", "( ship") == stage.attention("ship", "( ship")
    assert model.encoder.training and model.decoder.training
