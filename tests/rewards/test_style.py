"""Style: what the classifier says, turned round for natural samples."""

import math

import pytest
import torch

from fairseq_twostage.decoding.samples import Inputs, Samples
from fairseq_twostage.rewards.style import Style
from tests.builders import dictionaries, paraphraser, style_cnn, tokens_of


def judge(style, side, *lines):
    words = dictionaries()
    rows = torch.arange(len(lines))
    samples = Samples(side, tokens_of(words[side], *lines), rows, paraphraser())
    other = "cf" if side == "nl" else "nl"
    return style(Inputs(other, tokens_of(words["utterance"], *lines)), samples)


def test_probability_of_the_samples_own_side():
    classifier = style_cnn(dictionaries()["utterance"], scale=0.0).eval()
    with torch.no_grad():
        classifier.output.bias.fill_(math.log(0.8 / 0.2))  # canonical with probability 0.8
    assert judge(Style(classifier), "cf", "ship", "largest ship").tolist() == pytest.approx(
        [0.8] * 2
    )
    assert judge(Style(classifier), "nl", "ship", "please").tolist() == pytest.approx([0.2] * 2)


def test_the_classifier_reads_utterance_ids():
    words = dictionaries()["utterance"]
    classifier = style_cnn(words, scale=4.0).eval()
    for side, lines in (
        ("cf", ["largest ship", "in port"]),
        ("nl", ["please", "the longest ship"]),
    ):
        expected = torch.sigmoid(classifier(tokens_of(words, *lines)))
        values = judge(Style(classifier), side, *lines)
        torch.testing.assert_close(values, expected if side == "cf" else 1 - expected)
        assert not values.requires_grad
