import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.special import softmax

from fairseq_twostage.pairing.transport import balanced_assignment, posterior_with


def test_marginals_hold():
    random = np.random.default_rng(0)
    scores, mass = random.normal(size=(6, 3)), np.array([1.0, 2.0, 3.0])
    found = balanced_assignment(scores, mass)
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1)
    np.testing.assert_allclose(found.posterior.sum(axis=0), 6 * mass / mass.sum(), atol=1e-6)


def test_it_is_sinkhorns_scaling():
    random = np.random.default_rng(1)
    scores, mass = random.normal(size=(5, 4)), np.array([2.0, 1.0, 1.0, 1.0])
    kernel = np.exp(scores)
    for _ in range(2000):
        kernel *= (mass / mass.sum() / kernel.sum(axis=0))[None, :]
        kernel *= (1 / 5 / kernel.sum(axis=1))[:, None]
    found = balanced_assignment(scores, mass)
    np.testing.assert_allclose(found.posterior, 5 * kernel, atol=1e-6)


def test_cold_transport_is_the_best_assignment():
    random = np.random.default_rng(2)
    scores = random.normal(size=(7, 7))
    found = balanced_assignment(scores / 0.05, np.ones(7))
    _, best = linear_sum_assignment(-scores)
    assert found.posterior.argmax(axis=1).tolist() == best.tolist()


def test_prior_brings_the_balance_to_new_scores():
    scores = np.array([[3.0, 2.0], [3.0, 2.9], [3.0, 2.0], [3.0, 2.9]])
    found = balanced_assignment(scores, np.ones(2))
    assert found.prior[1] > found.prior[0]
    np.testing.assert_allclose(posterior_with(scores, found.prior), found.posterior, atol=1e-9)


def test_half_the_balance_keeps_half_of_the_potentials() -> None:
    scores = np.random.default_rng(4).normal(size=(6, 3))
    scores[:, 0] += 2.0
    mass = np.ones(3)
    whole, half, none = (balanced_assignment(scores, mass, balance=b) for b in (1.0, 0.5, 0.0))
    np.testing.assert_allclose(none.posterior, softmax(scores, axis=1))
    logits = [np.log(found.posterior / found.posterior[:, :1]) for found in (whole, half, none)]
    np.testing.assert_allclose(logits[1], (logits[0] + logits[2]) / 2, atol=1e-9)
    shares = [found.posterior.mean(axis=0)[0] for found in (whole, half, none)]
    assert shares[0] == pytest.approx(1 / 3, abs=1e-3)
    assert shares[0] < shares[1] < shares[2]
