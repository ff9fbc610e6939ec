"""Names as placeholders, by hand; and GeoGranno's own pairs against its dataset."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairseq_twostage.domains.placeholder_pairs import names_of, with_placeholders
from fairseq_twostage.domains.tsv import read_pairs, read_rows
from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.generate import Pair
from fairseq_twostage.grammar.reader import read_grammar
from tests.grammar.helpers import grammar_of

RULES = grammar_of("""
(rule $E (new tull) (ConstantFn fb:en.city.tull))
(rule $E (old tull) (ConstantFn fb:en.city.old_tull))
(rule $E (rill river) (ConstantFn en.river.rill))
(rule $T (river) (ConstantFn fb:en.river))
(rule $T (big $E) (ConstantFn fb:en.city.big))
(rule $E (seven) (ConstantFn (number 7)))
""").rules


def test_names_become_placeholders_of_their_type() -> None:
    names = names_of(RULES, ["city", "river"])
    pairs = [
        Pair("size of new tull", "( size fb:en.city.tull )"),
        Pair("river at new tull or old tull", "( at fb:en.city.tull fb:en.city.old_tull )"),
        Pair("rill river at old tull", "( at en.river.rill fb:en.city.old_tull )"),
        Pair("seven", "( number 7 )"),
    ]
    assert list(with_placeholders(pairs, names)) == [
        ("size of _city_", "( size _city_ )"),
        ("river at _city_ or _city2_", "( at _city_ _city2_ )"),
        ("_river_ at _city_", "( at _river_ _city_ )"),
        ("seven", "( number 7 )"),
    ]


def test_only_the_types_that_are_wanted() -> None:
    pair = Pair("rill river at old tull", "( at en.river.rill fb:en.city.old_tull )")
    assert list(with_placeholders([pair], names_of(RULES, ["city"]))) == [
        ("rill river at _city_", "( at en.river.rill _city_ )")
    ]
    with pytest.raises(UserError, match="names no lake"):
        names_of(RULES, ["city", "lake"])


def test_a_pair_whose_sides_name_different_things_is_left_out() -> None:
    pairs = [
        Pair("city named new tull", "( named en.name.tull )"),
        Pair("city", "( city fb:en.city.tull )"),
        Pair("size of new tull", "( size fb:en.city.tull )"),
        Pair("size of old tull", "( size fb:en.city.old_tull )"),  # the same once more
    ]
    found = list(with_placeholders(pairs, names_of(RULES, ["city", "river"])))
    assert found == [("size of _city_", "( size _city_ )")]


@pytest.mark.data
def test_geogrannos_pairs_are_those_of_its_dataset(data_dir: Path) -> None:
    rules = read_grammar(data_dir / "grammar" / "geogranno" / "geo880.grammar").rules
    names = names_of(rules, ["city", "state", "river", "lake", "mountain", "place"])
    generated = map(Pair._make, read_pairs(data_dir / "canonical" / "geogranno_depth4_pruned.tsv"))
    found = dict(with_placeholders(generated, names))
    rows = read_rows(data_dir / "geogranno" / "geo_train.tsv")
    gold = {row.canonical: row.logical_form for row in rows}
    both = found.keys() & gold.keys()
    assert len(both) > 20 and any("_" in canonical for canonical in both)
    assert {canonical: found[canonical] for canonical in both} == {
        canonical: gold[canonical] for canonical in both
    }
