"""The objectives as fairseq builds them from options."""

from types import SimpleNamespace

import pytest
import torch

from fairseq_twostage.criterions import back_translation, registration
from fairseq_twostage.criterions.back_translation import BackTranslation
from fairseq_twostage.criterions.baselines import CumulativeMean, MeanOfSamples
from fairseq_twostage.criterions.denoising import Denoising
from fairseq_twostage.criterions.policy_gradient import PolicyGradient, draw_samples
from fairseq_twostage.criterions.registration import (
    ObjectiveConfig,
    WeightedObjectives,
    WeightedObjectivesConfig,
    build_objective,
)
from fairseq_twostage.criterions.supervised import PseudoPairs, Supervised
from fairseq_twostage.decoding import beam
from fairseq_twostage.decoding.beam import beam_samples
from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.errors import UserError
from tests.builders import dictionaries, language_model, paraphraser, style_cnn, unpaired_batch


class NothingGiven:
    """No auxiliary model may be asked for."""

    def __getattr__(self, name):
        raise AssertionError(f"{name} was asked for")


def task(auxiliaries=None, labelled_share=0.0, pseudo_pairs=None):
    return SimpleNamespace(
        auxiliaries=auxiliaries or NothingGiven(),
        cfg=SimpleNamespace(labelled_share=labelled_share, pseudo_pairs=pseudo_pairs),
        constraints={},
        dictionaries=dictionaries(),
        executes=lambda: lambda form, variables: True,
    )


def test_the_defaults_are_the_papers():
    words = dictionaries()
    auxiliaries = SimpleNamespace(
        language_models=lambda: {side: language_model(words[side]) for side in ("nl", "cf")},
        style_classifier=lambda: style_cnn(words["utterance"]),
        parses=lambda: None,
    )
    built = WeightedObjectives.build_criterion(WeightedObjectivesConfig(), task(auxiliaries))
    (translation, weight), (reinforcement, other_weight) = built.objectives
    assert isinstance(translation, BackTranslation)
    assert isinstance(reinforcement, PolicyGradient)
    assert weight.at(0) == other_weight.at(0) == 1.0
    assert reinforcement.samples == 6
    assert isinstance(reinforcement.baseline, MeanOfSamples)
    assert reinforcement.sampler is draw_samples
    assert reinforcement.advantage_clamp == reinforcement.dual_weight == 0.0
    assert reinforcement.weights == {
        "fluency": 1.0,
        "style": 1.0,
        "relevance": 1.0,
        "executability": 1.0,
    }


def test_options_reach_the_objectives():
    cfg = WeightedObjectivesConfig(
        objectives="policy_gradient=0.5,denoising=1@0;0@10",
        rewards="relevance=0.25",
        samples=1,
        sampler="beam",
        baseline="cumulative",
        advantage_clamp=5.0,
        dual_weight=0.5,
        relevance_dropout=True,
        length_slope=2.0,
        length_offset=3,
    )
    (reinforcement, weight), (denoising, schedule) = WeightedObjectives.build_criterion(
        cfg, task()
    ).objectives
    assert isinstance(denoising, Denoising)
    assert (weight.at(7), schedule.at(5)) == (0.5, 0.5)
    assert reinforcement.weights == {"relevance": 0.25}
    assert reinforcement.limit == LengthLimit(2.0, 3)
    assert reinforcement.sampler is beam_samples
    assert isinstance(reinforcement.baseline, CumulativeMean)
    assert (reinforcement.advantage_clamp, reinforcement.dual_weight) == (5.0, 0.5)
    assert reinforcement.rewards["relevance"].dropout


