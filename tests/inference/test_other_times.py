"""Another time than the one that is asked for, by questions of an invented gallery."""

from __future__ import annotations

import pytest

from fairseq_twostage.inference.known_questions import KnownQuestions
from fairseq_twostage.inference.other_times import other_time

GALLERY = KnownQuestions(
    {
        "which works are made in _date_": "works",
        "which works are there": "works",
        "which sales are sold in _date_": "sales",
        "which sales are there": "sales",
        "which sales are of works made in _date_": "sales of works",
        "which frames are set after _date_": "frames",
        "which frames are sold after _date_": "frames",
    }
)


@pytest.mark.parametrize(
    ("asked", "understood", "other"),
    [
        ("which sales were made in _date_", "which sales are of works made in _date_", True),
        ("which sales were made in _date_", "which sales are sold in _date_", False),
        ("sales of works made in _date_", "which sales are of works made in _date_", False),
        ("which works were made in _date_", "which works are made in _date_", False),
        ("which works were made in _date_", "which works are sold in _date_", True),
        ("frames set after _date_", "which frames are sold after _date_", True),
        ("frames set after _date_", "which frames are set after _date_", False),
    ],
)
def test_what_was_done_then(asked: str, understood: str, other: bool) -> None:
    assert (other_time(asked, understood, GALLERY) is not None) == other
