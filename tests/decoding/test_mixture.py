"""Several paraphrasers as one: the mean of their probabilities."""

from __future__ import annotations

import math

import pytest

from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.decoding.mixture import MixtureStage, as_one
from fairseq_twostage.decoding.stage import BeamStage, Hypothesis
from tests.builders import paraphraser


class Beams:
    """A stage that finds what it is told, with probabilities of whole sentences."""

    def __init__(self, **found):
        self.found = found

    def scored(self, lines):
        return [
            [
                Hypothesis(text, math.log(likelihood) / (len(text.split()) + 1))
                for text, likelihood in self.found[line].items()
            ]
            for line in lines
        ]


def test_the_mean_of_probabilities_decides():
    mixture = MixtureStage(
        [
            Beams(x={"a b c": 0.5, "d": 0.3}, y={"e": 0.9}),
            Beams(x={"d": 0.4, "f": 0.35}, y={"e": 0.1, "g": 0.8}),
        ]
    )
    assert mixture(["y", "x"]) == [["e", "g"], ["d", "a b c"]]  # as many as a beam has
    (best, second), _ = mixture.scored(["x", "y"])
    assert best.score == pytest.approx(math.log((0.3 + 0.4) / 2) / 2)
    assert second.score == pytest.approx(math.log((0.5 + 0.0) / 2) / 4)


def test_hypotheses_too_unlikely_for_a_float():
    text = " ".join("word" for _ in range(999))
    unlikely = Beams(x={"a": 1e-300})
    unlikely.scored = lambda lines: [[Hypothesis(text, -5.0)]]
    ((found,),) = MixtureStage([unlikely, unlikely]).scored(["x"])
    assert found == (text, pytest.approx(-5.0))


def test_one_model_is_a_plain_stage_and_twice_the_same_changes_no_score():
    model, limit = paraphraser(seed=1, scale=9.0), LengthLimit(slope=0.0, offset=5)
    lines = ["the longest ship in port", "ship"]
    stage = BeamStage(model.encoder("cf"), model.decoder("cf"), 3, limit)
    alone = as_one([stage])
    assert alone is stage
    twice = as_one([stage, stage]).scored(lines)
    assert len(lines) == len(twice)
    for one, other in zip(alone.scored(lines), twice):
        assert dict(other) == pytest.approx(dict(one))
