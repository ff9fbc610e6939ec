"""The language models: their network, and the log-probability of a sentence."""

import math

import pytest
import torch

from fairseq_twostage.models.sentences import shift_right
from tests.builders import NATURAL, dictionary_of, language_model, tokens_of, widen

LINES = ["ship", "the longest ship in port please", "", "longest ship"]


@pytest.fixture
def words():
    return dictionary_of(NATURAL)


@pytest.fixture
def model(words):
    return language_model(words, scale=3.0)


def word_by_word(model, sentence):
    """``log P``, each word predicted from an LSTM over all words before it, from zero."""
    decoder = model.decoder
    prefix, total = [decoder.dictionary.eos()], 0.0
    for word in sentence:
        states, _ = decoder.lstm(decoder.embedding.weight[prefix].unsqueeze(0))
        logits = decoder.output(states[0, -1])
        total += torch.log_softmax(logits, dim=0)[word].item()
        prefix.append(word)
    return total


def test_sentences_are_scored_word_by_word_with_their_end(model, words):
    tokens = tokens_of(words, *LINES)
    expected = [
        word_by_word(model, words.encode_line(line, add_if_not_exist=False).tolist())
        for line in LINES
    ]
    assert model.sentence_log_probs(tokens).tolist() == pytest.approx(expected, rel=1e-5)


def test_an_even_model_gives_every_word_the_same_probability(words):
    model = language_model(words, scale=0.0)
    even = -math.log(len(words))
    scored = model.sentence_log_probs(tokens_of(words, "the ship", ""))
    assert scored.tolist() == pytest.approx([3 * even, even])


def test_padding_and_the_rest_of_the_batch_do_not_matter(model, words):
    tokens = tokens_of(words, *LINES)
    scored = model.sentence_log_probs(tokens)
    torch.testing.assert_close(model.sentence_log_probs(widen(tokens, 4, words.pad())), scored)
    alone = torch.cat([model.sentence_log_probs(tokens_of(words, line)) for line in LINES])
    torch.testing.assert_close(alone, scored)


def test_incremental_decoding_equals_the_whole_prefix(model, words):
    prefix = shift_right(tokens_of(words, LINES[1], "ship in the port please the"), words.eos())
    whole, _ = model(prefix)
    incremental_state = {}
    for length in range(1, 4):
        step, _ = model(prefix[:, :length], incremental_state=incremental_state)
        torch.testing.assert_close(step[:, 0], whole[:, length - 1])
    order = torch.tensor([1, 1, 0])
    model.decoder.reorder_incremental_state_scripting(incremental_state, order)
    step, _ = model(prefix[order, :4], incremental_state=incremental_state)
    torch.testing.assert_close(step[:, 0], whole[order, 3])


def test_dropout_is_between_the_layers(words):
    decoder = language_model(words, dropout=0.5).decoder.train()
    seen = []
    decoder.dropout.register_forward_hook(lambda _, inputs, __: seen.append(inputs[0].size(-1)))
    decoder(tokens_of(words, "the ship"))
    assert seen == [4, 5]


def test_word_vectors_come_from_the_data_bin_above_the_lm_folder(tmp_path, words):
    (tmp_path / "embeddings.txt").write_text("1 4\nship 1 2 3 4\n")
    model = language_model(words, embeddings="auto", double=False, data=str(tmp_path / "lm.nl"))
    assert model.decoder.embedding.weight[words.index("ship")].tolist() == [1, 2, 3, 4]
