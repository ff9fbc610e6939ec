"""Which utterances a batch brings, in which order, with which noise."""

import pickle
from collections import Counter

import numpy as np
import pytest
import torch

from fairseq_twostage.data.unpaired_dataset import Corpus, UnpairedDataset
from fairseq_twostage.noise.channels import noise_generator

PAD, EOS = 1, 2


def sentence(*words):
    return np.array([*words, EOS])


NATURAL = [sentence(*range(10, 11 + row)) for row in range(7)]  # of 1 … 7 words
CANONICAL = [sentence(30 + row, 40) for row in range(3)]
VARIABLES = [{"_x_": str(row)} for row in range(7)]


def shuffled(words, random):
    """Noise that is random enough to notice a change of its generator, and adds a word."""
    return [*random.permutation(words).tolist(), int(random.integers(100, 10**6))]


def build(seed=1, noised=False, **options):
    corpora = {"nl": Corpus(NATURAL, VARIABLES), "cf": Corpus(CANONICAL)}
    if noised:
        options |= {"noise": {"nl": shuffled, "cf": shuffled}, "noise_generator": noise_generator}
    return UnpairedDataset(corpora, PAD, seed, **options)


def rows(dataset, side):
    corpus = [tuple(s) for s in dataset.corpora[side].sentences]
    return [corpus.index(tuple(dataset[index][side]["tokens"])) for index in range(len(dataset))]


def noises(dataset):
    return [tuple(dataset[i][side]["noised"]) for i in range(len(dataset)) for side in ("nl", "cf")]


def test_an_epoch_visits_the_longer_side_once_and_the_shorter_one_evenly():
    dataset = build()
    assert len(dataset) == 7
    for epoch in range(1, 6):
        dataset.set_epoch(epoch)
        assert sorted(rows(dataset, "nl")) == list(range(7))
        shorter = rows(dataset, "cf")
        assert sorted(shorter[:3]) == sorted(shorter[3:6]) == [0, 1, 2]
        assert max(Counter(shorter).values()) == 3


def test_parts_of_a_side_are_drawn_by_their_shares():
    canonical = [sentence(30 + row) for row in range(20)]
    parts = [(np.arange(4), 0.75), (np.arange(4, 20), 0.25)]
    corpora = {"nl": Corpus(NATURAL), "cf": Corpus(canonical, parts=parts)}
    dataset = UnpairedDataset(corpora, PAD, 1)
    assert len(dataset) == 20
    drawn, orders = Counter(), set()
    for epoch in range(1, 41):
        dataset.set_epoch(epoch)
        found = rows(dataset, "cf")
        assert [row < 4 for row in found].count(True) == 15
        assert max(Counter(row for row in found if row >= 4).values()) == 1
        drawn.update(found)
        orders.add(tuple(found))
    assert len(drawn) == 20 and len(orders) == 40
    assert [row < 4 for row in found] != sorted((row < 4 for row in found), reverse=True)
    again = UnpairedDataset(corpora, PAD, 1)
    again.set_epoch(40)
    assert rows(again, "cf") == found
    still = UnpairedDataset({**corpora}, PAD, 1, shuffle=False)
    assert [row for row in still.rows["cf"]] == list(range(20))


def test_each_round_and_each_epoch_has_an_order_of_its_own():
    dataset = build()
    orders, rounds = [], []
    for epoch in range(1, 7):
        dataset.set_epoch(epoch)
        orders.append(tuple(rows(dataset, "nl")))
        shorter = rows(dataset, "cf")
        rounds.append(shorter[:3] != shorter[3:6])
    assert len(set(orders)) == 6
    assert any(rounds)


def test_sides_are_shuffled_independently():
    corpora = {side: Corpus([sentence(10 + row) for row in range(50)]) for side in ("nl", "cf")}
    dataset = UnpairedDataset(corpora, PAD, 1)
    together = sum(a == b for a, b in zip(rows(dataset, "nl"), rows(dataset, "cf")))
    assert together < 10


def test_order_depends_on_seed_and_epoch_alone():
    resumed, visited = build(seed=3), build(seed=3)
    for epoch in (2, 5, 4):
        visited.set_epoch(epoch)
    resumed.set_epoch(4)
    for side in ("nl", "cf"):
        assert rows(resumed, side) == rows(visited, side)
    other = build(seed=4)
    other.set_epoch(4)
    assert rows(other, "nl") != rows(resumed, "nl")
    assert not resumed.can_reuse_epoch_itr_across_epochs
    assert resumed.ordered_indices().tolist() == list(range(7))


def test_noise_depends_on_seed_epoch_and_index_alone():
    first, second = build(noised=True), build(noised=True)
    expected = noises(first)
    assert noises(first) == expected  # a second visit within the epoch
    backwards = [second[i] for i in reversed(range(7))]
    assert tuple(backwards[-1]["nl"]["noised"]) == expected[0]
    in_a_worker = pickle.loads(pickle.dumps(second))
    assert noises(in_a_worker) == expected
    first.set_epoch(2)
    second.set_epoch(2)
    assert noises(first) == noises(second)
    assert not set(noises(first)) & set(expected)
    assert not set(noises(build(seed=2, noised=True))) & set(expected)


