"""Which forms with a number, a date or a time of the question pass: those that some value of the
facts makes work."""

import pytest

from fairseq_twostage.domains.pairs import type_check
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.grammar.syntax import parse
from fairseq_twostage.grammar.terms import parse_term
from fairseq_twostage.semantics import TripleStore, World
from fairseq_twostage.semantics.values import Date, Name, Number, Time

SHIPS = "(call SW.getProperty (call SW.singleton en.ship) (string !type))"


@pytest.fixture
def passes(tmp_path):
    store = TripleStore()
    for number, (year, hour) in enumerate([(1980, 6), (2015, 18), (1950, 23)]):
        ship = Name(f"en.ship.s{number}")
        for name, value in (
            ("type", Name("en.ship")),
            ("port", Name(f"en.port.p{number}")),
            ("masts", Number(20.0 + number, "en.mast")),
            ("built", Date(year, 5, 3)),
            ("sails", Time(hour, 30)),
        ):
            store.add(ship, name, value)
    for number in range(3):
        store.add(Name(f"en.port.p{number}"), "type", Name("en.port"))
    domain = tmp_path / "domain.yaml"
    domain.write_text("name: ships\npairs: pairs.tsv\nutterances: u.txt\n")
    (tmp_path / "pairs.tsv").write_text("ship\t( x )\n")
    (tmp_path / "u.txt").write_text("ships\n")
    check = type_check(load_domain(str(domain)), tmp_path, World(store, exact=True))

    def passes(property, comparison, value, of="port"):
        some = f"(call SW.filter {SHIPS} (string {property}) (string {comparison}) {value})"
        (form,) = parse(f"(call SW.getProperty {some} (string {of}))", "test")
        return check(parse_term(form, "test"))

    return passes


@pytest.mark.parametrize(
    ("property", "comparison", "value"),
    [
        ("masts", "<", "_number_"),  # none is below 1
        ("masts", "=", "_number2_"),
        ("built", "<", "_date_"),
        ("built", "=", "_date_"),
        ("sails", ">", "_time_"),
        ("sails", "=", "_time_"),
    ],
)
def test_a_condition_that_some_value_meets(passes, property, comparison, value):
    assert passes(property, comparison, value)
    assert not passes(property, comparison, value, of="captain")


def test_values_of_another_kind(passes):
    assert not passes("masts", "<", "_date_")
    assert not passes("built", ">", "_number_")
