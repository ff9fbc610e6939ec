"""Baselines by hand."""

import pytest
import torch

from fairseq_twostage.criterions.baselines import (
    BASELINES,
    CumulativeMean,
    GreedyReward,
    MeanOfSamples,
    NoBaseline,
    RunningMean,
)

FIRST = torch.tensor([[1.0, 2.0, 6.0], [-1.0, 0.0, 1.0]])  # mean 1.5
SECOND = torch.tensor([[4.0, 4.0], [8.0, 8.0]])  # mean 6
THIRD = torch.tensor([[0.0, 2.0]])


def test_mean_of_the_samples_of_each_input():
    baseline = MeanOfSamples()("nl", FIRST, None)
    assert baseline.tolist() == [[3.0], [0.0]]
    torch.manual_seed(15)
    rewards = 10 * torch.randn(7, 6)
    advantages = rewards - MeanOfSamples()("nl", rewards, None)
    assert advantages.sum(dim=1).abs().max() < 1e-4
    assert advantages.abs().max() > 1


def test_no_baseline():
    assert torch.equal(FIRST - NoBaseline()("nl", FIRST, None), FIRST)


def test_running_mean_is_that_before_the_batch_side_by_side():
    baseline = RunningMean(momentum=0.75)
    assert baseline("nl", FIRST, None).item() == 1.5  # nothing before: the batch itself
    assert baseline("cf", THIRD, None).item() == 1.0
    assert baseline("nl", SECOND, None).item() == 1.5
    assert baseline("nl", THIRD, None).item() == pytest.approx(0.75 * 1.5 + 0.25 * 6)
    assert baseline("cf", FIRST, None).item() == 1.0


def test_cumulative_mean_weighs_every_sample_alike():
    baseline = CumulativeMean()
    assert baseline("nl", FIRST, None).item() == 1.5
    assert baseline("cf", THIRD, None).item() == 1.0
    assert baseline("nl", SECOND, None).item() == 1.5
    assert baseline("nl", THIRD, None).item() == pytest.approx((6 * 1.5 + 4 * 6) / 10)
    assert baseline("nl", THIRD, None).item() == pytest.approx((6 * 1.5 + 4 * 6 + 2) / 12)


def test_greedy_reward_of_each_input():
    baseline = GreedyReward()("nl", FIRST, lambda: torch.tensor([2.0, -1.0]))
    assert (FIRST - baseline).tolist() == [[-1.0, 0.0, 4.0], [0.0, 1.0, 2.0]]


def test_only_the_greedy_baseline_wants_greedy_decoding():
    wanting = {name for name, build in BASELINES.items() if build().wants_greedy}
    assert wanting == {"greedy"}
    assert set(BASELINES) == {"mean", "none", "running", "cumulative", "greedy"}
