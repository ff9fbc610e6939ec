"""The database rules, on worlds small enough to check by eye."""

from __future__ import annotations

import pickle

import pytest

from fairseq_twostage.semantics import TripleStore, World, execute, load_world
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.values import TRUE, Boolean, Date, Name, Number, Time, Value
from fairseq_twostage.semantics.world import degree, extreme, reverse

ANN, BOB, OSLO = Name("en.person.ann"), Name("en.person.bob"), Name("en.city.oslo")
PERSON, CITY = Name("en.person"), Name("en.city")


def store():
    triples = [
        (ANN, "type", PERSON),
        (BOB, "type", PERSON),
        (OSLO, "type", CITY),
        (ANN, "home", OSLO),
        (ANN, "friend", BOB),
        (ANN, "friend", BOB),
        (ANN, "height", Number(170.0, "en.cm")),
        (ANN, "tall", TRUE),
    ]
    return TripleStore(triples)


def test_triples_are_kept_in_both_directions_with_repeats():
    database = store()
    assert len(database) == 8
    assert database.lookup(ANN, "friend") == [BOB, BOB]
    assert database.lookup(BOB, "!friend") == [ANN, ANN]
    assert database.lookup(PERSON, "!type") == [ANN, BOB]
    assert database.lookup(TRUE, "!tall") == [ANN]
    assert list(database.lookup(BOB, "home")) == []


def test_everything_that_stood_in_a_triple_is_known():
    database = store()
    for value in (ANN, OSLO, CITY, Number(170.0, "en.cm"), Boolean(True)):
        assert database.knows(value)
    assert not database.knows(Name("en"))
    assert not database.knows(Number(170.0, "en.inch"))


def test_signatures_follow_the_last_insertion():
    database = store()
    assert database.signature("home") == ("en.person", "en.city")
    assert database.signature("!home") == ("en.city", "en.person")
    assert database.signature("type") == ("en.city", "en")
    assert database.signature("nothing") is None


def test_reverse_adds_or_removes_one_mark():
    assert [reverse(name) for name in ("p", "!p", "!!p")] == ["!p", "p", "!p"]


def test_degrees():
    assert degree(Date(2004, -1, -1)) == 20040000
    assert degree(Date(2004, 5, 6)) == 20040506
    assert degree(Time(9, 45)) == 9
    assert degree(Number(2.5)) == 2.5
    with pytest.raises(ExecutionError):
        degree(ANN)
    values = [Number(2.0), Number(1.0), Number(3.0)]
    assert (extreme(values, "max"), extreme(values, "min"), extreme(values, "avg")) == (3, 1, 1)
    assert extreme([], "max") != extreme([], "max")


def test_lookup_errors_come_in_order():
    world = World(store())
    for value, property, category in [
        (Name("en.person.eve"), "nothing", "entity"),
        (ANN, "nothing", "property"),
        (None, "home", "entity"),
    ]:
        with pytest.raises(ExecutionError) as error:
            world.lookup(value, property)
        assert error.value.category == category
        assert error.value.counts_as_empty == (value is None)


class EvenNumbers:
    """A database that stores nothing: ``half`` of the even numbers below 100."""

    def knows(self, value: Value) -> bool:
        return value == Name("en.set.even") or (
            isinstance(value, Number) and value.value in range(100)
        )

    def signature(self, property):
        return {
            "half": ("en.even_number", "en.half_number"),
            "!half": ("en.half_number", "en.even_number"),
            "member": ("en.set", "en.even_number"),
            "!member": ("en.even_number", "en.set"),
        }.get(property)

    def lookup(self, value, property):
        if property == "member":
            return [Number(float(n), "en.even") for n in range(0, 100, 2)]
        if property == "half" and value.unit == "en.even":
            return [Number(value.value / 2, "en.half")]
        return []


def test_a_world_can_be_any_object_with_the_three_methods():
    world = World(EvenNumbers())
    halves = "( call SW.getProperty ( call SW.getProperty en.set.even ( string member ) ) {} )"
    answer = execute(f"( call .size {halves.format('( string half )')} )", world)
    assert answer.text == "(number 50)"
    failed = execute(halves.format("( string quarter )"), world)
    assert failed.category == "property"


def test_a_world_can_be_pickled_and_copies_agree():
    world = load_world("calendar")
    form = "( call SW.filter ( call SW.domain ( string date ) ) ( string is_important ) )"
    copy = pickle.loads(pickle.dumps(world))
    assert execute(form, copy) == execute(form, world)
    assert copy.denotations.keys() == {form}
