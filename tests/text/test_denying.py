"""What a question denies, and what was understood does not: pairs by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.denying import (
    complements,
    denies_alone,
    denies_doer,
    denies_other,
    frees_otherwise,
    misses_denied,
)
from fairseq_twostage.text.doing import never_done_other


@pytest.mark.parametrize(
    ("asked", "understood", "turned"),
    [
        ("goats that are still alive", "which goats are deceased", ("alive", "deceased")),
        ("goats no longer alive", "which goats are not deceased", ("alive", "deceased")),
        ("goats no longer alive", "which goats are alive", ("alive", "alive")),
        ("goats alive", "which goats are not alive", ("alive", "not alive")),
        ("goats that survived", "which goats are deceased", ("survived", "deceased")),
        ("goats that are alive", "which goats are not deceased", None),
        ("goats no longer alive", "which goats are deceased", None),
        ("closed shops", "which shops are open", ("closed", "open")),
        ("closed shops", "which shops are not open", None),
    ],
)
def test_what_is_the_one_is_not_the_other(
    asked: str, understood: str, turned: tuple[str, str] | None
) -> None:
    assert complements(asked, understood) == turned


@pytest.mark.parametrize(
    ("asked", "understood", "left_out"),
    [
        ("unpaid farms", "which farms have a price", "unpaid"),
        ("unpaid farms", "which farms are paid", None),  # that is told apart
        ("unpaid farms", "which farms have no price", None),
        ("unpaid farms", "which farms are unpaid", None),
        ("farms with unsold pigs", "which farms have no pigs", "unsold"),
        ("united farms until noon under a unit", "which farms have a price", None),
    ],
)
def test_words_that_deny(asked: str, understood: str, left_out: str | None) -> None:
    assert misses_denied(asked, understood) == left_out


def test_what_was_understood_denies_by_itself() -> None:
    assert denies_alone("goats with bells", "which goats have no bells")
    assert not denies_alone("goats without bells", "which goats have no bells")
    assert not denies_alone("goats that are alive", "which goats are not deceased")


def test_who_did_it_is_denied_by_name() -> None:
    titles = "which titles are by no authors from _country_"
    assert denies_doer("_country_ titles that nobody has borrowed", titles) == "authors"
    assert denies_doer("_country_ titles without an author", titles) is None
    assert denies_doer("titles not by anybody from _country_", titles) is None


def test_what_is_denied_behind_an_and() -> None:
    asked = "which goats have never been ill and belong to _farm_"
    assert denies_other(asked, "which goats are not of _farm_")
    assert not denies_other(asked, "which goats are not ill and are of _farm_")
    assert not denies_other(
        "which goats have never been in _farm_", "which goats are not in _farm_"
    )


def test_who_still_waits_has_what_they_wait_for() -> None:
    asked = "which farmers are still waiting for _goat_"
    assert denies_alone(asked, "which farmers with _goat_ have no waiting bookings")
    assert not denies_alone("which goats are still open", "which goats are not closed")


@pytest.mark.parametrize(
    ("asked", "understood", "other"),
    [
        ("goats that were never fed", "which goats are never sold", ("fed", "sold")),
        ("goats that have never been fed", "which goats are never sold", ("fed", "sold")),
        ("goats that were never bought", "which goats are never sold", None),
        ("goats that were never fed", "which goats are never fed", None),
        ("goats that were never fed", "which goats have no feedings", None),
    ],
)
def test_what_was_never_done(asked: str, understood: str, other: tuple[str, str] | None) -> None:
    assert never_done_other(asked, understood) == other


@pytest.mark.parametrize(
    ("asked", "understood", "thing"),
    [
        ("cheeses without rennet", "cheese that is not rennet free", "rennet"),
        ("cheeses with rennet", "cheese that is rennet free", "rennet"),
        ("cheeses free of rennet", "which cheeses are not rennet free", "rennet"),
        ("cheeses without rennet", "cheese that is rennet free", None),
        ("cheeses with rennet", "cheese that is not rennet free", None),
        ("rennet free cheeses", "cheese that is rennet free", None),
        ("cheeses without a name", "cheese that is rennet free", None),
    ],
)
def test_what_is_free_of_something_is_without_it(
    asked: str, understood: str, thing: str | None
) -> None:
    assert frees_otherwise(asked, understood) == thing
