"""Fluency under language models whose probabilities are known."""

import math

import pytest
import torch

from fairseq_twostage.decoding.samples import Inputs, Samples
from fairseq_twostage.rewards.fluency import Fluency
from tests.builders import dictionaries, dictionary_of, language_model, paraphraser, tokens_of

UNIGRAMS = {
    "nl": {"ship": 0.5, "please": 0.125, "</s>": 0.25},
    "cf": {"ship": 0.25, "largest": 0.0625, "</s>": 0.5},
}


def unigram_model(words, probabilities):
    """A language model that gives each word its probability, whatever stands before it."""
    model = language_model(words, scale=0.0, double=False)
    rest = (1 - sum(probabilities.values())) / (len(words) - len(probabilities))
    with torch.no_grad():
        for index, word in enumerate(words.symbols):
            model.decoder.output.bias[index] = math.log(probabilities.get(word, rest))
    return model.eval()


@pytest.mark.parametrize(
    "side, lines, values",
    [
        ("nl", ["please ship", "ship", ""], [0.125 * 0.5 * 0.25, 0.5 * 0.25, 0.25]),
        ("cf", ["ship ship ship", "largest"], [0.25**3 * 0.5, 0.0625 * 0.5]),
    ],
)
def test_mean_log_probability_of_words_and_end(side, lines, values):
    words = dictionaries()
    # The language models number their words in another way than the decoders.
    lm_words = {
        "nl": dictionary_of("port", "please the longest ship in"),
        "cf": dictionary_of("in largest port", "ship whose length is"),
    }
    models = {key: unigram_model(lm_words[key], UNIGRAMS[key]) for key in ("nl", "cf")}
    fluency = Fluency(models, words)
    samples = Samples(
        side, tokens_of(words[side], *lines), torch.zeros(len(lines)).long(), paraphraser()
    )
    inputs = Inputs("cf" if side == "nl" else "nl", tokens_of(words["utterance"], "ship"))
    counts = [len(line.split()) + 1 for line in lines]
    expected = [math.log(value) / count for value, count in zip(values, counts)]
    assert fluency(inputs, samples).tolist() == pytest.approx(expected, rel=1e-5)


def test_words_before_matter_and_no_gradient_is_kept():
    words = dictionaries()
    models = {side: language_model(words[side], scale=3.0) for side in ("nl", "cf")}
    samples = Samples(
        "cf", tokens_of(words["cf"], "ship in", "in ship"), torch.tensor([0, 0]), paraphraser()
    )
    values = Fluency(models, words)(Inputs("nl", tokens_of(words["utterance"], "ship")), samples)
    expected = models["cf"].sentence_log_probs(samples.tokens) / 3
    torch.testing.assert_close(values, expected.detach())
    assert values[0] != values[1]
    assert not values.requires_grad
