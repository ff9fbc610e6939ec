"""What a question asks for, and what cannot answer it, by questions of an invented harbour."""

from dataclasses import replace

import pytest

from fairseq_twostage.inference.agreement import Agreement
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.semantics import Answer
from fairseq_twostage.text.question_words import asked_noun

PAIRS = {
    "which pilots steer _ship_": "steer",
    "who steers _ship_": "steer",
    "which ships are there": "ships",
    "how many ships does each pilot steer": "each",
    "which product is the heaviest": "heaviest",
    "which pilot cities have the most ships": "cities",
    "which cities are there": "all",
    "what is the arrival of _ship_": "arrival",
    "which teams are there": "teams",
}
HARBOUR = Agreement(PAIRS)
NAMES, DATE = Answer("(list (name en.ship.aurora))"), Answer("(list (date 2020 1 2))")


def contradiction(
    asked: str, understood: str, answer: Answer = NAMES, agreement: Agreement = HARBOUR
) -> str | None:
    return agreement.contradiction(asked, Reading(understood, "f", answer, 0.0, 0.0, understood))


def test_the_most_is_of_what_is_asked_for() -> None:
    understood = "which cities are of the pilot with the most ships"
    known = Agreement({**PAIRS, "which cities are there": "cities"})
    assert contradiction("which city has the most ships", understood, NAMES, known)
    assert not contradiction("cities of the best pilot", understood, NAMES, known)
    longest = "which cities are of the pilot with the longest ships"
    assert not contradiction("which city has the longest ships", longest, NAMES, known)
    assert not contradiction("where is the best man", understood, NAMES, known)


def test_the_most_hours_are_not_the_most_ships() -> None:
    asked = "which pilot has the most hours"
    assert contradiction(asked, "which pilot has the most ships", NAMES)
    assert not contradiction(asked, "which pilot has the highest total length of hours", NAMES)


def test_what_a_clause_is_of_is_asked_for() -> None:
    asked = "show the city where the most ships were built"
    assert contradiction(asked, "which pilot has the most ships")
    assert not contradiction(asked, "which cities have the most ships")


def test_the_most_of_a_property_is_its_highest() -> None:
    known = Agreement({**PAIRS, "what is the crew of _ship_": "crew"})
    asked = "which ship has the most crew"
    assert not contradiction(asked, "what is the ship with the highest crew", NAMES, known)
    assert contradiction(asked, "what is the ship with the highest arrival", NAMES, known)


def test_a_thing_that_is_said_is_in_what_was_understood() -> None:
    known = Agreement({**PAIRS, "which visits are there": "visits"})
    assert known.thing_unsaid("ships that have a visit after _date_", "which ships sank in _date_")
    assert not known.thing_unsaid("ships with a visit", "which ships are visited in _date_")
    assert not known.thing_unsaid("ships of visits in _date_", "which ships sank in _date_")
    assert not known.thing_unsaid("which pilot is the oldest", "who is the oldest")


def test_things_do_nothing_with_their_own_kind_that_nobody_said() -> None:
    known = Agreement({**PAIRS, "which pilots are there": "pilots"})
    understood = "which pilots lead the pilot from _port_"
    assert known.of_its_own("pilots based in _port_", understood)
    assert not known.of_its_own("pilots leading the one from _port_", understood)
    assert not known.of_its_own("which pilots work with the pilot from _port_", understood)
    assert not known.of_its_own("pilots in _port_", "which pilots steer the ship from _port_")


def test_both_of_two_things_are_asked_for() -> None:
    asked = "names of pilots and ships"
    known = Agreement({**PAIRS, "which pilots are there": "pilots"})
    assert contradiction(asked, "which ships are there", NAMES, known)
    assert not contradiction(asked, "which pilots and ships are there", NAMES, known)
    assert not contradiction("names and ages of ships", "which ships are there", NAMES, known)


def test_a_thing_may_be_said_once_for_two_names() -> None:
    asked = "which pilots steer ships of both _port_ and _port2_"
    assert not contradiction(asked, "which pilots steer _port_ ships and _port2_ ships")
    assert contradiction(asked, "which pilots steer ships with ships of _port_ and _port2_")


