"""The probability that an answer is right, and which confidences are trusted."""

import json
import math

import numpy as np
import pytest

from fairseq_twostage.inference.candidates import Pool
from fairseq_twostage.inference.confidence import (
    USUAL,
    ConfidenceModel,
    Evidence,
    evidence,
    threshold_for,
    weigh,
)
from fairseq_twostage.inference.scope import ScopeModel
from fairseq_twostage.inference.trust import Trust
from fairseq_twostage.inference.trust_files import read_trust, write_trust
from fairseq_twostage.text.content_words import unshared_words


def pool(total, temperature=1.0, **compared):
    lines = [f"z{place}" for place in range(len(total))]
    return Pool(lines, np.array(total), 2 * temperature, temperature, **compared)


def test_the_posterior_is_the_share_of_the_answer_among_all_readings():
    scores = pool([math.log(5), math.log(3), math.log(2)])
    found = evidence(scores, np.array([True, False, True]), np.ones(3, dtype=bool))
    assert found.posterior == pytest.approx(math.log(7 / 3))


def test_scores_are_divided_by_the_sharp_temperature():
    scores = pool([math.log(9), math.log(4)], temperature=0.5)
    found = evidence(scores, np.array([True, False]), np.ones(2, dtype=bool))
    assert found.posterior == pytest.approx(math.log(81 / 16))


def test_what_may_not_be_meant_is_left_out():
    scores = pool([math.log(5), math.log(3), math.log(2)])
    found = evidence(scores, np.array([True, False, False]), np.array([True, False, True]))
    assert found.posterior == pytest.approx(math.log(5 / 2))


def test_an_answer_without_rival_is_as_sure_as_can_be():
    found = evidence(pool([0.0, -1.0]), np.array([True, True]), np.ones(2, dtype=bool))
    assert found.posterior == pytest.approx(math.log(1e6))


def test_where_nothing_compares_x_and_z_only_the_posterior_counts():
    both = np.array([True, False]), np.ones(2, dtype=bool)
    compared = evidence(pool([2.0, 0.0], alike=USUAL - 1, mismatch=1.0), *both)
    alone = evidence(pool([2.0, 0.0]), *both)
    assert (alone.alike, alone.mismatch) == (USUAL, 0.0)
    assert ConfidenceModel()(alone) > ConfidenceModel()(compared)


def test_candidates_of_one_answer_are_found_by_form_then_by_answer():
    asked = []

    def same_answer(form):
        asked.append(form)
        return form == "g"

    forms = {"z0": "f", "z1": "f", "z2": "g", "z3": "h", "z4": None}
    found = weigh(pool([0.0, -1.0, -1.0, -30.0, -1.0]), "z0", forms.get, same_answer)
    assert found.same.tolist() == [True, True, True, False, False]
    assert asked == ["g"]  # h has no share, z4 no form


def test_a_better_candidate_that_was_not_chosen_gave_no_answer():
    found = weigh(pool([0.0, 1.0, -1.0]), "z0", {}.get, lambda form: False)
    assert found.kept.tolist() == [True, False, True]


@pytest.mark.parametrize(("refused", "kept"), [("z1", [True, False, True]), ("z0 z1", [True] * 3)])
def test_a_candidate_that_answers_another_question_is_no_rival(refused, kept):
    forms = {"z0": "f", "z1": "g", "z2": "h"}
    told = refused.split().__contains__
    found = weigh(pool([0.0, -1.0, -1.0]), "z0", forms.get, lambda form: False, told)
    assert found.kept.tolist() == kept


def of(value):
    return Evidence(4 * value)


@pytest.fixture
def model():
    return ConfidenceModel()


def test_more_evidence_is_more_confidence(model):
    found = [model(of(value)) for value in (-4, -1, 0, 1, 4)]
    assert found == sorted(found) and found[0] < 0.1 and found[-1] > 0.9
    assert model(Evidence(0.0, USUAL)) == pytest.approx(0.5)
    assert model(Evidence(0.0, USUAL + 1)) > 0.5 > model(Evidence(0.0, USUAL, 1.0))


def test_without_labels_nothing_is_recalibrated(model):
    assert model.recalibrated([], []) is model


def test_labels_that_contradict_lower_the_confidence(model):
    found = [of(3.0)] * 40
    changed = model.recalibrated(found, [True] * 10 + [False] * 30)
    assert model(found[0]) > 0.9
    assert changed(found[0]) == pytest.approx(0.25, abs=0.1)
    few = model.recalibrated(found[:2], [False, False])
    assert changed(found[0]) < few(found[0]) < model(found[0])


@pytest.mark.parametrize(
    "precision, expected",
    [
        (0.5, 0.0),  # all together: 0.6
        (0.7, 0.5),  # 0.9, 0.8, 0.5: mean 0.733; with 0.2 it is 0.6
        (0.85, 0.8),
        (0.9, 0.9),
    ],
)
def test_the_threshold_promises_a_precision(precision, expected):
    assert threshold_for(precision, [0.2, 0.9, 0.5, 0.8]) == expected


def test_so_many_answers_keep_to_the_precision_mostly():
    confidences = np.random.default_rng(3).beta(6, 1, 500)
    threshold = threshold_for(0.9, confidences, answers=100)
    assert threshold > threshold_for(0.9, confidences) > 0
    given = confidences[confidences >= threshold]
    draw = np.random.default_rng(4)
    shares = [(draw.random(100) < draw.choice(given, 100)).mean() for _ in range(2_000)]
    # 0.7 by the normal distribution, which has no steps: 90 of 100 are enough
    assert 0.7 <= np.mean(np.array(shares) >= 0.9) <= 0.8


def test_a_precision_that_is_never_reached_refuses_all():
    assert threshold_for(0.95, [0.2, 0.9]) > 0.9


def trusted(tmp_path):
    draw = np.random.default_rng(1)
    rows = [draw.normal(size=(40, 4)).astype(np.float32) + place for place in (0, 0, 3)]
    trust = Trust(
        ScopeModel.fit(*rows), ConfidenceModel(0.5, -1.0), [1.0], 0.9, 0.5, 1, 1, frozenset()
    )
    write_trust(trust, tmp_path)
    return tmp_path / "trust.json"


def test_what_labels_changed_is_kept(tmp_path):
    trusted(tmp_path)
    assert read_trust(tmp_path).model == ConfidenceModel(0.5, -1.0)


@pytest.mark.parametrize("model", [{"constants": [1.0]}, {"features": [], "shares": []}])
def test_confidences_of_another_version_are_not_read(tmp_path, model):
    path = trusted(tmp_path)
    path.write_text(json.dumps({**json.loads(path.read_text()), "model": model}))
    with pytest.raises(ValueError, match="another version"):
        read_trust(tmp_path)


@pytest.mark.parametrize(
    ("tokens", "z", "count"),
    [
        ("which ships are red", "which ships are red", 0),
        ("ships that have been painted red please", "which red ships are there", 1),
        ("which ferries are red", "which tugs are green", 4),
        ("who painted _ship_", "which painters paint _ship2_", 2),
        ("", "", 0),
    ],
)
def test_words_that_only_one_of_both_has(tokens, z, count):
    assert unshared_words(tokens, z) == unshared_words(z, tokens) == count


def test_of_a_schemas_questions_unshared_words_speak_against():
    sure = [ConfidenceModel()(Evidence(2.0, unshared=count)) for count in (None, 0, 2, 5)]
    assert sure[3] < sure[2] < sure[1]
    assert sure[2] == pytest.approx(sure[0])
