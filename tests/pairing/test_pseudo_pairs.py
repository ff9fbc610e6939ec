import itertools

import numpy as np
import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.pairing.pseudo_pairs import (
    PairingConfig,
    PseudoPair,
    TranslationJudge,
    assign,
    confident_pairs,
    read_pairs,
    write_pairs,
)

KINDS = {"ships": "vessel", "ports": "harbour", "docks": "quay", "cranes": "hoist"}
SIZES = {"long": "large", "tiny": "small", "old": "ancient", "new": "recent"}
PLACES = {"here": "near", "there": "far", "abroad": "foreign"}


def cipher_corpora():
    """X, distinct z and the z of each x: every word has one translation, orders differ."""
    natural, canonical, gold = [], [], []
    for kind, size, place in itertools.product(KINDS, SIZES, PLACES):
        canonical.append([PLACES[place], "of", KINDS[kind], "whose", SIZES[size]])
        for start in (["which"], ["show", "me"]):
            natural.append([*start, size, kind, place])
            gold.append(len(canonical) - 1)
    return natural, canonical, np.array(gold)


def know_nothing(phrases):
    return np.zeros((len(phrases), 1))


def noisy_similarity(natural, gold, count, seed=0):
    random = np.random.default_rng(seed)
    scores = random.normal(size=(len(natural), count))
    scores[np.arange(len(natural)), gold] += 2.0
    return scores


def right(posterior, gold):
    return (posterior.argmax(axis=1) == gold).mean()


def test_translation_repairs_what_similarity_confuses():
    natural, canonical, gold = cipher_corpora()
    scores = noisy_similarity(natural, gold, len(canonical))
    mass = np.ones(len(canonical))
    accuracy = {
        rounds: right(
            assign(
                natural, canonical, mass, scores, know_nothing, PairingConfig(1.0, rounds)
            ).posterior,
            gold,
        )
        for rounds in (0, 5)
    }
    assert accuracy[0] < 0.6
    assert accuracy[5] > 0.95


def test_no_pair_supports_itself():
    natural, canonical, gold = cipher_corpora()
    judge = TranslationJudge(natural, canonical, know_nothing, PairingConfig())
    pairs = np.eye(len(canonical))[gold]
    evidence = judge(pairs)
    own = judge.fold == judge.fold[0]
    other = pairs.copy()
    other[own] = 1.0 / len(canonical)
    np.testing.assert_allclose(judge(other)[0], evidence[0])
    other[~own] = 1.0 / len(canonical)
    assert not np.allclose(judge(other)[0], evidence[0])


def test_phrases_that_none_shares():
    natural = [["block", "red", str(row)] for row in range(6)]
    for canonical in ([["red", "block"], ["tall", "man"]], [["red", "block"]]):
        similarity = np.eye(6, len(canonical)) + 0.1
        mass = np.ones(len(canonical))
        found = assign(natural, canonical, mass, similarity, know_nothing, PairingConfig())
        np.testing.assert_allclose(found.posterior.sum(axis=1), 1.0)


def test_confident_pairs():
    posterior = np.array([[0.2, 0.5, 0.3], [0.25, 0.25, 0.5]])
    assert confident_pairs(["a", "b"], ["x", "y", "z"], posterior, 0.3) == [
        PseudoPair("a", "y", 0.5),
        PseudoPair("a", "z", 0.3),
        PseudoPair("b", "z", 0.5),
    ]


def test_file(tmp_path):
    pairs = [PseudoPair("a b", "c", 0.5), PseudoPair("a", "d e", 1.0)]
    write_pairs(tmp_path / "pairs.tsv", pairs)
    assert read_pairs(tmp_path / "pairs.tsv") == pairs


@pytest.mark.parametrize(
    ("text", "where"),
    [("", "pairs.tsv"), ("a\tb\n", "pairs.tsv:1"), ("a\tb\t1\na\tb\tx\n", "pairs.tsv:2"),
     ("a\tb\t0\n", "pairs.tsv:1"), ("a\tb\tnan\n", "pairs.tsv:1")],
)  # fmt: skip
def test_bad_file(tmp_path, text, where):
    (tmp_path / "pairs.tsv").write_text(text)
    with pytest.raises(UserError, match=where):
        read_pairs(tmp_path / "pairs.tsv")
    with pytest.raises(UserError, match="twostage pair"):
        read_pairs(tmp_path / "other.tsv")


def test_a_file_in_another_encoding(tmp_path):
    (tmp_path / "pairs.tsv").write_bytes("café\tcoffee\t1\n".encode("latin-1"))
    with pytest.raises(UserError, match=r"pairs\.tsv:1: not UTF-8 text \(byte 4"):
        read_pairs(tmp_path)


def test_pairs_of_probability_zero_are_left_out():
    posterior = np.array([[0.0, 1.0], [0.0, 0.0], [1e-300, 0.0]])
    assert confident_pairs(["a", "b", "c"], ["x", "y"], posterior, 0.0) == [
        PseudoPair("a", "y", 1.0),
        PseudoPair("c", "x", 1e-300),
    ]