def test_so_many_of_one_thing_are_not_so_many_of_another() -> None:
    asked = "which pilots steer ships with more than _number_ cabins"
    known = Agreement({**PAIRS, "which ships have more than _number_ cabins": "cabins"})
    other = "which pilots have more than _number_ harbour licences"
    assert contradiction(asked, other, NAMES, known)
    same = "which pilots steer ships that have more than _number_ cabins"
    assert not contradiction(asked, same, NAMES, known)


def test_the_number_of_a_ship_is_no_number_of_a_pilot() -> None:
    asked = "cargo whose ship id is _number_"
    assert contradiction(asked, "which cargo is of pilot _number_")
    assert contradiction(asked, "which cargo is of more than _number_ pilots")
    assert not contradiction(asked, "which cargo is of ship _number_")


def test_what_is_done_is_nobody() -> None:
    assert contradiction("what did we sail last", "which pilots sailed", NAMES)
    assert not contradiction("what did we sail", "which ships sailed", NAMES)


def test_what_was_done_then_is_what_is_asked_for() -> None:
    dates = (("ships", "built"), ("pilots", "hired"), ("tours", "booked"))
    known = Agreement({f"which {who} were {done} since _date_": who for who, done in dates})
    assert known.done == {"built", "hired", "booked"}
    hired = "which pilots were hired since _date_"
    assert contradiction("pilots booked since _date_", hired, NAMES, known)
    for asked in ("pilots new since _date_", "pilots hired since _date_ to tours booked"):
        assert not contradiction(asked, hired, NAMES, known)


def test_what_the_known_questions_ask_for():
    assert {"pilot", "ship", "city", "product"} <= HARBOUR.things
    assert HARBOUR.people == {"pilot"}


@pytest.mark.parametrize(
    ("asked", "understood"),
    [
        ("which pilots are old", "which ships have old pilots"),
        ("ships of _city_ with _number_ masts", "which _city_ pilots have _number_ ships"),
        ("how many tall ships sailed", "how many pilots sailed"),
        ("how many ships are there", "which ships are there"),
        ("items in the hold", "which ships are in the hold"),
        ("which ships are inactive", "which ships are active"),
        ("who sank a ship", "which ships are sunk"),
        ("people who sank ships", "which ships are sunk"),
        ("who sailed the most", "which ship has the most masts"),
        ("who was hired by _pilot_", "which pilots is _pilot_ hired by"),
        ("the second longest ship", "what is the longest ship"),
        ("ships longer than the fleet average", "what is the longest ship"),
        ("pilots above the average age", "which pilots are old"),
        ("when did _ship_ arrive", "which ships arrived"),
        ("on which day did _ship_ arrive", "what is the city of _ship_"),
        ("ships near _city_", "what is the city of ships near _city_"),
        ("ships near _city_", "which ships are not near _city_"),
        ("which pilot steers the most ships", "which pilot is the heaviest"),
        ("who is the pilot of _ship_", "which ships are of the captain of _ship_"),
        ("the pilot with the smallest number of ships", "which pilot has the fewest masts"),
        ("vessels that were in more than _number_ cities", "which cities have _number_ ships"),
        ("which vessels went to teams of _city_", "which teams have ships of _city_"),
        ("ships built before _number_", "what are the _number_ oldest ships"),
        ("ships of _pilot_ that are not afloat", "which afloat ships are not of _pilot_"),
        ("number of tall ships per pilot", "how many tall ships are of pilots"),
        ("ships in each city", "which ships are in cities"),
        ("how old is _pilot_", "when was _pilot_ born"),
        ("ships that take longer than _ship_", "ships that are faster than _ship_"),
        ("which is the oldest ship", "which is the newest ship"),
        ("ships of more than _number_ euros", "which ships have more than _number_ masts"),
        ("ships that cost more than _number_", "which ships are in harbour _number_"),
        ("how much was paid for ships", "which ships are paid"),
        ("part-time pilots", "which pilots are full-time"),
        ("titles of cities with ships", "which ships are in cities"),
        ("which ships are active", "which ships are inactive"),
        ("on average how long are ships", "how many ships are average"),
        ("ships below their minimum cargo", "which ships have a minimum cargo"),
        ("pilots of _city_ on _ship_", "which pilots have _city_ or _ship_"),
        ("whose ships are old", "which ships are old"),
    ],
)
def test_another_question_than_the_one_asked(asked, understood):
    assert contradiction(asked, understood) is not None


