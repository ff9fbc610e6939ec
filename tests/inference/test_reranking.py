"""The order of candidates against all of them scored one pair at a time."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch

from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.decoding.stage import BeamStage
from fairseq_twostage.inference import judging, reranking
from fairseq_twostage.inference.candidates import Query, names_in
from fairseq_twostage.inference.likelihood import Direction, DirectLikelihood, DualLikelihood
from fairseq_twostage.inference.reranking import Reranking
from fairseq_twostage.pairing.features import WordVectors
from fairseq_twostage.pairing.fitted import FittedSimilarity
from tests.builders import (
    dictionary_of,
    only_words,
    paraphraser,
    teacher_forced_log_prob,
    tokens_of,
)

NATURAL = [
    "how long is _ship_",
    "ships in _port_",
    "is _ship_ longer than _ship2_",
    "ships",
    "is _ship_ in _port_ please",
]
WORDS = ["ship", "whose", "length", "is", "largest", "in", "port"]
NAMES = [(), ("_ship_",), ("_port_",), ("_ship_", "_port_"), ("_ship_", "_ship2_")]


def canonical(seed, count=40):
    """Made-up candidates with all sorts of names; some have the same words."""
    random = np.random.default_rng(seed)
    found = {}
    while len(found) < count:
        words = [*random.choice(WORDS, random.integers(1, 5)), *NAMES[random.integers(len(NAMES))]]
        found[" ".join(random.permutation(words))] = None
    return list(found)


class System:
    """A paraphraser and a similarity of random values, over made-up candidates."""

    def __init__(self, seed):
        self.candidates = canonical(seed)
        self.words = {
            "utterance": dictionary_of(*NATURAL, *self.candidates),
            "nl": dictionary_of(*NATURAL),
            "cf": dictionary_of(*self.candidates),
        }
        self.model = paraphraser(seed, self.words, scale=6.0).eval()
        for side in ("nl", "cf"):
            only_words(self.model.decoder(side))
        random = np.random.default_rng(seed)
        vectors = {word: random.normal(size=3) for word in self.words["utterance"].symbols[4:]}
        self.similarity, _ = FittedSimilarity.fit(
            WordVectors(vectors, 3),
            [x.split() for x in NATURAL],
            [z.split() for z in self.candidates],
        )
        self.prior = random.normal(size=len(self.candidates))

    def direction(self, target):
        return Direction(self.model.encoder(target), self.model.decoder(target))

    def ranking(self, weights, **options):
        """The reranking by these features, with the prior if there is a weight for it."""
        weights = dict(weights)
        prior = self.prior if weights.pop("prior", None) else None
        return Reranking(
            self.candidates,
            weights,
            {"word_vectors": self.similarity} if "word_vectors" in weights else {},
            DirectLikelihood(self.direction("cf"))
            if {"forward", "forward_mean"} & set(weights)
            else None,
            DualLikelihood(self.direction("nl")) if "dual" in weights else None,
            prior,
            **options,
        )

    @cache  # noqa: B019 - every weighting asks for the same pairs of one model
    def log_prob(self, read, written, target):
        with torch.no_grad():
            memory = self.model.memory(tokens_of(self.words["utterance"], read), target)
            ids = self.words[target].encode_line(written, add_if_not_exist=False).tolist()
            return teacher_forced_log_prob(self.model.decoder(target), memory, ids).item()

    def score(self, weights, x, z):
        """(total, shown) of one pair."""
        forward = self.log_prob(x, z, "cf")
        (read,) = self.similarity.read([x])
        index = self.similarity.index_of(self.similarity.read([z]))
        parts = {
            "forward": forward,
            "forward_mean": forward / (len(z.split()) + 1),
            "dual": self.log_prob(z, x, "nl"),
            "word_vectors": self.similarity.scores(read, index)[0],
        }
        total = sum(weight * parts[name] for name, weight in weights.items() if name != "prior")
        if "prior" in weights:
            listed = z in self.candidates
            total += self.prior[self.candidates.index(z)] if listed else self.prior.min()
        direct = {"forward", "forward_mean"} & set(weights)
        return total, parts["forward_mean"] if direct else total


@cache
def system_of(seed):
    return System(seed)


def group(x, z):
    """0: the names of x. 1: fewer. 2: others."""
    wanted, has = names_in(x), names_in(z)
    return 0 if has == wanted else 1 if has < wanted else 2


def queries(lines=NATURAL):
    return [Query(x, names_in(x)) for x in lines]


def check(system, weights, ranking, x, found, lines):
    """That hypotheses are all lines, ordered as by every score, ties as they may."""
    scored = {z: system.score(weights, x, z) for z in lines}
    assert sorted(h.text for h in found) == sorted(lines)
    if ranking.faithful:
        groups = [group(x, h.text) for h in found]
        assert groups == sorted(groups) and len(set(groups)) > 1
    expected = sorted(lines, key=lambda z: (group(x, z) if ranking.faithful else 0, -scored[z][0]))
    for hypothesis, z in zip(found, expected):
        assert scored[hypothesis.text][0] == pytest.approx(scored[z][0], abs=1e-5)
        assert hypothesis.score == pytest.approx(scored[hypothesis.text][1], abs=1e-5)


WEIGHTS = [
    {"forward": 1.0},
    {"forward_mean": 2.0, "dual": 0.3, "prior": 1.0},
    {"dual": 1.0},
    {"forward": 1.0, "dual": 0.5, "word_vectors": 3.0, "prior": 1.0},
    {"word_vectors": 1.0},
    {"word_vectors": 2.0, "prior": 1.0},
]


@pytest.mark.parametrize("faithful", [True, False])
@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda weights: ",".join(weights))
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_the_order_is_that_of_all_scores(seed, weights, faithful):
    system = system_of(seed)
    ranking = system.ranking(weights, faithful=faithful)
    every = ranking.scores(NATURAL)
    for x, scores, found in zip(NATURAL, every, ranking.search(queries())):
        expected = [system.score(weights, x, z)[0] for z in system.candidates]
        np.testing.assert_allclose(scores, expected, atol=1e-5)
        check(system, weights, ranking, x, list(found), system.candidates)


PROPOSED = ["ship whose _ship_", "in in", "ship whose _ship_", "", "port _port_ _port_ ship"]


def likelier(system, weights, x, proposed):
    """The proposals that the likelihoods prefer to the best known candidate."""
    models = {
        name: weights[name] for name in ("forward", "forward_mean", "dual") if name in weights
    }
    best = min(system.candidates, key=lambda z: (group(x, z), -system.score(weights, x, z)[0]))
    least = system.score(models, x, best)[0]
    return [z for z in proposed if system.score(models, x, z)[0] > least]


@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda weights: ",".join(weights))
def test_likelier_proposals_stand_beside_the_list_with_its_smallest_prior(weights):
    system = system_of(3)
    beam = [*PROPOSED, system.candidates[0]]
    ranking = system.ranking(weights, proposals=lambda lines: [beam] * len(lines))
    kept = 0
    for x, found in zip(NATURAL, ranking.search(queries())):
        further = likelier(system, weights, x, [z for z in dict.fromkeys(PROPOSED) if z])
        kept += len(further)
        check(system, weights, ranking, x, list(found), [*system.candidates, *further])
    assert (kept > 0) == bool(set(weights) - {"word_vectors", "prior"})


def test_the_proposals_are_those_of_each_utterances_beam():
    system, weights = system_of(4), {"forward": 1.0, "word_vectors": 1.0}
    beam = BeamStage(*system.direction("cf"), 3, LengthLimit(0.0, 4))
    ranking = system.ranking(weights, proposals=beam)
    further = []
    for x, found, proposed in zip(NATURAL, ranking.search(queries()), beam(NATURAL)):
        new = [z for z in proposed if z and z not in system.candidates]
        further.append(set(likelier(system, weights, x, new)))
        assert {h.text for h in found} == further[-1] | set(system.candidates)
    assert any(further)


def test_an_order_depends_on_no_other_utterance():
    system = system_of(5)
    ranking = system.ranking(WEIGHTS[3])
    together = [list(found) for found in ranking.search(queries())]
    turned = [list(found) for found in ranking.search(queries(NATURAL[::-1]))][::-1]
    alone = [list(system.ranking(WEIGHTS[3]).search(queries([x]))[0]) for x in NATURAL]
    for one, other, third in zip(together, turned, alone):
        assert [h.text for h in one] == [h.text for h in other] == [h.text for h in third]
        for found in (other, third):
            assert [h.score for h in found] == pytest.approx([h.score for h in one], abs=1e-9)


def test_likelihoods_are_computed_for_what_the_bound_leaves_open(monkeypatch):
    system = system_of(6)
    asked = []

    class Counted(reranking.Judge):
        def direct(self, lines):
            asked.extend(lines)
            return super().direct(lines)

    monkeypatch.setattr(reranking, "Judge", Counted)
    ranking = replace(system.ranking({"forward": 0.001, "word_vectors": 100.0}), faithful=False)
    (found,) = ranking.search(queries(NATURAL[:1]))
    assert asked == []
    next(found)
    assert len(asked) == judging.CHUNK < len(system.candidates)
    assert len([*found]) == len(system.candidates) - 1 == len(set(asked)) - 1


def test_names_decide_before_scores():
    candidates = ["a _x_ _y_", "b", "c _x_", "d _z_", "e _x_ _z_", "f _y_ _x_"]
    vectors = WordVectors({}, 2, ())
    similarity, _ = FittedSimilarity.fit(vectors, [["q"], ["b"]], [z.split() for z in candidates])
    prior = np.array([0.0, 5.0, 1.0, 9.0, 8.0, 2.0])
    ranking = Reranking(candidates, {"s": 0.0}, {"s": similarity}, prior=prior)

    def order(text, ranking=ranking):
        (found,) = ranking.search(queries([text]))
        return "".join(h.text[0] for h in found)

    assert order("q _x_ _y_") == "fabcde"
    assert order("q") == "bdefca"  # no name: every other one is foreign
    assert order("q _x_") == "cbdefa"
    assert order("q _w_") == "bdefca"  # none has all: first those without
    assert order("q _x_ _y_", replace(ranking, faithful=False)) == "debfca"


def test_what_was_attended_to():
    system = system_of(7)
    ranking = system.ranking({"forward": 1.0})
    x, z = NATURAL[0], system.candidates[0]
    beam = BeamStage(*system.direction("cf"), 1, LengthLimit())
    assert ranking.attention(x, z) == beam.attention(x, z)
    nothing = system.ranking({"word_vectors": 1.0}).attention("how long", "ship in port")
    assert nothing == [[0.0, 0.0]] * 3


def test_warming_up_changes_the_time_alone(monkeypatch):
    cold, warm = (system_of(7).ranking(WEIGHTS[3]) for _ in range(2))
    warm.warm_up()
    for model in (warm.direct, warm.dual):
        monkeypatch.setattr(model.candidates, "compute", lambda lines: pytest.fail(str(lines)))
    for one, other in zip(cold.search(queries()), warm.search(queries())):
        pairs = list(zip(one, other, strict=True))
        assert all(cold.text == warm.text for cold, warm in pairs)
        assert [h.score for h, _ in pairs] == pytest.approx([h.score for _, h in pairs])
