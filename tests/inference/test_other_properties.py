"""A property of another thing, or another property, is not what was asked for."""

from __future__ import annotations

import pytest

from fairseq_twostage.inference.agreement import Agreement
from fairseq_twostage.inference.known_questions import KnownQuestions
from fairseq_twostage.inference.other_properties import other_property
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.semantics import Answer

STUDENTS = (
    "( call SW.listValue ( call SW.getProperty ( call SW.singleton en.student ) ( string a ) ) )"
)
PETS = "( call SW.listValue ( call SW.getProperty ( call SW.singleton en.pet ) ( string b ) ) )"
KNOWN = KnownQuestions(
    {
        "which students are there": STUDENTS,
        "which pets are there": PETS,
        "how many abandoned pets are there": PETS,
        "what is the role of _student_": STUDENTS,
        "what is the population of _city_": "c",
        "what are the ids of students that own no pets": STUDENTS,
        "what are the ids of pets that have no owner": PETS,
        "what is the percentage of pets with percentage of _number_": PETS,
    }
)


@pytest.mark.parametrize(
    ("tokens", "z", "reason"),
    [
        (
            "show the ids of the students who own no cats as pets",
            "what are the ids of pets that have no owner",
            "it asks for the ids of students, and what was understood of pets",
        ),
        (
            "show the ids of the students who own no cats",
            "what are the ids of students that own no pets",
            None,
        ),
        (
            "who has the role of _name_",
            "who lives with _name_",
            "it says “role of”, and what was understood does not",
        ),
        ("who has the role of _name_", "which students have role _name_", None),
        (
            "which cities have the largest population",
            "which cities are the largest",
            "it asks for the most of “population”, and what was understood does not",
        ),
        (
            "which cities have the largest population",
            "which cities have the highest population",
            None,
        ),
        (
            "how many students do not have any pets",
            "how many students own no abandoned pets",
            "it is of pets, and what was understood of abandoned pets",
        ),
        (
            "which population has the most cities",
            "which pet has the highest percentage",
            "it asks for a population, and what was understood for a pet",
        ),
        ("which students have any abandoned pets", "which students own abandoned pets", None),
        (
            "what is kept by _number_ student",
            "which pets have percentage of _number_",
            "it has a number of student, and what was understood has its percentage",
        ),
    ],
)
def test_properties(tokens: str, z: str, reason: str | None) -> None:
    assert KNOWN.differs(tokens, z) == reason


def test_items_are_products_where_items_are_lines_of_orders_too() -> None:
    every = "( call SW.getProperty ( call SW.singleton en.{} ) ( string !type ) )"
    forms = {
        "which products are delivered by _supplier_": every.format("product"),
        "which products sold out are delivered by _supplier_": every.format("product"),
        "how many orders have at least _number_ items": every.format("order_item"),
    }
    answer = Answer("(list (name en.product.1))")
    objections = [
        Agreement(forms).objections(
            "items delivered by _supplier_", Reading(z, form, answer, 0.0, 0.0, z)
        )
        for z, form in forms.items()
    ]
    assert objections[0] == 0 < objections[1]


def test_what_a_question_does_not_speak_of_is_not_narrowed() -> None:
    under = "which things under _number_ are there"
    nested = "which pets do students that have age below _number_ own"
    assert KNOWN.differs(under, nested) is not None
    assert KNOWN.differs("pets of students under _number_", nested) is None
    listed = "what is the role of students that are hired in _date_"
    assert KNOWN.differs("role for _date_", listed) is not None
    assert KNOWN.differs("role of those hired in _date_", listed) is None


@pytest.mark.parametrize(
    ("tokens", "z", "refused"),
    [
        ("average weight of pets per city", "what is the average salary of staff per city", True),
        ("average weight of pets per city", "what is the average weight of pets per city", False),
        ("which pets does _student_ own", "which _pet_ are of _student_", False),
        ("salary of those in _city_", "what is the average salary of staff", False),
    ],
)
def test_a_kind_that_is_spoken_of_is_what_is_meant(tokens: str, z: str, refused: bool) -> None:
    known = KnownQuestions(
        {
            "which students are there": "( call f en.student.1 )",
            "which pets are there": "( call f en.pet.1 )",
            "which cities are there": "( call f en.city.1 )",
        }
    )
    reason = "it speaks of a pet, and what was understood does not"
    assert known.differs(tokens, z) == (reason if refused else None)