@pytest.mark.parametrize(
    ("asked", "understood"),
    [
        ("which pilot is the oldest", "what is the oldest pilot"),
        ("ships longer than the average", "which ships are longer than the average"),
        ("who are the ship masters", "which pilots are old"),
        ("pilots and their number of ships", "how many ships does each pilot steer"),
        ("ships per pilot", "how many ships does each pilot steer"),
        ("which towns have pilots", "which pilot cities have pilots"),
        ("what do pilots steer", "which ships do pilots steer"),
        ("did the masters sail", "which ships sailed"),
        ("which ships are inactive", "which ships are not active"),
        ("which ships are inside", "which ships are inside the harbour"),
        ("price of ships", "what is the price of ships"),
        ("what is in the hold", "which product is in the hold"),
        ("who is on a ship", "which pilots are on a ship"),
        ("who was hired by _pilot_", "which pilots are hired by _pilot_"),
        ("who won the most", "which team has the most wins"),
        ("ships built by _pilot_", "which ships are of _pilot_"),
        ("ships built by _pilot_", "which ships were steered by _pilot_ in _city_"),
        ("who is the ship of", "which ships are there"),
        ("items in the hold", "which products are in the hold"),
        ("ships that dont sail", "which ships do not sail"),
        ("what is the second pilot of _ship_", "what is the pilot of _ship_"),
        ("ships and their city", "what are the names and cities of ships"),
        ("vessels with more than _number_ cities", "which ships have over _number_ cities"),
        ("cargo ships of teams", "which ships are of teams"),
        ("the _number_ oldest ships", "what are the _number_ oldest ships"),
        ("ships of _pilot_ that are not afloat", "which ships of _pilot_ are not afloat"),
        ("how much does _pilot_ earn per year", "what is the salary of _pilot_"),
        ("ships per pilot", "how many ships are there for each pilot"),
        ("how old is _pilot_", "how old is _pilot_"),
        ("ships longer than _number_ meters", "which ships are longer than _number_ meters"),
        ("ships with more than _number_ masts", "which ships have more than _number_ masts"),
        ("how much does _ship_ cost", "what is the price of _ship_"),
        ("titles of ships in _city_", "which ships are in _city_"),
        ("pilots of _city_ and _city2_", "which pilots are of _city_ or _city2_"),
        ("ships below their minimum cargo", "which ships are below their minimum cargo"),
        ("how long are ships", "how many meters do ships have"),
        ("whose ships are old", "which pilots have old ships"),
        ("ships no longer active", "which ships are inactive"),
        ("ships with at least _number_ people", "which ships have at least _number_ pilots"),
    ],
)
def test_what_may_answer_it(asked, understood):
    assert contradiction(asked, understood) is None


def test_who_wants_somebody_and_on_which_day_no_number():
    number = Answer("(list (number 12 any))")
    year = Answer("(list (number 1912 any))")
    for answer in (DATE, number):
        assert contradiction("who has _ship_", "what is the arrival of _ship_", answer)
    assert contradiction("who has _ship_", "which pilots steer _ship_") is None
    asked, understood = "on which day was the most cargo", "what is the highest cargo"
    assert contradiction(asked, understood, number)
    assert contradiction(asked, understood, year) is None
    assert contradiction(asked, understood, DATE) is None


def test_which_is_the_longest_is_preferred_to_how_long_it_is():
    def preferred(asked: str, understood: str) -> bool:
        reading = Reading(understood, "f", NAMES, 0.0, 0.0, understood)
        return not HARBOUR.objections(asked, reading)

    assert not preferred("what is the most expensive ship", "how expensive is the most expensive")
    assert not preferred("which is the longest ship", "how long is the longest ship")
    assert preferred("what is the length of the longest ship", "how long is the longest ship")
    assert preferred("how long is the longest ship", "how long is the longest ship")
    assert not preferred("cargo of ships of _city_", "cargo of ships of _city_ per city")
    assert preferred("cargo of ships by city", "cargo of ships per city")


def test_when_wants_a_date():
    assert contradiction("when did _ship_ arrive", "what is the arrival of _ship_", DATE) is None
    assert contradiction("when did _ship_ arrive", "arrivals of _ship_") is not None


