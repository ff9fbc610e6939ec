"""What a question says and what was understood leaves out or turns round: pairs by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.asked_for import misses_first, misses_number
from fairseq_twostage.text.asking_otherwise import (
    adds_or,
    asks_for_other,
    does_other,
    gives_property,
    most_done_other,
    names_other,
    property_of_another,
)
from fairseq_twostage.text.averages import (
    adds_average,
    adds_share,
    averages_others,
    misses_share,
    totals_average,
)
from fairseq_twostage.text.bounds import (
    adds_between,
    adds_end,
    asks_end,
    bounds_otherwise,
    compares_two,
    drops_bound,
    starts_unasked,
)
from fairseq_twostage.text.counted import counts_unsaid, misses_mark
from fairseq_twostage.text.denying import (
    complements,
    denied_by_word,
    denies_alone,
    denies_by_word,
    denies_doer,
    denies_other,
    misses_denied,
)
from fairseq_twostage.text.disagreement import PASSED_OVER, REFUSED, disagreement
from fairseq_twostage.text.doing import (
    lives_otherwise,
    turned_round,
)
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
    misses_where,
    takes_all,
)
from fairseq_twostage.text.question_words import asked_thing


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


def test_what_was_done_is_no_other_deed() -> None:
    assert not does_other("who sold goats last", "who was paid last")
    assert does_other("who sold goats last", "who bought goats last")


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


@pytest.mark.parametrize(
    ("asked", "understood", "otherwise", "dropped"),
    [
        ("films older than _date_", "film released after _date_", True, False),
        ("films older than _date_", "film released before _date_", False, False),
        ("dogs older than _number_", "dog whose age is at most _number_", True, False),
        ("_number_ stars and up", "film rated _number_ stars", False, True),
        ("rated at least _number_", "film rated above _number_ stars", False, False),
        ("rated _number_ or less", "film rated above _number_ stars", True, False),
        ("no fewer than _number_ stars", "film rated above _number_ stars", False, False),
        ("bought since _date_", "customer who bought in _date_", False, True),
        ("blocks above block 1", "block that is below block 1", False, False),
        ("more than _number_ and less than _number2_", "film rated above _number2_", False, False),
        ("from _date_ and _number_ or more", "copies of loan _number_ from _date_", False, True),
        ("after _date_ and under _number_", "after _date_ above _number_", True, False),
        ("over _number_ and under _number2_", "between _number_ and _number2_", False, False),
        ("not after _date_", "film released after _date_", True, False),
        ("not _number_ stars or more", "film rated above _number_ stars", False, False),
    ],
)
def test_bounds_of_one_value(asked: str, understood: str, otherwise: bool, dropped: bool) -> None:
    assert bounds_otherwise(asked, understood) == otherwise
    assert drops_bound(asked, understood) == dropped


def test_who_lives_there_is_not_who_owns_it() -> None:
    assert lives_otherwise("who lives at _house_ now", "which landlords have _house_")
    assert lives_otherwise("who lives at _house_ now", "who owns _house_")
    assert lives_otherwise("who lives at _house_ now", "who is agent of _house_")
    assert not lives_otherwise("who lives at _house_ now", "who is tenant of _house_")
    assert not lives_otherwise("who lives at _house_ now", "which tenants have _house_")
    assert not lives_otherwise("who owns _house_", "which landlords have _house_")


def test_what_is_named_so_is_not_what_is_of_it() -> None:
    understood = "which fair categories are named _category_"
    assert (
        names_other("what are the names of fairs with category _category_", understood) == "fairs"
    )
    assert not names_other("categories with the name _category_", understood)
    assert not names_other("which fairs are in _town_", "which fairs are of _town_")


def test_what_ended_then_is_not_what_was_then() -> None:
    understood = "how many fairs ended since _date_"
    assert adds_end("how many fairs since _date_", understood)
    assert adds_end("how many fairs were closed off by _town_ on _date_", understood) is False
    assert not adds_end("how many fairs were over since _date_", understood)
    assert not adds_end("how many fairs since _date_", "how many fairs started since _date_")
    assert adds_between("_number_ star and _number2_ star", "stars between _number_ and _number2_")
    assert not adds_between(
        "between _number_ star and _number2_ star", "stars between _number_ and _number2_"
    )
    assert drops_bound(
        "tools made before the year of _date_ or after the year of _date2_",
        "which tools have year in _date_ or _date2_",
    )


def test_who_did_it_is_denied_by_name() -> None:
    titles = "which titles are by no authors from _country_"
    assert denies_doer("_country_ titles that nobody has borrowed", titles) == "authors"
    assert denies_doer("_country_ titles without an author", titles) is None
    assert denies_doer("titles not by anybody from _country_", titles) is None


def test_how_many_there_are_is_no_sum_of_theirs() -> None:
    assert misses_number("total number of members", "what is the total age of members")
    assert not misses_number("total number of wins", "what is the total wins of teams")
    assert not misses_number("total number of members", "how many members are there")


@pytest.mark.parametrize(
    ("asked", "understood", "other"),
    [
        ("how late can i swim at _pool_", "opening time of _pool_", True),
        ("what time does _course_ end", "starting time of _course_", True),
        ("until when is _pool_ open", "when does _pool_ open", True),
        ("until when is _pool_ open", "closing time of _pool_", False),
        ("what time does _course_ start", "starting time of _course_", False),
        ("when does _pool_ close", "opening and closing time of _pool_", False),
    ],
)
def test_an_end_is_no_beginning(asked: str, understood: str, other: bool) -> None:
    assert asks_end(asked, understood) == other


def test_paid_for_is_not_paid_by() -> None:
    by = "how much was paid by members with _boat_"
    assert pays_for("how much did we pay for the _boat_", by)
    assert not pays_for("how much did members with _boat_ pay", by)
    assert not pays_for("how much did we pay for the _boat_", "what is the price of _boat_")


def test_who_is_somebodys_boss() -> None:
    asked = "who are the people that have _user_ as their boss"
    assert turned_round(asked, "which users are boss of _user_")
    assert not turned_round(asked, "which users have boss _user_")
    # An agent's noun is no deed, but an order is what somebody orders.
    assert not turned_round("which fairs does _user_ manage", "fairs with manager _user_")
    assert turned_round("which teas does _user_ order", "which teas order _user_")
    assert not turned_round("who is the boss of _user_", "which users are boss of _user_")


def test_where_something_is_done_is_no_type_of_a_venue() -> None:
    asked = "where does _act_ play"
    assert misses_where(asked, "what is the type of the venue that _act_ performs in")
    assert not misses_where(asked, "what is the name of the venue that _act_ performs in")
    assert not misses_where(asked, "what is the street of the venue that _act_ performs in")


def test_an_a_in_french_is_a_grade() -> None:
    assert misses_mark("who got an a in _subject_", "which pupils have _subject_")
    assert not misses_mark("who got a job in _town_", "which pupils are in _town_")
    assert not misses_mark("who got an a in _subject_", "which pupils with grade a have _subject_")


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


def test_how_many_is_no_date_and_no_name() -> None:
    assert misses_number("how many goats are waiting", "what is the birth date of goats")
    assert misses_number("how many goats are waiting", "what is the name of goats")
    assert not misses_number("how many legs does _goat_ have", "what is the legs of _goat_")


@pytest.mark.parametrize(
    ("asked", "understood", "noun"),
    [
        ("what is the cheapest barn by hour", "what is the rate of the cheapest barn", "barn"),
        ("which feed is the most expensive per kilogram",
         "what is the price per kilogram of the most expensive feed", "feed"),
        ("farm with the longest fence", "what is the fence length of the longest farm", "farm"),
        ("what is the longest fence 's length", "what is the length of the longest fence", None),
        ("farm with the longest fence", "what is the farm with the longest fence", None),
        ("which farm has the most goats", "which farm has the most goats", None),
    ],
)  # fmt: skip
def test_the_best_one_is_no_property_of_it(asked: str, understood: str, noun: str | None) -> None:
    assert gives_property(asked, understood) == noun


def test_a_property_is_of_what_is_named_and_of_nothing_between() -> None:
    asked = "what is the phone of _farmer_"
    assert property_of_another(asked, "what is the phone of the home barn of _farmer_") == "barn"
    assert property_of_another(asked, "what is the phone of _farmer_") is None
    of_barn = "what is the phone of the barn of _farmer_"
    assert property_of_another(of_barn, of_barn) is None


def test_the_most_sung_song_is_no_singer() -> None:
    assert most_done_other("most recorded song", "who records the most songs") == "song"
    assert most_done_other("who recorded the most songs", "who records the most songs") is None
    assert most_done_other("most recorded song", "which song the most singers record") is None


def test_averages_are_not_added_up() -> None:
    z = "what is the total average weight of goats per farm"
    assert totals_average("average weight for each farm", z)
    assert not totals_average("total of the average weights for each farm", z)


def test_when_something_was_is_its_date_if_there_is_one() -> None:
    assert starts_unasked("when was the _fair_", "when did _fair_ start")
    assert not starts_unasked("when did _fair_ start", "when did _fair_ start")
    assert not starts_unasked("when was the _fair_", "what is the date of _fair_")


def test_what_lasts_is_not_the_last() -> None:
    assert not misses_first(
        "on average how many days does a fair last", "what is the average length"
    )
    assert misses_first("which fair was last", "which fairs are there")


def test_the_most_recently_done_is_no_date() -> None:
    z = "what is the latest birth date among goats"
    assert gives_property("which goat was born most recently", z) == "goat"
    assert gives_property("which birth date is the latest", z) is None
