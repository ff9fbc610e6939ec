"""Who does or is something: questions of an invented charter firm and its kennel."""

from __future__ import annotations

import pytest

from fairseq_twostage.inference.agreement import Agreement
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


def test_how_many_times_is_no_time() -> None:
    known = Agreement({**PAIRS, "which times are there": "times"})
    asked = "how many times was _boat_ booked"
    answer = Answer("(list (number 2))")
    counted, other = "how many bookings are of _boat_", "what is the length of _boat_"
    for z, wrong in ((counted, False), (other, True)):
        reading = Reading(z, "f", answer, 0.0, 0.0, z)
        assert (known.contradiction(asked, reading) is not None) is wrong


def test_boats_of_a_longer_model_are_longer() -> None:
    z = "which boats are of pets that are longer than _number_"
    assert CHARTER._nested("which boats are longer than _number_", z) is None
    other = "which boats are of owners that are older than _number_"
    assert CHARTER._nested("which boats are longer than _number_", other) is not None


def test_a_number_alone_is_of_the_only_measure_of_a_thing() -> None:
    asked, z = "which bills are over _number_", "which bills have total above _number_"
    answer = Answer("(list (name en.bill.7))")
    reading = Reading(z, "f", answer, 0.0, 0.0, z)
    one = Agreement({**PAIRS, z: "total"})
    two = Agreement({**PAIRS, z: "total", "which bills have vat above _number_": "vat"})
    longer = Agreement({**PAIRS, z: "total", "which bills are longer than _number_": "length"})
    assert one.contradiction(asked, reading) is None
    for known in (two, longer):
        assert "does not say what the number is of" in str(known.contradiction(asked, reading))


def test_an_average_or_a_total_is_no_list() -> None:
    listed, answer = "which quotes are from _date_", Answer("(list (name en.quote.1))")
    summed = "what is the total value of quotes from _date_"
    average = "what is the average value of quotes from _date_"
    known = Agreement({**PAIRS, listed: "list", summed: "sum", average: "mean"})
    reading = Reading(listed, "f", answer, 0.0, 0.0, listed)
    for asked in ("total value of quotes from _date_", "which quotes have an average value"):
        assert known.contradiction(asked, reading) is not None
    assert known.contradiction("which quotes are from _date_", reading) is None
    value = Answer("(list (number 2))")
    for asked, z in (("total value of quotes from _date_", summed), (average, average)):
        assert known.contradiction(asked, Reading(z, "f", value, 0.0, 0.0, z)) is None


def test_what_the_property_of_something_is_is_no_other_property() -> None:
    fee, town = "what is the fee of _boat_", "what is the town of _boat_"
    known = Agreement({**PAIRS, fee: "fee", town: "town"})
    assert known.contradiction("what is the fee of _boat_", as_number(town)) is not None
    assert known.contradiction("what is the fee of _boat_", as_number(fee)) is None
    assert known.contradiction("what is the heading of _boat_", as_number(fee)) is None
    by_id = Agreement({**PAIRS, "what is the id of _boat_": "id"})
    assert (
        by_id.contradiction("what is the id of the longest", as_number("what is longest")) is None
    )


def test_a_name_behind_a_noun_says_which_one_it_is() -> None:
    known = Agreement({**PAIRS, "which episodes are there": "episodes"})
    z = "what is the date of _show_"
    assert known.thing_unsaid("what is the date of shows with an episode", z)
    assert not known.thing_unsaid("what is the date of the show with episode _show_", z)


def as_number(z: str) -> Reading:
    return Reading(z, "f", Answer("(list (number 2))"), 0.0, 0.0, z)
