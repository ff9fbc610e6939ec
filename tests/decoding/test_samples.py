"""Samples in the ids of those who judge them."""

import torch

from fairseq_twostage.decoding.samples import Samples
from tests.builders import dictionaries, paraphraser, texts, tokens_of


def test_models_read_samples_in_utterance_ids():
    words = dictionaries()
    for side, lines in (("cf", ["largest ship", "port"]), ("nl", ["please the port", "ship"])):
        tokens = tokens_of(words[side], *lines)
        samples = Samples(side, tokens, torch.tensor([0, 1]), paraphraser())
        assert torch.equal(samples.utterance_tokens, tokens_of(words["utterance"], *lines))
        assert not torch.equal(samples.utterance_tokens, tokens)
        assert texts(words["utterance"], samples.utterance_tokens) == lines
