"""Values remembered by sentence."""

import pytest
import torch

from fairseq_twostage.rewards.memory import RememberedValues

PAD = 1


class Judge:
    """The sum of a sentence's ids; remembers which it was shown."""

    def __init__(self):
        self.shown = []

    def __call__(self, tokens):
        self.shown.append([[word for word in row if word != PAD] for row in tokens.tolist()])
        return tokens.masked_fill(tokens.eq(PAD), 0).sum(dim=1).double() / 10


def padded(*sentences, width):
    return torch.tensor([[*words, *[PAD] * (width - len(words))] for words in sentences])


def test_each_sentence_is_judged_once_whatever_its_padding():
    judge, values = Judge(), RememberedValues()
    first = values(padded([5, 2], [6, 7, 2], [5, 2], width=4), PAD, judge)
    assert first.tolist() == pytest.approx([0.7, 1.5, 0.7])
    assert first.dtype == torch.double
    again = values(padded([6, 7, 2], [9, 2], [5, 2], width=6), PAD, judge)
    assert again.tolist() == pytest.approx([1.5, 1.1, 0.7])
    assert values(padded([9, 2], width=2), PAD, judge).dtype == torch.double
    assert judge.shown == [[[5, 2], [6, 7, 2]], [[9, 2]]]


def test_a_full_memory_is_emptied_and_values_stay_right():
    judge, values = Judge(), RememberedValues(capacity=2)
    for sentences, expected in (
        ([[5, 2], [6, 2]], [0.7, 0.8]),
        ([[5, 2], [7, 2]], [0.7, 0.9]),
        ([[7, 2]], [0.9]),
    ):
        found = values(padded(*sentences, width=2), PAD, judge)
        assert found.tolist() == pytest.approx(expected)
    assert judge.shown == [[[5, 2], [6, 2]], [[5, 2], [7, 2]]]
