"""A model rebuilt; a rebuilt model's stage against fairseq's own search."""

import pytest
import torch

from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.decoding.stage import BeamStage
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.plain_models import Sizes, build_model
from fairseq_twostage.models.contextual_parser import ContextualEmbedding
from fairseq_twostage.models.naive_parser import NaiveParser
from fairseq_twostage.models.vocabulary import Vocabulary
from tests.builders import beam_search, naive_parser, paraphraser, tokens_of
from tests.ships import ROWS

LINES = ["the longest ship in port", "ship", "longest ship in port please the", "ship"]


def stage_of(model):
    return BeamStage(model.encoder, model.decoder, 3, LengthLimit(0.0, 6))


def test_the_best_is_that_of_fairseqs_search_where_that_is_patient_enough(ships):
    stage = ships.second
    model = NaiveParser(stage.encoder, stage.decoder)
    short = [canonical for _, canonical, form in ROWS if len(form.split()) < 20]
    tokens = tokens_of(model.encoder.dictionary, *short)
    expected = beam_search([model], model.decoder.dictionary, tokens, stage.beam, stage.limit)
    texts = [model.decoder.dictionary.string(found[0][0]) for found in expected]
    assert [found[0] for found in stage(short)] == texts


def weights_of(stage):
    return {
        f"{part}.{name}": tensor
        for part in ("encoder", "decoder")
        for name, tensor in getattr(stage, part).state_dict().items()
    }


@pytest.mark.parametrize("options", [{}, {"no_attention_bias": True, "bottleneck_dim": 3}])
def test_a_model_is_rebuilt_from_its_sizes_and_weights(options):
    model = naive_parser(scale=9.0, **options)
    stage = stage_of(model)
    source, target = (
        Vocabulary.of(part.dictionary.symbols) for part in (model.encoder, model.decoder)
    )
    again = build_model(source, target, Sizes.of(model.encoder, model.decoder), weights_of(stage))
    assert not any(parameter.requires_grad for parameter in again.parameters())
    assert stage_of(again).scored(LINES) == stage.scored(LINES)


class Unasked:
    """A frozen encoder of the width of the word embeddings."""

    dim = 4

    def token_states(self, sentences):
        raise AssertionError


def test_other_models_are_refused():
    model = paraphraser()
    with pytest.raises(UserError, match="Linear"):
        Sizes.of(torch.nn.Linear(1, 1), model.decoder("cf"))
    contextual = naive_parser()
    contextual.encoder.embedding = ContextualEmbedding(Unasked(), contextual.encoder.dictionary)
    with pytest.raises(UserError, match="ContextualEmbedding"):
        Sizes.of(contextual.encoder, contextual.decoder)
