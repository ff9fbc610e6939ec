"""A stage against fairseq's own search and a step-by-step reference; a model rebuilt."""

import pytest
import torch

from fairseq_twostage.decoding.beam import beam_search
from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.naive_parser import NaiveParser
from fairseq_twostage.parsing.stages import ScoredStage, Sizes, build_model, dictionary_of
from tests.builders import naive_parser, only_words, paraphraser, teacher_forced_log_prob, tokens_of
from tests.ships import ROWS

LINES = ["the longest ship in port", "ship", "longest ship in port please the", "ship"]


def stage_of(model, beam=3):
    return ScoredStage(model.encoder, model.decoder, beam, LengthLimit(0.0, 6))


def test_the_best_is_that_of_fairseqs_search_where_that_is_patient_enough(ships):
    stage = ships.parse_stage
    model = NaiveParser(stage.encoder, stage.decoder)
    short = [canonical for _, canonical, form in ROWS if len(form.split()) < 20]
    tokens = tokens_of(model.encoder.dictionary, *short)
    expected = beam_search([model], model.decoder.dictionary, tokens, stage.beam, stage.limit)
    texts = [model.decoder.dictionary.string(found[0][0]) for found in expected]
    assert [found[0].text for found in stage(short)] == texts


def weights_of(stage):
    return {
        f"{part}.{name}": tensor
        for part in ("encoder", "decoder")
        for name, tensor in getattr(stage, part).state_dict().items()
    }


def test_scores_are_log_probabilities_per_token():
    model = naive_parser(scale=9.0)
    only_words(model.decoder)
    for line, found in zip(LINES, stage_of(model)(LINES)):
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


@pytest.mark.parametrize("options", [{}, {"no_attention_bias": True, "bottleneck_dim": 3}])
def test_a_model_is_rebuilt_from_its_sizes_and_weights(options):
    model = naive_parser(scale=9.0, **options)
    stage = stage_of(model)
    source, target = (
        dictionary_of(part.dictionary.symbols) for part in (model.encoder, model.decoder)
    )
    again = build_model(source, target, Sizes.of(model.encoder, model.decoder), weights_of(stage))
    assert not any(parameter.requires_grad for parameter in again.parameters())
    assert stage_of(again)(LINES) == stage(LINES)


def test_other_models_are_refused():
    model = paraphraser()
    with pytest.raises(UserError, match="Linear"):
        Sizes.of(torch.nn.Linear(1, 1), model.decoder("cf"))
    with pytest.raises(ValueError, match="dictionary"):
        dictionary_of(["a", "b", "c", "d", "e"])
