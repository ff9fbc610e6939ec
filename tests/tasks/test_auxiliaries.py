"""The frozen models of rewards and metric, each of the kind that its option names."""

from functools import partial

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.inference import checkpoints
from fairseq_twostage.tasks.auxiliaries import Auxiliaries
from fairseq_twostage.tasks.data_bin import DataBin
from tests.builders import naive_parser, style_cnn


@pytest.fixture
def loaded(data_bin, monkeypatch):
    """Whether this is the model that was asked for, or the error."""
    folder = DataBin(str(data_bin))
    words = {side: folder.dictionary(side) for side in ("utterance", "cf", "lf")}
    source = words["utterance"]
    models = {
        "x to z": naive_parser(source=source, target=words["cf"], target_lang="cf"),
        "z to y": naive_parser(source=source, target=words["lf"]),
        "style": style_cnn(source),
    }
    monkeypatch.setattr(checkpoints, "load_frozen", lambda path, *_: models[path])

    def loaded(load, name):
        try:
            return load(name, str(data_bin)) is models[name]
        except UserError as error:
            return str(error)

    return loaded


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
