"""Which reading is the answer, by readings made by hand."""

import pytest

from fairseq_twostage.inference.picking import (
    NAMES_OUT,
    NO_VALUE,
    OTHER_NAMES,
    Choice,
    Reading,
    rank,
)
from fairseq_twostage.semantics import Answer, Failure

VARIABLES = {"_ship_": "en.ship.aurora", "_port_": "en.port.turku"}
RIGHT = Answer("(list (name en.ship.aurora))")
EMPTY = Failure("null", "no", counts_as_empty=True)  # the metric reads it as a value
WRONG = Failure("type", "no")


def reading(form, answer=RIGHT, canonical="z"):
    return Reading(canonical, form, answer, -0.1, -0.2)


@pytest.mark.parametrize(
    ("form", "answer", "expected"),
    [
        ("f _ship_ _port_", RIGHT, 0),
        ("f _port_ _ship_ _ship_", EMPTY, 0),
        ("f _ship_", RIGHT, NAMES_OUT),
        ("f", RIGHT, NAMES_OUT),
        ("f _ship_ _port_", WRONG, NO_VALUE),
        ("f", WRONG, NO_VALUE),
        ("f _ship_ _port_ _port2_", RIGHT, OTHER_NAMES),
        ("f _port2_", WRONG, OTHER_NAMES),
    ],
)
def test_rank(form, answer, expected):
    assert rank(reading(form, answer), VARIABLES) == expected


def test_without_names_a_form_need_only_execute():
    assert [rank(reading("f", answer), {}) for answer in (RIGHT, WRONG)] == [0, NO_VALUE]
    assert rank(reading("f _ship_"), {}) == OTHER_NAMES


def test_what_answers_another_question_goes_behind_what_may_answer_it():
    def other(found):
        return {"other": 1, "worse": 5}.get(found.canonical, 0)

    contradicted = reading("f _ship_ _port_", canonical="other")
    assert rank(contradicted, VARIABLES, other) == 1
    assert rank(reading("f", canonical="worse"), VARIABLES, other) == NAMES_OUT
    worse = Choice("executable_paraphrase", VARIABLES, 1, other)
    for canonical in ("worse", "other"):
        worse.add(iter([reading(f"{canonical} _ship_ _port_", canonical=canonical)]))
    assert [each.canonical for each in worse.readings] == ["other"]
    choice = Choice("executable_paraphrase", VARIABLES, 1, other)
    choice.add(iter([contradicted]))
    assert not choice.done
    choice.add(iter([reading("g _ship_ _port_")]))
    assert choice.done and choice.readings[0].logical_form == "g _ship_ _port_"
    left = Choice("best", VARIABLES, 1, other)  # asked for the best, it stays
    left.add(iter([contradicted]))
    assert left.done and left.readings[0] is contradicted


def test_of_one_form_the_words_with_least_against_them_are_taken():
    def other(found):
        return {"other": 1}.get(found.canonical, 0)

    choice = Choice("executable_paraphrase", VARIABLES, 1, other)
    for canonical in ("other", "same", "third"):
        choice.add(iter([reading("f _ship_ _port_", canonical=canonical)]))
    assert [each.canonical for each in choice.readings] == ["same"]
    left = Choice("best", VARIABLES, 1, other)
    for canonical in ("other", "same"):
        left.add(iter([reading("f _ship_ _port_", canonical=canonical)]))
    assert [each.canonical for each in left.readings] == ["other"]


FIRST = [reading("( a", WRONG), reading("b _ship_"), reading("c _ship_ _port_")]
SECOND = [reading("d _port2_"), reading("( a", WRONG), reading("e _port_ _ship_")]
THIRD = [reading("f"), reading("g", WRONG)]
WRONG_FORM = reading("( a", WRONG)


def forms(pick, n_best, *candidates, variables=VARIABLES):
    choice = Choice(pick, variables, n_best)
    for found in candidates:
        choice.add(iter(found))
    return [each.logical_form for each in choice.readings]


@pytest.mark.parametrize(
    ("pick", "expected"),
    [
        ("best", ["( a", "d _port2_", "f"]),
        ("executable", ["b _ship_", "d _port2_", "f"]),
        ("executable_paraphrase", ["c _ship_ _port_", "e _port_ _ship_", "f"]),
    ],
)
def test_one_form_of_each_candidate(pick, expected):
    assert forms(pick, 9, FIRST, SECOND, THIRD) == expected
    assert forms(pick, 2, FIRST, SECOND, THIRD) == expected[:2]


def test_whole_readings_go_before_others_in_their_order():
    whole, other = reading("w _ship_ _port_"), reading("v _port_ _ship_")
    found = forms(
        "executable_paraphrase", 9, [reading("a")], [WRONG_FORM], [whole], [reading("b")], [other]
    )
    assert found == ["w _ship_ _port_", "v _port_ _ship_", "a", "b", "( a"]
    assert forms("best", 9, [reading("a")], [whole]) == ["a", "w _ship_ _port_"]


def test_if_none_executes_the_best_of_the_first_candidate_stays():
    none = [[reading("( a", WRONG), reading("( b", WRONG)], [reading("( c", WRONG)]]
    for pick in ("best", "executable", "executable_paraphrase"):
        assert forms(pick, 1, *none) == ["( a"]


def test_the_same_form_again_is_no_other_reading():
    again = [reading("b _ship_", canonical="other")]
    choice = Choice("best", VARIABLES, 5)
    choice.add(iter(again))
    choice.add(iter([reading("b _ship_", canonical="later")]))
    assert [each.canonical for each in choice.readings] == ["other"]
    choice.add(iter([]))  # nothing reads that candidate
    assert len(choice.readings) == 1


def test_it_is_done_when_more_candidates_would_change_nothing():
    choice = Choice("executable_paraphrase", VARIABLES, 1)
    for candidate in ([reading("a")], [WRONG_FORM], [reading("d _port2_")]):
        choice.add(iter(candidate))
        assert not choice.done
    choice.add(iter([reading("w _ship_ _port_")]))
    assert choice.done
    for pick in ("best", "executable"):
        choice = Choice(pick, VARIABLES, 2)
        choice.add(iter([WRONG_FORM]))
        assert not choice.done
        choice.add(iter([reading("f")]))
        assert choice.done


@pytest.mark.parametrize(
    ("pick", "taken"), [("best", 1), ("executable", 2), ("executable_paraphrase", 3)]
)
def test_forms_are_evaluated_as_far_as_it_takes(pick, taken):
    seen = []

    def evaluated():
        for each in [*FIRST, reading("h _ship_ _port_")]:
            seen.append(each)
            yield each

    Choice(pick, VARIABLES, 1).add(evaluated())
    assert len(seen) == taken
