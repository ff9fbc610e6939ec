"""What a question says and what was understood leaves out or turns round: pairs by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.asked_for import misses_number
from fairseq_twostage.text.asking_otherwise import (
    adds_or,
    asks_for_other,
)
from fairseq_twostage.text.averages import (
    adds_average,
    adds_share,
    averages_others,
    misses_share,
    totals_average,
)
from fairseq_twostage.text.bounds import (
    compares_two,
)
from fairseq_twostage.text.counted import counts_unsaid, misses_mark
from fairseq_twostage.text.denying import (
    denied_by_word,
    denies_alone,
    denies_by_word,
)
from fairseq_twostage.text.disagreement import PASSED_OVER, REFUSED, disagreement
from fairseq_twostage.text.money import pays_for
from fairseq_twostage.text.omissions import (
    adds_to_name,
    compares_alone,
    misses_birth,
    misses_compound,
    misses_moment,
    misses_own,
    misses_superlative,
    misses_total,
    takes_all,
)
from fairseq_twostage.text.question_words import asked_thing
from fairseq_twostage.text.whereabouts import misses_where


@pytest.mark.parametrize(
    ("asked", "understood", "left_out"),
    [
        ("how many nurses are there", "how many goats are there", "nurses"),
        ("big goats", "what are the goats", "big"),
        ("living goats", "which goats are there", "living"),
        ("goats with a bell", "what are the goats", "bell"),
        ("goats that ran away", "number of goat", "ran"),
        ("how many of our goats are ill today", "how many goats are there", "ill"),
        ("how many goats are there", "how many goats are there", None),
        ("how many goats are we keeping", "how many goats are there", None),
        ("how many two-year-old goats are there", "how many goats are there", "two-year-old"),
        ("unsold ticket types", "what are the ticket types", "unsold"),
        ("unsold tickets", "ticket", "unsold"),
        ("did the farmers sing", "which goats sing", None),
        ("list all goats please", "what are the goats", None),
        ("how many goats do we have", "how many goats are there", None),
        ("how many goats are in the database", "how many goats are there", None),
        ("which products do you sell", "which products are there", None),
        ("what movies are there", "which films are there", None),
        ("big goats", "which big goats are there", None),
        ("goats of _farm_", "which goats are of _farm_", None),
        ("who won the most", "which team has the most wins", None),
    ],
)
def test_all_are_taken_where_some_are_asked_for(
    asked: str, understood: str, left_out: str | None
) -> None:
    assert takes_all(asked, understood) == left_out


@pytest.mark.parametrize(
    ("asked", "understood", "left_out"),
    [
        ("gigs on friday", "which gigs are there", "friday"),
        ("gigs on fridays", "which gigs are on a friday", None),
        ("visits last year", "what are the visits", "last year"),
        ("visits last year", "visits of last year", None),
        ("visits three years ago", "visits", "ago"),
        ("last visits", "visits", None),
        ("points this season", "points", None),
    ],
)
def test_times_that_nothing_says(asked: str, understood: str, left_out: str | None) -> None:
    assert misses_moment(asked, understood) == left_out


@pytest.mark.parametrize(
    ("asked", "understood", "left_out"),
    [
        ("heaviest goat", "which goat breed has the largest average lifespan", "heaviest"),
        ("heaviest goat", "what is the goat with the highest weight", None),
        ("which owner has the most goats", "which owners own goats", "most"),
        ("which owner has the most goats", "owner of the largest number of goats", None),
        ("oldest goat", "which goat has the highest age", None),
        ("oldest goat", "which goat has the highest price", "oldest"),
        ("cheapest goat", "goat whose price is minimum", None),
        ("at most _number_ goats", "which owners have goats", None),
        ("most of the goats", "what are the goats", None),
        ("highest goat", "high goat of _farm_", None),
        ("who has the most goats", "farmer of the harvest", "most"),
        ("largest goat", "large goat", None),
        ("highest goat", "goat of the high farms", None),
        ("largest goat", "goat of the big farm", "largest"),
    ],
)
def test_superlatives(asked: str, understood: str, left_out: str | None) -> None:
    assert misses_superlative(asked, understood) == left_out


def test_comparisons() -> None:
    assert compares_alone("is _goat_ older than _goat2_", "which bells are of _goat_ and _goat2_")
    assert not compares_alone("is _goat_ older than _goat2_", "goats older than _goat2_")
    assert not compares_alone("goats other than _goat_", "goats of _goat_")
    assert misses_own("goats heavier than their age", "goats heavier than the average")
    assert not misses_own("goats heavier than their average", "goats heavier than the average")
    assert adds_or("goats from both _a_ and _b_", "goats from _a_ or _b_")
    assert not adds_or("goats from _a_ and _b_", "goats from _a_ or _b_")


def test_averages_that_only_one_side_has() -> None:
    longer = "which films are longer than the average"
    assert adds_average("films longer than _number_ hours", longer)
    assert not adds_average("films longer than is typical", longer)
    assert averages_others(
        "which _genre_ films are longer than the average _genre_ film",
        "which _genre_ films are longer than the average",
    )
    twice = "which _genre_ films are longer than the average _genre_ film"
    assert averages_others(twice, "which films are longer than the average of _genre_ films")
    assert not averages_others(twice, "which _genre_ films are longer than their average")
    assert not averages_others(
        "which _genre_ films are longer than the average film",
        "which _genre_ films are longer than the average",
    )
    assert not averages_others(
        "films longer than the average _genre_ film",
        "which films are longer than the average of _genre_ films",
    )


def test_a_number_of_something_in_one_word() -> None:
    assert misses_compound("three-bedroom flats", "which furnished flats are there")
    assert misses_compound("3-star hotels", "which hotels are there") == "3-star"
    assert misses_compound("two-storey houses", "which two-storey houses are there") is None
    assert misses_compound("well-kept houses", "which houses are there") is None


def test_so_much_of_something_is_no_average() -> None:
    average = "which hive has the highest average honey of harvests"
    assert misses_total("which hive gave the most honey", average)
    assert misses_total("which hive gave the most _kind_ honey", average)
    assert misses_total("how much honey did _hive_ give", "what is the average honey of _hive_")
    assert not misses_total("which hive has the best average honey", average)
    assert not misses_total("how much honey did _hive_ give", "what is the total honey of _hive_")
    assert not misses_total("how much does a jar cost", "what is the average price of jars")
    assert not misses_total("which hive has the most harvests", average)


def test_counts_that_nobody_said() -> None:
    many = "which donors have more than _number_ gifts"
    assert counts_unsaid("who gave more than _number_ altogether", many) == "gifts"
    assert counts_unsaid("who gave more than _number_", many) == "gifts"
    assert counts_unsaid("who gave more than _number_ gifts", many) is None
    assert counts_unsaid("who gave more than _number_ times", many) is None
    assert counts_unsaid("a list of over _number_", many) is None
    assert counts_unsaid("gifts of whom there are more than _number_", many) is None
    # What the gifts are worth is compared, not how many there are.
    for asked in ("towns of gifts rated below _number_", "gifts above age _number_"):
        assert counts_unsaid(asked, many) == "gifts"
    for asked in ("number of gifts above _number_", "with gifts over _number_"):
        assert counts_unsaid(asked, many) is None
    assert compares_two("are there more goats in _farm_ or in _farm2_", "which goats are in _farm_")
    assert not compares_two("more than _number_ goats or sheep", "which farms have goats or sheep")
    assert not compares_two("_number_ goats or more", "farms with _number_ goats")


def test_a_share_a_birthday_a_place_and_a_name() -> None:
    assert misses_share("share of ill goats", "which goats are ill")
    assert misses_share("what percentage of goats is ill", "how many goats are ill")
    assert not misses_share("goats with _number_ percentage", "goats with fat _number_")
    assert adds_share("what rate does _goat_ have", "what percentage of bells are of _goat_")
    assert not adds_share("percent of bells of _goat_", "what percentage of bells are of _goat_")
    assert misses_birth("birthday of _goat_", "what is the date of sales of _goat_")
    assert not misses_birth("birthday of _goat_", "what is the birthdate of _goat_")
    assert misses_where("where was _goat_ born", "when was _goat_ born")
    assert misses_where("where is _goat_", "which goats are named _goat_")
    assert misses_where("when did _goat_ arrive", "where is _goat_")
    assert misses_where("what has _goat_ got", "where is _goat_ from")
    assert not misses_where("what town is _goat_ from", "where is _goat_ from")
    assert not misses_where("where is _train_ going", "destination of _train_")
    assert misses_where("where is _goat_", "what is the breed of _goat_")
    assert not misses_where("where is _goat_", "what is the region of _goat_")
    assert not misses_where("where is _goat_", "which farm is _goat_ of")
    assert adds_to_name("who is _owner_", "who does _owner_ own")
    assert not adds_to_name("who has _goat_", "which owners own _goat_")
    assert not adds_to_name("who is _owner_", "who is _owner_")


def test_what_was_understood_adds_nothing() -> None:
    superlative = "which goats are of the farm with the fewest bells"
    assert disagreement(REFUSED, "goats from bach", superlative) is not None
    assert disagreement(REFUSED, "goats of the smallest farm", superlative) is None
    assert disagreement(REFUSED, "goats of rare farms", superlative) is None
    names = "what are the names and countries of goats"
    assert disagreement(REFUSED, "goats from finland", names) is not None
    assert disagreement(REFUSED, "goats and their country", names) is None


@pytest.mark.parametrize(
    ("asked", "understood"),
    [
        ("free tickets", "which tickets have a price"),
        ("goats or sheep over _number_", "which goats are over _number_"),
        ("prescriptions of ibuprofen", "which prescriptions are of medications"),
        ("goats without bells", "which goats that have bells have no price"),
        ("non-goats", "which pets are goats"),
        ("goats never sold when were they weighed", "which goats are not yet weighed"),
        ("owners with an unpaid bill", "which owners have no unpaid bills"),
        ("how many goats are alive", "how many breeds are goats"),
        ("films under _number_ minutes rated _number2_", "films between _number_ and _number2_"),
        ("how many days of holiday has _owner_", "how many goats are of _owner_"),
        ("farms with more than _number_ young goats", "farms with more than _number_ goats"),
        ("farms with over _number_ wild goats", "farms with over _number_ goats"),
        ("any old registrations", "which owners are registered"),
        ("goats of weight _number_", "which goats have weight above _number_"),
        ("under _number_ kilos of age _number2_", "under _number_ kilos, age below _number2_"),
        ("goats born in _date_", "which goats are born after _date_"),
        ("who are the winners in _date_", "which winner goats are born in _date_"),
        ("farms with over _number_ young goats", "farms on which more than _number_ farmers goat"),
        ("which goats are small next to each barn", "how many small goats are in barns"),
        ("who currently reports to _owner_", "who does _owner_ report to"),
        ("who does _owner_ lead", "who led _owner_"),
        ("weight of goats from _farm_ to _farm2_", "weight of goats of _farm_ or _farm2_"),
        ("most common goat colour in _barn_", "who has the most goats in _barn_"),
        ("which goats are discontinued", "which goats are sold"),
        ("which goats are still offered", "which goats are discontinued"),
        ("who lives at _barn_", "who has _barn_"),
        ("bills overdue today", "which bills are due on _date_"),
        ("barns on the first floor", "what is the barn with the lowest floor"),
        ("sum of open bills incl vat", "what is the total vat of open bills"),
        ("_farm_ goats that haven't left", "which goats are not of _farm_"),
        ("which goat cost us the most in hay", "which goat with hay is the most expensive"),
    ],
)
def test_turned_round_or_left_out(asked: str, understood: str) -> None:
    assert disagreement(REFUSED, asked, understood) is not None


@pytest.mark.parametrize(
    ("asked", "understood"),
    [
        ("tickets with a price", "which tickets have a price"),
        ("goats of weight _number_ or more", "which goats have weight of at least _number_"),
        ("goats or sheep", "which pets are goats or sheep"),
        ("prescriptions of medications", "which prescriptions are of medications"),
        ("prescriptions", "which prescriptions are of medications"),
        ("orders for _owner_", "what does _owner_ order"),
        ("goats from _farm_ to _farm2_", "which goats have origin _farm_ and arrive at _farm2_"),
        ("overdue bills", "which bills are overdue"),
        ("seats in first class", "which seats are of first class"),
        ("total vat incl vat of bills", "what is the total vat of bills"),
        ("the most popular farm for visits", "which farm has the most visits"),
        ("goats not of _farm_", "which goats are not of _farm_"),
        ("who does _owner_ report to", "to whom does _owner_ report"),
        ("goats without bells", "which goats have no bells"),
        ("farms that never received a visit", "which farms have no visits"),
        ("goats with bells and without a price", "which goats with bells have no price"),
        ("owners with an unpaid bill", "which owners have unpaid bills"),
        ("how many goats are alive", "how many goats are alive"),
        ("owners living in _city_", "which owners are from _city_"),
        ("from _number_ to _number2_ minutes", "films between _number_ and _number2_"),
        (
            "over _number_ and under _number2_ minutes",
            "films between _number_ and _number2_ minutes",
        ),
        ("how many days is the tour", "how many days is the duration of the tour"),
        ("how many miles is the tour", "how many kilometers is the tour"),
        ("farms with more than _number_ young goats", "farms with over _number_ little goats"),
        ("farms with the most farmed goats", "which farm has the most goats"),
        ("bands that formed in _date_", "which bands are formed in _date_"),
        ("young goats in _date_", "which goats are born in _date_"),
        ("goats of weight _number_ upwards", "which goats have weight above _number_"),
        ("goats of weight _number_", "which goats have weight of _number_"),
        ("which farms have how many goats", "how many goats are there for each farm"),
        ("which number of goats is in each barn", "how many goats are in each barn"),
    ],
)
def test_neither(asked: str, understood: str) -> None:
    assert disagreement(REFUSED, asked, understood) is None


def test_each_rule_has_a_reason_and_what_is_said_twice_comes_last() -> None:
    assert disagreement(REFUSED, "gigs on friday", "gigs") == "no such time is known: “friday”"
    reason = disagreement(REFUSED, "goats with bells", "which goats have no bells")
    assert reason == "what was understood denies something, and the question does not"
    assert disagreement(REFUSED, "goats of _farm_", "which goats are of _farm_") is None
    twice = "which goats are led by goats led by _goat_"
    assert disagreement(PASSED_OVER, "goats led by _goat_", twice) is not None
    assert disagreement(PASSED_OVER, "goats led by _goat_", "which goats are led by _goat_") is None
    assert disagreement(PASSED_OVER, "who sold _goat_", "who owns _goat_") is not None
    assert disagreement(PASSED_OVER, "who bought _goat_", "who buys _goat_") is None
    assert disagreement(PASSED_OVER, "who has _goat_", "who owns _goat_") is None
    no_goats = "which goats have leader no goats"
    assert disagreement(PASSED_OVER, "goats that have no leader", no_goats) is None


def test_a_question_and_what_was_understood_may_ask_for_different_things() -> None:
    assert misses_number("how many films are there", "which films are there")
    assert not misses_number("which films are there", "which films are there")
    assert denies_alone("how many have type _b_", "how many do not have type _b_")
    assert not denies_alone("those without type _b_", "which do not have type _b_")
    assert not denies_alone("those outside _b_", "which are not in _b_")
    assert not denies_alone("exclude those of _b_", "which are not of _b_")
    assert not denies_alone("more or less than _number_", "whose number is not _number_")
    assert denies_by_word("inactive members", "members that are active") == "inactive"
    assert denies_by_word("inactive members", "members that are not active") is None
    assert denied_by_word("which members are active", "members that are inactive") == "active"
    assert denied_by_word("members no longer active", "members that are inactive") is None
    assert asks_for_other("who acted in _film_", "which films are like _film_") == "film"
    assert asks_for_other("which film is like _film_", "which films are like _film_") is None
    assert asked_thing("customers that live in _city_") == "customer"
    assert asked_thing("show me the city of _customer_") is None


def test_paid_for_is_not_paid_by() -> None:
    by = "how much was paid by members with _boat_"
    assert pays_for("how much did we pay for the _boat_", by)
    assert not pays_for("how much did members with _boat_ pay", by)
    assert not pays_for("how much did we pay for the _boat_", "what is the price of _boat_")


def test_where_something_is_done_is_no_type_of_a_venue() -> None:
    asked = "where does _act_ play"
    assert misses_where(asked, "what is the type of the venue that _act_ performs in")
    assert not misses_where(asked, "what is the name of the venue that _act_ performs in")
    assert not misses_where(asked, "what is the street of the venue that _act_ performs in")


def test_an_a_in_french_is_a_grade() -> None:
    assert misses_mark("who got an a in _subject_", "which pupils have _subject_")
    assert not misses_mark("who got a job in _town_", "which pupils are in _town_")
    assert not misses_mark("who got an a in _subject_", "which pupils with grade a have _subject_")


def test_averages_are_not_added_up() -> None:
    z = "what is the total average weight of goats per farm"
    assert totals_average("average weight for each farm", z)
    assert not totals_average("total of the average weights for each farm", z)
