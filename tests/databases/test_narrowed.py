"""What a comparison or a negation narrows is asked of; answers worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from tests.databases.test_guessed_questions import answered
from tests.databases.test_questions import described

SCRIPT = """
create table keeper (kid integer primary key, FName text, LName text, town text);
create table animal (aid integer primary key, name text, species text, weight_kg real, noise real);
create table has_animal (kid integer, aid integer);
create table visit (visit_id integer primary key, aid integer, year integer);
insert into keeper values (1, 'Ann', 'Stone', 'Oslo'), (2, 'Bo', 'Lee', 'Riga'),
  (3, 'Cy', 'Stone', 'Riga'), (4, 'Di', 'Moss', 'Oslo');
insert into animal values (10, 'Rex', 'dog', 30, 7), (11, 'Tom', 'cat', 4, 1),
  (12, 'Ava', 'dog', 8, 9), (13, 'Kit', 'cat', 6, 2), (14, 'Zoe', 'goat', 42, 2);
insert into has_animal values (1, 10), (1, 11), (2, 12), (3, 13), (3, 14), (2, 10);
insert into visit values (100, 10, 2019), (101, 11, 2020), (102, 12, 2020), (103, 12, 2021);
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("farm"), SCRIPT)


HEAVY = {"_number_": "(number 7 kilogram)"}
KINDS = {"_species_": "dog", "_species2_": "cat"}
IN_2020 = {"_date_": "(date 2020 -1 -1)"}


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        (
            "what is the species of animals that are heavier than _number_",
            HEAVY,
            {"dog", "goat"},
        ),
        ("what is the highest noise among animals that are heavier than _number_", HEAVY, {"9"}),
        ("what is the average noise of animals that are heavier than _number_", HEAVY, {"6"}),
        (
            "which of the animals that are heavier than _number_ has the lowest noise",
            HEAVY,
            {"14"},
        ),
        ("what is the species of animals that have noise above the average", {}, {"dog"}),
        ("what is the weight of animals that have no visits", {}, {"6", "42"}),
        (
            "which keepers own animals that are heavier than _number_",
            HEAVY,
            {"1", "2", "3"},
        ),
        ("which keepers own _species_ animals and _species2_ animals", KINDS, {"1"}),
        ("which keepers own _species_ animals but not _species2_ animals", KINDS, {"2"}),
        ("how many keepers own _species_ animals or _species2_ animals", KINDS, {"3"}),
        ("which animals have no visits from _date_", IN_2020, {"10", "13", "14"}),
        (
            "which visits are from _date_",
            IN_2020,
            {"101", "102"},
        ),
        ("which year has the most visits", {}, {"2020"}),
        (
            "what is the first name of keepers that own no animals",
            {},
            {"Di"},
        ),
        ("which keepers have last name _last_name_", {"_last_name_": "stone"}, {"1", "3"}),
    ],
)
def test_the_narrowed_is_asked_of(
    folder: Path, question: str, names: dict[str, str], answer: set[str]
) -> None:
    assert answered(folder, question, names) == answer


def test_what_has_pets_owns_them(folder: Path) -> None:
    assert answered(folder, "which animals are owned by _keeper_", {"_keeper_": "bo lee"}) == {
        "10",
        "12",
    }
