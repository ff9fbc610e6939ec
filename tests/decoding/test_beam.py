"""Beam search through fairseq's generator over one direction of the paraphraser."""

import pytest
import torch

from fairseq_twostage.decoding.beam import beam_samples, dropout_beam_samples
from fairseq_twostage.decoding.lean import LengthLimit, decode
from fairseq_twostage.decoding.samples import Inputs
from fairseq_twostage.errors import UserError
from tests.builders import (
    beam_search,
    bias_word,
    dictionary_of,
    only_words,
    paraphraser,
    teacher_forced_log_prob,
    texts,
    tokens_of,
)

LINES = ["the longest ship in port", "please the longest ship in", "port please in the ship"]
LIMIT = LengthLimit(slope=0.0, offset=6)


@pytest.fixture
def model():
    model = paraphraser(seed=5, scale=9.0)
    only_words(model.decoder("cf"))
    bias_word(model.decoder("cf"), "</s>", 2.0)
    return model


@pytest.mark.parametrize("length_penalty", [1.0, 0.0])
def test_scores_are_log_probability_by_length_and_fall(model, words, length_penalty):
    tokens = tokens_of(words["utterance"], *LINES)
    found = beam_search(
        [model.view("cf")], words["cf"], tokens, 4, LIMIT, length_penalty=length_penalty
    )
    memory = model.memory(tokens, "cf")
    lengths = set()
    for row, hypotheses in enumerate(found):
        assert len(hypotheses) == 4
        scores = [score for _, score in hypotheses]
        assert scores == sorted(scores, reverse=True)
        assert len({tuple(sentence.tolist()) for sentence, _ in hypotheses}) == 4
        for sentence, score in hypotheses:
            alone = memory.select(torch.tensor([row]))
            log_prob = teacher_forced_log_prob(model.decoder("cf"), alone, sentence.tolist())
            expected = log_prob.item() / len(sentence) ** length_penalty
            assert score == pytest.approx(expected, rel=1e-4)
            lengths.add(len(sentence))
    assert len(lengths) > 1


def test_a_beam_of_one_is_greedy_decoding(model, words):
    bias_word(model.decoder("cf"), "</s>", -2.0)  # the generator writes no empty sentence
    tokens = tokens_of(words["utterance"], *LINES)
    greedy = decode(model.decoder("cf"), model.memory(tokens, "cf"), LIMIT)
    found = beam_search([model.view("cf")], words["cf"], tokens, 1, LIMIT)
    best = [texts(words["cf"], hypotheses[0][0].unsqueeze(0))[0] for hypotheses in found]
    assert best == texts(words["cf"], greedy)


def test_the_limit_is_that_of_greedy_decoding(model, words):
    bias_word(model.decoder("cf"), "</s>", -100.0)
    tokens = tokens_of(words["utterance"], *LINES)
    limit = LengthLimit(slope=0.5, offset=1)
    greedy = decode(model.decoder("cf"), model.memory(tokens, "cf"), limit)
    found = beam_search([model.view("cf")], words["cf"], tokens, 3, limit)
    assert {len(sentence) for hypotheses in found for sentence, _ in hypotheses} == {5}
    assert greedy.size(1) == 5  # 0.5 * 6 + 1 words and the end


def test_beam_samples_stand_input_by_input_and_leave_the_mode_alone(words):
    model = paraphraser(seed=5, scale=9.0, dropout=0.5)
    only_words(model.decoder("nl"))
    model.train()
    tokens = tokens_of(words["utterance"], "largest ship", "ship whose length is largest")
    drawn = beam_samples(model, Inputs("cf", tokens), "nl", 3, LIMIT)
    assert all(module.training for module in model.modules())
    assert drawn.size(0) == 6
    model.eval()
    found = beam_search([model.view("nl")], words["nl"], tokens, 3, LIMIT)
    expected = [
        texts(words["nl"], sentence.unsqueeze(0))[0]
        for hypotheses in found
        for sentence, _ in hypotheses
    ]
    assert texts(words["nl"], drawn) == expected


def test_a_dictionary_too_small_for_the_beam_is_refused():
    words = {side: dictionary_of("a") for side in ("utterance", "nl", "cf", "lf")}
    model = paraphraser(dictionary_by_side=words)
    inputs = Inputs("nl", tokens_of(words["utterance"], "a", "a a"))
    with pytest.raises(UserError, match="--samples: 5 symbols do not make 6 hypotheses"):
        beam_samples(model, inputs, "cf", 6, LIMIT)


def test_dropout_beams_differ_between_visits_and_leave_the_mode_alone(words):
    model = paraphraser(seed=5, scale=9.0, dropout=0.5)
    only_words(model.decoder("nl"))
    model.train()
    inputs = Inputs("cf", tokens_of(words["utterance"], "largest ship", "ship whose length"))
    drawn = []
    for seed in (1, 1, 2, 3, 4):
        torch.manual_seed(seed)
        drawn.append(texts(words["nl"], dropout_beam_samples(model, inputs, "nl", 3, LIMIT)))
        assert all(module.training for module in model.modules())
    assert drawn[0] == drawn[1]
    assert any(drawn[0] != other for other in drawn[2:])
    model.eval()
    assert torch.equal(
        dropout_beam_samples(model, inputs, "nl", 3, LIMIT),
        beam_samples(model, inputs, "nl", 3, LIMIT),
    )
