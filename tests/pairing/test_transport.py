import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.special import softmax

from fairseq_twostage.pairing.transport import (
    balanced_assignment,
    balanced_in_blocks,
    posterior_with,
    value_blocks,
)


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
    for same in (scores, np.asfortranarray(scores)):
        found = balanced_assignment(same, mass)
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


def test_a_value_belongs_to_a_value():
    natural = ["how long", "over _number_", "at _time_", "on _date_"]
    canonical = ["length", "longer than _number_", "rated _number_", "shown at _time_", "newest"]
    words = [[line.split() for line in side] for side in (natural, canonical)]
    scores = np.random.default_rng(3).normal(size=(4, 5))
    found = balanced_in_blocks(scores, np.ones(5), 1.0, value_blocks(*words))
    possible = np.array([[1, 0, 0, 0, 1], [0, 1, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 0]])
    np.testing.assert_array_equal(found.posterior > 0, possible > 0)
    np.testing.assert_allclose(found.posterior.sum(axis=1), [1, 1, 1, 0])
    # One x cannot be two z: of the balance as much is kept as there are x for a z.
    half = balanced_assignment(scores[1:2, 1:3], np.ones(2), balance=0.5)
    np.testing.assert_allclose(found.posterior[1, 1:3], half.posterior[0])
    assert np.isfinite(found.prior).all()


def test_with_a_value_the_names_are_the_same_too():
    natural = ["over _number_", "_person_ in over _number_", "by _person_"]
    canonical = ["longer than _number_", "starring _person_ longer than _number_", "longest"]
    words = [[line.split() for line in side] for side in (natural, canonical)]
    found = balanced_in_blocks(np.zeros((3, 3)), np.ones(3), 1.0, value_blocks(*words))
    np.testing.assert_array_equal(found.posterior, np.eye(3))


def test_without_values_there_are_no_blocks():
    words = [["how", "long"], ["_film_"]], [["length"], ["film", "_film_"]]
    assert value_blocks(*words) == ()
