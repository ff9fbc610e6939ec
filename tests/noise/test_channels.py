"""Each noise channel against the distribution its formula gives, by enumeration.

Frequencies over N seeded repetitions may differ from a probability p by 4.5 standard errors
sqrt(p (1 - p) / N); an outcome of probability 0 must not occur.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations, permutations, product
from math import sqrt

import numpy as np
import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.noise.channels import (
    BigramShuffling,
    ImportanceAwareDropping,
    MixedSourceAddition,
    NoiseChain,
    NoiseConfig,
    build_noise,
    noise_generator,
)
from fairseq_twostage.noise.wmd import WordMoversDistance

N = 6000


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20)


@pytest.fixture
def line() -> WordMoversDistance:
    """Word i lies at i on a line."""
    return WordMoversDistance(np.arange(200.0)[:, None], np.ones(200, dtype=bool))


def assert_distribution(
    draw: Callable[[], Hashable], expected: Mapping[Hashable, float], repetitions: int = N
) -> None:
    assert sum(expected.values()) == pytest.approx(1)
    seen = Counter(draw() for _ in range(repetitions))
    assert set(seen) <= {outcome for outcome, p in expected.items() if p > 0}
    for outcome, p in expected.items():
        tolerance = 4.5 * sqrt(p * (1 - p) / repetitions)
        assert abs(seen[outcome] / repetitions - p) <= tolerance, outcome


def uniform(outcomes: Sequence[Hashable]) -> dict[Hashable, float]:
    assert len(set(outcomes)) == len(outcomes)
    return dict.fromkeys(outcomes, 1 / len(outcomes))


# Dropping


def test_drop_probabilities_by_hand() -> None:
    counts = np.array([10, 60, 5, 25, 0])
    dropping = ImportanceAwareDropping(counts)
    # 10 + 60 + 5 + 25 = 100: the words' shares, at most 0.2.
    assert dropping.probabilities([0, 1, 2, 3]).tolist() == [0.1, 0.2, 0.05, 0.2]
    # A word twice counts twice in the sum: 10 / 25 and 5 / 25, 10 / 25.
    weak = ImportanceAwareDropping(counts, p_max=0.3)
    assert weak.probabilities([0, 2, 0]).tolist() == pytest.approx([0.3, 0.2, 0.3])
    assert dropping.probabilities([4, 2]).tolist() == [0.0, 0.2]
    assert dropping.probabilities([4, 4]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("keep_half", [False, True])
def test_dropping_drops_independently_and_never_everything(
    keep_half: bool, rng: np.random.Generator
) -> None:
    sentence = [3, 1, 2]
    counts = np.array([0, 5, 2, 3])
    dropping = ImportanceAwareDropping(counts, p_max=0.45, keep_half=keep_half)
    gone = {3: 0.3, 1: 0.45, 2: 0.2}
    expected: Counter[Hashable] = Counter()
    for dropped in product([False, True], repeat=3):
        p = np.prod([gone[w] if d else 1 - gone[w] for w, d in zip(sentence, dropped)])
        left = tuple(w for w, d in zip(sentence, dropped) if not d)
        stays = not left or (keep_half and sum(dropped) > 1.5)
        expected[tuple(sentence) if stays else left] += float(p)
    assert_distribution(lambda: tuple(dropping(sentence, rng)), expected)


def test_half_of_an_even_sentence_may_go() -> None:
    class Draws:
        def random(self, n: int) -> np.ndarray:
            return np.array([0.0, 0.9, 0.0, 0.9])[:n]

    dropping = ImportanceAwareDropping(np.ones(4), keep_half=True)
    assert dropping([0, 1, 2, 3], Draws()) == [1, 3]  # type: ignore[arg-type]
    assert dropping([0, 1, 2], Draws()) == [0, 1, 2]  # type: ignore[arg-type]


def test_a_single_word_is_never_dropped(rng: np.random.Generator) -> None:
    dropping = ImportanceAwareDropping(np.array([7]), p_max=1.0)
    assert all(dropping([0], rng) == [0] for _ in range(50))


# Addition


@pytest.mark.parametrize(
    ("length", "paper", "reference"),
    [
        (0, (0, 0), (0, 0)),
        (1, (1, 1), (0, 0)),
        (4, (1, 1), (0, 0)),
        (5, (1, 1), (0, 1)),
        (9, (1, 1), (0, 1)),
        (10, (1, 2), (1, 2)),
        (15, (2, 3), (1, 3)),
        (20, (2, 4), (2, 4)),
        (30, (3, 6), (3, 6)),
    ],
)
def test_how_many_words_are_added(
    length: int, paper: tuple[int, int], reference: tuple[int, int], line: WordMoversDistance
) -> None:
    assert MixedSourceAddition([[1]], line).numbers_of_words(length) == paper
    rounding = MixedSourceAddition([[1]], line, reference_rounding=True)
    assert rounding.numbers_of_words(length) == reference


def test_no_share_adds_no_word(line: WordMoversDistance, rng: np.random.Generator) -> None:
    addition = MixedSourceAddition([[1] * 8], line, low=0.0, high=0.0)
    assert addition([5, 6], rng) == [5, 6]


def test_the_number_of_added_words_is_uniform(
    line: WordMoversDistance, rng: np.random.Generator
) -> None:
    addition = MixedSourceAddition([range(100, 120)], line)
    assert_distribution(lambda: len(addition([1, 2, 3], rng)) - 3, uniform([2, 3, 4]))


def test_one_word_goes_anywhere_and_every_word_is_taken_as_often(
    line: WordMoversDistance, rng: np.random.Generator
) -> None:
    addition = MixedSourceAddition([[100, 101, 102]], line)
    outcomes = [(*[5, 6, 7][:i], w, *[5, 6, 7][i:]) for i in range(4) for w in (100, 101, 102)]
    assert_distribution(lambda: tuple(addition([5, 6, 7], rng)), uniform(outcomes))


def test_two_words_go_to_independent_places(
    line: WordMoversDistance, rng: np.random.Generator
) -> None:
    # Two of six words: every pair, and every arrangement that leaves 5 before 6.
    source = [100, 101, 102, 103, 104, 105]
    addition = MixedSourceAddition([source], line, low=0.3, high=0.34)
    outcomes = [
        order
        for pair in combinations(source, 2)
        for order in permutations((5, 6, *pair))
        if order.index(5) < order.index(6)
    ]
    assert len(outcomes) == 15 * 12
    assert_distribution(lambda: tuple(addition([5, 6], rng)), uniform(outcomes), 4 * N)


def test_reference_rounding_inserts_one_block_in_order(
    line: WordMoversDistance, rng: np.random.Generator
) -> None:
    source = list(range(100, 110))
    addition = MixedSourceAddition([source], line, reference_rounding=True)
    blocks = {1: list(combinations(source, 1)), 2: list(combinations(source, 2))}
    expected = {
        (*[5, 6][:i], *block, *[5, 6][i:]): 1 / 2 / len(blocks[n]) / 3
        for n in (1, 2)
        for block in blocks[n]
        for i in range(3)
    }
    assert_distribution(lambda: tuple(addition([5, 6], rng)), expected, 4 * N)
    short = MixedSourceAddition([[100, 101]], line, reference_rounding=True)
    assert short([5, 6], rng) == [5, 6]


def test_the_nearest_of_the_drawn_sentences_gives_the_words(
    line: WordMoversDistance, rng: np.random.Generator
) -> None:
    corpus = [[90], [11], [30]]  # 80, 1 and 20 away from [10]

    def added(candidates: int) -> Callable[[], Hashable]:
        addition = MixedSourceAddition(corpus, line, candidates=candidates)
        return lambda: next(w for w in addition([10], rng) if w != 10)

    assert_distribution(added(50), {11: 1.0}, 50)
    # Two of three: the nearest is among them in 2 of 3 draws, else the second nearest wins.
    assert_distribution(added(2), {11: 2 / 3, 30: 1 / 3})
    assert_distribution(added(1), uniform([90, 11, 30]))


def test_repeated_sentences_are_drawn_more_often(
    line: WordMoversDistance, rng: np.random.Generator
) -> None:
    addition = MixedSourceAddition([[11], [30], [30], [30]], line, candidates=1)
    draw = lambda: next(w for w in addition([10], rng) if w != 10)  # noqa: E731
    assert_distribution(draw, {11: 0.25, 30: 0.75})


def test_a_sentence_without_a_vector_takes_words_of_any_sentence(rng: np.random.Generator) -> None:
    wmd = WordMoversDistance(np.arange(4.0)[:, None], np.array([True, True, True, False]))
    addition = MixedSourceAddition([[0], [1], [2]], wmd, candidates=2)
    draw = lambda: next(w for w in addition([3], rng) if w != 3)  # noqa: E731
    assert_distribution(draw, uniform([0, 1, 2]))


def test_where_the_distance_is_measured_from(
    line: WordMoversDistance, rng: np.random.Generator
) -> None:
    corpus = [[20], [80]]
    for from_original, expected in [(True, 80), (False, 20)]:
        addition = MixedSourceAddition(corpus, line, from_original=from_original)
        for _ in range(20):
            noised = addition([19], rng, original=[19, 99, 99, 99, 99])
            assert sorted(noised) == sorted([19, expected])
    # Without an original the sentence itself is measured.
    assert sorted(MixedSourceAddition(corpus, line)([90], rng)) == [80, 90]


# Shuffling


@pytest.mark.parametrize("sentence", [[], [1], [1, 2], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]])
def test_bigrams_are_permuted_uniformly(sentence: list[int], rng: np.random.Generator) -> None:
    bigrams = [sentence[i : i + 2] for i in range(0, len(sentence), 2)]
    outcomes = [tuple(w for pair in order for w in pair) for order in permutations(bigrams)]
    shuffling = BigramShuffling()
    assert_distribution(lambda: tuple(shuffling(sentence, rng)), uniform(outcomes))


def test_the_local_shuffle_swaps_neighbours_as_often_as_its_keys_say(
    rng: np.random.Generator,
) -> None:
    # Swapped where 1 + 3 U' < 3 U: P(U - U' > 1/3) = (2/3)^2 / 2.
    shuffling = BigramShuffling(max_distance=3)
    assert_distribution(
        lambda: tuple(shuffling([1, 2, 3, 4], rng)), {(1, 2, 3, 4): 7 / 9, (3, 4, 1, 2): 2 / 9}
    )


@pytest.mark.parametrize("distance", [0, 1, 2, 4])
def test_the_local_shuffle_moves_bigrams_less_than_its_distance(
    distance: int, rng: np.random.Generator
) -> None:
    sentence = list(range(24))
    shuffling = BigramShuffling(distance)
    farthest = 0
    for _ in range(300):
        order = [word // 2 for word in shuffling(sentence, rng)[::2]]
        assert sorted(order) == list(range(12))
        for place, bigram in enumerate(order):
            # Two bigrams whose numbers differ by the distance or more keep their order.
            assert all(later > bigram - max(distance, 1) for later in order[place + 1 :])
            farthest = max(farthest, abs(place - bigram))
    assert (farthest > 0) == (distance > 1)


# The chain


def test_channels_run_in_order_and_see_the_original(rng: np.random.Generator) -> None:
    seen = []

    def channel(name: int) -> Callable[..., list[int]]:
        def noise(
            sentence: Sequence[int], rng: np.random.Generator, original: Sequence[int] | None = None
        ) -> list[int]:
            seen.append((name, list(sentence), list(original or [])))
            return [*sentence, name]

        return noise

    assert NoiseChain([channel(7), channel(8)])([1, 2], rng) == [1, 2, 7, 8]
    assert seen == [(7, [1, 2], [1, 2]), (8, [1, 2, 7], [1, 2])]


def all_channels(line: WordMoversDistance, **options: object) -> NoiseChain:
    counts = np.arange(200) % 7 + 1
    other = [[100 + i, 101 + i, 150 + i] * (1 + i % 4) for i in range(40)]
    return build_noise(NoiseConfig(**options), counts, other, line)  # type: ignore[arg-type]


@pytest.mark.parametrize("reference", [False, True])
def test_noise_is_a_function_of_seed_epoch_side_and_index(
    reference: bool, line: WordMoversDistance
) -> None:
    sentence = list(range(1, 41))
    visits = [
        (s, e, side, i) for s in (1, 2) for e in (1, 2) for side in ("nl", "cf") for i in (0, 1)
    ]
    chain = all_channels(line, reference=reference)
    first = {visit: chain(sentence, noise_generator(*visit)) for visit in visits}
    assert len({tuple(noised) for noised in first.values()}) == len(visits)
    # Another chain, another order of visits, nothing remembered: the same noise.
    anew = all_channels(line, reference=reference)
    for visit in reversed(visits):
        assert anew(sentence, noise_generator(*visit)) == first[visit]


def test_nothing_given_is_changed_and_no_sentence_becomes_empty(line: WordMoversDistance) -> None:
    counts, other = np.ones(200), [[100, 101, 102], [103, 104, 105, 106, 107]]
    chain = build_noise(NoiseConfig(), counts, other, line)
    for length in range(1, 10):
        sentence = list(range(length))
        for index in range(30):
            noised = chain(sentence, noise_generator(0, 1, "nl", index))
            assert noised and noised is not sentence
            assert all(type(word) is int for word in noised)
        assert sentence == list(range(length))
    assert chain([], noise_generator(0, 1, "nl", 0)) == []
    assert other == [[100, 101, 102], [103, 104, 105, 106, 107]]
    assert (counts == 1).all()


def test_no_channel_leaves_the_sentence_as_it_is(rng: np.random.Generator) -> None:
    chain = build_noise(NoiseConfig(drop=False, add=False, shuffle=False), np.ones(3), [], None)
    sentence = [2, 1, 0]
    assert chain(sentence, rng) == [2, 1, 0]
    assert chain(sentence, rng) is not sentence


@pytest.mark.parametrize("drop", [False, True])
@pytest.mark.parametrize("add", [False, True])
@pytest.mark.parametrize("shuffle", [False, True])
def test_each_channel_can_be_switched_alone(
    drop: bool, add: bool, shuffle: bool, line: WordMoversDistance
) -> None:
    sentence = list(range(12))
    chain = all_channels(line, drop=drop, add=add, shuffle=shuffle)
    dropped = added = moved = False
    for index in range(50):
        noised = chain(sentence, noise_generator(3, 1, "cf", index))
        own = [word for word in noised if word < 100]
        dropped |= len(own) < 12
        added |= len(noised) > len(own)
        moved |= own != sorted(own)
    assert (dropped, added, moved) == (drop, add, shuffle)


def test_the_reference_variant_sets_every_channel(line: WordMoversDistance) -> None:
    visits = [noise_generator(5, 1, "nl", i) for i in range(200)]
    # Words added without shuffling stand in one block.
    chain = all_channels(line, reference=True, drop=False, shuffle=False)
    sentence = list(range(12))
    for rng in visits:
        noised = chain(sentence, rng)
        places = [place for place, word in enumerate(noised) if word >= 100]
        assert not places or places[-1] - places[0] == len(places) - 1
    # The shuffle is local, unless a distance is given.
    for distance, moves_far in [(None, False), (6, True)]:
        chain = all_channels(line, reference=True, drop=False, add=False, shuffle_distance=distance)
        last_first = [chain(list(range(8)), rng)[0] == 6 for rng in visits]
        assert any(last_first) == moves_far
    # More than half is never dropped: with p_max 0.9 of three equal words two would go often.
    chain = build_noise(
        NoiseConfig(reference=True, add=False, shuffle=False, p_max=0.9), np.ones(3), [], None
    )
    lengths = {len(chain([0, 1, 2], rng)) for rng in visits}
    assert lengths == {2, 3}


# The generator


def test_streams_of_different_visits_are_unrelated() -> None:
    # First numbers of neighbouring visits: uniform, and neighbours uncorrelated.
    n = 4000
    for visits in (
        [(7, 1, "nl", i) for i in range(n)],
        [(7, e, "cf", 0) for e in range(n)],
        [(s, 1, "nl", 0) for s in range(n)],
    ):
        first = np.array([noise_generator(*visit).random() for visit in visits])
        assert abs(first.mean() - 0.5) < 4.5 * sqrt(1 / 12 / n)
        assert abs(np.corrcoef(first[:-1], first[1:])[0, 1]) < 4.5 / sqrt(n)
        deciles = np.histogram(first, bins=10, range=(0, 1))[0]
        assert (abs(deciles - n / 10) < 4.5 * sqrt(n * 0.1 * 0.9)).all()


@pytest.mark.parametrize(
    "visit", [(-1, 0, "nl", 0), (0, 1 << 24, "nl", 0), (0, 0, "nl", 1 << 32), (0, 0, "xx", 0)]
)
def test_visits_out_of_range(visit: tuple[int, int, str, int]) -> None:
    with pytest.raises(ValueError, match=r"out of range|none of nl"):
        noise_generator(*visit)


# Bad options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"p_max": 1.5}, "p_max: must lie in"),
        ({"add_low": -0.1}, "low: must lie in"),
        ({"add_high": 1.1}, "high: must lie in"),
        ({"add_low": 0.3}, "share 0.3 is above 0.2"),
        ({"candidates": 0}, "candidates: must be at least 1"),
        ({"shuffle_distance": -1}, "must not be negative"),
    ],
)
def test_bad_options(options: dict[str, object], message: str, line: WordMoversDistance) -> None:
    with pytest.raises(UserError, match=message):
        all_channels(line, **options)


def test_addition_needs_vectors_and_another_side(line: WordMoversDistance) -> None:
    with pytest.raises(UserError, match="word vectors"):
        build_noise(NoiseConfig(), np.ones(3), [[1]], None)
    with pytest.raises(UserError, match="no sentence of the other side"):
        build_noise(NoiseConfig(), np.ones(3), [], line)
