"""Which forms with names pass the type check: those that some names of the lexicon make work."""

import random
from itertools import pairwise, permutations

import pytest

from fairseq_twostage.grammar.chart import Chart
from fairseq_twostage.grammar.lint import lint
from fairseq_twostage.grammar.syntax import parse
from fairseq_twostage.grammar.terms import parse_term
from fairseq_twostage.grammar.typecheck import ENOUGH, MAX_TRIALS, ExecutionCheck, combinations
from fairseq_twostage.semantics import TripleStore, World
from fairseq_twostage.semantics.values import Name, Number
from tests.grammar.helpers import grammar_of

STOPS = [f"en.stop.s{i}" for i in range(200)]


def term(text: str):
    (form,) = parse(text, "test")
    return parse_term(form, "test")


def world(*trips: tuple[str, str]) -> World:
    """Buses from one stop to another; a bus has a fare and what owns it, of two types."""
    store = TripleStore()
    for number, (origin, to) in enumerate(trips):
        bus = Name(f"en.bus.b{number}")
        for name, value in (("type", "en.bus"), ("from", origin), ("to", to)):
            store.add(bus, name, Name(value))
        store.add(bus, "fare", Number(2 + number, "en.pound"))
    for stop in STOPS:
        store.add(Name(stop), "type", Name("en.stop"))
    return World(store, exact=True)


ALL = "(call SW.getProperty (call SW.singleton en.bus) (string !type))"
FROM = f"(call SW.filter {ALL} (string from) (string =) _stop_)"
TRIP = f"(call SW.filter {FROM} (string to) (string =) _stop2_)"
FARE = f"(call SW.getProperty {TRIP} (string fare))"


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_names_does_not_decide(seed: int) -> None:
    stops = STOPS[:30]
    random.Random(seed).shuffle(stops)
    names = {"_stop_": stops, "_stop2_": stops}
    check = ExecutionCheck(world((STOPS[3], STOPS[17])), names)
    assert [check(term(form)) for form in (FROM, TRIP, FARE)] == [True] * 3
    assert check(term(FARE.replace("fare", "to")))
    assert not check(term(FARE.replace("fare", "price")))  # no such property
    assert not check(term("(call SW.getProperty _stop_ (string fare))"))  # of a bus
    assert not check.unproven


def test_no_pair_of_stops_has_a_bus_both_ways() -> None:
    back = f"(call SW.filter {TRIP} (string to) (string =) _stop_)"
    form = term(f"(call SW.getProperty {back} (string fare))")
    for count, passes in ((30, False), (40, True)):  # 870 and 1,560 pairs
        stops = STOPS[:count]
        names = {"_stop_": stops, "_stop2_": stops}
        check = ExecutionCheck(world(*pairwise(stops)), names)
        assert check(form) is passes
        assert list(check.unproven) == [form] * passes
    grammar = grammar_of(f"(rule $ROOT (both ways _stop_ _stop2_) (ConstantFn {form.text}))")
    chart = Chart(grammar, check, depth=3)
    (finding,) = lint(chart, chart.roots())
    assert "no names that were tried give" in str(finding) and "it is kept" in str(finding)


def test_a_wrong_type_is_found_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    from fairseq_twostage.semantics import executor

    check = ExecutionCheck(world((STOPS[1], STOPS[2])), {"_stop_": STOPS})
    tried = []
    real = executor.execute_uncached
    monkeypatch.setattr(
        executor, "execute_uncached", lambda *given: tried.append(given) or real(*given)
    )
    assert not check(term("(call SW.getProperty _stop_ (string fare))"))
    assert len(tried) <= ENOUGH < MAX_TRIALS


@pytest.mark.parametrize("sizes", [(), (1,), (4, 4), (3, 5, 2)])
def test_all_combinations_once(sizes: tuple[int, ...]) -> None:
    choices = [list("abcdefgh")[:size] for size in sizes]
    found = list(combinations(choices))
    assert len(found) == len(set(found))
    wanted = {
        chosen
        for chosen in permutations("abcdefgh", len(sizes))
        if all(letter in choice for letter, choice in zip(chosen, choices))
    }
    assert set(found) == wanted