@pytest.mark.parametrize(
    "options, message",
    [
        ({"samples": 1}, "--samples: 1 with the baseline 'mean' leaves every advantage at zero"),
        ({"samples": 0}, "--samples: must be at least 1, not 0"),
        ({"samples": 0, "baseline": "none"}, "--samples: must be at least 1, not 0"),
        ({"rewards": "beauty=1"}, "--rewards: unknown name 'beauty'"),
        ({"rewards": ""}, "--rewards: nothing chosen"),
        ({"rewards": "relevance=1@0;0@9"}, "--rewards: a reward's weight cannot move"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(UserError, match=message):
        build_objective("policy_gradient", ObjectiveConfig(**options), task())


def test_unknown_objectives_are_refused():
    with pytest.raises(UserError, match="--objectives: unknown name 'dae'"):
        WeightedObjectives.build_criterion(WeightedObjectivesConfig(objectives="dae"), task())


def test_supervision_needs_a_labelled_share():
    with pytest.raises(UserError, match="--labelled-share above 0"):
        build_objective("supervised", ObjectiveConfig(), task())
    assert isinstance(
        build_objective("supervised", ObjectiveConfig(), task(labelled_share=0.05)), Supervised
    )


@pytest.mark.parametrize(
    "adapter, kind",
    [
        (registration.DenoisingCriterion, Denoising),
        (registration.BackTranslationCriterion, BackTranslation),
        (registration.SupervisedCriterion, Supervised),
        (registration.PolicyGradientCriterion, PolicyGradient),
    ],
)
def test_each_objective_alone_has_weight_one(adapter, kind):
    cfg = ObjectiveConfig(rewards="relevance")
    share = 1.0 if kind is Supervised else 0.0
    ((objective, schedule),) = adapter.build_criterion(cfg, task(labelled_share=share)).objectives
    assert isinstance(objective, kind)
    assert schedule.at(0) == schedule.at(10**6) == 1.0


@pytest.mark.parametrize(
    ("pairs", "option"),
    [({"labelled_share": 0.3}, "--labelled-share"), ({"pseudo_pairs": "p"}, "--pseudo-pairs")],
)
def test_pairs_that_no_objective_uses_are_refused(pairs, option):
    both = WeightedObjectivesConfig(objectives="denoising=1,supervised=1,pseudo_pairs=1")
    given = {"labelled_share": 0.3, "pseudo_pairs": "p"}
    assert len(WeightedObjectives.build_criterion(both, task(**given)).objectives) == 3
    with pytest.raises(UserError, match=f"^{option}: unused"):
        WeightedObjectives.build_criterion(
            WeightedObjectivesConfig(objectives="denoising=1"), task(**pairs)
        )
    with pytest.raises(UserError, match=f"^{option}: unused"):
        registration.DenoisingCriterion.build_criterion(ObjectiveConfig(), task(**pairs))


def test_pseudo_pairs_need_a_file():
    with pytest.raises(UserError, match="--pseudo-pairs"):
        build_objective("pseudo_pairs", ObjectiveConfig(), task())
    built = build_objective("pseudo_pairs", ObjectiveConfig(), task(pseudo_pairs="pairs.tsv"))
    assert isinstance(built, PseudoPairs)


def test_one_search_serves_back_translation_and_samples(monkeypatch):
    searches = []
    search = beam.patient_hypotheses

    def counted(decoder, memory, k, *rest):
        searches.append(k)
        return search(decoder, memory, k, *rest)

    monkeypatch.setattr(beam, "patient_hypotheses", counted)
    monkeypatch.setattr(back_translation, "patient_hypotheses", counted)
    cfg = WeightedObjectivesConfig(
        rewards="relevance=1", samples=3, sampler="beam", translation_beam=3
    )
    together = [
        objective for objective, _ in WeightedObjectives.build_criterion(cfg, task()).objectives
    ]
    apart = [build_objective(name, cfg, task()) for name in ("back_translation", "policy_gradient")]
    words = dictionaries()["utterance"]
    gradients = []
    for objectives, expected in ((together, [3, 3]), (apart, [3, 3, 3, 3])):
        model = paraphraser(scale=9.0)
        for lines in (["the longest ship", "please"], ["ship in port", "largest ship"]):
            batch = unpaired_batch(words, lines, ["port", "ship whose length is largest"])
            searches.clear()
            loss = sum(objective(model, batch).loss for objective in objectives)
            assert searches == expected
            loss.backward()
            with torch.no_grad():  # the next batch is searched by another model
                for parameter in model.parameters():
                    parameter -= 0.01 * parameter.grad
        gradients.append([parameter.grad.clone() for parameter in model.parameters()])
    for one, other in zip(*gradients, strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize(
    "changed",
    [
        {"sampler": "multinomial"},
        {"sampler": "dropout_beam"},
        {"translation_beam": 1},
        {"translation_beam": 4},
        {"objectives": "back_translation=1"},
    ],
)
def test_different_searches_are_not_shared(changed):
    options = dict(rewards="relevance=1", samples=3, sampler="beam", translation_beam=3) | changed
    built = WeightedObjectives.build_criterion(WeightedObjectivesConfig(**options), task())
    assert built.objectives[0][0].shared is None
