"""From one place to another, by the places of both ends; answers worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from tests.databases.test_guessed_questions import answered
from tests.databases.test_questions import described

SCRIPT = """
create table airports (code text primary key, name text, city text);
create table flights (flight_id integer primary key, gate integer,
  source_airport text references airports, dest_airport text references airports);
insert into airports values ('OSL', 'North Field', 'Oslo'), ('TRF', 'South Field', 'Oslo'),
  ('RIX', 'River Field', 'Riga'), ('TLL', 'Lake Field', 'Tallinn');
insert into flights values (1, 21, 'OSL', 'RIX'), (2, 22, 'TRF', 'RIX'), (3, 23, 'RIX', 'OSL'),
  (4, 24, 'RIX', 'TLL'), (5, 25, 'TLL', 'TRF');
"""
BOTH = {"_city_": "oslo", "_city2_": "riga"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("flights"), SCRIPT)


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("which flights are from _city_", {"_city_": "oslo"}, {"1", "2"}),
        ("which flights are to _city_", {"_city_": "oslo"}, {"3", "5"}),
        ("which flights are from _city_ to _city2_", BOTH, {"1", "2"}),
        ("which flights are to _city_ from _city2_", BOTH, {"3"}),
        ("how many flights are from _airport_ to _airport2_",
         {"_airport_": "river field", "_airport2_": "tll"}, {"1"}),
        ("which flights are arriving at _airport_", {"_airport_": "rix"}, {"1", "2"}),
    ],
)  # fmt: skip
def test_ways(folder: Path, question: str, names: dict[str, str], answer: set[str]) -> None:
    assert answered(folder, question, names) == answer