@pytest.mark.parametrize(
    ("tokens", "z", "refused"),
    [
        ("which pets failed _test_", "which pets have results of _test_", True),
        (
            "which pets failed _test_",
            "which pets have results that are failed and of _test_",
            False,
        ),
        ("results ongoing in _city_", "which current results are in _city_", False),
        ("which results are not paid", "which results are unpaid", False),
        ("which results have failed no _test_", "which results are of _test_", False),
    ],
)
def test_what_things_are_said_to_be_is_not_dropped(tokens: str, z: str, refused: bool) -> None:
    current = "( call current )"
    known = KnownQuestions(
        {
            "which results are failed": "( call failed )",
            "which results are unpaid": "( call unpaid )",
            "which results are paid": "( call paid )",
            "which results are ongoing": current,
            "which results are current": current,
        }
    )
    reason = "it says “failed”, and what was understood does not"
    assert other_property(tokens, z, known) == (reason if refused else None)


@pytest.mark.parametrize(
    ("tokens", "z", "refused"),
    [
        ("_sort_ that have bins", "which bins are of firms with sort _sort_", True),
        ("_sort_ that have bins", "which firms with sort _sort_ have bins", False),
        ("whose bin is the heaviest", "which bin is the heaviest", True),
        ("whose bin is the heaviest", "what is the heaviest bin", True),
        ("whose bin is the heaviest", "which firm has the heaviest bin", False),
    ],
)
def test_what_heads_a_question_is_asked_for(tokens: str, z: str, refused: bool) -> None:
    known = KnownQuestions({"which firms have sort _sort_": "s", "which bins are there": "b"})
    assert (other_property(tokens, z, known) is not None) is refused


def test_the_property_that_a_question_begins_with_is_asked_for() -> None:
    known = KnownQuestions(
        {"which openings are there": "o", "which games are there": "( call f en.game.1 )"}
    )
    reason = "it asks for the opening, and what was understood does not"
    asked, z = "opening of games in no halls", "which games are in no halls"
    assert other_property(asked, z, known) == reason
    assert other_property(asked, "what is the opening of games that are in no halls", known) is None


BAKERY = KnownQuestions(
    {
        "cake": STUDENTS,
        "cake that is vegan": STUDENTS,
        "cake that is not vegan": STUDENTS,
        "cake that is gluten free": STUDENTS,
        "price of _cake_": PETS,
        "weight of _cake_": PETS,
        "baker of cake with highest price": PETS,
        "cake with highest weight": STUDENTS,
        "cake with lowest price": STUDENTS,
    }
)


@pytest.mark.parametrize(
    ("tokens", "z", "said"),
    [
        ("cheapest vegan cake", "cake with lowest price", "vegan"),
        ("vegan gluten free cakes", "cake that is gluten free", "vegan"),
        ("gluten free vegan cakes", "cake that is vegan", "gluten free"),
        ("cheapest cake", "cake with lowest price", None),
        ("cakes that are not vegan", "cake that is not vegan", None),
        ("weight of the cake with highest price", "weight of _cake_", None),
    ],
)
def test_what_things_are_is_not_dropped(tokens: str, z: str, said: str | None) -> None:
    reason = said and f"it says “{said}”, and what was understood does not"
    assert other_property(tokens, z, BAKERY) == reason


@pytest.mark.parametrize(
    ("tokens", "z", "other"),
    [
        ("weight of the most expensive cake", "cake with highest weight", True),
        ("price of the cheapest cake", "cake with lowest price", True),
        ("weight of the cheapest cake", "baker of cake with highest weight", True),
        ("baker of the most expensive cake", "baker of cake with highest price", False),
        ("weight of the cheapest cake", "weight of cake with lowest price", False),
        ("price of the cheapest cake", "what is the lowest price of cakes", False),
    ],
)
def test_the_property_of_the_most_of_some(tokens: str, z: str, other: bool) -> None:
    assert (other_property(tokens, z, BAKERY) is not None) == other
