"""Labelled pairs, and guessed ones by their weights, in both directions."""

import pytest
import torch

from fairseq_twostage.criterions.supervised import PseudoPairs, Supervised
from tests.builders import paraphraser, teacher_forced_log_prob, tokens_of, touched, unpaired_batch

PAIRS = {
    "nl": ["the longest ship", "please in port"],
    "cf": ["ship whose length is largest", "port"],
}
KINDS = [(Supervised(), "labelled", [1.0, 1.0]), (PseudoPairs(), "pseudo_pairs", [0.25, 0.875])]


def batch_with(words, name, weights):
    pairs = {side: tokens_of(words["utterance"], *lines) for side, lines in PAIRS.items()}
    if name == "pseudo_pairs":
        pairs["weight"] = torch.tensor(weights)
    return unpaired_batch(words["utterance"], natural=["port"], **{name: pairs})


@pytest.mark.parametrize("objective, name, weights", KINDS)
def test_loss_is_that_of_the_pairs_in_both_directions(words, objective, name, weights):
    model = paraphraser(scale=3.0)
    output = objective(model, batch_with(words, name, weights))
    expected = {}
    for source, target in (("nl", "cf"), ("cf", "nl")):
        total = 0.0
        for line, other, weight in zip(PAIRS[source], PAIRS[target], weights):
            memory = model.memory(tokens_of(words["utterance"], line), target)
            sentence = words[target].encode_line(other, add_if_not_exist=False).tolist()
            log_prob = teacher_forced_log_prob(model.decoder(target), memory, sentence)
            total -= weight * log_prob.item()
        expected[f"{objective.name}_{source}_{target}"] = (pytest.approx(total), 2)
    assert {name: (mean.total, mean.count) for name, mean in output.logs.items()} == expected
    assert output.loss.item() == pytest.approx(sum(m.total for m in output.logs.values()))
    output.loss.backward()
    assert all(touched(module) for module in (*model.decoders.values(), model.encoder("nl")))


@pytest.mark.parametrize("objective, name, weights", KINDS)
def test_a_batch_without_pairs_logs_the_same_names(words, objective, name, weights):
    model = paraphraser()
    output = objective(model, unpaired_batch(words["utterance"], natural=["port"]))
    output.loss.backward()
    assert output.loss.item() == 0
    assert set(output.logs) == set(objective(model, batch_with(words, name, weights)).logs)
    assert all(mean.count == 0 for mean in output.logs.values())
