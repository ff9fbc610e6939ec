"""What kind of answer a question wants, by pairs made by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.asked_for import (
    asks_nobody,
    asks_two,
    asks_whether,
    born_that_year,
    gives_itself,
    misses_contact,
    misses_done,
    misses_names,
    misses_number,
    misses_still,
    misses_there,
    per_year_twice,
    says_number,
)
from fairseq_twostage.text.firsts import (
    adds_extreme,
    adds_first,
    first_unasked,
    latest_unasked,
    misses_extreme,
    misses_first,
    misses_top,
)
from fairseq_twostage.text.money import (
    counts_money,
    misses_money,
    misses_most_money,
    takes_single,
)


def test_yes_or_no_is_no_answer_to_who() -> None:
    assert asks_whether("who has tractor _tractor_", "is _tractor_ red")
    assert not asks_whether("is _tractor_ red", "is _tractor_ red")
    assert not asks_whether("tractor _tractor_ red", "is _tractor_ red")
    assert not asks_whether("who has _tractor_", "who owns _tractor_")
    assert not asks_whether("", "")


@pytest.mark.parametrize(
    ("asked", "understood", "property"),
    [
        ("who grows _plant_", "what is the city of the farm that grows _plant_", "city"),
        ("who grows _plant_", "what is the phone number of farms with _plant_", "number"),
        ("who grows _plant_", "what is the owner of the farm that grows _plant_", None),
        ("who is _farmer_", "what is the city of _farmer_", None),
        ("who grows _plant_ in which city", "what is the city of farms with _plant_", None),
        ("what grows in _city_", "what is the city of _plant_", None),
    ],
)
def test_nobody_is_a_city(asked: str, understood: str, property: str | None) -> None:
    assert asks_nobody(asked, understood) == property


@pytest.mark.parametrize(
    ("asked", "understood", "missed"),
    [
        ("how much did we spend on hay", "what is the total weight of hay", True),
        ("how much did we spend on hay", "what is the average price of hay", True),
        ("how much did we spend on hay per cow", "what is the average price of hay", False),
        ("how much did we spend on hay", "what is the total cost of hay", False),
        ("how much does hay cost", "what is the average price of hay", False),
        ("how much does hay cost", "what is the weight of hay", True),
        ("how much hay is there", "what is the total weight of hay", False),
        ("how much money has each cow made", "how many sales does each cow have", True),
        ("how much money did _farmer_ make", "what is the total weight of _farmer_", True),
        ("how much money did _farmer_ make", "what is the total revenue of _farmer_", False),
        ("how much is a bottle of _milk_", "what is the bottles filled of _milk_", True),
        ("how much has _farmer_ paid", "which farms are of _farmer_", False),  # told elsewhere
    ],
)
def test_what_was_spent_is_money(asked: str, understood: str, missed: bool) -> None:
    assert misses_money(asked, understood) is missed


def test_a_number_of_things_is_none_of_theirs() -> None:
    named = "what is the stall number of stalls of _farm_"
    assert misses_number("number of stalls at _farm_", named)
    assert misses_number("total white goats", "which goats are white")
    assert misses_number("give me the number of stalls at _farm_", named)
    assert not misses_number("number of stall at _farm_", named)
    assert not misses_number("number of stalls at _farm_", "how many stalls are of _farm_")


def test_an_annual_cost_is_per_year() -> None:
    twice = "what is the total annual cost of farms per year"
    assert per_year_twice("what do farms cost per year", twice)
    assert not per_year_twice("annual cost of farms per year", twice)
    assert not per_year_twice("total cost of farms", twice)  # told elsewhere
    assert not per_year_twice("what do farms cost per year", "what is the annual cost of farms")
    assert not per_year_twice("farms per month", "what is the annual cost of farms per month")


@pytest.mark.parametrize(
    ("asked", "understood", "two"),
    [
        ("when was _plant_ sown and where does it grow", "when was _plant_ sown", True),
        ("how many are green and how many are red", "how many are green or red", True),
        ("who sowed most , and how much was it", "which farm has the most plants", True),
        ("which plants are sown in _date_ , and at which farm", "which plants are sown", True),
        ("people born in _date_ and who are tall", "people born in _date_ who are tall", False),
        ("which farms grow _plant_ and which are big", "which big farms grow _plant_", False),
        ("what are the names and sizes of farms", "what are the names and sizes of farms", False),
    ],
)
def test_one_answer_is_for_one_question(asked: str, understood: str, two: bool) -> None:
    assert asks_two(asked, understood) == two


def test_as_many_extremes_as_are_asked_for() -> None:
    assert misses_extreme("cheapest and dearest plant", "which plant is the cheapest")
    assert not misses_extreme("cheapest and dearest plant", "the cheapest and dearest plants")
    assert not misses_extreme("cheapest plant and farm", "which plant is the cheapest")
    nonsense = "which farm with the largest plant is the oldest"
    assert adds_extreme("farm with the longest list of plants", nonsense)
    assert not adds_extreme("oldest of the farms with the largest plant", nonsense)
    assert not adds_extreme(
        "farm with the longest list of plants", "which farm has the most plants"
    )


@pytest.mark.parametrize(
    ("asked", "understood", "differs"),
    [
        ("which plant is sold most often", "which plant was sold most recently", True),
        ("which plant was sold last", "which plant was sold most recently", False),
        ("what is the latest order", "which order is the newest", False),
        ("which plant is sold most often", "which plant is sold the most often", False),
    ],
)
def test_what_is_most_is_not_what_is_latest(asked: str, understood: str, differs: bool) -> None:
    assert latest_unasked(asked, understood) == differs


def test_who_is_still_there_has_not_left() -> None:
    assert misses_still("farmers who still work for us", "which farmers are there")
    assert misses_still("farmers still with us", "which farmers are of _farm_")
    assert not misses_still("farmers who still work for us", "which farmers have not left")
    assert not misses_still("farmers still working here", "which active farmers are there")
    assert not misses_still("plants that are still green", "which green plants are there")


def test_a_birthday_is_in_any_year() -> None:
    assert born_that_year("whose birthday is in _date_", "who is born in _date_")
    assert not born_that_year("who is born in _date_", "who is born in _date_")
    assert not born_that_year("what is the birthday of _farmer_", "what is the birth date of _x_")


def test_how_many_is_no_price() -> None:
    price = "what is the ticket price of _event_"
    assert counts_money("how many tickets were sold for _event_", price) == "price"
    assert counts_money("how many euros is _event_", price) is None
    assert counts_money("how much is _event_", price) is None
    assert counts_money("how many seats has _event_", "what is the capacity of _event_") is None


def test_names_are_not_left_out_and_nothing_is_where_itself() -> None:
    assert misses_names("names and emails of farmers", "what are the emails of farmers")
    assert not misses_names("names and emails of farmers", "what are the names and emails of them")
    assert not misses_names("emails of farmers", "what are the emails of farmers")
    assert gives_itself("where was the _event_ held", "which held events are there") == "events"
    assert gives_itself("where was the _event_ held", "which towns have _event_") is None
    assert gives_itself("which _event_ was held", "which held events are there") is None


@pytest.mark.parametrize(
    ("asked", "understood", "unasked", "missed"),
    [
        ("which farmers have left", "which farmer left first", True, False),
        ("which farmer left first", "which farmer left first", False, False),
        ("the latest hired farmer", "who was hired most recently", False, False),
        ("of the farmers still here who was hired first", "which farmers still work", False, True),
        ("who was hired last ?", "who was hired most recently", False, False),
        ("when is the next market", "what is the date of _market_", False, True),
        ("when is the next market", "when is the earliest market after _date_", False, False),
        ("when is the next _event_", "what is the date of _event_", False, True),
        ("the farm next to _farm_", "which farms border _farm_", False, False),
    ],
)
def test_first_and_last(asked: str, understood: str, unasked: bool, missed: bool) -> None:
    assert first_unasked(asked, understood) == unasked
    assert misses_first(asked, understood) == missed


def test_a_first_name_is_no_first_race() -> None:
    assert adds_first("the first names of all _driver_", "which drivers have the first race")
    assert not adds_first("the first names of all _driver_", "what is the first name of _driver_")
    assert not adds_first("last name of the first driver", "what is the first driver")


def test_an_address_is_no_email_address() -> None:
    assert (
        misses_contact("the e-mail address of _farm_", "what is the address of _farm_") == "e-mail"
    )
    assert misses_contact("the e-mail address of _farm_", "what is the email of _farm_") is None
    assert misses_contact("farms with a website", "which farms have a homepage") is None


def test_what_is_not_there_is_not_answered_by_something_else() -> None:
    assert misses_there("is there a pond in _farm_", "is _farm_ in _country_") == "pond"
    assert misses_there("are there any ponds in _farm_", "how many ponds are in _farm_") is None
    assert misses_there("is there a pond in _farm_", "which farms have ponds") is None
    assert misses_there("which ponds are there", "is _farm_ in _country_") is None
    assert misses_most_money("which farm made the most money", "farms with the most plants")
    assert not misses_most_money("which farm made the most money", "farm with the highest revenue")
    largest = "farms with the sale with the highest price"
    assert takes_single("which farm made the most money", largest) == "sale"
    assert takes_single("which farm has the sale of the most money", largest) is None
    honey = "which hives have the _kind_ harvest with the highest honey"
    assert takes_single("which hive gave the most honey", honey) == "harvest"
    assert takes_single("which hive gave the most _kind_ honey", honey) == "harvest"
    assert takes_single("which hive has the largest harvest", honey) is None
    assert takes_single("which hive gave the most wax", honey) is None
    assert not misses_most_money("which farm grew the most plants", "farms with the most plants")


def test_what_was_done_at_a_time_is_not_all_of_that_time() -> None:
    all_of_it = "how many plants are from _date_"
    assert misses_done("how many plants were watered in _date_", all_of_it) == "watered"
    for then in (all_of_it, "how many plants have date in _date_"):
        assert misses_done("how many plants were called off in _date_", then) == "called"
    assert misses_done("how many plants were recorded in _date_", all_of_it) is None
    assert misses_done("plants that were watered", all_of_it) is None
    watered = "how many watered plants are from _date_"
    assert misses_done("how many plants were watered in _date_", watered) is None


@pytest.mark.parametrize(
    ("asked", "understood", "missed"),
    [
        (
            "top _number_ farms by number of plants",
            "which farms have exactly _number_ plants",
            True,
        ),
        ("which _number_ plants turn up most often", "plants with at most _number_ farms", True),
        ("the _number_ farms with the most plants", "farm _number_ with the most plants", True),
        ("top _number_ farms by plants", "what are the _number_ farms with the most plants", False),
        ("farms with at least _number_ plants", "which farms have at least _number_ plants", False),
        ("the _number_ largest farms", "what are the _number_ largest farms", False),
    ],
)
def test_the_first_so_many_are_no_other_number(asked: str, understood: str, missed: bool) -> None:
    assert misses_top(asked, understood) == missed


def test_how_long_something_lasts_is_no_last_thing() -> None:
    assert not misses_first("how long does _course_ last ?", "duration of _course_")
    assert misses_first("who joined _club_ last", "members of _club_")


def test_something_is_not_looked_for_by_its_word() -> None:
    assert (
        misses_there("is there something for children on saturday", "course for children") is None
    )
    assert misses_there("is there anybody in _hall_", "which guests are in _hall_") is None
    assert (
        misses_there("is there a projector in _hall_", "which seats are in _hall_") == "projector"
    )
    guests = "which guests are of no halls"
    assert misses_there("is there a hall without a guest", guests) == "hall"
    assert misses_there("is there a hall without a guest", "which halls have no guests") is None
    assert misses_there("is there a guest in _hall_", "which halls have guests") is None


def test_the_most_used_has_not_the_last_thing() -> None:
    assert first_unasked("which label is used the most", "which labels have the last issue")
    assert not first_unasked("which label has the latest issue", "which labels have the last issue")


def test_how_much_is_no_number_of_things() -> None:
    assert misses_number("how much did we get in _date_", "how many gifts are from _date_")
    assert not misses_number("how much time did it take", "how many hours is the length of _farm_")
    assert not misses_number("how much did we get", "what is the total amount of gifts")


def test_how_many_there_are_is_no_sum_of_theirs() -> None:
    assert misses_number("total number of members", "what is the total age of members")
    assert not misses_number("total number of wins", "what is the total wins of teams")
    assert not misses_number("total number of members", "how many members are there")


def test_how_many_is_no_date_and_no_name() -> None:
    assert misses_number("how many goats are waiting", "what is the birth date of goats")
    assert misses_number("how many goats are waiting", "what is the name of goats")
    assert not misses_number("how many legs does _goat_ have", "what is the legs of _goat_")


def test_what_lasts_is_not_the_last() -> None:
    assert not misses_first(
        "on average how many days does a fair last", "what is the average length"
    )
    assert misses_first("which fair was last", "which fairs are there")


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("how many goats are there", True),
        ("number of goats", True),
        ("goats for every farm", True),
        ("show every goat of _farm_", False),
        ("flight numbers of _airline_", False),
        ("amount of milk", True),
        ("gifts with an amount of more than the average", False),
        ("gifts above the average amount", False),
    ],
)
def test_a_number_is_asked_for_by_some_words(asked: str, says: bool) -> None:
    assert says_number(asked) is says
