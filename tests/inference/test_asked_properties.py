"""Which property or number a question asks for: questions of an invented charter firm."""

from __future__ import annotations

from fairseq_twostage.inference.agreement import Agreement
from fairseq_twostage.inference.other_numbers import other_number
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.semantics import Answer
from tests.inference.test_other_doers import CHARTER, PAIRS


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


def test_what_is_between_is_implied_by_a_value_that_nothing_else_has() -> None:
    copies = {
        "which copies are there": "( call f en.copy.1 )",
        "which titles are there": "( call f en.title.1 )",
        "which copies are _status_": "s",
        "which copies are in _branch_": "b",
        "which members are in _branch_": "m",
    }
    known = Agreement(copies)
    asked, z = "which titles are _status_ in _branch_", "which titles have copies that "
    both = f"{z}are _status_ and are in _branch_"
    assert known.between(asked, both) == {"copy"}
    assert known.between("which titles are in _branch_", f"{z}are in _branch_ and are new") == set()
    assert known.between("which titles are _status_", f"{z}are _status_") == set()
    assert known.differs(asked, both) is None
    member = Agreement({**copies, "which members are _status_": "m"})  # a member's, too
    assert (
        member.differs(asked, both) == "it does not speak of a copy, and what was understood does"
    )


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


def test_what_is_denied_is_denied_by_what_was_understood() -> None:
    paid, none = "which bills are not paid", "which owners have no bills"
    known = Agreement({**PAIRS, "which bills are paid": "paid", paid: "unpaid", none: "none"})
    asked = "which owners have not paid for _boat_"
    assert known._denies_other(asked, none) is not None
    assert known._denies_other("which bills are not paid yet", paid) is None
    assert known._denies_other("which owners have no bills", none) is None
    assert known._denies_other("which owners have not sung", none) is None


def test_what_is_asked_behind_what_it_is_about() -> None:
    known = Agreement({**PAIRS, "which owners are there": "o", "which bills are there": "b"})
    asked = "bills of _boat_ which owners did we remind"
    assert known._other_behind(asked, "which bills are of owners") is not None
    assert known._other_behind(asked, "which owners have bills of _boat_") is None
    assert known._other_behind("in which bills have we boats", "which bills are there") is None


def test_lines_of_orders_are_not_what_was_ordered() -> None:
    total = "what is the total quantity of order lines"
    known = Agreement({**PAIRS, total: "sum"})
    z = "how many order lines of _boat_ are there"
    assert other_number("how many ropes of _boat_ were ordered", z, known) is not None
    assert other_number("how many lines of _boat_ are there", z, known) is None
    assert other_number("how many times was _boat_ ordered", z, known) is None
    assert other_number("how many bills are there", "how many bills are there", known) is None


def test_numbers_of_one_thing_that_another_has() -> None:
    known = Agreement({**PAIRS, "what are the trip numbers of routes": "n", "which trips": "t"})
    z = "which trips are of _boat_"
    assert other_number("trip numbers of _boat_", z, known) is not None
    assert other_number("trips of _boat_", z, known) is None
    own = Agreement({**PAIRS, "what are the trip numbers of trips": "n"})
    assert other_number("trip numbers of _boat_", z, own) is None


def test_a_way_by_things_of_which_nobody_spoke_is_passed_over() -> None:
    known = Agreement({**PAIRS, "which bills are there": "b", "which owners are there": "o"})
    by_owners = "which bills are of owners from _town_"
    assert known.goes_by_other("bills in _town_", by_owners)
    assert not known.goes_by_other("bills of owners in _town_", by_owners)
    assert not known.goes_by_other("bills in _town_", "which bills are in _town_")


def test_the_longest_is_not_the_most() -> None:
    known = Agreement({**PAIRS, "which bills are there": "b"})
    z = "which owners have the most bills"
    assert known._ranks_by_number("who has the longest bill", z) is not None
    assert known._ranks_by_number("who has the most bills", z) is None
    assert known._ranks_by_number("who has the longest boat", "who has the longest boat") is None


def test_who_is_the_most_of_all_is_of_no_other_thing() -> None:
    known = Agreement({**PAIRS, "which owners are there": "o", "which bills are there": "b"})
    z = "which owners have the longest bill"
    assert known.ranks_another("who has been here the longest", z, "owner") == "bill"
    assert known.ranks_another("who has the longest bill", z, "owner") is None