def test_a_sentence_that_comes_again_has_other_noise():
    dataset = build(noised=True)
    found = {}
    for index in range(7):
        entry = dataset[index]["cf"]
        found.setdefault(tuple(entry["tokens"]), []).append(tuple(entry["noised"]))
    assert all(len(set(visits)) == len(visits) >= 2 for visits in found.values())


def test_noise_sees_the_words_without_their_end():
    item = build(noised=True)[0]["nl"]
    *words, added, end = item["noised"].tolist()
    assert sorted(words) == item["tokens"][:-1].tolist()
    assert added >= 100
    assert end == EOS


def test_noise_matches_the_side():
    def keep(words, random):
        return words

    def repeat(words, random):
        return words * 2

    dataset = UnpairedDataset(
        {"nl": Corpus(NATURAL), "cf": Corpus(CANONICAL)},
        PAD,
        1,
        noise={"nl": keep, "cf": repeat},
        noise_generator=noise_generator,
    )
    item = dataset[0]
    assert item["nl"]["noised"].tolist() == item["nl"]["tokens"].tolist()
    words = item["cf"]["tokens"][:-1].tolist()
    assert item["cf"]["noised"].tolist() == [*words, *words, EOS]


def test_validation_keeps_the_order_and_repeats_nothing():
    dataset = build(shuffle=False)
    for epoch in (1, 2):
        dataset.set_epoch(epoch)
        assert rows(dataset, "nl") == list(range(7))
        canonical = [dataset[i]["cf"]["tokens"].tolist() for i in range(7) if "cf" in dataset[i]]
        assert canonical == [s.tolist() for s in CANONICAL]
    assert "noised" not in dataset[0]["nl"]
    batch = dataset.collater([dataset[index] for index in (2, 3)])
    assert batch["cf"]["tokens"].tolist() == [CANONICAL[2].tolist()]
    assert batch["nsentences"] == 3
    assert "cf" not in dataset.collater([dataset[3], dataset[4]])


def test_a_batch_is_padded_on_the_right_and_counted():
    dataset = build(noised=True)
    items = [dataset[index] for index in (0, 4, 5)]
    batch = dataset.collater(items)
    assert batch["id"].tolist() == [0, 4, 5]
    for side in ("nl", "cf"):
        for key in ("tokens", "noised"):
            for row, item in zip(batch[side][key].tolist(), items):
                expected = item[side][key].tolist()
                assert row == expected + [PAD] * (len(row) - len(expected))
            lengths = [len(item[side][key]) for item in items]
            assert batch[side][key].shape == (3, max(lengths))
            assert batch[side][key].dtype == torch.int64
    assert batch["nl"]["variables"] == [item["nl"]["variables"] for item in items]
    assert "variables" not in batch["cf"]
    assert batch["nsentences"] == 6
    assert batch["ntokens"] == sum(len(item[s]["tokens"]) for item in items for s in ("nl", "cf"))
    assert dataset.collater([]) == {}


def test_variables_travel_with_their_utterance():
    dataset = build()
    for index in range(7):
        entry = dataset[index]["nl"]
        row = len(entry["tokens"]) - 2  # sentence ``row`` has ``row + 1`` words
        assert entry["variables"] == VARIABLES[row]


def test_labelled_pairs_come_with_every_item_and_stay_pairs():
    pairs = [(sentence(50 + k), sentence(60 + k, 60 + k)) for k in range(2)]
    dataset = build(labelled=pairs)
    batch = dataset.collater([dataset[index] for index in range(7)])
    natural, canonical = (batch["labelled"][side] for side in ("nl", "cf"))
    assert natural.shape == (7, 2)
    assert canonical.shape == (7, 3)
    assert (canonical[:, 0] - natural[:, 0]).tolist() == [10] * 7
    assert set(Counter(natural[:, 0].tolist()).values()) == {3, 4}
    assert batch["nsentences"] == 14
    assert "labelled" not in build().collater([build()[0]])


def test_pseudo_pairs_come_with_their_weights_and_stay_pairs():
    pairs = [(sentence(50 + k), sentence(60 + k, 60 + k), 0.5 + k) for k in range(2)]
    dataset = build(pseudo_pairs=pairs)
    batch = dataset.collater([dataset[index] for index in range(7)])["pseudo_pairs"]
    firsts = batch["nl"][:, 0], batch["cf"][:, 0]
    assert (firsts[1] - firsts[0]).tolist() == [10] * 7
    assert batch["weight"].tolist() == [first - 49.5 for first in firsts[0].tolist()]
    assert set(Counter(firsts[0].tolist()).values()) == {3, 4}
    assert "pseudo_pairs" not in build().collater([build()[0]])


@pytest.mark.parametrize("shuffle", [True, False])
def test_size_is_that_of_the_longest_side(shuffle):
    dataset = build(shuffle=shuffle)
    for index in range(7):
        item = dataset[index]
        expected = max(len(item[side]["tokens"]) for side in ("nl", "cf") if side in item)
        assert dataset.size(index) == dataset.num_tokens(index) == expected