def test_two_things_that_nobody_said_are_taken_last():
    asked = "boats built in _year_"
    for understood, last in (
        ("which pilots have ships built", True),
        ("which ships", False),
        ("which ships have city _city_", False),
    ):
        reading = Reading(understood, "f", NAMES, 0.0, 0.0, understood)
        assert bool(HARBOUR.objections(asked, reading)) is last
    two = "which pilots have ships built"
    assert HARBOUR.other_words(asked, two) and not HARBOUR.other_words("who built what", two)


def test_what_has_the_thing_asked_for_as_another_word_is_taken_last():
    asked, understood = "which steers does _pilot_ have", "which pilots steer _ship_"
    harbour = Agreement({**PAIRS, "which steers are there": "s"})
    reading = Reading(understood, "f", NAMES, 0.0, 0.0, understood)
    assert harbour.objections(asked, reading)
    asked, understood = "which pilot is the oldest", "which ships does the oldest pilot steer"
    assert contradiction(asked, understood) is None
    assert HARBOUR.objections(asked, replace(reading, paraphrase=understood))
    assert not HARBOUR.objections(asked, replace(reading, paraphrase="who is the oldest"))


def test_years_and_the_like_are_moments():
    harbour = Agreement({**PAIRS, "which year has the most ships": "years"})
    for asked, understood in (
        ("when did most ships arrive", "which year has the most ships"),
        ("what year was _ship_ built", "when was _ship_ built"),
        ("what year was _ship_ built", "what is the date of _ship_"),
    ):
        reading = Reading(understood, "f", DATE, 0.0, 0.0, understood)
        assert not harbour.objections(asked, reading)
    reading = Reading("z", "f", DATE, 0.0, 0.0, "which ships are there")
    assert harbour.contradiction("what year was _ship_ built", reading) is not None


def test_what_is_missing_is_what_is_asked_for():
    farm = Agreement(
        {
            "which plants have no receipt number": "r",
            "what is the receipt number of plants": "n",
            "which plants have no amount": "a",
        }
    )

    def differs(asked: str, understood: str) -> bool:
        return farm.differs(asked, understood) is not None

    assert differs("how many plants have no receipt number", "which plants have no amount")
    assert differs("plants without a receipt", "which plants have no amount")
    assert not differs("plants without a receipt", "which plants have no receipt number")
    assert not differs("plants without a sum", "which plants have no amount")


def test_a_thing_that_is_missing_is_no_missing_property():
    firm = Agreement({"which customers are there": "c", "which staff have no job title": "t"})
    asked = "which staff have no clients at all"
    assert firm.differs(asked, "which staff have no job title")
    assert not firm.differs(asked, "which staff have no customers")


def test_a_property_is_asked_for_and_not_its_things():
    games = Agreement({"what is the mascot of games": "m", "which games have year in _date_": "g"})
    assert games.differs(
        "what was the mascot of the _date_ games", "which games have year in _date_"
    )
    assert not games.differs(
        "what was the mascot of _date_", "what is the mascot of games in _date_"
    )
    assert not games.differs("which games were in _date_", "which games have year in _date_")


def test_who_won_is_no_country_where_there_are_people():
    games = {"which athletes are there": "a", "who is there": "a", "which countries are there": "c"}
    countries = "which countries are events of _event_ from _date_ in"
    assert contradiction("who won _event_ in _date_", countries, NAMES, Agreement(games))
    nobody = {z: form for z, form in games.items() if not z.startswith("who ")}
    assert not contradiction("who won _event_ in _date_", countries, NAMES, Agreement(nobody))


def test_the_number_of_things_is_asked_for_by_a_word():
    number, masts = "number of ship whose length is _number_", "number of mast of ship"
    longest = "ship whose length is _number_"
    known = Agreement({"ship": "s", longest: "l", number: "n", masts: "m"})
    assert known.counts_unasked("ships of _number_ meters", number)
    assert not known.counts_unasked("how many ships of _number_ meters", number)
    assert not known.counts_unasked("masts of the ship", masts)
    assert not known.counts_unasked("ships of _number_ meters", longest)


