"""What an answer speaks for."""

from __future__ import annotations

import pytest

from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.inference.spoken_for import spoken_for
from fairseq_twostage.semantics import Answer

PEOPLE = "(list (name en.person.ann) (name en.person.bo))"
CODES = "(list (name en.land.PER) (name en.land.TD))"
KM = "(list (number 2 en.kilometer))"
ONE = "(list (number 2))"


@pytest.mark.parametrize(
    ("tokens", "z", "answer", "words"),
    [
        ("names of the singers", "which singers are there", PEOPLE, {"names"}),
        ("names of the singers", "how many singers are there", ONE, set()),
        ("codes of lands", "which lands are there", CODES, {"codes"}),
        ("codes of people", "which people are there", PEOPLE, set()),
        ("who speaks both", "who speaks _tongue_ and _tongue2_", PEOPLE, {"both"}),
        ("who speaks both", "who speaks _tongue_ and has _pet_", PEOPLE, set()),
        ("how many different lands", "how many lands are there", ONE, {"different"}),
        ("which different lands", "which lands are there", PEOPLE, set()),
        ("cars produced before _date_", "which cars have year before _date_", PEOPLE, {"produced"}),
        ("cars produced before _date_", "which cars are sold before _date_", PEOPLE, set()),
        ("how much did we spend on rope", "what is the total price of ropes", ONE, {"spend"}),
        ("how much did we spend on rope", "what is the price of the rope", ONE, set()),
        ("which cups does _diver_ hold", "which cups are of _diver_", PEOPLE, {"hold"}),
        ("which cups does _diver_ hold", "which cups are of divers", PEOPLE, set()),
        ("numbers of the deals above _number_", "which deals are above", PEOPLE, {"numbers"}),
        ("numbers of the deals above _number_", "which people have deals", ONE, set()),
        ("what does _coach_ teach", "courses taught by _coach_", PEOPLE, {"teach"}),
        ("what does _coach_ teach", "courses owned by _coach_", PEOPLE, set()),
        ("length of _walk_ in km", "how long is _walk_", KM, {"km"}),
        ("how many kilometres is _walk_", "how long is _walk_", KM, {"kilometres"}),
        ("how many hours is _walk_", "how long is _walk_", KM, set()),
        ("goods that went from _a_ to _b_", "which goods are from _a_ to _b_", PEOPLE, {"went"}),
        ("goods that went from _a_", "which goods are of _a_", PEOPLE, set()),
        ("which fair drew the most guests", "which fair has the most guests", PEOPLE, {"drew"}),
        ("which fair drew the most guests", "which fair has the most clowns", PEOPLE, set()),
        ("is _ship_ marked as sunk", "is _ship_ sunk", ONE, {"marked"}),
        ("crew of the ship named _ship_", "which crew are of _ship_", PEOPLE, {"named"}),
        ("ships named by _ship_", "which ships are of _ship_", PEOPLE, set()),
        ("average number of cabins", "what is the average cabins of ships", ONE, {"number"}),
        ("average number of bunks", "what is the average cabins of ships", ONE, set()),
        ("ships with status code _a_", "which ships have status _a_", PEOPLE, {"code"}),
        ("how often was _pill_ prescribed", "how many prescriptions", ONE, {"prescribed"}),
        ("how often was _pill_ prescribed", "how many patients", ONE, set()),
        (
            "halls that hold _number_ people",
            "which halls have capacity",
            PEOPLE,
            {"hold", "people"},
        ),
        ("halls that hold _number_ people", "which halls have rent", PEOPLE, set()),
        ("the dearest repair in euros", "what is the most expensive repair", PEOPLE, {"euros"}),
        ("the longest repair in euros", "what is the longest repair", PEOPLE, set()),
        ("shifts with nobody on them", "which shifts have no diver", PEOPLE, {"nobody"}),
        ("the average cabin count", "what is the average cabins of ships", ONE, {"count"}),
    ],
)
def test_words(tokens: str, z: str, answer: str, words: set[str]) -> None:
    found = spoken_for(tokens, Reading(z, "f", Answer(answer), 0.0, 0.0, z))
    assert found & {*tokens.split()} == words


@pytest.mark.parametrize(
    ("tokens", "z", "words"),
    [
        ("goats not above _number_", "goat with weight at most _number_", {"not", "above"}),
        ("cheeses without rennet", "cheese that is rennet free", {"without"}),
        ("cheeses without names", "cheese that is rennet free", set()),
    ],
)
def test_what_bounds_alike_and_what_frees(tokens: str, z: str, words: set[str]) -> None:
    assert spoken_for(tokens, Reading(z, "", Answer("(list)"), 0.0, 0.0, z)) == words
