"""Word Mover's Distance against hand-computed values, linear programming and brute force."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from fairseq_twostage.noise import wmd as wmd_module
from fairseq_twostage.noise.wmd import Bag, CandidatePool, WordMoversDistance

V = 30


class CountingDistance(WordMoversDistance):
    """Counts the exact problems it solves."""

    solved = 0

    def bag_distance(self, a: Bag, b: Bag) -> float:
        self.solved += 1
        return super().bag_distance(a, b)


@pytest.fixture
def line() -> WordMoversDistance:
    """Word i lies at i on a line; word 9 has no vector."""
    known = np.ones(10, dtype=bool)
    known[9] = False
    return WordMoversDistance(np.arange(10.0)[:, None], known)


def lower_bound(wmd: WordMoversDistance, a: Sequence[int], b: Sequence[int]) -> float:
    return float(wmd.pool([b]).lower_bounds(wmd.bag(a), np.array([0]))[0])


def test_a_word_without_a_vector_may_match_itself_alone() -> None:
    """Words 0 and 1 lie at (0, 3) and (4, 0); 2, 3 have axes of their own; 4 is ignored."""
    vectors = np.array([[0.0, 3.0], [4.0, 0.0], [9.0, 9.0], [9.0, 9.0], [9.0, 9.0]])
    known = np.array([True, True, False, False, False])
    wmd = WordMoversDistance(vectors, known, np.array([True, False, True, True, False]))
    assert wmd.distance([2], [2]) == 0.0
    assert wmd.distance([2], [3]) == pytest.approx(2.0)  # sqrt(2 + 2)
    assert wmd.distance([2], [0]) == pytest.approx(np.sqrt(2 + 9))
    assert wmd.distance([0], [1]) == pytest.approx(5.0)
    assert wmd.distance([0, 2], [1, 2]) == pytest.approx(2.5)
    assert wmd.distance([0, 2], [2, 0]) == 0.0
    assert wmd.distance([0, 4], [0]) == 0.0
    nearest = WordMoversDistance(vectors, known, ~known).nearest_all([[0, 4]], [[0, 3], [1, 4]])
    assert list(nearest) == [0]  # (0 + 2) / 2 against (5 + 0) / 2


def random_table(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(V, 4)), rng.random(V) < 0.85


def random_sentences(rng: np.random.Generator, number: int, longest: int = 9) -> list[list[int]]:
    return [rng.integers(0, V, rng.integers(0, longest + 1)).tolist() for _ in range(number)]


def linear_programme(
    vectors: np.ndarray, known: np.ndarray, a: Sequence[int], b: Sequence[int]
) -> float:
    """The definition, word by word: every occurrence is a point of mass 1/length."""
    a, b = [w for w in a if known[w]], [w for w in b if known[w]]
    costs = np.array([[np.linalg.norm(vectors[i] - vectors[j]) for j in b] for i in a])
    from_a = np.kron(np.eye(len(a)), np.ones(len(b)))
    to_b = np.kron(np.ones(len(a)), np.eye(len(b)))
    masses = np.concatenate([np.full(len(a), 1 / len(a)), np.full(len(b), 1 / len(b))])
    result = linprog(costs.ravel(), A_eq=np.vstack([from_a, to_b]), b_eq=masses)
    assert result.status == 0
    return result.fun


def relaxed(vectors: np.ndarray, known: np.ndarray, a: Sequence[int], b: Sequence[int]) -> float:
    a, b = [w for w in a if known[w]], [w for w in b if known[w]]
    costs = np.array([[np.linalg.norm(vectors[i] - vectors[j]) for j in b] for i in a])
    return max(costs.min(axis=1).mean(), costs.min(axis=0).mean())


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([0], [5], 5.0),
        ([0, 1], [3], 2.5),  # half the mass 3 away, half 2 away
        ([0, 0, 1], [1], 2 / 3),  # repetition weighs
        # Area between the cumulative distributions: 1/3 + 1/6 + 1/6 + 1/3.
        ([0, 2, 4], [1, 3], 1.0),
        ([4, 2, 0, 0], [0, 4, 0, 2], 0.0),  # order does not count
    ],
)
def test_hand_computed_distances(
    line: WordMoversDistance, a: list[int], b: list[int], expected: float
) -> None:
    assert line.distance(a, b) == pytest.approx(expected, abs=1e-12)
    assert line.distance(b, a) == pytest.approx(expected, abs=1e-12)


def test_the_distance_solves_the_linear_programme() -> None:
    vectors, known = random_table(0)
    wmd = WordMoversDistance(vectors, known)
    rng = np.random.default_rng(1)
    compared = 0
    for a, b in zip(random_sentences(rng, 150), random_sentences(rng, 150)):
        if known[a].any() and known[b].any():
            expected = linear_programme(vectors, known, a, b)
            assert wmd.distance(a, b) == pytest.approx(expected, abs=1e-8)
            compared += 1
    assert compared > 100


def test_the_bound_is_the_relaxed_distance_and_never_above_the_exact_one() -> None:
    vectors, known = random_table(2)
    wmd = WordMoversDistance(vectors, known)
    rng = np.random.default_rng(3)
    differs = 0
    for a, b in zip(random_sentences(rng, 300), random_sentences(rng, 300)):
        bound, distance = lower_bound(wmd, a, b), wmd.distance(a, b)
        assert bound <= distance
        if known[a].any() and known[b].any():
            assert bound == pytest.approx(relaxed(vectors, known, a, b), rel=1e-6)
            differs += bound < 0.99 * distance
        # With both sides the same bag in another order both are zero.
        assert lower_bound(wmd, a, a[::-1]) <= wmd.distance(a, a[::-1]) == pytest.approx(0)
    assert differs > 50  # the inequality was put to the test


def test_bounds_to_some_of_many_candidates() -> None:
    vectors, known = random_table(8)
    wmd = WordMoversDistance(vectors, known)
    rng = np.random.default_rng(9)
    query = [w for w in range(6) if known[w]]
    candidates = [s for s in random_sentences(rng, 40) if len({*s}) > 1 and known[s].any()]
    pool = wmd.pool(candidates)
    assert len(pool) == len({tuple(sorted(s)) for s in candidates})  # numbered as given
    slots = rng.permutation(len(candidates))[:15]
    expected = [relaxed(vectors, known, query, candidates[slot]) for slot in slots]
    assert pool.lower_bounds(wmd.bag(query), slots) == pytest.approx(expected, rel=1e-6)


def test_words_without_a_vector_are_ignored(line: WordMoversDistance) -> None:
    assert line.distance([9, 0, 9], [5, 9]) == 5.0
    assert line.nearest([9, 4], [[0, 9], [9, 9, 5], [1]]) == 1


def test_sentences_without_a_known_word(line: WordMoversDistance) -> None:
    assert line.distance([9, 9], [1]) == np.inf
    assert line.distance([1], []) == np.inf
    assert line.distance([], [9]) == 0.0
    assert lower_bound(line, [9], [1]) == np.inf
    assert lower_bound(line, [9], []) == 0.0
    assert line.nearest([9], [[1], [], [9]]) == 1
    assert line.nearest([9], [[1], [2]]) == 0
    assert line.nearest([2], [[], [9], [7]]) == 2
    assert line.nearest([2], [[9], []]) == 0


def test_a_table_without_any_vector() -> None:
    wmd = WordMoversDistance(np.zeros((3, 2)), np.zeros(3, dtype=bool))
    assert wmd.distance([0], [1, 2]) == 0.0
    assert wmd.nearest_all([[0], []], [[1], [2]]).tolist() == [0, 0]


@pytest.mark.parametrize("seed", range(3))
def test_pruned_search_equals_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Vectors on a small grid: distances coincide often, so ties are put to the test too.
    vectors = rng.integers(0, 3, size=(V, 2)).astype(float)
    wmd = WordMoversDistance(vectors, rng.random(V) < 0.9)
    candidates = random_sentences(rng, 60, longest=4)
    queries = random_sentences(rng, 60, longest=4)
    table = np.array([[wmd.distance(q, c) for c in candidates] for q in queries])

    nearest = wmd.nearest_all(queries, candidates)
    assert nearest.tolist() == table.argmin(axis=1).tolist()
    assert (table == table.min(axis=1, keepdims=True)).sum() > 1.5 * len(queries)

    pool = wmd.pool(candidates)
    for _ in range(4):  # later rounds start from remembered distances
        for query, row in zip(queries, table):
            among = rng.integers(0, len(candidates), 20)
            assert pool.nearest(query, among) == among[row[among].argmin()]
            unseen = wmd.pool(candidates)
            assert unseen.nearest(query, among, remember=False) == among[row[among].argmin()]
    assert [wmd.nearest(query, candidates) for query in queries[:10]] == nearest[:10].tolist()


def test_bounds_save_exact_distances_and_what_is_known_is_not_computed_again() -> None:
    vectors, known = random_table(4)
    wmd = CountingDistance(vectors, known)
    rng = np.random.default_rng(5)
    pool = CandidatePool(wmd, random_sentences(rng, 200))
    query = [0, 1, 2, 3, 4, 5]
    best = pool.nearest(query)
    first = wmd.solved
    assert 0 < first < 100
    assert pool.nearest(query) == best
    assert wmd.solved == first
    pool.nearest(query, remember=False)
    assert wmd.solved == first
    pool.nearest([6, 7, 8], remember=False)
    fresh = wmd.solved
    pool.nearest([6, 7, 8], remember=False)
    assert wmd.solved == 2 * fresh - first


def test_without_a_table_of_words_the_distances_are_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vectors, known = random_table(6)
    rng = np.random.default_rng(7)
    queries, candidates = random_sentences(rng, 20), random_sentences(rng, 20)
    with_table = WordMoversDistance(vectors, known)
    monkeypatch.setattr(wmd_module, "MAX_TABLE_WORDS", 3)
    without = WordMoversDistance(vectors, known)
    assert without._table is None and with_table._table is not None
    for a, b in zip(queries, candidates):
        assert without.distance(a, b) == pytest.approx(with_table.distance(a, b), abs=1e-12)
    found = without.nearest_all(queries, candidates)
    assert found.tolist() == with_table.nearest_all(queries, candidates).tolist()


def test_vectors_of_unknown_words_are_never_read() -> None:
    vectors = np.array([[0.0], [np.nan], [2.0]])
    known = np.array([True, False, True])
    wmd = WordMoversDistance(vectors, known)
    assert wmd.distance([0, 1], [2]) == 2.0
    with pytest.raises(ValueError, match="not finite"):
        WordMoversDistance(vectors, np.ones(3, dtype=bool))


def test_inputs_that_make_no_sense(line: WordMoversDistance) -> None:
    with pytest.raises(ValueError, match="do not go together"):
        WordMoversDistance(np.zeros((3, 2)), np.ones(2, dtype=bool))
    with pytest.raises(ValueError, match="word ids"):
        line.distance([10], [1])
    with pytest.raises(ValueError, match="word ids"):
        line.distance([1], [-1])
    with pytest.raises(ValueError, match="no candidate"):
        line.nearest([1], [])
    with pytest.raises(ValueError, match="no candidate"):
        line.pool([[1]]).nearest([1], np.array([], dtype=np.intp))


def test_nothing_given_is_changed(line: WordMoversDistance) -> None:
    queries, candidates = [[1, 9, 2], []], [[3], [4, 4, 9], []]
    pool = line.pool(candidates)
    among = np.array([2, 0, 1])
    for query in queries:
        pool.nearest(query, among)
    line.nearest_all(queries, candidates)
    assert queries == [[1, 9, 2], []]
    assert candidates == [[3], [4, 4, 9], []]
    assert among.tolist() == [2, 0, 1]


@pytest.mark.data
def test_nearest_canonical_sentences_of_a_real_domain(data_dir: Path) -> None:
    with (data_dir / "canonical" / "calendar.tsv").open(encoding="utf8") as lines:
        texts = [line.split("\t")[0].split() for line in lines]
    words = {word: i for i, word in enumerate(sorted({w for text in texts for w in text}))}
    vectors, known = np.zeros((len(words), 100)), np.zeros(len(words), dtype=bool)
    with (data_dir / "glove" / "glove.6B.100d.subset.txt").open(encoding="utf8") as lines:
        for line in lines:
            word, *values = line.split(" ")
            if word in words:
                vectors[words[word]], known[words[word]] = [float(x) for x in values], True
    sentences = [[words[word] for word in text] for text in texts]
    queries, candidates = sentences[::10], [s for i, s in enumerate(sentences) if i % 10]
    wmd = WordMoversDistance(vectors, known)
    assert known.mean() > 0.5
    table = np.array([[wmd.distance(q, c) for c in candidates] for q in queries])
    assert wmd.nearest_all(queries, candidates).tolist() == table.argmin(axis=1).tolist()
    bounds = np.array([[lower_bound(wmd, q, c) for c in candidates] for q in queries])
    assert (bounds <= table).all()
    checked = [linear_programme(vectors, known, queries[i], candidates[5 * i]) for i in range(10)]
    assert checked == pytest.approx([table[i, 5 * i] for i in range(10)], abs=1e-8)
