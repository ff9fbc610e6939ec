"""What is asked to be the first or the most of some: pairs by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.firsts import done_most_other


@pytest.mark.parametrize(
    ("asked", "understood", "found"),
    [
        ("who milks the most", "milker of goat with highest age", ("milks", "age")),
        ("who milks the most ?", "milker of goat with lowest age", ("milks", "age")),
        ("who milks the most goats", "milker of goat with highest age", None),
        ("who milks the most", "keeper of goat with highest age", None),
        ("who milks the most", "which milkers milk the most goats", None),
    ],
)
def test_who_does_the_most(asked: str, understood: str, found: tuple[str, str] | None) -> None:
    assert done_most_other(asked, understood) == found
