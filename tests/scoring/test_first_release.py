"""GeoGranno's score in the paper's first released code, by hand on a small world."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairseq_twostage.scoring.first_release import first_release_correct, printed
from fairseq_twostage.semantics import World, execute, load_world, same_denotation

BORDERS = (
    "( call SW.listValue ( call SW.filter ( call SW.getProperty ( call SW.singleton fb:en.state )"
    " ( string !type ) ) ( string next_to_state_state ) ( string = ) {} ) )"
)
IN = (
    "( call SW.listValue ( call SW.filter ( call SW.getProperty ( call SW.singleton fb:en.city )"
    " ( string !type ) ) ( string loc_city_state ) ( string = ) {} ) )"
)
CAPITAL = "( call SW.listValue ( call SW.getProperty {} ( string capital_state_city ) ) )"
BIGGEST = (
    "( call SW.listValue ( call SW.superlative ( call SW.getProperty ( call SW.singleton"
    " fb:en.state ) ( string !type ) ) ( string {} ) ( string area_state_length^2 ) ) )"
)
TEXAS = {"_state_": "fb:en.state.texas"}


@pytest.fixture(scope="module")
def geo(data_dir: Path) -> World:
    return load_world("geo", data_dir / "geogranno" / "geo880.db")


@pytest.mark.parametrize(
    "predicted, gold, equal",
    [
        # Another question, but both filter by a name that has no type.
        (IN.format("_state_"), BORDERS.format("_state_"), True),
        (IN.format("_city_"), BORDERS.format("_state_"), True),
        # The same question, but one fails at a property of the placeholder.
        (CAPITAL.format("_state_"), BORDERS.format("_state_"), False),
        # Two properties of unknown names: the message says which.
        (CAPITAL.format("_state_"), CAPITAL.format("_city_"), False),
        (CAPITAL.format("_state_"), CAPITAL.format("_state_"), True),
        # Without a placeholder nothing changes.
        (BIGGEST.format("max"), BIGGEST.format("max"), True),
        (BIGGEST.format("min"), BIGGEST.format("max"), False),
    ],
)
def test_errors_are_compared_as_they_are_printed(
    predicted: str, gold: str, equal: bool, geo: World
):
    assert (printed(execute(predicted, geo)) == printed(execute(gold, geo))) is equal


def test_the_count_leaves_placeholders_in(geo: World):
    rows = [
        (IN.format("_state_"), BORDERS.format("_state_"), TEXAS),
        (CAPITAL.format("_state_"), BORDERS.format("_state_"), TEXAS),
        (BIGGEST.format("max"), BIGGEST.format("max"), {}),
    ]
    assert first_release_correct(rows, geo, "geo") == 2
    filled = [
        same_denotation(execute(p, geo, values), execute(g, geo, values)) for p, g, values in rows
    ]
    assert filled == [False, False, True]
    assert first_release_correct(rows[2:], geo, "geo") is None
    assert first_release_correct(rows, geo, "another") is None


def test_most_gold_forms_of_the_test_rows_end_in_two_errors(data_dir: Path, geo: World):
    lines = (data_dir / "geogranno" / "geo_test.tsv").read_text(encoding="utf-8").splitlines()
    forms = [line.split("\t")[2] for line in lines if line.split("\t")[3] != "{}"]
    kinds = [" ".join(printed(execute(form, geo)).split()[:2]) for form in forms]
    assert len(lines) == 278 and len(kinds) == 171
    assert set(kinds) == {"ERROR index", "ERROR entity"}
    held = [(line.split("\t")[2], line.split("\t")[2], TEXAS) for line in lines]
    assert first_release_correct(held, geo, "geo") == 278