def test_who_was_somewhere_is_no_event():
    firm = {
        "which absences are from _date_": "a",
        "which staff are there": "s",
        "who is there": "s",
    }
    absences = "which absences are from _date_"
    assert contradiction("who was away on _date_", absences, NAMES, Agreement(firm))
    assert not contradiction(
        "who was away on _date_", "which staff are away", NAMES, Agreement(firm)
    )


def test_how_many_is_a_number():
    asked = "how many medals has _country_ won"
    assert contradiction(asked, "what is the medal of _country_", NAMES)
    assert not contradiction(asked, "what is the medal of _country_", Answer("(list (number 3))"))
    assert not contradiction("medals of _country_", "what is the medal of _country_", NAMES)


def test_an_email_address_is_no_address():
    firm = Agreement({"what is the address of staff": "a", "what is the email of staff": "e"})
    address = "what is the address of _staff_"
    assert firm.differs("email address of _staff_", address)
    assert not firm.differs("email address of _staff_", "what is the email of _staff_")
    assert not firm.differs("home address of _staff_", address)


def test_one_thing_is_no_other_thing():
    asked = "what did we spend on ships in the end"
    assert HARBOUR.differs(asked, "which pilots are dear")
    assert not HARBOUR.differs(asked, "which pilots have dear ships")
    assert not HARBOUR.differs("what did we pay in the end", "which pilots are dear")


def test_those_who_left_do_not_work_there_now():
    firm = Agreement({"which staff are left in _date_": "l", "how many staff are there": "n"})
    asked = "how many people currently work in each department"
    assert firm.differs(asked, "how many staff does each department have")
    assert not firm.differs(asked, "how many staff still work")
    assert not HARBOUR.differs(asked, "how many staff does each department have")


def test_the_best_of_another_thing_is_not_asked_for():
    inn = Agreement({"which rooms are there": "r", "which suppliers are there": "s"})
    understood = "which rooms are of hotels with the cheapest supplier"
    assert inn.ranks_another("which rooms are the cheapest", understood, "room")
    assert not inn.ranks_another("rooms of the cheapest supplier", understood, "room")


def test_what_nobody_asked_for_is_passed_over():
    school = Agreement(
        {"which courses have _status_ sessions": "a", "how many newsletter students joined": "b"}
        | {f"which {kind} are there": kind for kind in ("courses", "sessions", "students")}
    )
    asked = "show me all courses that were _status_"
    assert school.adds_thing(asked, "which courses have _status_ sessions")
    assert not school.adds_thing(asked, "which courses are _status_")
    assert not school.adds_thing(
        "courses that met _status_", "which courses have _status_ sessions"
    )
    assert school.adds_adjective(
        "how many new students joined", "how many newsletter students joined"
    )
    assert not school.adds_adjective("how many students joined", "how many students joined")
    assert not school.adds_adjective("newsletter students", "which newsletter students joined")


def test_one_property_is_no_other_property():
    farm = Agreement(
        {
            "what is the average household size of farmers": "size",
            "what is the average salary of staff": "salary",
        }
    )
    salary = "what is the average salary of staff in _country_"
    assert farm.differs("average household size in _country_", salary)
    assert not farm.differs("average pay in _country_", salary)
    assert not farm.differs("average salary by household", salary)


def test_an_average_is_preferred_and_not_demanded():
    harbour = Agreement({**PAIRS, "who has the highest average length": "length"})

    def preferred(asked: str, understood: str) -> bool:
        reading = Reading(understood, "f", NAMES, 0.0, 0.0, understood)
        return not harbour.objections(asked, reading)

    assert not preferred("the longest pilot on average", "what is the longest pilot")
    assert preferred("the longest pilot on average", "who has the highest average length")
    assert preferred("average rating of _ship_", "what is the rating of _ship_")
    assert contradiction("the longest on average", "what is the longest") is None
    # where no known question has an average, "how many ships does he average" is not of one
    reading = Reading("what is the longest", "f", NAMES, 0.0, 0.0, "what is the longest")
    assert not HARBOUR.objections("the longest on average", reading)


def test_what_denies_is_preferred_to_what_has_it():
    asked = "which ships are out of stock"
    for understood, other in (
        ("which ships have a stock", True),
        ("which ships have no stock", False),
    ):
        reading = Reading(understood, "f", NAMES, 0.0, 0.0, understood)
        assert bool(HARBOUR.objections(asked, reading)) is other
    assert not HARBOUR.other_words("which ships have a stock", "which ships have a stock")


