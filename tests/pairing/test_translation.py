import numpy as np
from scipy.sparse import csr_array

from fairseq_twostage.pairing.translation import (
    PhraseCounts,
    TranslationTable,
    log_probabilities,
    phrases,
)


def test_phrases():
    assert phrases(["a", "b"]) == ["a", "b", "<s> a", "a b", "b </s>"]


def test_counts():
    counts = PhraseCounts([["a", "b"], ["a", "a"]])
    assert counts.phrases == ["a", "<s> a"]
    assert counts.of([["a", "b", "a"], ["c"]]).toarray().tolist() == [[2, 1], [0, 0]]


def naive_model_one(targets, sources, weights, prior, strength, steps):
    """Expectation-maximisation word by word; sources get an empty word at their end."""
    empty = len(prior)
    words = sorted({word for target in targets for word in target})
    total = sum(len(target) for target in targets)
    background = [sum(t.count(w) for t in targets) / total for w in words]
    full = [*prior, background]
    table = [list(row) for row in full]
    for _ in range(steps):
        expected = [[strength * value for value in row] for row in full]
        for i, target in enumerate(targets):
            for j, source in enumerate(sources):
                for word in target:
                    shares = [table[s][word] for s in [*source, empty]]
                    for s, share in zip([*source, empty], shares):
                        expected[s][word] += weights[i][j] * share / sum(shares)
        table = [[value / sum(row) for value in row] for row in expected]
    return np.array(table)


def counts_of(sentences, size):
    return csr_array([[float(words.count(w)) for w in range(size)] for words in sentences])


def test_learning_is_model_one():
    random = np.random.default_rng(0)
    targets, sources = [[0, 1, 1], [2], [0, 2]], [[0, 1], [1, 1], [0]]
    weights = random.random((3, 3))
    prior = random.dirichlet(np.ones(3), size=2)
    table = TranslationTable(prior, strength=0.5).learn(
        counts_of(targets, 3), counts_of(sources, 2), weights, steps=2
    )
    expected = naive_model_one(targets, sources, weights, prior.tolist(), 0.5, 2)
    np.testing.assert_allclose(table, expected, atol=1e-9)


def test_log_probabilities():
    table = np.array([[0.5, 0.5], [0.1, 0.9], [0.25, 0.75]])  # the last row: the empty word
    found = log_probabilities(csr_array([[1.0, 1.0]]), table)
    first, second = (0.5 + 0.1 + 0.25) / 3, (0.5 + 0.9 + 0.75) / 3
    np.testing.assert_allclose(found, [[np.log(first)], [np.log(second)]], atol=1e-6)
