"""What MultiTaskDae's batches hold."""

import numpy as np
import pytest
import torch

from fairseq_twostage.tasks.multitask_parsing import MultitaskParsingConfig, MultitaskParsingTask
from tests.builders import GEO_ROWS


def task_of(data_bin, **options):
    cfg = MultitaskParsingConfig(data=str(data_bin), **{"seed": 1} | options)
    task = MultitaskParsingTask.setup_task(cfg)
    task.load_dataset("train")
    return task


def text(words, tokens):
    return words.string(torch.as_tensor(tokens))


def test_an_epoch_visits_every_pair_and_every_utterance(data_bin):
    task = task_of(data_bin)
    dataset = task.datasets["train"]
    items = [dataset[index] for index in range(len(dataset))]
    pairs = {
        (text(task.words, item["pair"]["source"]), text(task.symbols, item["pair"]["target"]))
        for item in items
    }
    assert pairs == {(z, y) for _, z, y in GEO_ROWS}
    assert {text(task.words, item["tokens"]) for item in items} == {x for x, _, _ in GEO_ROWS}
    assert any(item["noised"].tolist() != item["tokens"].tolist() for item in items)


def test_pairs_and_utterances_have_orders_of_their_own_by_epoch(data_bin):
    dataset = task_of(data_bin).datasets["train"]
    seen = set()
    for epoch in range(1, 9):
        dataset.set_epoch(epoch)
        orders = dataset.pair_rows.tolist(), dataset.utterance_rows.tolist()
        assert sorted(orders[0]) == sorted(orders[1]) == list(range(5))
        seen.add(orders[0] == orders[1])
    assert False in seen
    dataset.set_epoch(3)
    first = [dataset[index]["noised"].tolist() for index in range(5)]
    dataset.set_epoch(4)
    dataset.set_epoch(3)
    assert [dataset[index]["noised"].tolist() for index in range(5)] == first


def test_the_shorter_corpus_goes_round(data_bin):
    dataset = task_of(data_bin).datasets["train"]
    dataset.utterances = dataset.utterances[:2]
    dataset.set_epoch(2)
    counts = np.bincount(dataset.utterance_rows)
    assert len(dataset) == 5 and sorted(counts) == [2, 3]


def test_a_batch_is_the_parsers_with_utterances_beside(data_bin):
    task = task_of(data_bin, no_drop=True, no_add=True, no_shuffle=True)
    dataset = task.datasets["train"]
    batch = dataset.collater([dataset[0], dataset[1]])
    assert batch["target"].shape[0] == batch["net_input"]["src_tokens"].shape[0] == 2
    assert batch["denoising"]["tokens"].equal(batch["denoising"]["noised"])
    assert dataset.collater([]) == {}


@pytest.mark.parametrize("split", ["train", "valid"])
def test_no_gold_row_is_opened(data_bin, opened, split):
    task = task_of(data_bin)
    task.load_dataset(split)
    assert opened and not [name for name in opened if "gold" in name or "test" in name]
    if split == "valid":
        assert "denoising" not in task.datasets[split].collater([task.datasets[split][0]])
