"""The sentence CNN against its windows written out."""

import pytest
import torch

from tests.builders import CANONICAL, NATURAL, dictionary_of, style_cnn, tokens_of, widen

LINES = ["ship", "", "the longest ship in port please", "ship whose length is largest in port"]


@pytest.fixture
def words():
    return dictionary_of(NATURAL, CANONICAL)


@pytest.fixture
def model(words):
    return style_cnn(words, scale=4.0)


def written_out(model, sentence):
    """Every window that touches the sentence, words beyond its ends being zero vectors."""
    vectors = [model.embedding.weight[word] for word in sentence]
    features = []
    for convolution in model.convolutions:
        weight, bias = convolution.weight, convolution.bias  # (maps, dim, width), (maps,)
        width = weight.size(2)
        windows = []
        for first in range(1 - width, len(vectors)):
            total = bias
            for offset in range(width):
                if 0 <= first + offset < len(vectors):
                    total = total + weight[:, :, offset] @ vectors[first + offset]
            windows.append(total.clamp(min=0))
        features.append(torch.stack(windows).max(dim=0).values)
    return model.output.weight[0] @ torch.cat(features) + model.output.bias[0]


def test_equals_its_windows_written_out(model, words):
    tokens = tokens_of(words, *LINES)
    logits = model(tokens)
    assert logits.shape == (4,)
    for row, line in enumerate(LINES):
        sentence = words.encode_line(line, add_if_not_exist=False).tolist()
        torch.testing.assert_close(logits[row], written_out(model, sentence))


def test_widths_and_numbers_of_maps_are_the_papers(model):
    shapes = [tuple(convolution.weight.shape) for convolution in model.convolutions]
    assert shapes == [(10, 4, 3), (20, 4, 4), (30, 4, 5)]
    assert model.output.weight.shape == (1, 60)


def test_padding_and_the_rest_of_the_batch_do_not_matter(model, words):
    tokens = tokens_of(words, *LINES)
    logits = model(tokens)
    torch.testing.assert_close(model(widen(tokens, 6, words.pad())), logits)
    alone = torch.cat([model(tokens_of(words, line)) for line in LINES])
    torch.testing.assert_close(alone, logits)


def test_probability_is_the_sigmoid_of_the_logit(model, words):
    tokens = tokens_of(words, *LINES)
    expected = 1 / (1 + torch.exp(-model(tokens)))
    torch.testing.assert_close(model.probability_canonical(tokens), expected)


def test_dropout_is_on_the_features_alone(words):
    model = style_cnn(words, dropout=1.0, scale=4.0).train()
    logits = model(tokens_of(words, *LINES))
    torch.testing.assert_close(logits, model.output.bias.expand(4))
