"""Additive attention against the textbook formula, one position at a time."""

import math

import pytest
import torch

from fairseq_twostage.models.attention import AdditiveAttention


def textbook(attention, query, values, lengths):
    """``u_i = vᵀ tanh(W_h h_i + W_s s_t + b_a)`` in plain loops over numbers."""
    w_h = attention.project_keys.weight.tolist()
    w_s = attention.project_query.weight.tolist()
    bias = attention.project_query.bias
    b_a = [0.0] * len(w_s) if bias is None else bias.tolist()
    v = attention.score.weight[0].tolist()
    contexts, weights = [], []
    for s, hs, length in zip(query.tolist(), values.tolist(), lengths):
        scores = [
            sum(
                v_j * math.tanh(dot(row_h, h) + dot(row_s, s) + b_j)
                for v_j, row_h, row_s, b_j in zip(v, w_h, w_s, b_a)
            )
            for h in hs[:length]
        ]
        exponentials = [math.exp(score) for score in scores]
        shares = [value / sum(exponentials) for value in exponentials]
        weights.append(shares + [0.0] * (len(hs) - length))
        contexts.append([dot(shares, column) for column in zip(*hs[:length])])
    return (torch.tensor(table, dtype=torch.float64) for table in (contexts, weights))


def dot(left, right):
    return sum(a * b for a, b in zip(left, right))


def build(bias):
    torch.manual_seed(5)
    attention = AdditiveAttention(encoder_dim=6, decoder_dim=4, attention_dim=3, bias=bias)
    with torch.no_grad():
        for parameter in attention.parameters():
            parameter.normal_(std=2.0)
    return attention.double(), torch.randn(3, 2, 4).double(), torch.randn(3, 5, 6).double()


@pytest.mark.parametrize("bias", [True, False])
def test_equals_the_textbook_formula(bias):
    attention, query, values = build(bias)
    lengths = [5, 3, 1]
    padding = torch.arange(5).unsqueeze(0) >= torch.tensor(lengths).unsqueeze(1)
    contexts, weights = attention(query, attention.memory(values, padding))
    assert contexts.shape == (3, 2, 6)
    assert weights.shape == (3, 2, 5)
    for step in range(2):
        context, shares = textbook(attention, query[:, step], values, lengths)
        torch.testing.assert_close(contexts[:, step], context, rtol=0, atol=1e-12)
        torch.testing.assert_close(weights[:, step], shares, rtol=0, atol=1e-12)
    assert (weights.masked_select(padding.unsqueeze(1).expand_as(weights)) == 0).all()


def test_what_stands_in_the_padding_does_not_matter():
    attention, query, values = build(True)
    padding = torch.tensor([[False] * 3 + [True] * 2] * 3)
    contexts, _ = attention(query, attention.memory(values, padding))
    changed = values.clone()
    changed[:, 3:] = 1e6
    torch.testing.assert_close(attention(query, attention.memory(changed, padding))[0], contexts)


def test_rows_of_a_memory_are_attended_to_as_the_rows_themselves():
    attention, query, values = build(True)
    padding = torch.tensor(
        [[False] * 4 + [True], [False] * 3 + [True] * 2, [False] * 3 + [True] * 2]
    )
    memory = attention.memory(values, padding)
    rows = torch.tensor([2, 0, 2])
    torch.testing.assert_close(
        attention(query[rows], memory.select(rows))[0], attention(query, memory)[0][rows]
    )
    short = torch.tensor([1, 2])
    contexts, weights = attention(query[short], memory.select(short).shorten(3))
    assert weights.size(2) == 3
    torch.testing.assert_close(contexts, attention(query, memory)[0][short])
