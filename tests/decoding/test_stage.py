"""A stage against a step-by-step reference."""

import pytest
import torch

import fairseq_twostage.decoding.stage as module
from fairseq_twostage.decoding.lean import PARSE_LIMIT, LengthLimit
from fairseq_twostage.decoding.stage import BeamStage
from tests.builders import (
    CANONICAL,
    NATURAL,
    SYMBOLS,
    bias_word,
    naive_parser,
    only_words,
    paraphraser,
    teacher_forced_log_prob,
    tokens_of,
)

LINES = ["the longest ship in port", "ship", "longest ship in port please the", "ship"]
MANY = ["the longest ship in port", "ship", "please", "ship", "longest ship in port please the"]
SHORT = LengthLimit(slope=0.0, offset=5)


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


@pytest.fixture
def both_ways():
    model = paraphraser(seed=1, scale=9.0)
    for side in ("nl", "cf"):
        only_words(model.decoder(side))
        bias_word(model.decoder(side), "</s>", 1.0)
    return model


def direction(model, target, beam):
    return BeamStage(model.encoder(target), model.decoder(target), beam, SHORT)


def test_lines_keep_their_order_whatever_the_batch(both_ways):
    stage = direction(both_ways, "cf", 3)
    together = stage(MANY)
    assert all(len(hypotheses) == 3 for hypotheses in together)
    one_by_one = BeamStage(stage.encoder, stage.decoder, 3, SHORT, batch_size=1)
    assert together == one_by_one(MANY)
    assert together == [stage([line])[0] for line in MANY]
    assert len({hypotheses[0] for hypotheses in together}) > 2
    assert stage([]) == []


def test_equal_lines_are_decoded_once(both_ways, monkeypatch):
    rows = []
    search = module.patient_hypotheses

    def counted(decoder, memory, *rest):
        rows.append(memory.padding.size(0))
        return search(decoder, memory, *rest)

    monkeypatch.setattr(module, "patient_hypotheses", counted)
    direction(both_ways, "cf", 2)(MANY)
    assert rows == [4]


def test_each_direction_writes_the_words_of_its_side(both_ways):
    for target, vocabulary in (("cf", CANONICAL), ("nl", NATURAL)):
        found = direction(both_ways, target, 2)(MANY)
        written = [text for hypotheses in found for text in hypotheses]
        assert any(written)
        assert set(" ".join(written).split()) <= set(vocabulary.split())


def test_unknown_words_and_empty_lines_are_decoded_too(both_ways):
    stage = direction(both_ways, "cf", 2)
    assert len(stage(["zeppelin over the quay", ""])) == 2
    assert stage(["zeppelin"]) == stage(["airship"])  # both are <unk>


def test_the_parser_reads_utterances_and_writes_symbols():
    parser = naive_parser(scale=9.0)
    only_words(parser.decoder)
    found = BeamStage(parser.encoder, parser.decoder, 2, PARSE_LIMIT)(["ship in port", "largest"])
    written = [text for hypotheses in found for text in hypotheses]
    assert set(" ".join(written).split()) <= set(SYMBOLS.split())
