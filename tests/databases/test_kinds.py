"""Values of a table of kinds are nouns for what is of that kind, and for nothing that is of it."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.databases.schema_file import read_schema
from tests.databases.test_guessed_questions import answered, questions_of
from tests.databases.test_questions import described

SCRIPT = """
create table record_type (record_type_id integer primary key, type_name text, secret integer);
create table item (item_id integer primary key, title text, year_created integer,
  record_type_id integer not null references record_type);
create table copy_order (order_id integer primary key, item_id integer not null references item,
  ordered_on text);
create table species (species_id integer primary key, name text);
create table breed (breed_id integer primary key, name text,
  species_id integer not null references species);
create table pet (pet_id integer primary key, name text, born_on text,
  breed_id integer not null references breed);
create table play (play_id integer primary key, title text);
create table role (role_id integer primary key, name text,
  play_id integer not null references play);
create table audition (audition_id integer primary key, held_on text,
  role_id integer not null references role);
insert into record_type values (1, 'map', 0), (2, 'diary', 1);
insert into item values (1, 'Hill', 1720, 1), (2, 'Moor', 1688, 1), (3, 'Days', 1901, 2);
insert into copy_order values (1, 1, '2024-01-02'), (2, 1, '2024-02-03'), (3, 3, '2024-03-04'),
  (4, 1, '2024-05-05');
insert into species values (1, 'rabbit'), (2, 'dog');
insert into breed values (1, 'lop', 1), (2, 'rex', 1), (3, 'collie', 2);
insert into pet values (1, 'Ann', '2020-01-02', 1), (2, 'Bo', '2021-02-03', 2),
  (3, 'Cy', '2022-03-04', 3);
insert into play values (1, 'Storm'), (2, 'Calm');
insert into role values (1, 'miranda', 1), (2, 'bosun', 1), (3, 'cook', 2);
insert into audition values (1, '2024-01-02', 1), (2, '2024-01-03', 2), (3, '2024-01-04', 3);
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("kinds"), SCRIPT)


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        # Three copies were ordered of maps, of which there are two, the second from 1688.
        ("how many _record_type_ are there", {"_record_type_": "map"}, {"2"}),
        ("which _record_type_ is the oldest", {"_record_type_": "map"}, {"2"}),
        ("which _species_ are there", {"_species_": "rabbit"}, {"1", "2"}),
    ],
)
def test_a_kind_is_of_the_things_themselves(
    folder: Path, question: str, names: dict[str, str], answer: set[str]
) -> None:
    assert answered(folder, question, names) == answer


def test_what_belongs_to_something_is_no_kind(folder: Path) -> None:
    """Auditions are for a role of a play, and no *cooks*."""
    asked = questions_of(folder)
    assert "which auditions are of _role_" in asked
    assert "which _role_ are there" not in asked


def test_things_are_called_by_what_their_name_is_of(tmp_path: Path) -> None:
    made = described(
        tmp_path,
        """
        create table bottling (bottling_id integer primary key, cider_name text, litres real);
        create table client (client_id integer primary key, full_name text, town text);
        insert into bottling values (1, 'Rusty', 10), (2, 'Gold', 12), (3, 'Sharp', 9);
        insert into client values (1, 'Ann Lee', 'Hull'), (2, 'Bo Ray', 'York');
        """,
    )
    tables = read_schema(made / "schema.yaml").tables
    assert "cider" in tables["bottling"].synonyms
    assert "full" not in tables["client"].synonyms


def test_people_have_records_whatever_they_are_called_by(tmp_path: Path) -> None:
    """Singers sing parts, and no fees."""
    made = described(
        tmp_path,
        """
        create table singer (singer_id integer primary key, full_name text);
        create table fee (fee_id integer primary key, singer_id integer references singer,
          amount real);
        create table solo (solo_id integer primary key, singer_id integer references singer,
          title text);
        insert into singer values (1, 'Ann Lee'), (2, 'Bo Ray');
        insert into fee values (1, 1, 10), (2, 1, 12), (3, 2, 10);
        insert into solo values (1, 1, 'Tide'), (2, 2, 'Owl'), (3, 2, 'Elm');
        """,
    )
    asked = questions_of(made)
    assert "who sings the most solos" in asked
    assert "who has the most fees" in asked and "who sings the most fees" not in asked
