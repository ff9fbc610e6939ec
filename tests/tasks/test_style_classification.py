"""The classifier's data and loss."""

import math

import numpy as np
import pytest
import torch
from fairseq.logging import metrics

from fairseq_twostage.tasks.style_classification import (
    StyleClassificationConfig,
    StyleClassificationTask,
    StyleCriterion,
    StyleDataset,
)
from tests.builders import GEO_ROWS


def test_both_sides_with_their_labels(data_bin):
    task = StyleClassificationTask.setup_task(StyleClassificationConfig(data=str(data_bin), seed=1))
    task.load_dataset("train")
    dataset = task.datasets["train"]
    found = sorted((task.words.string(tokens), label) for tokens, label in dataset)
    expected = [(x, 0.0) for x, _, _ in GEO_ROWS] + [(z, 1.0) for _, z, _ in GEO_ROWS]
    assert found == sorted(expected)


def test_an_order_for_each_seed_and_epoch():
    sentences = [np.array([10 + row, 2]) for row in range(6)]
    datasets = [StyleDataset(sentences[:4], sentences[4:], 1, seed) for seed in (1, 1, 2)]
    orders = []
    for epoch in (1, 2, 3):
        for dataset in datasets:
            dataset.set_epoch(epoch)
            orders.append(tuple(dataset.ordered_indices()))
    assert all(sorted(order) == list(range(6)) for order in orders)
    assert orders[0::3] == orders[1::3]
    assert len(set(orders)) >= 4
    assert not datasets[0].can_reuse_epoch_itr_across_epochs


def test_a_batch_is_padded_on_the_right():
    dataset = StyleDataset([np.array([10, 11, 2])], [np.array([12, 2])], 1, seed=1)
    batch = dataset.collater([dataset[0], dataset[1]])
    assert batch["net_input"]["src_tokens"].tolist() == [[10, 11, 2], [12, 2, 1]]
    assert batch["target"].tolist() == [0.0, 1.0]
    assert (batch["nsentences"], batch["ntokens"]) == (2, 5)
    assert dataset.collater([]) == {}


def test_cross_entropy_and_accuracy():
    logits = torch.tensor([2.0, -1.0, 0.5])
    sample = {
        "net_input": {"src_tokens": None},
        "target": torch.tensor([1.0, 1.0, 0.0]),
        "nsentences": 3,
        "ntokens": 9,
    }
    loss, size, logs = StyleCriterion(None)(lambda src_tokens: logits, sample)
    probabilities = [1 / (1 + math.exp(-value)) for value in logits.tolist()]
    expected = -math.log(probabilities[0]) - math.log(probabilities[1])
    expected -= math.log(1 - probabilities[2])
    assert loss.item() == pytest.approx(expected)
    assert (size, logs["correct"], logs["sample_size"]) == (3, 1, 3)
    with metrics.aggregate() as meters:
        StyleCriterion.reduce_metrics([logs, {**logs, "correct": 3}])
    smoothed = meters.get_smoothed_values()
    assert smoothed["loss"] == pytest.approx(expected / 3, abs=1e-4)
    assert smoothed["accuracy"] == pytest.approx(100 * 4 / 6, abs=0.01)
