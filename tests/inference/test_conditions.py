"""What a question says and its reading leaves out."""

import pytest

from fairseq_twostage.inference.conditions import Conditions
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.semantics import Answer
from fairseq_twostage.text.word_forms import same_root

THINGS = "( call SW.getProperty ( call SW.singleton en.pet ) ( string !type ) )"


def filtered(constant: str) -> str:
    return f"( call SW.filter {THINGS} ( string kind ) ( string = ) {constant} )"


PETS = {
    "pet": THINGS,
    "average weight of pet": "( average )",
    "pet with kind dog": filtered("en.kind.dog"),
    "pet with kind guinea pig": filtered("en.kind.guinea_pig"),
    "pet with room attic": filtered("en.room.attic"),
    "pet that is vaccinated": "( vaccinated )",
    "pet of _owner_": "( owner _owner_ )",
    "vaccinated pet of _owner_": "( vaccinated ( owner _owner_ ) )",
}
CONDITIONS = Conditions(PETS)


def left_out(x, z, kept=(), conditions=CONDITIONS):
    reading = Reading(z, PETS[z], Answer("( list )"), 0.0, 0.0, z)
    return conditions.left_out(x, reading, dict(kept))


@pytest.mark.parametrize(
    ("x", "z", "lost"),
    [
        ("average weight of dogs", "average weight of pet", ("dogs",)),
        ("guinea pigs of _owner_", "pet of _owner_", ("guinea", "pigs")),
        ("pigs of _owner_", "pet of _owner_", ()),  # half a value
        ("dogs", "pet with kind dog", ()),
        ("dogs in the attic", "pet with kind dog", ("attic",)),
        ("all pets", "average weight of pet", ()),  # what is asked for, in most of Z
    ],
)
def test_values_of_the_facts(x, z, lost):
    assert left_out(x, z) == lost


def test_a_condition_right_before_the_thing_is_never_left_out():
    pets = {**PETS, "pets": THINGS}
    reading = Reading("pets", THINGS, Answer("( list )"), 0.0, 0.0, "pets")
    conditions = Conditions(pets)
    assert conditions.left_out("vaccinated pets", reading, {}) == ("vaccinated",)
    assert conditions.left_out("pets that vaccinated people own", reading, {}) == ()
    assert conditions.left_out("which vaccinated pet is there", reading, {}) == ("vaccinated",)
    assert conditions.left_out("pretty pets", reading, {}) == ()  # nothing that can be asked


def test_a_hyphened_word_before_a_name_is_never_left_out():
    z = "which _kind_"
    conditions = Conditions({**PETS, z: THINGS, "which _kind_ are half-wild": "( wild )"})
    reading = Reading(z, THINGS, Answer("( list )"), 0.0, 0.0, z)
    assert conditions.left_out("half-wild _kind_ still here", reading, {}) == ("half-wild",)
    assert conditions.left_out("half-eaten _kind_", reading, {}) == ()


def test_the_word_of_a_names_kind_beside_it_says_nothing_more():
    form = filtered("_room_")
    pets = {**PETS, "pet in _room_": form, "pet that shares a room": "( shares )"}
    reading = Reading("pet in _room_", form, Answer("( list )"), 0.0, 0.0, "pet in _room_")
    kept = {"room": (9, 9)}
    conditions = Conditions(pets)
    assert conditions.left_out("pets in the _room_ room", reading, kept) == ()
    assert conditions.left_out("pets in _room_ that share a room", reading, kept) == ("room",)


def test_a_word_that_means_something_else_in_questions_is_no_value():
    assert left_out("hot dogs", "pet", [("dog", (0, 9))]) == ()


@pytest.mark.parametrize(
    ("kept", "lost"),
    [((4, 4), ("vaccinated",)), ((3, 3), ()), ((30, 40), ()), ((0, 0), ())],
)
def test_words_that_other_readings_keep(kept, lost):
    # (4 + 2) / (4 + 3) = 0.857, (3 + 2) / (3 + 3) = 0.833, (30 + 2) / (40 + 3) = 0.744
    assert left_out("vaccinated animals", "pet", [("vaccinated", kept)]) == lost


def test_another_form_of_a_word_keeps_it():
    kept = [("vaccination", (9, 9))]
    conditions = Conditions({**PETS, "vaccination of pet": "( v )"})
    z = "pet that is vaccinated"
    assert left_out("pets with a vaccination", z, kept, conditions) == ()


def test_readings_are_counted():
    readings = [
        ("dogs of _owner_", "pet of _owner_"),
        ("a dog , a dog", "pet with kind dog"),
        ("vaccinated cats", "pet that is vaccinated"),
        ("pets", "pet"),
    ]
    assert CONDITIONS.counted(readings) == {"dog": (1, 2), "vaccinated": (1, 1)}


@pytest.mark.parametrize(
    ("word", "other", "same"),
    [
        ("directed", "director", True),
        ("star", "starring", True),
        ("time", "time", True),
        ("own", "owner", True),
        ("own", "town", False),
        ("car", "cargo", False),
        ("rate", "rating", False),
    ],
)
def test_forms_of_one_word(word, other, same):
    assert same_root(word, other) is same
