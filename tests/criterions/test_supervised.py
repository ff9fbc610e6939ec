"""Labelled pairs in both directions."""

import pytest

from fairseq_twostage.criterions.supervised import Supervised
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


@pytest.fixture
def words():
    return dictionaries()


def labelled_batch(words):
    pairs = {side: tokens_of(words["utterance"], *lines) for side, lines in PAIRS.items()}
    return unpaired_batch(words["utterance"], natural=["port"], labelled=pairs)


def test_loss_is_that_of_the_pairs_in_both_directions(words):
    model = paraphraser(scale=3.0)
    output = Supervised()(model, labelled_batch(words))
    expected = {}
    for source, target in (("nl", "cf"), ("cf", "nl")):
        total = 0.0
        for line, other in zip(PAIRS[source], PAIRS[target]):
            memory = model.memory(tokens_of(words["utterance"], line), target)
            sentence = words[target].encode_line(other, add_if_not_exist=False).tolist()
            total -= teacher_forced_log_prob(model.decoder(target), memory, sentence).item()
        expected[f"supervised_{source}_{target}"] = (pytest.approx(total), 2)
    assert {name: (mean.total, mean.count) for name, mean in output.logs.items()} == expected
    assert output.loss.item() == pytest.approx(sum(m.total for m in output.logs.values()))
    output.loss.backward()
    assert all(touched(module) for module in (*model.decoders.values(), model.encoder("nl")))


def test_a_batch_without_pairs_logs_the_same_names(words):
    model = paraphraser()
    output = Supervised()(model, unpaired_batch(words["utterance"], natural=["port"]))
    output.loss.backward()
    assert output.loss.item() == 0
    assert set(output.logs) == set(Supervised()(model, labelled_batch(words)).logs)
    assert all(mean.count == 0 for mean in output.logs.values())
