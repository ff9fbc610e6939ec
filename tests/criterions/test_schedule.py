"""Weights over updates, and lists of names with weights."""

import pytest

from fairseq_twostage.criterions.schedule import Schedule, parse_weighted_names
from fairseq_twostage.errors import UserError

KNOWN = ("denoising", "supervised")
UNREADABLE = [
    *("", "x", "1@x", "1@0;2", "1@5;2@5", "1@9;2@3", "1@2.5", ";"),
    *("nan", "inf", "-inf", "1@0;nan@5"),
]


def test_a_number_is_constant():
    schedule = Schedule.parse("0.5")
    assert [schedule.at(update) for update in (0, 1, 10**6)] == [0.5] * 3


@pytest.mark.parametrize(
    "update, weight",
    [(0, 1.0), (99, 1.0), (100, 1.0), (150, 0.75), (200, 0.5), (250, 0.25), (300, 0.0), (301, 0.0)],
)
def test_linear_between_points_and_constant_outside(update, weight):
    assert Schedule.parse("1@100;0.5@200;0@300").at(update) == pytest.approx(weight)


@pytest.mark.parametrize("text", UNREADABLE)
def test_unreadable_weights(text):
    with pytest.raises(ValueError):
        Schedule.parse(text)


def test_names_with_and_without_weights():
    chosen = parse_weighted_names(" denoising , supervised=2@0;4@10", KNOWN, "--objectives")
    assert [(name, schedule.at(5)) for name, schedule in chosen] == [
        ("denoising", 1.0),
        ("supervised", 3.0),
    ]


@pytest.mark.parametrize(
    "text, message",
    [
        ("denoise", "unknown name 'denoise'; choose from denoising, supervised"),
        ("denoising=1,denoising=2", "'denoising' is given twice"),
        ("denoising=much", "cannot read the weight of 'denoising=much'"),
        ("denoising=1@9;0@3", "cannot read the weight"),
        ("denoising=1,supervised=nan", "cannot read the weight of 'supervised=nan'"),
        ("denoising=inf", "cannot read the weight of 'denoising=inf'"),
        ("", "nothing chosen"),
        (" , ", "nothing chosen"),
    ],
)
def test_unreadable_lists_name_the_option(text, message):
    with pytest.raises(UserError, match=message) as error:
        parse_weighted_names(text, KNOWN, "--objectives")
    assert str(error.value).startswith("--objectives: ")
