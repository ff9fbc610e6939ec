"""The encoder against torch's packed bidirectional LSTM with the same weights."""

import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from fairseq_twostage.models.initialization import word_embedding
from fairseq_twostage.models.lstm_encoder import BiLSTMEncoder, mirror_index
from tests.builders import NATURAL, dictionary_of, tokens_of, widen

LINES = ["the ship", "the longest ship in port please", "ship", "longest ship in port"]


@pytest.fixture
def words():
    return dictionary_of(NATURAL)


@pytest.fixture
def encoder(words):
    torch.manual_seed(6)
    return BiLSTMEncoder(words, word_embedding(words, 4), hidden_dim=3, dropout=0.0).double()


def packed(encoder, tokens):
    lstm = torch.nn.LSTM(4, 3, batch_first=True, bidirectional=True).double()
    weights = encoder.forward_lstm.state_dict() | {
        f"{name}_reverse": weight for name, weight in encoder.backward_lstm.state_dict().items()
    }
    lstm.load_state_dict(weights)
    lengths = tokens.ne(encoder.padding_idx).sum(dim=1)
    inputs = pack_padded_sequence(
        encoder.embedding(tokens), lengths, batch_first=True, enforce_sorted=False
    )
    return pad_packed_sequence(lstm(inputs)[0], batch_first=True)[0]


def test_equals_a_packed_bidirectional_lstm(encoder, words):
    tokens = tokens_of(words, *LINES)
    encoded = encoder(tokens)
    assert encoded["encoder_out"][0].shape == (4, 7, 6)
    torch.testing.assert_close(encoded["encoder_out"][0], packed(encoder, tokens))
    assert encoded["encoder_padding_mask"][0].tolist() == tokens.eq(words.pad()).tolist()


def test_rest_of_the_batch_and_further_padding_do_not_matter(encoder, words):
    tokens = tokens_of(words, *LINES)
    states = encoder(tokens)["encoder_out"][0]
    wider = encoder(widen(tokens, 3, words.pad()))["encoder_out"][0]
    torch.testing.assert_close(wider[:, :7], states)
    assert not wider[:, 7:].any()
    for row, line in enumerate(LINES):
        alone = encoder(tokens_of(words, line))["encoder_out"][0][0]
        torch.testing.assert_close(states[row, : len(alone)], alone)
        assert not states[row, len(alone) :].any()


def test_mirror_reverses_each_row_within_its_length():
    padding = torch.tensor([[False, False, False, True], [False, True, True, True]])
    index = mirror_index(padding)
    assert index.tolist() == [[2, 1, 0, 3], [0, 1, 2, 3]]


def test_dropout_is_on_the_embedded_words_alone(words):
    torch.manual_seed(6)
    encoder = BiLSTMEncoder(words, word_embedding(words, 4), hidden_dim=3, dropout=1.0).train()
    states = encoder(tokens_of(words, "the ship", "ship the"))["encoder_out"][0]
    # No word gets through, so both sentences look alike; states are not dropped.
    assert states.abs().min() > 0
    torch.testing.assert_close(states[0], states[1])
