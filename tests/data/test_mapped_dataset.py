"""Sentences in the ids of another dictionary."""

import torch
from fairseq.data import ListDataset

from fairseq_twostage.data.pairs import MappedDataset


def test_each_id_is_replaced():
    sentences = [torch.tensor([3, 0], dtype=torch.int32), torch.tensor([1, 1, 2])]
    dataset = MappedDataset(ListDataset(sentences, [2, 3]), torch.tensor([10, 11, 12, 13]))
    assert len(dataset) == 2
    assert [row.tolist() for row in dataset] == [[13, 10], [11, 11, 12]]
    assert list(dataset.sizes) == [2, 3]
