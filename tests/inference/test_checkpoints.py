"""What a checkpoint holds is looked at before it is used."""

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.inference import checkpoints
from fairseq_twostage.inference.checkpoints import load_paraphraser, load_parser
from fairseq_twostage.tasks.data_bin import DataBin
from tests.builders import naive_parser, paraphraser, style_cnn, write_data_bin


@pytest.fixture(scope="module")
def data_bin(tmp_path_factory):
    return write_data_bin(tmp_path_factory.mktemp("checkpoints"))


@pytest.fixture
def loaded(data_bin, monkeypatch):
    """Load one of these models by either function; its kind, or the error."""
    folder = DataBin(str(data_bin))
    words = {side: folder.dictionary(side) for side in ("utterance", "nl", "cf", "lf")}
    source = words["utterance"]
    models = {
        "both directions": paraphraser(dictionary_by_side=words),
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


def test_paraphrasers(loaded):
    found = [loaded(load_paraphraser, name) for name in ("both directions", "x to z")]
    assert found == [True, True]
    assert loaded(load_paraphraser, "z to y") == (
        "--paraphraser: z to y writes no canonical utterances"
    )
    assert loaded(load_paraphraser, "style") == (
        "--paraphraser: style holds a StyleCNN, no paraphraser"
    )


def test_parsers(loaded):
    assert loaded(load_parser, "z to y") is True
    assert loaded(load_parser, "x to z") == "--parser: x to z writes no logical forms"
    for name, kind in (("both directions", "DualParaphraser"), ("style", "StyleCNN")):
        assert loaded(load_parser, name) == f"--parser: {name} holds a {kind}, no naive parser"
