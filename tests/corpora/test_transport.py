"""Transport plans against plans by hand and against an assignment of single sentences."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from fairseq_twostage.corpora.noise import MixedSourceAddition, NoiseConfig, build_noise
from fairseq_twostage.corpora.transport import Partners, transport_plans
from fairseq_twostage.corpora.wmd import WordMoversDistance


@pytest.fixture
def line() -> WordMoversDistance:
    """Word i lies at i on a line; 199 has no vector."""
    return WordMoversDistance(np.arange(200.0)[:, None], np.arange(200) < 199)


def masses(partners: Partners) -> dict[tuple[int, ...], float]:
    return dict(zip(partners.sentences, np.diff(partners.shares, prepend=0)))


def test_a_favourite_cannot_be_everybodys_partner(line: WordMoversDistance) -> None:
    # [1] is the nearest to both [0] and [3], and there is but one of it: of the two [0] one must go
    # to [9], and so must [3] or the other [0]. 1 + 9 + 6 = 16 is less than 2 + 9 + 9 = 20.
    plan, back = transport_plans([[0], [0], [3]], [[1], [9], [9]], line)
    assert masses(plan[(0,)]) == pytest.approx({(1,): 1 / 2, (9,): 1 / 2})
    assert masses(plan[(3,)]) == pytest.approx({(9,): 1})
    assert masses(back[(1,)]) == pytest.approx({(0,): 1})
    assert masses(back[(9,)]) == pytest.approx({(0,): 1 / 2, (3,): 1 / 2})


def test_the_plan_costs_what_the_best_assignment_costs(line: WordMoversDistance) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        corpora = [
            [rng.integers(0, 12, rng.integers(1, 4)).tolist() for _ in range(12)] for _ in range(2)
        ]
        costs = np.array([[line.distance(a, b) for b in corpora[1]] for a in corpora[0]])
        assigned = costs[linear_sum_assignment(costs)].mean()
        for plan, side, other in zip(transport_plans(*corpora, line), corpora, corpora[::-1]):
            taken = Counter(tuple(sentence) for sentence in other)
            planned = 0.0
            received: Counter[tuple[int, ...]] = Counter()
            for sentence in side:
                for partner, share in masses(plan[tuple(sentence)]).items():
                    planned += share * line.distance(sentence, partner) / len(side)
                    received[partner] += share
            assert planned == pytest.approx(assigned)
            assert dict(received) == pytest.approx(dict(taken))


def test_a_sentence_without_a_vector_takes_what_is_left(line: WordMoversDistance) -> None:
    plan, _ = transport_plans([[10], [199]], [[30], [11]], line)
    assert masses(plan[(10,)]) == pytest.approx({(11,): 1})
    assert masses(plan[(199,)]) == pytest.approx({(30,): 1})


def test_an_empty_corpus_is_refused(line: WordMoversDistance) -> None:
    with pytest.raises(ValueError, match="no sentence"):
        transport_plans([[1]], [], line)


def test_addition_takes_words_of_partners(line: WordMoversDistance) -> None:
    corpus, other = [[0], [0], [3]], [[1], [9], [9]]
    plan, _ = transport_plans(corpus, other, line)
    addition = MixedSourceAddition(other, line, plan=plan)
    rng = np.random.default_rng(5)
    taken = Counter(next(w for w in addition([0], rng) if w != 0) for _ in range(2000))
    assert set(taken) == {1, 9}
    assert abs(taken[1] / 2000 - 1 / 2) < 4.5 * np.sqrt(1 / 4 / 2000)
    # What the plan does not know takes words of the nearest.
    assert sorted(addition([2], rng)) == [1, 2]
    # Partners are those of the sentence before it was noised.
    assert sorted(addition([0], rng, original=[3])) == [0, 9]


def test_the_chain_hands_the_plan_to_addition(line: WordMoversDistance) -> None:
    plan, _ = transport_plans([[3]], [[9]], line)
    config = NoiseConfig(drop=False, shuffle=False)
    for given, taken in ((plan, 9), (None, 4)):
        chain = build_noise(config, np.ones(200), [[4]], line, given)
        assert sorted(chain([3], np.random.default_rng(1))) == [3, taken]