def test_a_list_is_preferred_where_no_number_is_asked_for():
    reading = Reading("z", "f", NAMES, 0.0, 0.0, "how many ships have _number_ masts")
    assert HARBOUR.objections("ships with _number_ masts", reading)
    for asked in ("how many ships have _number_ masts", "count the ships with _number_ masts"):
        assert not HARBOUR.objections(asked, reading)


PHRASES = Agreement(
    {
        "ship": "a",
        "ship with _number_ masts": "b",
        "number of ship": "c",
        "home port of ship": "d",
        "average length of ship": "e",
        "length of ship": "f",
    }
)


@pytest.mark.parametrize(
    ("asked", "understood"),
    [
        ("show me all ships with _number_ masts", "home port of ship with _number_ masts"),
        ("how many ships have _number_ masts", "ship with _number_ masts"),
        ("ships longer than _ship_", "length of _ship_"),
        ("in how many of your ships is there a mast", "ship with _number_ masts"),
        ("which lengths do ships of _city_ have", "ship of _city_"),
    ],
)
def test_a_phrase_of_another_thing_than_the_one_asked(asked, understood):
    assert contradiction(asked, understood, agreement=PHRASES) is not None


@pytest.mark.parametrize(
    ("asked", "understood"),
    [
        ("ships with _number_ masts", "ship with _number_ masts"),
        ("show many ships with _number_ masts", "ship with _number_ masts"),
        ("how many ships have _number_ masts", "number of ship with _number_ masts"),
        ("ships and their home ports", "home port of ship"),
        ("home ports of ships", "home port of ship"),
        ("where is the home of ships", "home port of ship"),
        ("pilots with _number_ ships", "home port of ship"),
        ("which lengths do ships have", "length of ship"),
        ("which lengths do ships have", ""),
        ("ships longer than _ship_ and faster", "ship faster than _ship_"),
        ("ships that are not older than _ship_", "ship newer than _ship_"),
    ],
)
def test_a_phrase_that_may_be_meant(asked, understood):
    assert contradiction(asked, understood, agreement=PHRASES) is None


@pytest.mark.parametrize(
    ("asked", "understood"),
    [
        (
            "which pilot cities have the greatest number of ships",
            "which pilot cities have the most ships",
        ),
        ("which ship has the most masts", "which ship is the tallest"),
        ("pilots who steer at most _number_ ships", "which pilots have _number_ ships or less"),
        ("pilots with the most experience with ships", "which pilot has the longest service"),
    ],
)
def test_the_most_of_something_may_be_meant(asked, understood):
    assert contradiction(asked, understood) is None


def test_a_total_is_no_average():
    reading = Reading("z", "f", NAMES, 0.0, 0.0, "average length of ship")
    assert PHRASES.objections("total length of all ships", reading)
    assert not PHRASES.objections("overall average length of ships", reading)


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("how many long runways does _airport_ have", "runways"),
        ("which tractors does _farm_ own", "tractors"),
        ("how many ships are there", "ships"),
        ("which people live in _city_", None),
        ("how many _type_ are there", None),
        ("which are red", None),
        ("ships of _city_", None),
        ("how long is _ship_", None),
    ],
)
def test_the_noun_that_a_question_asks_for(asked, wanted):
    assert asked_noun(asked) == wanted


KENNEL = Agreement(
    {
        "which dogs are there": "dogs",
        "which vip dogs are there": "vip",
        "which visits are there": "visits",
        "which dogs have no price": "free",
        "how many dogs per city": "cities",
        "how many dogs per owner town": "towns",
        "what is the maker name of collars": "makers",
        "which types of collars are there": "types",
        "which dogs have more than _number_ bells": "bells",
        "what is the name of the dog with _collar_": "name",
    }
)


