"""Pseudo-pairs in both directions, by their weights."""

import pytest
import torch

from fairseq_twostage.criterions.supervised import PseudoPairs
from tests.builders import (
    dictionaries,
    paraphraser,
    teacher_forced_log_prob,
    tokens_of,
    touched,
    unpaired_batch,
)

PAIRS = {
    "nl": ["the longest ship", "please in port"],
    "cf": ["ship whose length is largest", "port"],
}
WEIGHTS = [0.25, 0.875]


@pytest.fixture
def words():
    return dictionaries()


def batch_with_pairs(words):
    pairs = {side: tokens_of(words["utterance"], *lines) for side, lines in PAIRS.items()}
    pairs["weight"] = torch.tensor(WEIGHTS)
    return unpaired_batch(words["utterance"], natural=["port"], pseudo_pairs=pairs)


def test_loss_is_that_of_the_pairs_in_both_directions(words):
    model = paraphraser(scale=3.0)
    output = PseudoPairs()(model, batch_with_pairs(words))
    expected = {}
    for source, target in (("nl", "cf"), ("cf", "nl")):
        total = 0.0
        for line, other, weight in zip(PAIRS[source], PAIRS[target], WEIGHTS):
            memory = model.memory(tokens_of(words["utterance"], line), target)
            sentence = words[target].encode_line(other, add_if_not_exist=False).tolist()
            log_prob = teacher_forced_log_prob(model.decoder(target), memory, sentence)
            total -= weight * log_prob.item()
        expected[f"pseudo_pairs_{source}_{target}"] = (pytest.approx(total), 2)
    assert {name: (mean.total, mean.count) for name, mean in output.logs.items()} == expected
    assert output.loss.item() == pytest.approx(sum(m.total for m in output.logs.values()))
    output.loss.backward()
    assert all(touched(module) for module in (*model.decoders.values(), model.encoder("nl")))


def test_a_batch_without_pairs_logs_the_same_names(words):
    model = paraphraser()
    output = PseudoPairs()(model, unpaired_batch(words["utterance"], natural=["port"]))
    output.loss.backward()
    assert output.loss.item() == 0
    assert set(output.logs) == set(PseudoPairs()(model, batch_with_pairs(words)).logs)
    assert all(mean.count == 0 for mean in output.logs.values())
