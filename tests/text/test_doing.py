"""Who does what, where and when, by pairs made by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.doing import (
    adds_due,
    goes_otherwise,
    happens_otherwise,
    lives_otherwise,
    misses_way,
    places_otherwise,
    turned_round,
)


@pytest.mark.parametrize(
    ("asked", "understood", "wrong"),
    [
        ("where does _act_ play", "where is _act_", True),
        ("where does _act_ live", "where is _act_", False),
        ("where does _act_ play", "which venues does _act_ perform in", False),
    ],
)
def test_where_somebody_does_something_is_not_where_they_are(
    asked: str, understood: str, wrong: bool
) -> None:
    assert places_otherwise(asked, understood) is wrong


def test_what_is_due_is_said_to_be() -> None:
    due = "what is the total of invoices due in _date_"
    paid = due.replace("due", "paid")
    assert adds_due("how much did we invoice in _date_", due) == "due"
    assert adds_due("how much did we invoice in _date_", paid) == "paid"
    assert not adds_due("how much did we receive in _date_", paid)
    assert not adds_due("how much is payable in _date_", due)
    assert not adds_due("how much did we invoice in _date_", due.replace("due", "issued"))


def test_departures_are_not_what_was_booked_then() -> None:
    booked = "what is the total price of bookings booked in _date_"
    left = booked.replace("booked in", "that departed in")
    assert happens_otherwise("total price for _date_ departures", booked) == "departures"
    assert not happens_otherwise("total price for _date_ departures", left)
    assert not happens_otherwise("total price of _date_ bookings", booked)


def test_what_goes_there_does_not_come_from_there() -> None:
    to, of = "which boats have destination port _port_", "which boats have origin port _port_"
    assert goes_otherwise("boats from _port_", to) and not goes_otherwise("boats from _port_", of)
    assert goes_otherwise("boats to _port_", of) and not goes_otherwise("boats to _port_", to)
    assert not goes_otherwise("boats in _port_", of)
    assert misses_way("where can you sail to from _port_", "what is the town of _port_")
    assert not misses_way("where can you sail to from _port_", of)


def test_who_lives_there_is_not_who_owns_it() -> None:
    assert lives_otherwise("who lives at _house_ now", "which landlords have _house_")
    assert lives_otherwise("who lives at _house_ now", "who owns _house_")
    assert lives_otherwise("who lives at _house_ now", "who is agent of _house_")
    assert not lives_otherwise("who lives at _house_ now", "who is tenant of _house_")
    assert not lives_otherwise("who lives at _house_ now", "which tenants have _house_")
    assert not lives_otherwise("who owns _house_", "which landlords have _house_")


def test_who_is_somebodys_boss() -> None:
    asked = "who are the people that have _user_ as their boss"
    assert turned_round(asked, "which users are boss of _user_")
    assert not turned_round(asked, "which users have boss _user_")
    # An agent's noun is no deed, but an order is what somebody orders.
    assert not turned_round("which fairs does _user_ manage", "fairs with manager _user_")
    assert turned_round("which teas does _user_ order", "which teas order _user_")
    assert not turned_round("who is the boss of _user_", "which users are boss of _user_")


@pytest.mark.parametrize(
    ("asked", "understood", "turned"),
    [
        ("which goats did _goat_ lead", "which goats are leader of _goat_", True),
        ("which goats are led by _goat_", "which goats are lead of _goat_", True),
        ("which goats are mentored by _goat_", "which goats are mentor of _goat_", True),
        (
            "which goats did _goat_ mentor",
            "which goats have the goat that is mentor of _goat_",
            True,
        ),
        ("which goats did _goat_ mentor", "which goats have mentor _goat_", False),
        ("who is the mentor of _goat_", "which goats are mentor of _goat_", False),
    ],
)
def test_whom_one_mentors_is_not_the_mentor(asked: str, understood: str, turned: bool) -> None:
    assert turned_round(asked, understood) is turned
