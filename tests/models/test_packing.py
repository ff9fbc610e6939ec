"""Packed words against padded batches, and batches of like length against all others."""

import itertools

import pytest
import torch

from fairseq_twostage.models.packing import (
    attend_in_groups,
    repeat_sentences,
    split_by_length,
    written_words,
)
from fairseq_twostage.models.sentences import shift_right
from tests.builders import SOURCES, TARGETS, paraphraser, tokens_of


@pytest.fixture
def decoder():
    return paraphraser(scale=3.0).decoder("cf")


def by_sentence(written, sentence):
    chosen = written.sentences.eq(sentence)
    return written.words[chosen], written.states[chosen]


def test_words_and_states_are_those_of_the_padded_batch(words, decoder):
    target = tokens_of(words["cf"], *TARGETS)
    written = written_words(decoder, target)
    states = decoder.states(shift_right(target, words["cf"].eos()))
    assert len(written.words) == target.ne(words["cf"].pad()).sum()
    for sentence, line in enumerate(TARGETS):
        length = len(line.split()) + 1
        found_words, found_states = by_sentence(written, sentence)
        assert torch.equal(found_words, target[sentence, :length])
        torch.testing.assert_close(found_states, states[sentence, :length])


def test_repeated_sentences_are_as_if_written_again(words, decoder):
    target = tokens_of(words["cf"], *TARGETS)
    rows = torch.tensor([1, 4, 1, 0, 2])
    repeated = repeat_sentences(written_words(decoder, target), rows)
    again = written_words(decoder, target[rows])
    assert len(repeated.words) == len(again.words)
    for sentence in range(len(rows)):
        for found, expected in zip(by_sentence(repeated, sentence), by_sentence(again, sentence)):
            torch.testing.assert_close(found, expected)


def test_groups_attend_each_to_its_own_memory(words):
    model = paraphraser(scale=3.0)
    decoder = model.decoder("cf")
    memory = model.memory(tokens_of(words["utterance"], *SOURCES), "cf")
    torch.manual_seed(23)
    states = torch.randn(17, decoder.hidden_dim).double().requires_grad_()
    groups = torch.tensor([0, 2, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 2, 0, 0])  # none for 1
    weights = torch.randn(17, memory.values.size(2)).double()
    results = []
    one_by_one = [
        decoder.attention(states[i].view(1, 1, -1), memory.select(groups[i : i + 1]))[0][0, 0]
        for i in range(17)
    ]
    for contexts in (
        attend_in_groups(decoder.attention, states, groups, memory),
        torch.stack(one_by_one),
    ):
        parameters = [states, memory.values, memory.keys, *decoder.attention.parameters()]
        loss = (weights * contexts).sum()
        gradients = torch.autograd.grad(loss, parameters, retain_graph=True, allow_unused=True)
        results.append([contexts, *(g for g in gradients if g is not None)])
    assert len(results[0]) == len(results[1]) > 4
    for grouped, alone in zip(*results):
        torch.testing.assert_close(grouped, alone)


def cost(lengths, batches, call):
    return sum(len(rows) * int(lengths[rows].max()) + call for rows in batches)


@pytest.mark.parametrize("call", [0, 3, 8, 1000])
def test_no_other_split_in_order_of_length_is_cheaper(call):
    torch.manual_seed(24)
    lengths = torch.randint(1, 12, (9,))
    batches = split_by_length(lengths, call)
    together = torch.cat(batches)
    assert sorted(together.tolist()) == list(range(9))
    assert lengths[together].tolist() == sorted(lengths.tolist())
    order = lengths.argsort(stable=True)
    cheapest = min(
        cost(lengths, [order[a:b] for a, b in itertools.pairwise((0, *cuts, 9))], call)
        for count in range(9)
        for cuts in itertools.combinations(range(1, 9), count)
    )
    assert cost(lengths, batches, call) == cheapest


def test_nothing_is_split_into_nothing():
    assert split_by_length(torch.tensor([], dtype=torch.long)) == []
