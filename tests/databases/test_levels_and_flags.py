"""A pharmacy's database as ``init`` describes it: what is below its own level, columns of yes and
no that begin with a verb, where people are from; answers counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from fairseq_twostage.databases.guessing_levels import add_levels
from tests.databases.test_guessed_questions import answered, questions_of
from tests.databases.test_questions import described

SCRIPT = """
create table drugs (drug_id integer primary key, drug_name text, form text, exp_date text,
  qty_in_stock integer, reorder_lvl integer, includesLeaflet integer);
create table groups (group_id integer primary key, group_name text);
create table owners (owner_id integer primary key, first_name text, last_name text, phone text,
  city text, group_id integer references groups, reg_date text);
create table projects (project_id integer primary key, project_name text, budget_eur real,
  cost_eur real, guests_allowed integer);
insert into drugs values (1, 'Alba', 'tablet', '2025-01-30', 4, 10, 1),
  (2, 'Brevin', 'tablet', '2026-03-01', 10, 10, 0), (3, 'Cortal', 'cream', '2025-02-01', 30, 5, 0),
  (4, 'Dentin', 'cream', '2027-01-01', 1, 6, 1), (5, 'Eplin', 'drops', null, null, 5, null);
insert into groups values (1, 'Farms'), (2, 'Homes');
insert into owners values (1, 'Ann', 'Stone', '0351-12', 'Cork', 1, '2020-01-02'),
  (2, 'Bo', 'Reed', null, 'Sligo', 2, '2021-01-02'),
  (3, 'Cy', 'Lee', '0351-99', 'Cork', 2, '2019-05-02');
insert into projects values (1, 'Atlas', 100, 120, 1), (2, 'Blue', 200, 200, 0),
  (3, 'Core', 50, 10, 1);
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("pharmacy"), SCRIPT)


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("which drugs are below their reorder level", {}, {"1", "4"}),
        ("how many drugs are under their reorder level", {}, {"2"}),
        ("is _drug_ below their reorder level", {"_drug_": "brevin"}, {"no"}),
        ("which projects are over budget", {}, {"1"}),
        ("which drugs include leaflet", {}, {"1", "4"}),
        ("which projects allow guests", {}, {"1", "3"}),
        ("how many projects do not allow guests", {}, {"1"}),
        ("which drugs do not include leaflet", {}, {"2", "3"}),
        ("does _drug_ include leaflet", {"_drug_": "alba"}, {"yes"}),
        ("where is _owner_ from", {"_owner_": "bo reed"}, {"Sligo"}),
        ("what is the phone number of _owner_", {"_owner_": "cy lee"}, {"0351-99"}),
        ("which drugs expire before _date_", {"_date_": "(date 2025 2 1)"}, {"1"}),
    ],
)
def test_questions_and_their_answers(
    folder: Path, question: str, names: dict[str, str], answer: set[str]
) -> None:
    assert answered(folder, question, names) == answer


def test_in_a_group_is_nowhere_and_the_difference_is_not_asked_for(folder: Path) -> None:
    asked = questions_of(folder)
    assert "which owners are in _group_" in asked
    assert "where is _owner_" not in asked
    assert "what is the newest owner" in asked  # who registered last, and not the youngest
    assert not [question for question in asked if "oldest owner" in question]
    assert not [question for question in asked if "beyond" in question]


def test_values_that_are_nouns_have_plurals(folder: Path) -> None:
    from fairseq_twostage.domains.registry import load_domain
    from fairseq_twostage.domains.schemas import domain_lexicon

    lexicon = domain_lexicon(load_domain(folder), folder)
    assert {entry.phrase for entry in lexicon.entries if "form.tablet" in entry.constant} == {
        "tablet",
        "tablets",
    }


@pytest.mark.parametrize(
    "measures",
    [
        {"stock": {}},
        {"stock": {"unit": "kilogram"}, "minimum_stock": {"unit": "gram"}},
        {"minimum_stock": {}, "reorder_stock": {}},
        {"stock": {"expression": "a - b"}, "minimum_stock": {}},
    ],
)
def test_no_level_is_guessed_of_other_columns(measures: dict[str, dict[str, str]]) -> None:
    entry = {"measures": dict(measures)}
    add_levels(entry)
    assert entry == {"measures": measures}


def test_a_level_of_a_column_with_a_blank() -> None:
    entry = {"measures": {"stock": {"column": "in stock"}, "minimum_stock": {}}}
    add_levels(entry)
    expression = entry["measures"]["stock_beyond_minimum_stock"]["expression"]
    assert expression == '"in stock" - minimum_stock'
