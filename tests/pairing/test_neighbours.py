"""Pairs sought among the nearest alone against pairs among all; made-up words, few of them."""

import itertools
from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_array

from fairseq_twostage.pairing.adaptation import AdaptationConfig, Draw
from fairseq_twostage.pairing.corpora import Corpora
from fairseq_twostage.pairing.features import WordVectors
from fairseq_twostage.pairing.fitted import FittedSimilarity
from fairseq_twostage.pairing.index import Read
from fairseq_twostage.pairing.neighbours import nearest_pairs
from fairseq_twostage.pairing.pseudo_pairs import PairingConfig, assign, confident_pairs
from fairseq_twostage.pairing.transport import balanced_assignment, balanced_in_blocks, value_blocks

THINGS, SIZES, PLACES = "ship port dock crane", "long tiny old new dear", "here there abroad north"
ALL = 10**9


def corpora(seed=0):
    """200 x, which say some of three words in other words, and the 80 z."""
    random = np.random.default_rng(seed)
    z = [
        f"{thing} whose size is {size} and whose place is {place}"
        for thing, size, place in itertools.product(*map(str.split, (THINGS, SIZES, PLACES)))
    ]
    meant = random.integers(len(z), size=200)
    words = [[z[row].split()[place] for place in (0, 4, 9)] for row in meant]
    said = [[f"{word}ish" if random.random() < 0.5 else word for word in each] for each in words]
    x = [f"show {place} {thing} , {size} ones" for thing, size, place in said]
    return Corpora(x, sorted(z), np.ones(len(z)), True)


def vectors(dim=20):
    random = np.random.default_rng(1)
    found = {}
    for word in f"{THINGS} {SIZES} {PLACES}".split():
        centre = random.normal(size=dim)
        found[word], found[f"{word}ish"] = centre, centre + 0.5 * random.normal(size=dim)
    for word in ["whose", "size", "is", "and", "place", "show", "ones"]:
        found[word] = random.normal(size=dim)
    return WordVectors(found, dim)


class WithWholes:
    """Word vectors whose mean is the vector of the whole, as an encoder has one."""

    name, anchors = "sentence_encoder", ("numbers", "comparisons")

    def read(self, sentences):
        return [
            Read(words, states, (mean := states.mean(axis=0)) / np.linalg.norm(mean))
            for words, states, _ in vectors().read(sentences)
        ]

    def embed(self, phrases):
        return vectors().embed(phrases)


@pytest.fixture(params=["words", "wholes"])
def known(request):
    return vectors() if request.param == "words" else WithWholes()


def test_where_all_are_near_all_are_compared(known):
    made = corpora()
    fitted, _ = FittedSimilarity.fit(known, *made.words)
    found = nearest_pairs(fitted, made.words[0], (), nearest=80)
    assert found.nnz == 200 * 80
    wanted = [fitted.scores(x) for x in fitted.read(made.natural)]
    np.testing.assert_allclose(found.toarray(), wanted, atol=2e-6)


def test_the_nearest_of_each_are_among_few(known):
    made = corpora()
    fitted, _ = FittedSimilarity.fit(known, *made.words)
    found = nearest_pairs(fitted, made.words[0], (), nearest=10)
    wanted = np.stack([fitted.scores(x) for x in fitted.read(made.natural)])
    considered = np.zeros(found.shape, dtype=bool)
    considered[found.nonzero()] = True
    np.testing.assert_allclose(found.toarray()[considered], wanted[considered], atol=2e-6)
    assert considered.mean() < 0.3
    assert (considered.sum(axis=1) >= 10).all()
    assert considered[np.arange(200), wanted.argmax(axis=1)].all()
    assert considered[wanted.argmax(axis=0), np.arange(80)].mean() > 0.95


def test_equal_utterances_have_equal_neighbours():
    made = corpora()
    natural = [made.words[0][row] for row in (0, 1, 0, 2, 1)]
    fitted, _ = FittedSimilarity.fit(vectors(), natural, made.words[1])
    found = nearest_pairs(fitted, natural, (), nearest=10).toarray()
    np.testing.assert_array_equal(found[[0, 1]], found[[2, 4]])
    assert (found[0] != found[1]).any()


def test_values_keep_to_values():
    natural = ["ship of _number_", "old ship", "dock by _number_", "_person_ , _number_"]
    canonical = ["ship whose size is _number_", "ship whose size is old", "_person_ is _number_"]
    words = [[line.split() for line in side] for side in (natural, canonical)]
    fitted, _ = FittedSimilarity.fit(vectors(), *words)
    blocks = value_blocks(*words)
    found = nearest_pairs(fitted, words[0], blocks, nearest=2)
    assert list(zip(*map(np.ndarray.tolist, found.nonzero()))) == [(0, 0), (1, 1), (2, 0), (3, 2)]
    sparse = balanced_in_blocks(found, np.ones(3), 1.0, blocks)
    dense = balanced_in_blocks(found.toarray(), np.ones(3), 1.0, blocks)
    np.testing.assert_allclose(sparse.posterior.toarray(), dense.posterior)
    np.testing.assert_allclose(sparse.prior, dense.prior)


def test_what_is_not_considered_has_no_probability_but_takes_its_mass():
    scores = np.array([[9.0, 0.0, 0.0], [9.0, 0.0, 0.0], [8.0, 7.0, 0.0], [0.0, 0.0, 1.0]])
    considered = csr_array(scores)  # nobody but the third wants the second, which needs more
    found = balanced_assignment(considered, np.ones(3))
    assert np.isfinite(found.prior).all()
    # The worst that is considered has 1; so has, for the balance, what is not considered.
    whole = balanced_assignment(np.maximum(scores, 1.0), np.ones(3))
    np.testing.assert_allclose(found.prior, whole.prior, atol=1e-9)
    wanted = np.where(scores > 0, whole.posterior, 0)
    wanted /= wanted.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found.posterior.toarray(), wanted, atol=1e-9)


@pytest.mark.parametrize("rounds", [0, 2])
def test_pairs_of_the_nearest_are_those_of_all(known, rounds, monkeypatch):
    few = partial(nearest_pairs, nearest=30)
    monkeypatch.setattr("fairseq_twostage.pairing.corpora.nearest_pairs", few)
    monkeypatch.setattr("fairseq_twostage.pairing.neighbours.BLOCK", 64)
    made = corpora()
    config = PairingConfig(rounds=rounds)
    pairs = []
    for all_pairs in (ALL, 0):
        similarity = made.similarity(known, all_pairs)
        found = assign(*made.words, made.mass, similarity, known.embed, config)
        pairs.append(confident_pairs(made.natural, made.canonical, found.posterior, 0.3))
    dense, sparse = ({(pair.utterance, pair.canonical) for pair in each} for each in pairs)
    assert len(dense & sparse) >= 0.99 * len(dense)
    assert len(dense) > 150


def test_adaptation_draws_the_same():
    random = np.random.default_rng(3)
    posterior, similarity = random.random((6, 5)), random.normal(size=(6, 5))
    draws = [
        Draw(kind(posterior), kind(similarity), AdaptationConfig(), np.random.default_rng(4))
        for kind in (np.array, csr_array)
    ]
    assert draws[0]() == draws[1]()
    assert draws[0]() == draws[1]()
