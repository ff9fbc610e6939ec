"""Encoder and decoder as fairseq calls them, against the plain ones."""

import pytest
import torch

from fairseq_twostage.models.fairseq_adapters import FairseqBiLSTMEncoder, FairseqLSTMDecoder
from fairseq_twostage.models.initialization import initialize_uniform, word_embedding
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.lstm_encoder import BiLSTMEncoder
from tests.builders import NATURAL, dictionary_of, tokens_of

LINES = ["the ship", "the longest ship in port please", "ship", "longest ship in port"]


@pytest.fixture
def words():
    return dictionary_of(NATURAL)


def build_encoder(kind, words):
    torch.manual_seed(6)
    return kind(words, word_embedding(words, 4), hidden_dim=3, dropout=0.0).double()


def build_decoder(kind, words):
    torch.manual_seed(7)
    decoder = kind(words, word_embedding(words, 4), 5, 6, 0.0, bottleneck_dim=3).double()
    initialize_uniform(decoder, 1.0)
    return decoder.eval()


@pytest.fixture
def encoder(words):
    return build_encoder(FairseqBiLSTMEncoder, words)


def source(encoder):
    """Three encoded inputs."""
    return encoder(tokens_of(encoder.dictionary, *LINES[:3]))


def prefixes(words):
    torch.manual_seed(9)
    prefix = torch.randint(words.nspecial, len(words), (3, 5))
    prefix[:, 0] = words.eos()
    return prefix


@pytest.mark.parametrize(
    "build, plain, adapter",
    [
        (build_encoder, BiLSTMEncoder, FairseqBiLSTMEncoder),
        (build_decoder, AttentionalLSTMDecoder, FairseqLSTMDecoder),
    ],
)
def test_names_and_first_values_of_parameters_are_those_of_the_plain_module(
    words, build, plain, adapter
):
    expected, found = build(plain, words), build(adapter, words)
    assert list(found.state_dict()) == list(expected.state_dict())
    for name, value in expected.state_dict().items():
        assert torch.equal(found.state_dict()[name], value), name


def test_encoder_ignores_what_fairseq_hands_over_besides(encoder, words):
    tokens = tokens_of(words, *LINES)
    plain = build_encoder(BiLSTMEncoder, words)(tokens)
    found = encoder(tokens, src_lengths=tokens.ne(words.pad()).sum(dim=1), prev_output_tokens=None)
    for name in plain:
        assert torch.equal(found[name][0], plain[name][0])


def test_padding_on_the_left_equals_padding_on_the_right(encoder, words):
    right = encoder(tokens_of(words, *LINES))
    left = encoder(tokens_of(words, *LINES, left_pad=True))
    for name in right:
        assert torch.equal(left[name][0], right[name][0])


def test_rows_are_reordered(encoder, words):
    encoded = encoder(tokens_of(words, *LINES))
    order = torch.tensor([2, 2, 0])
    reordered = encoder.reorder_encoder_out(encoded, order)
    for name in encoded:
        assert torch.equal(reordered[name][0], encoded[name][0][order])


def test_incremental_decoding_equals_teacher_forcing(encoder, words):
    decoder = build_decoder(FairseqLSTMDecoder, words)
    encoded, prefix = source(encoder), prefixes(words)
    expected, _ = decoder(prefix, encoded)
    incremental_state = {}
    for length in range(1, 6):
        logits, extra = decoder(prefix[:, :length], encoded, incremental_state)
        assert logits.shape == (3, 1, len(words))
        assert extra["attn"][0].shape == (3, 1, 7)
        torch.testing.assert_close(logits[:, 0], expected[:, length - 1])


def test_incremental_state_follows_the_rows_of_a_beam(encoder, words):
    decoder = build_decoder(FairseqLSTMDecoder, words)
    encoded, prefix = source(encoder), prefixes(words)
    incremental_state = {}
    decoder(prefix[:, :1], encoded, incremental_state)
    decoder(prefix[:, :2], encoded, incremental_state)
    order = torch.tensor([2, 0, 0, 1])
    decoder.reorder_incremental_state_scripting(incremental_state, order)
    logits, _ = decoder(prefix[order, :3], encoded, incremental_state)
    expected, _ = decoder(prefix, encoded)
    torch.testing.assert_close(logits[:, 0], expected[order, 2])