@pytest.mark.parametrize(
    ("asked", "understood", "told"),
    [
        ("dogs never sold", "which dogs have no price", True),
        ("dogs never priced", "which dogs have no price", False),
        ("dogs that never came", "which dogs have no visits", False),
        ("dogs that never came", "which dogs are not yet weighed", True),
        ("dogs not sold", "which dogs have no price", False),
        ("dogs per city", "how many dogs per owner town", True),
        ("dogs per town", "how many dogs per owner town", False),
        ("dogs per street", "how many dogs per owner town", False),
        ("makers with bells", "which types have bells", True),
        ("makers with bells", "what is the maker name of collars", False),
        ("makers of types", "which types have bells", False),
        ("dogs with _number_ bells", "which dogs have _number_ visits", True),
        ("dogs with _number_ bells", "which dogs have _number_ bells", False),
        ("dogs with _number_ spots", "which dogs have _number_ visits", True),
    ],
)
def test_what_others_ask_tells_what_is_meant(asked, understood, told):
    assert bool(KENNEL.differs(asked, understood)) is told


def test_the_most_of_a_property_is_of_nothing_else():
    asked = "which dog got the most makers"
    assert contradiction(asked, "which dog has the most visits", NAMES, KENNEL)
    assert not contradiction(asked, "which dog has the highest total makers", NAMES, KENNEL)
    other = "which dog got the most bones"
    assert not contradiction(other, "which dog has the most visits", NAMES, KENNEL)


def test_names_of_things_are_asked_for_by_the_things():
    asked = "give me the names of our vip dogs from _city_"
    assert contradiction(asked, "which vip dogs are from _city_", NAMES, KENNEL) is None


def test_a_subject_behind_all_is_not_asked_for():
    asked, understood = "what do all our ships cost", "what is the price of ships"
    assert contradiction(asked, understood) is None


def test_what_is_refused_counts_more_than_what_is_passed_over():
    def objections(z):
        return HARBOUR.objections("which ships does _pilot_ steer", Reading(z, "f", NAMES, 0, 0, z))

    right, listed, yes = "which ships are there", "how many ships are there", "is _pilot_ here"
    assert objections(right) == 0 < objections(listed) and objections(yes) >= 5


def test_hours_are_no_thing_that_is_asked_for():
    known = Agreement({**PAIRS, "which hours are there": "hours", "which years are there": "y"})
    asked = "total hours of _pilot_"
    assert contradiction(asked, "what is the total time of _pilot_", NAMES, known) is None
    assert contradiction("which years has _pilot_", "which ships are there", NAMES, known)


def test_where_and_whether_are_no_numbers() -> None:
    number, no = Answer("(list (number 12 en.place))"), Answer("(list (boolean false))")
    for asked in ("where can i see _ship_", "is _ship_ full", "is the old _ship_ in port"):
        assert contradiction(asked, "places of _ship_", number)
    assert not contradiction("where can i see _ship_", "arrival of _ship_", NAMES)
    assert not contradiction("is _ship_ full", "is _ship_ full", no)
    assert not contradiction("does _ship_ have boats", "how many boats does _ship_ have", number)
    assert not contradiction("is it true that _ship_ is 12 metres", "length of _ship_", number)


def test_a_day_by_its_name_is_when() -> None:
    day = Answer("(list (name en.day.friday))")
    assert not contradiction("what day is _ship_", "day of _ship_", day)
    assert contradiction("what day is _ship_", "pilot of _ship_", day)


def test_what_happens_then_is_not_what_was_done_then() -> None:
    known = Agreement(
        {**PAIRS, "which ships were built in _date_": "b", "which visits are there": "v"}
    )
    built = "which ships were built in _date_"
    assert contradiction("which ships had a visit in _date_", built, NAMES, known)
    assert not contradiction("which ships are built in _date_", built, NAMES, known)
    assert not contradiction("which ships are from _date_", built, NAMES, known)


def test_things_are_named_by_numbers() -> None:
    known = Agreement({"which bills have total above _number_": "a", "which bills are there": "b"})
    asked, understood = (
        "give me the numbers of all bills with total above _number_",
        "which bills have total above _number_",
    )
    assert not contradiction(asked, understood, NAMES, known)


def test_the_most_of_a_noun_is_not_the_most_of_another() -> None:
    known = Agreement({**PAIRS, "what is the repair cost of _ship_": "r"})
    asked, ship = "which ship had the most expensive repair", "which ship is the most expensive"
    assert contradiction(asked, ship, NAMES, known)
    cost = "which ship has the highest repair cost"
    assert not contradiction(asked, cost, NAMES, known)
    assert not contradiction("which is the most expensive ship", ship, NAMES, known)
