"""Both ends of a way as columns, things called by their numbers, names that many share, values
with underscores: a carrier's and a gallery's database; answers worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.databases.schema_file import read_schema
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.domains.schemas import domain_lexicon
from tests.databases.test_guessed_questions import answered
from tests.databases.test_questions import described

SCRIPT = """
create table shipments ("Consignment No" text primary key, "From" text, "To" text, status text,
  invoice_date date);
create table paintings (painting_id integer primary key, artist_id integer references artists,
  title text, inventory_no text);
create table artists (artist_id integer primary key, name text);
create table flats (flat_id integer primary key, ref text, address text);
create table clerks (clerk_id integer primary key, name text, is_full_time boolean,
  start_date date);
insert into shipments values
  ('CN1', 'Hull', 'Leeds', 'in_transit', '2024-01-02'), ('CN2', 'Leeds', 'Hull', 'sent_back', null),
  ('CN3', 'Hull', 'York', 'in_transit', '2024-02-02'), ('CN4', 'Hull', 'Leeds', 'lost', null),
  ('CN5', 'York', 'Leeds', 'lost', '2024-03-02');
insert into artists values (1, 'Ann Lee'), (2, 'Bo Reed');
insert into paintings values (1, 1, 'Tide', 'a1'), (2, 1, 'Tide', 'a2'), (3, 2, 'Owl', 'a3'),
  (4, 2, 'Tide', 'a4'), (5, 2, 'Owl', 'a5');
with recursive n(i) as (select 1 union all select i + 1 from n where i < 12)
  insert into flats select i, 'F10' || i, i || ' Low Row' from n;
insert into clerks values (1, 'Cy Lane', 1, '2020-01-01'), (2, 'Dee Fox', 0, '2021-01-01');
"""
BOTH = {"_place_": "hull", "_place2_": "leeds"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("haulage"), SCRIPT)


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("which shipments are from _place_", {"_place_": "hull"}, {"CN1", "CN3", "CN4"}),
        ("which shipments are to _place_", {"_place_": "hull"}, {"CN2"}),
        ("which shipments are from _place_ to _place2_", BOTH, {"CN1", "CN4"}),
        ("which shipments are to _place_ from _place2_", BOTH, {"CN2"}),
        ("which paintings are by _artist_", {"_artist_": "bo reed"}, {"3", "4", "5"}),
        ("which clerks are part-time", {}, {"2"}),
    ],
)
def test_answers(folder: Path, question: str, names: dict[str, str], answer: set[str]) -> None:
    assert answered(folder, question, names) == answer


def test_names(folder: Path) -> None:
    tables = read_schema(folder / "schema.yaml").tables
    assert "consignment" in tables["shipment"].synonyms
    assert "band" not in tables["artist"].synonyms
    assert tables["painting"].name == "title"
    assert (tables["flat"].name, tables["flat"].also_named_by) == ("address", ["ref"])
    assert "inventory" not in tables["painting"].synonyms  # no key


def test_words(folder: Path) -> None:
    lexicon = domain_lexicon(load_domain(folder), folder)
    assert lexicon is not None
    assert lexicon.read("part time clerks").utterance == "part-time clerks"
    for said in ("in transit", "in_transit"):
        assert lexicon.read(f"shipments {said}").variables == {
            "_status_": "en.shipment.status.in_transit"
        }
    assert lexicon.read("which consignments are there").utterance == "which shipments are there"
    assert lexicon.read("begun in").utterance == "started in"


def test_both_ends_are_of_a_type_that_others_have(tmp_path: Path) -> None:
    """Start and destination of what has a town elsewhere; no end of a reason or a time."""
    made = described(
        tmp_path,
        """
        create table drivers (driver_id integer primary key, name text, town text);
        create table trips (trip_id integer primary key, driver_id integer references drivers,
          start_town text, destination_town text, start_reason text, end_reason text);
        insert into drivers values (1, 'Ann', 'Hull'), (2, 'Bo', 'Leeds'), (3, 'Cy', 'York');
        insert into trips values (1, 1, 'Hull', 'Leeds', 'rain', 'tired'),
          (2, 2, 'Leeds', 'Hull', 'sun', 'late'), (3, 1, 'Hull', 'York', 'rain', 'late'),
          (4, 3, 'Hull', 'Leeds', 'sun', 'tired');
        """,
    )
    trip = read_schema(made / "schema.yaml").tables["trip"].dimensions
    said = {name: part.wording for name, part in trip.items() if part.wording is not None}
    assert said == {"start_town": "from", "destination_town": "to"}
    assert trip["start_town"].type == trip["destination_town"].type == "town"
    question = "which trips are from _town_ to _town2_"
    names = {"_town_": "hull", "_town2_": "leeds"}
    assert answered(made, question, names) == {"1", "4"}
