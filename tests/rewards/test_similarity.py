"""Cosine of input and sample, each sentence embedded once."""

import pytest
import torch

from fairseq_twostage.decoding.samples import Inputs, Samples
from fairseq_twostage.rewards.similarity import Similarity
from tests.builders import dictionaries, paraphraser, tokens_of

VECTORS = {
    "longest ship": [1.0, 0.0],
    "port": [0.0, 1.0],
    "ship whose length is largest": [0.8, 0.6],
    "in port": [-0.6, 0.8],
}


@pytest.mark.parametrize("capacity", [100, 4])
def test_cosine_with_the_samples_own_input(capacity):
    words, asked = dictionaries(), []

    def embed(texts):
        asked.extend(texts)
        return torch.tensor([VECTORS[text] for text in texts])

    reward = Similarity(embed, words["utterance"], capacity)
    inputs = Inputs("nl", tokens_of(words["utterance"], "longest ship", "port"))
    lines = ["ship whose length is largest", "in port", "in port"]
    samples = Samples("cf", tokens_of(words["cf"], *lines), torch.tensor([0, 0, 1]), paraphraser())
    expected = torch.tensor([0.8, -0.6, 0.8])
    torch.testing.assert_close(reward(inputs, samples), expected)
    assert sorted(asked) == sorted(VECTORS)
    torch.testing.assert_close(reward(inputs, samples), expected)
    assert len(asked) == len(VECTORS)  # remembered


def test_a_full_memory_is_forgotten():
    words = dictionaries()
    reward = Similarity(lambda texts: torch.ones(len(texts), 1), words["utterance"], 2)
    for line in ("longest ship", "port"):
        inputs = Inputs("nl", tokens_of(words["utterance"], line))
        samples = Samples("cf", tokens_of(words["cf"], "port"), torch.tensor([0]), paraphraser())
        assert reward(inputs, samples).tolist() == [1.0]
    assert len(reward.remembered) <= 2
