"""The decoder against its equations, and its ways of running against each other."""

import math

import pytest
import torch

from fairseq_twostage.models.initialization import initialize_uniform, word_embedding
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.naive_parser import AttentionalLSTMConfig, build_decoder
from tests.builders import CANONICAL, dictionary_of, widen

LENGTHS = [4, 2, 3]


@pytest.fixture
def words():
    return dictionary_of(CANONICAL)


def build(words, dropout=0.0, bias=True, bottleneck=0, bottleneck_dropout=True):
    torch.manual_seed(7)
    decoder = AttentionalLSTMDecoder(
        words, word_embedding(words, 4), 5, 6, dropout, bias, bottleneck, bottleneck_dropout
    ).double()
    initialize_uniform(decoder, 1.0)
    return decoder


def source(decoder):
    """Three encoded inputs as an encoder hands them over."""
    torch.manual_seed(8)
    padding = torch.arange(4).unsqueeze(0) >= torch.tensor(LENGTHS).unsqueeze(1)
    states = torch.randn(3, 4, 6).double().masked_fill(padding.unsqueeze(2), 0.0)
    return {"encoder_out": [states], "encoder_padding_mask": [padding]}


def prefixes(words):
    torch.manual_seed(9)
    prefix = torch.randint(words.nspecial, len(words), (3, 5))
    prefix[:, 0] = words.eos()
    return prefix


def textbook(decoder, states, prefix):
    """One input, one prefix: the paper's equations with an LSTM written out (gates i f g o)."""
    lstm, attention = decoder.lstm, decoder.attention
    hidden = cell = torch.zeros(5).double()
    rows = []
    for word in prefix:
        embedded = decoder.embedding.weight[word]
        gates = lstm.weight_ih_l0 @ embedded + lstm.bias_ih_l0
        gates = gates + lstm.weight_hh_l0 @ hidden + lstm.bias_hh_l0
        i, f, g, o = gates.split(5)
        cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
        hidden = torch.sigmoid(o) * torch.tanh(cell)
        projected = attention.project_query.weight @ hidden
        if attention.project_query.bias is not None:
            projected = projected + attention.project_query.bias
        keys = [attention.project_keys.weight @ h for h in states]
        scores = [(attention.score.weight[0] @ torch.tanh(k + projected)).item() for k in keys]
        total = sum(math.exp(score) for score in scores)
        context = sum(math.exp(score) / total * h for score, h in zip(scores, states))
        features = torch.cat([hidden, context])
        if decoder.bottleneck is not None:
            features = decoder.bottleneck.weight @ features + decoder.bottleneck.bias
        rows.append(decoder.output.weight @ features + decoder.output.bias)
    return torch.stack(rows)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("bottleneck", [0, 3])
def test_teacher_forcing_equals_the_equations(words, bias, bottleneck):
    decoder = build(words, bias=bias, bottleneck=bottleneck)
    encoded, prefix = source(decoder), prefixes(words)
    logits, _ = decoder.teacher_forced(prefix, decoder.memory(encoded))
    assert logits.shape == (3, 5, len(words))
    for row, length in enumerate(LENGTHS):
        expected = textbook(decoder, encoded["encoder_out"][0][row, :length], prefix[row])
        torch.testing.assert_close(logits[row], expected, rtol=0, atol=1e-10)


def test_bottleneck_and_bias_are_parameters_or_absent(words):
    names = set(build(words, bias=False).state_dict())
    with_both = set(build(words, bias=True, bottleneck=3).state_dict())
    assert with_both - names == {
        "bottleneck.weight",
        "bottleneck.bias",
        "attention.project_query.bias",
    }
    assert build(words, bottleneck=3).output.weight.shape == (len(words), 3)
    assert build(words).output.weight.shape == (len(words), 11)


@pytest.mark.parametrize("bottleneck", [0, 3])
def test_word_by_word_equals_teacher_forcing(words, bottleneck):
    decoder = build(words, bottleneck=bottleneck)
    memory, prefix = decoder.memory(source(decoder)), prefixes(words)
    expected, expected_weights = decoder.teacher_forced(prefix, memory)
    state = decoder.initial_state(3)
    for position in range(5):
        logits, weights, state = decoder.step(prefix[:, position], state, memory)
        torch.testing.assert_close(logits, expected[:, position])
        torch.testing.assert_close(weights, expected_weights[:, position])


def test_padding_and_the_rest_of_the_batch_do_not_matter(words):
    decoder = build(words)
    encoded, prefix = source(decoder), prefixes(words)
    logits, _ = decoder.teacher_forced(prefix, decoder.memory(encoded))
    wider, _ = decoder.teacher_forced(widen(prefix, 2, words.pad()), decoder.memory(encoded))
    torch.testing.assert_close(wider[:, :5], logits)
    for row, length in enumerate(LENGTHS):
        memory = decoder.memory(encoded).select(torch.tensor([row])).shorten(length)
        alone, _ = decoder.teacher_forced(prefix[row : row + 1], memory)
        torch.testing.assert_close(alone[0], logits[row])


@pytest.mark.parametrize(
    "options, widths",
    [
        ({}, [4, 11]),
        ({"bottleneck": 3}, [4, 11, 3]),
        ({"bottleneck": 3, "bottleneck_dropout": False}, [4, 3]),
    ],
)
def test_dropout_is_on_the_prefix_and_before_each_layer_above(words, options, widths):
    decoder = build(words, dropout=0.5, **options).train()
    seen = []
    decoder.dropout.register_forward_hook(lambda _, inputs, __: seen.append(inputs[0].size(-1)))
    memory = decoder.memory(source(decoder))
    decoder.teacher_forced(prefixes(words), memory)
    decoder.step(torch.full((3,), words.eos()), decoder.initial_state(3), memory)
    assert seen == widths * 2


@pytest.mark.parametrize("left_out", [False, True])
def test_dropout_before_the_bottleneck_is_an_option(words, left_out):
    cfg = AttentionalLSTMConfig(bottleneck_dim=3, no_bottleneck_dropout=left_out)
    assert build_decoder(cfg, words, 6).bottleneck_dropout is not left_out


def test_with_everything_dropped_only_the_output_bias_is_left(words):
    decoder = build(words, dropout=1.0).train()
    logits, _ = decoder.teacher_forced(prefixes(words), decoder.memory(source(decoder)))
    torch.testing.assert_close(logits, decoder.output.bias.expand_as(logits))
