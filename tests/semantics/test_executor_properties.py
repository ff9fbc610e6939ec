"""Properties of the executor on random forms, and agreement with a naive second one."""

from __future__ import annotations

import sys
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairseq_twostage.semantics import Denotation, World, execute, load_world
from fairseq_twostage.semantics.overnight import OVERNIGHT, generate
from fairseq_twostage.semantics.values import Boolean, Date, Name, Number, Time
from tests.semantics.naive import NaiveWorld, NotMyBusiness, run
from tests.semantics.strategies import Vocabulary, forms, mutated, soups

relaxed = settings(
    deadline=None,
    derandomize=True,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
domains = st.sampled_from(sorted(OVERNIGHT))


def plain(value):
    """A value as the naive executor has it."""
    if isinstance(value, Name):
        return ("name", value.id)
    if isinstance(value, Number):
        return ("number", value.value, value.unit)
    if isinstance(value, Date):
        return ("date", value.year, value.month, value.day)
    if isinstance(value, Time):
        return ("time", value.hour, value.minute)
    assert isinstance(value, Boolean)
    return ("boolean", value.value)


@cache
def vocabulary(domain):
    return Vocabulary(generate(domain))


@cache
def naive_world(domain):
    return NaiveWorld([(plain(e), p, plain(v)) for e, p, v in generate(domain)])


@cache
def lines(domain):
    made = forms(vocabulary(domain))
    return st.one_of(made, made, mutated(made), soups(vocabulary(domain)))


def check(domain, line):
    try:
        expected = run(line, naive_world(domain))
    except NotMyBusiness:
        return
    assert execute(line, load_world(domain)).metric_text == expected


@relaxed
@given(st.data())
def test_agrees_with_a_naive_executor(data):
    domain = data.draw(domains)
    check(domain, data.draw(lines(domain)))


@pytest.mark.slow
@settings(relaxed, max_examples=2500)
@given(st.data())
def test_agrees_with_a_naive_executor_on_many(data):
    domain = data.draw(domains)
    check(domain, data.draw(lines(domain)))


@relaxed
@given(st.one_of(st.text(), st.text(alphabet='()"\\# \t\n\0ab!SW.3'), soups(vocabulary("blocks"))))
def test_never_raises_and_is_deterministic(text):
    world = World(generate("blocks"))
    first = execute(text, world)
    assert isinstance(first, Denotation)
    assert execute(text, world) == first
    assert execute(text, load_world("blocks")) == first
    assert hash(first) == hash(execute(text, World(generate("blocks"))))


@relaxed
@given(st.text(), st.dictionaries(st.text(), st.text()))
def test_never_raises_on_any_variables(text, variables):
    assert isinstance(execute(text, load_world("recipes"), variables), Denotation)


@given(st.text(alphabet="abc!", min_size=1).filter(lambda name: not name.startswith("!!")))
def test_reverse_twice_is_identity(name):
    world = load_world("blocks")
    twice = execute(f"( call SW.reverse ( call SW.reverse ( string {name} ) ) )", world)
    assert twice == execute(f"( string {name} )", world)


DEEP = 100_000
MONSTERS = {
    "open": "(" * DEEP,
    "closed": ")" * DEEP,
    "both": "(" * DEEP + ")" * DEEP,
    "calls": "( call SW.reverse " * DEEP + "( string p )" + " )" * DEEP,
    "list constants": "( list " * DEEP + ")" * DEEP,
    "lambdas": "( lambda x " * DEEP + "( var x )" + " )" * DEEP,
    "joins": "( a " * DEEP + "b" + " )" * DEEP,
    "joins on the left": "( " * DEEP + "a" + " b )" * DEEP,
    "a long atom": "a" * 1_000_000,
    "a long number": f"( number {'9' * 1_000_000} )",
    "a long integer": f"( time {'9' * 1_000_000} 0 )",
    "an unclosed quote": '"' + "a b " * 250_000,
    "escapes": "( string " + "\\n" * 500_000 + " )",
    "comments": "# " * 500_000,
    "arguments": "( call SW.filter " + "a " * 300_000 + ")",
    "no end": "( ( lambda x ( ( var x ) ( var x ) ) ) ( lambda x ( ( var x ) ( var x ) ) ) )",
    "doubling": "( ( lambda x ( call SW.concat ( var x ) ( var x ) ) ) " * 40 + "a" + " )" * 40,
    "a product": "( call SW.arithOp ( string + ) {0} {0} )".format(
        "( list " + "( number 1 ) " * 3000 + ")"
    ),
}


@pytest.mark.parametrize("name", MONSTERS)
def test_monsters_end_in_a_denotation(name):
    limit = sys.getrecursionlimit()
    denotation = execute(MONSTERS[name], load_world("blocks"))
    assert isinstance(denotation, Denotation)
    assert sys.getrecursionlimit() == limit
    if name in ("no end", "doubling", "a product"):
        assert denotation.category == "budget"
    if name == "calls":
        assert denotation.text == "(string p)"


@pytest.mark.data
@pytest.mark.parametrize("domain", sorted(OVERNIGHT))
def test_the_naive_executor_knows_the_datasets(domain, data_dir):
    path = data_dir / "denotations" / f"{domain}.dataset.tsv"
    for line in path.read_text(encoding="utf-8").splitlines():
        form, expected = line.split("\t")[:2]
        assert run(form, naive_world(domain)) == expected
