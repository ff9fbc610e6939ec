"""What labels teach, against the formula written out and against plain expectations."""

import math

import numpy as np
import pytest

from fairseq_twostage.inference.candidates import Pool, Query, names_in
from fairseq_twostage.inference.confidence import Evidence
from fairseq_twostage.inference.labels import Label
from fairseq_twostage.inference.learning import judged
from fairseq_twostage.inference.learnt import (
    CERTAIN,
    PENALTY,
    Labelled,
    Learnt,
    Lesson,
    fit_words,
    read_learnt,
)
from fairseq_twostage.inference.parses import Parse
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.inference.trust import Verdict
from fairseq_twostage.semantics import Answer
from fairseq_twostage.text.placeholders import is_placeholder
from fairseq_twostage.text.utterance import Utterance
from tests.inference.test_reranking import NATURAL, System, group

WORDS = {("ships", "whose"): 1.5, ("long", "length"): 0.7, ("long", "port"): -2.0}
LABELS = [Labelled(NATURAL[1], "in _port_"), Labelled(NATURAL[0], "ship _ship_", False)]


def unit(line, rarity):
    words = {w: rarity.of.get(w, rarity.unseen) for w in line.split() if not is_placeholder(w)}
    length = math.sqrt(sum(weight**2 for weight in words.values()))
    return {word: weight / length for word, weight in words.items()} if length else {}


def added(similarity, words, x, z):
    """``u(x) · A · v(z)``, pair by pair."""
    u, v = unit(x, similarity.natural), unit(z, similarity.canonical)
    return sum(u.get(a, 0.0) * weight * v.get(b, 0.0) for (a, b), weight in words.items())


@pytest.mark.parametrize("weights", [{"word_vectors": 2.0}, {"forward": 1.0, "word_vectors": 3.0}])
def test_the_order_is_that_of_the_scores_with_what_is_learnt(weights):
    system = System(1)
    means = {x: next(z for z in system.candidates if group(x, z) == 0) for x in NATURAL[:3]}
    labels = [Labelled(*pair) for pair in means.items()]
    ranking = system.ranking(weights, learnt=Learnt(WORDS, labels))
    for x, found in zip(NATURAL, ranking.search([Query(x, names_in(x)) for x in NATURAL])):
        scores = {}
        for z in system.candidates:
            total = system.score(weights, x, z)[0]
            total += weights["word_vectors"] * added(system.similarity, WORDS, x, z)
            scores[z] = math.inf if means.get(x) == z else total  # a label is certain
        expected = sorted(system.candidates, key=lambda z: (group(x, z), -scores[z]))
        for hypothesis, z in zip(found, expected):
            assert scores[hypothesis.text] == pytest.approx(scores[z], abs=1e-4)


def test_a_refuted_reading_is_the_last_of_its_names():
    system = System(2)
    x = NATURAL[1]
    same = [z for z in system.candidates if names_in(z) == names_in(x)]
    plain = [h.text for h in system.ranking({"word_vectors": 1.0}).search(queries(x))[0]]
    learnt = Learnt({}, [Labelled(x, plain[0], False)])
    ranking = system.ranking({"word_vectors": 1.0}, learnt=learnt)
    found = [h.text for h in ranking.search(queries(x))[0]]
    assert len(same) > 1 and found[: len(same)] == [*plain[1 : len(same)], plain[0]]


def queries(x):
    return [Query(x, names_in(x))]


def lessons_of(system, labels):
    ranking = system.ranking({"word_vectors": 1.0})
    for x, z in labels:
        pool = ranking.search(queries(x))[0].pool(z)
        yield Lesson(x, pool, np.array([line == z for line in pool.lines]))


def loss(similarity, lessons, words):
    total = PENALTY / 2 * sum(weight**2 for weight in words.values())
    for x, pool, meant in lessons:
        scores = [
            (score + added(similarity, words, x, z)) / pool.temperature
            for z, score in zip(pool.lines, pool.total.tolist())
        ]
        total += math.log(sum(map(math.exp, scores)))
        total -= math.log(sum(math.exp(s) for s, right in zip(scores, meant) if right))
    return total


def test_words_are_fitted_to_be_most_probable():
    system = System(3)
    same = [z for z in system.candidates if names_in(z) == names_in(NATURAL[1])]
    lessons = list(lessons_of(system, [(NATURAL[1], same[-1]), (NATURAL[1], same[0])]))
    found = fit_words(lessons, system.similarity, 1.0)
    least = loss(system.similarity, lessons, found)
    assert least < loss(system.similarity, lessons, {}) - 0.01
    random = np.random.default_rng(0)
    for _ in range(20):  # no other values near by are better
        other = {pair: weight + random.normal(scale=0.05) for pair, weight in found.items()}
        assert loss(system.similarity, lessons, other) > least - 1e-6
    heard = {word for x, *_ in lessons for word in x.split()}
    assert {x for x, _ in found} <= heard


def test_nothing_is_learnt_of_nothing():
    assert fit_words([], System(1).similarity, 1.0) == {}


def test_a_word_that_labels_explain_plays_a_part():
    rarity = System(1).similarity.canonical
    learnt = Learnt(WORDS, LABELS)
    explained = learnt.explains("how long is it", "length of _ship_", rarity)
    assert explained("long") and not explained("how")
    assert not learnt.explains("how long is it", "port", rarity)("long")
    assert learnt.explains(NATURAL[1], "in _port_", rarity)("please")  # it was labelled whole
    assert learnt.certain(NATURAL[0]) == {"ship _ship_": -CERTAIN}
    assert learnt.without(frozenset([NATURAL[0]])).certain(NATURAL[0]) == {}


def test_it_comes_back_from_its_file(tmp_path):
    learnt = Learnt(WORDS, LABELS)
    learnt.write(tmp_path)
    assert read_learnt(tmp_path) == learnt


def test_the_pool_of_a_labelled_reading_is_sure():
    system = System(2)
    x = NATURAL[1]
    z = [z for z in system.candidates if names_in(z) == names_in(x)][-1]
    ranking = system.ranking({"word_vectors": 1.0}, learnt=Learnt({}, [Labelled(x, z)]))
    (search,) = ranking.search(queries(x))
    pool = search.pool(next(search).text)
    assert isinstance(pool, Pool) and pool.lines[int(pool.total.argmax())] == z


def test_what_is_refused_whatever_its_confidence_tells_nothing_of_confidences():
    verdicts = [
        Verdict(evidence=Evidence(1.0)),
        Verdict(evidence=Evidence(2.0), refused_because="not sure enough", unsure=True),
        Verdict(evidence=Evidence(3.0), refused_because="these words play no part"),
    ]
    reading = Reading("z", "f", Answer("(list)"), 0.0, 0.0)

    class Reads:
        def parse_utterances(self, utterances):
            return [Parse(each, (reading,), verdict) for each, verdict in zip(utterances, verdicts)]

    labels = [Label(Utterance(text, text, {}, {}), "f", "f", right=False) for text in "abc"]
    found = judged(Reads(), labels)
    assert [each.right for each in found] == [False] * 3
    assert [each.evidence for each in found] == [Evidence(1.0), Evidence(2.0), None]
