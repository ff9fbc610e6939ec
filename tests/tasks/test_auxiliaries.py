"""The frozen models of rewards and metric, each of the kind that its option names."""

from functools import partial

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.tasks.auxiliaries import Auxiliaries


def test_the_models_of_rewards_and_metric(loaded):
    def load(name, data, *, ask, option):
        return ask(Auxiliaries(data, {option: name}))

    style = partial(load, ask=Auxiliaries.style_classifier, option="style")
    fluency = partial(load, ask=lambda models: models.language_model("nl"), option="lm_nl")
    parses = partial(load, ask=lambda models: models.parses().parser, option="parser")
    assert loaded(style, "style") is True
    assert loaded(parses, "z to y") is True
    assert loaded(style, "z to y") == "--style: z to y holds a NaiveParser, no style classifier"
    assert loaded(fluency, "style") == "--lm-nl: style holds a StyleCNN, no language model"
    assert loaded(parses, "x to z") == "--parser: x to z writes no logical forms"


def test_a_model_that_is_needed_and_not_given():
    with pytest.raises(UserError, match="--lm-cf: needed by the rewards or the metric"):
        Auxiliaries("data-bin", {}).language_model("cf")
