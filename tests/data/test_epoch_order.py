"""Rows in an order that every epoch draws anew."""

import numpy as np
import torch
from fairseq.data import LanguagePairDataset

from fairseq_twostage.data.epoch_order import EpochOrder
from tests.builders import dictionary_of

LENGTHS = [1, 2, 3, 4, 5, 6, 7, 8]


def dataset(rows, length, seed=1):
    """Pairs whose source has as many words as :data:`LENGTHS` says."""
    words = dictionary_of("a")
    sources = [torch.full((size,), words.index("a")) for size in LENGTHS]
    pairs = LanguagePairDataset(sources, LENGTHS, words, sources, LENGTHS, words)
    return EpochOrder(pairs, rows, length, seed)


def visited(found):
    return [found[i]["id"] for i in found.ordered_indices()]


def test_rows_go_round_and_each_comes_once_a_round():
    order = visited(dataset([5, 0, 2], 8))
    assert [sorted(order[at : at + 3]) for at in (0, 3)] == [[0, 2, 5], [0, 2, 5]]
    assert len(order) == 8 and set(order[6:]) < {0, 2, 5}


def test_epochs_and_seeds_have_orders_of_their_own():
    found = dataset(range(8), 8)
    epochs = []
    for epoch in (1, 2, 3, 1):
        found.set_epoch(epoch)
        epochs.append(visited(found))
    assert epochs[0] == epochs[3]  # a resumed run sees what an uninterrupted one sees
    assert len(set(map(tuple, epochs))) == 3
    assert all(sorted(order) == list(range(8)) for order in epochs)
    assert visited(dataset(range(8), 8, seed=2)) != epochs[0]
    assert not found.can_reuse_epoch_itr_across_epochs


def test_sizes_and_batches_are_of_the_row_that_is_visited():
    found = dataset([7, 3], 4)
    order = visited(found)
    assert [found.size(i) for i in range(4)] == [(LENGTHS[row], LENGTHS[row]) for row in order]
    assert [found.num_tokens(i) for i in range(4)] == [LENGTHS[row] for row in order]
    kept, left = found.filter_indices_by_size(found.ordered_indices(), (4, 4))
    assert [order[i] for i in kept] == [3, 3] and [order[i] for i in left] == [7, 7]
    batch = found.collater([found[i] for i in range(4)])
    np.testing.assert_array_equal(
        sorted(batch["net_input"]["src_lengths"].tolist()), sorted(LENGTHS[row] for row in order)
    )
