"""What questions begin with is said in one way."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.usual_asking import usually_asked


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("who is _pupil_ s guardian", "who is the guardian of _pupil_"),
        ("who is _pupil_ 's class teacher ?", "who is the class teacher of _pupil_ ?"),
        ("what is _pupil_ 's town", "what is _pupil_ 's town"),
        ("list _level_ courses under _number_", "show _level_ courses under _number_"),
        ("list prices of _film_", "list prices of _film_"),
        ("what is the total number of singers", "how many singers"),
        ("find the number of pets of _student_", "how many pets of _student_"),
        (
            "please return me the number of the airlines in _country_",
            "how many airlines in _country_",
        ),
        ("count the number of united flights", "how many united flights"),
        ("count all dogs", "how many dogs"),
        ("find the number of distinct types of pets", "how many different types of pets"),
        ("how many unique cities are there", "how many different cities are there"),
        ("what are all the different countries of singers", "what are the countries of singers"),
        ("which year has most number of concerts", "which year has the most concerts"),
        ("who has the lowest number of visits", "who has the fewest visits"),
        ("retrieve the name of _airport_", "show the name of _airport_"),
        (
            "i'm trying to find out how many dogs are there can you tell me",
            "how many dogs are there",
        ),
        ("we would like to know which cats are old please", "which cats are old"),
        (
            "which boats are at sea give me the names of the boats",
            "what are the names of boats that are at sea",
        ),
        (
            "which harbours does _pilot_ know ? list their depths",
            "what are the depths of harbours that _pilot_ know",
        ),
        (
            "open berths ending in _date_ - numbers only",
            "what are the numbers of open berths ending in _date_",
        ),
        (
            "what is the name of each boat that is at sea",
            "what is the name of the boat that is at sea",
        ),
        ("which boats are at sea just the ids please", "what are the ids of boats that are at sea"),
        ("boats we have no crew for , who are they", "boats we have no crew for"),
        ("who made _number_ or less trips", "who made at most _number_ trips"),
        ("boats with _number_ or more sails", "boats with at least _number_ sails"),
        ("depths of the ports with name _port_", "depths of the ports _port_"),
        ("for captain _pilot_ how many boats sank", "how many boats sank for captain _pilot_"),
        ("in _date_ , which boats sank", "which boats sank in _date_"),
        ("can you show me who fed _goat_", "who fed _goat_"),
        ("please list which goats are ill", "which goats are ill"),
        ("what does _farmer_ do here", "what is the job of _farmer_"),
        ("red-haired goats", "red hair goats"),
        ("who 's the owner of _goat_", "who is the owner of _goat_"),
        ("what is the mean weight of goats", "what is the average weight of goats"),
        ("mean weight of goats", "average weight of goats"),
        ("dearest goat", "most expensive goat"),
        ("goats dearer than _number_", "goats more expensive than _number_"),
        ("which farmer has been with us longest", "which farmer is the longest serving"),
        ("who has worked here for the longest time", "who is the longest serving"),
        ("who do we speak to at _farm_", "who is the contact at _farm_"),
        ("goats by breed", "how many goats are there for each breed"),
        ("goats by farm type", "how many goats are there for each farm type"),
        (
            "please group the goats by breed and count them",
            "how many goats are there for each breed",
        ),
        ("show me every goat", "show all goat"),
        ("give me every goat from _farm_", "show all goat from _farm_"),
        ("i'd like to see the goats of _farm_", "show the goats of _farm_"),
        ("can i have a list of all goats", "show goats"),
        ("list of the goats in _farm_", "show the goats in _farm_"),
        ("display goats of _farm_", "show goats of _farm_"),
        ("can you count the goats which are ill", "how many goats which are ill"),
        ("are there goats with _farm_ ? list them", "show goats with _farm_"),
        ("list the wild goats we have", "show the wild goats"),
        ("which farm has more goats than any other", "which farm has the most goats"),
        ("who fed fewer goats than anyone else", "who fed the fewest goats"),
        ("goats whose weight exceeds _number_", "goats whose weight is above _number_"),
        ("goats with a weight in excess of _number_", "goats with a weight above _number_"),
        ("goats with weight > _number_", "goats with weight above _number_"),
        ("goats with weight < _goat_", "goats with weight below _goat_"),
        ("find the goat with maximum milk", "show the goat with the highest milk"),
        ("which goat has the minimum age", "which goat has the lowest age"),
        ("list farms lacking water", "show farms without water"),
        # Left as they are.
        ("goats by wild farmers", "goats by wild farmers"),
        ("average weights by breed", "average weights by breed"),
        ("barns with maximum load above _number_", "barns with maximum load above _number_"),
        ("what is the maximum load of _barn_", "what is the maximum load of _barn_"),
        ("every one of the goats", "every one of the goats"),
        ("what does _farmer_ do to _goat_", "what does _farmer_ do to _goat_"),
        ("what does it mean to us", "what does it mean to us"),
        ("goats by _farmer_", "goats by _farmer_"),
        ("in _port_ boats are built which sink", "in _port_ boats are built which sink"),
        ("which boats are at sea ? thanks", "which boats are at sea ? thanks"),
        ("which boats does the harbour list", "which boats does the harbour list"),
        ("which films did _person_ find in _city_", "which films did _person_ find in _city_"),
        (
            "who bought at least _number_ different teas",
            "who bought at least _number_ different teas",
        ),
        ("which films have the largest number", "which films have the largest number"),
        ("how many different cities are there", "how many different cities are there"),
        ("what is the phone number of _person_", "what is the phone number of _person_"),
        ("who gave the most", "who gave the most"),
        ("what was returned in _date_", "what was returned in _date_"),
    ],
)
def test_what_questions_begin_with(words: str, asked: str) -> None:
    assert usually_asked(words) == asked
    assert usually_asked(asked) == asked
