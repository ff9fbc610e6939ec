"""Dropout: against its definition, and torch's own where bytes do not do."""

import pytest
import torch

from fairseq_twostage.models.dropout import Dropout


@pytest.mark.parametrize("p", [0.5, 0.25])
def test_drops_each_element_with_probability_p_and_keeps_the_mean(p):
    torch.manual_seed(1)
    count = 80_000
    kept = Dropout(p)(torch.full((count,), 3.0))
    assert sorted(set(kept.tolist())) == pytest.approx([0.0, 3.0 / (1 - p)])
    spread = (p * (1 - p) / (count / 8)) ** 0.5
    # Every byte of the random numbers, the one with the sign among them.
    shares = kept.eq(0).double().view(-1, 8).mean(dim=0)
    assert ((shares - p).abs() < 4 * spread).all()


def test_neighbours_are_dropped_independently():
    torch.manual_seed(2)
    dropped = Dropout(0.5)(torch.ones(80_000)).eq(0).double() - 0.5
    for distance in range(1, 17):
        correlation = (dropped[distance:] * dropped[:-distance]).mean() / 0.25
        assert abs(correlation) < 4 / 80_000**0.5


def test_the_gradient_is_the_mask():
    torch.manual_seed(3)
    values = torch.randn(5, 7, dtype=torch.double, requires_grad=True)
    dropped = Dropout(0.5)(values)
    (gradient,) = torch.autograd.grad(dropped.sum(), values)
    assert set(gradient.flatten().tolist()) == {0.0, 2.0}
    torch.testing.assert_close(dropped, values * gradient)


def test_torchs_seed_decides():
    values = torch.randn(3, 11)
    results = []
    for seed in (4, 4, 5):
        torch.manual_seed(seed)
        results.append(Dropout(0.5)(values))
    assert results[0].equal(results[1])
    assert not results[0].equal(results[2])


@pytest.mark.parametrize("p", [0.3, 1e-12, 1.0])
def test_other_probabilities_are_torchs(p):
    values = torch.randn(4, 9)
    torch.manual_seed(6)
    expected = torch.nn.functional.dropout(values, p)
    torch.manual_seed(6)
    assert Dropout(p)(values).equal(expected)


@pytest.mark.parametrize("p", [0.0, 0.5])
def test_evaluation_drops_nothing(p):
    values = torch.randn(2, 3)
    assert Dropout(p).eval()(values).equal(values)


def test_nothing_in_nothing_out():
    assert Dropout(0.5)(torch.empty(0, 4)).shape == (0, 4)


def test_draws_on_the_inputs_device():
    with torch.device("meta"):
        assert Dropout(0.5)(torch.ones(3, device="cpu")).device.type == "cpu"
