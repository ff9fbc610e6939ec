"""Who does or is something: questions of an invented charter firm and its kennel."""

from __future__ import annotations

import pytest

from fairseq_twostage.inference.agreement import Agreement
from fairseq_twostage.inference.other_doers import names_role, other_doer
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.semantics import Answer

PAIRS = {
    "which customers have bookings": "customers",
    "who has bookings": "customers",
    "which skippers are there": "skippers",
    "who are there": "skippers",
    "which dogs are there": "dogs",
    "which boats are named _boat_": "( call f en.boat.aurora )",
    "which pets are of _owner_": "( call f en.owner.ann )",
    "how many shifts have no volunteer": "none",
}
CHARTER = Agreement(PAIRS)
NOBODY = "it is of nobody, and what was understood of no "


def refused(tokens: str, z: str, answer: str = "(list (name en.skipper.bo))") -> bool:
    reading = Reading(z, "f", Answer(answer), 0.0, 0.0, z)
    return CHARTER.contradiction(tokens, reading) is not None


def test_who_booked_is_a_customer_where_there_are_customers() -> None:
    z = "which skippers have the booking of _boat_"
    assert refused("who booked _boat_", z)
    assert refused("who has booked _boat_", z)
    assert not refused("which skippers have a booking of _boat_", z)
    assert not refused("who booked _boat_", "which customers have the booking of _boat_")
    no_customers = Agreement({z: form for z, form in PAIRS.items() if form != "customers"})
    reading = Reading(z, "f", Answer("(list (name en.skipper.bo))"), 0.0, 0.0, z)
    assert no_customers.contradiction("who booked _boat_", reading) is None


@pytest.mark.parametrize(
    ("asked", "understood", "answer", "wrong"),
    [
        ("who is the heaviest _breed_", "what is the heaviest _breed_ dog", "dog", False),
        ("who is the heaviest dog", "what is the heaviest dog", "dog", False),
        ("who is the heaviest _breed_", "which bills are of the heaviest _breed_", "bill", True),
        ("who is the oldest skipper", "which skipper is the oldest", "skipper", False),
    ],
)
def test_who_is_the_most_so_may_be_an_animal(
    asked: str, understood: str, answer: str, wrong: bool
) -> None:
    assert refused(asked, understood, f"(list (name en.{answer}.rex))") is wrong


@pytest.mark.parametrize(
    ("understood", "wrong"),
    [
        ("how many shifts have no duty", True),
        ("how many shifts have no skipper", False),
        ("how many shifts have the duty", False),
    ],
)
def test_nobody_is_no_person(understood: str, wrong: bool) -> None:
    reason = CHARTER.differs("how many shifts have nobody on them", understood)
    assert (reason is not None and reason.startswith(NOBODY)) is wrong


def test_who_the_contact_is_is_answered_by_a_contact_name() -> None:
    z = "what is the contact name of _boat_"
    answer = "(list (name en.boat.contact_name.ann))"
    known = Agreement({**PAIRS, "which guests are there": "( call f en.guest.bo )"})
    reading = Reading(z, "f", Answer(answer), 0.0, 0.0, z)
    assert known.contradiction("who is our contact at _boat_", reading) is None
    assert known.contradiction("who steers _boat_", reading) is not None


def test_who_the_secretary_is_is_a_name_in_a_column() -> None:
    assert names_role("who is the secretary of _club_", "what is the secretary of _club_")
    assert not names_role("who is the secretary of _club_", "what is the treasurer of _club_")


@pytest.mark.parametrize(
    ("tokens", "z", "wrong"),
    [
        ("who wrote _boat_", "what is the publisher of _boat_", True),
        ("who wrote _boat_", "what is the song composer of _boat_", False),
        ("who wrote _boat_", "what is the owner name of _boat_", False),
        ("who owns _boat_", "what is the owner of _boat_", False),
        ("who painted _boat_", "what is the manufacturer of the _boat_", True),
    ],
)
def test_who_did_something_is_no_doer_of_something_else(tokens: str, z: str, wrong: bool) -> None:
    assert (other_doer(tokens, z, CHARTER) is not None) is wrong
