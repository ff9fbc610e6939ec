"""Execution on a hand-made world, and the known answers."""

from __future__ import annotations

import re
import subprocess
import sys
import threading

import pytest

from fairseq_twostage.semantics import (
    DOMAINS,
    Answer,
    Failure,
    TripleStore,
    World,
    execute,
    first_executable,
    load_world,
    same_denotation,
)
from fairseq_twostage.semantics.explain import explain
from fairseq_twostage.semantics.results import list_value
from fairseq_twostage.semantics.values import TRUE, Date, Name, Number, String, Time


def name(kind, which):
    return Name(f"en.{kind}.{which}")


@pytest.fixture(scope="module")
def world():
    """Four ships: two with a length, one of them with two dates; c has nothing, d a time."""
    store = TripleStore()
    for which in "abcd":
        store.add(name("ship", which), "type", Name("en.ship"))
    store.add(name("port", "rome"), "type", Name("en.port"))
    a, b, d = (name("ship", which) for which in "abd")
    store.add(a, "length", Number(30.0, "en.m"))
    store.add(b, "length", Number(20.0, "en.m"))
    store.add(b, "built", Date(2004, -1, -1))
    store.add(b, "built", Date(2004, 3, 1))
    store.add(d, "leaves", Time(9, 30))
    store.add(a, "leaves", Time(9, 0))
    store.add(a, "port", name("port", "rome"))
    store.add(a, "port", name("port", "rome"))
    store.add(b, "port", name("port", "rome"))
    store.add(a, "fast", TRUE)
    for which in "cd":
        store.add(name("ship", which), "extra", name("port", "rome"))
    # the signature of "type" is that of the last entity: ships again
    store.add(name("ship", "e"), "type", Name("en.ship"))
    return World(store, "ships")


def spell_out(text):
    """A form in shorthand.

    ``call f`` stands for a function of the world, ``'p`` for a string, ``#3`` for a number and
    ``$`` for the list of all ships.
    """
    text = text.replace("$", "( call getProperty ( call singleton en.ship ) '!type )")
    text = re.sub(r"(?<!\S)'(\S+)", r"( string \1 )", text)
    text = re.sub(r"(?<!\S)#(\S+)", r"( number \1 )", text)
    return re.sub(r"\bcall (?=\w)", "call SW.", text)


def run(text, world):
    return execute(spell_out(text), world)


def ships(*which):
    return "(list" + "".join(f" (name en.ship.{w})" for w in which) + ")"


@pytest.mark.parametrize(
    "form, printed",
    [
        # join
        ("( call getProperty $ 'port )", "(list (name en.port.rome))"),
        ("( call .size ( call getProperty $ 'type ) )", "(number 1)"),
        ("( call listValue ( call .size $ ) )", "(list (number 5 count))"),
        ("( call domain 'length )", ships(*"abcde")),
        # filter
        ("( call filter $ 'fast )", ships("a")),
        ("( call filter $ 'length '= ( number 20 en.m ) )", ships("b")),
        ("( call filter $ 'length '!= ( number 20 en.m ) )", ships(*"acde")),
        ("( call filter $ 'length '< ( number 25 en.m ) )", ships("b")),
        ("( call filter $ 'length '~ ( number 25 en.m ) )", ships()),
        ("( call filter $ 'leaves '= ( time 9 0 ) )", ships("a")),
        # times are ordered by their hour
        ("( call filter $ 'leaves '>= ( time 9 59 ) )", ships(*"ad")),
        # a year sorts before its days; for some value and some reference
        ("( call filter $ 'built '< ( date 2004 1 1 ) )", ships("b")),
        ("( call filter $ 'built '> ( date 2004 -1 -1 ) )", ships("b")),
        ("( call filter $ 'built '> ( date 2004 3 1 ) )", ships()),
        ("( call filter $ 'length '< ( list ) )", ships()),
        ("( call filter $ 'length '!= ( list ) )", ships(*"abcde")),
        ("( call filter ( list #1 ) 'length '= ( number 1 en.m ) )", ships()),
        # superlatives; the first entity without value stays
        ("( call superlative ( call concat en.ship.a en.ship.b ) 'max 'length )", ships("a")),
        ("( call superlative ( call concat en.ship.a en.ship.b ) 'avg 'length )", ships("b")),
        ("( call superlative ( call concat en.ship.c en.ship.b ) 'max 'length )", ships("c")),
        ("( call superlative ( call concat en.ship.b en.ship.c ) 'max 'length )", ships("b")),
        ("( call superlative ( call concat en.ship.a en.ship.d ) 'min 'leaves )", ships(*"ad")),
        # counts count repeats
        ("( call countSuperlative $ 'max 'port )", ships("a")),
        ("( call countComparative $ 'port '>= ( number 1 en.x ) )", ships(*"ab")),
        ("( call countComparative $ 'port '= #2 ( list ( name en.port.rome ) ) )", ships("a")),
        ("( call countComparative $ 'port '= #0 ( list ) )", ships(*"abcde")),
        ("( call countComparative ( list ) 'port '!= #0 )", ships()),
        # arithmetic; equal values enter once
        ("( call aggregate 'avg ( call getProperty $ 'length ) )", "(list (number 25 en.m))"),
        ("( call sum ( call getProperty $ 'length ) )", "(list (number 50))"),
        ("( call sum ( list ) )", "(list (number 0))"),
        ("( call arithOp '/ #-1 #0 )", "(list (number -Infinity))"),
        ("( call arithOp '/ #-0.0 #0 )", "(list (number NaN))"),
        (
            "( call arithOp '- ( list #1 #2 ) ( list ( number 5 a ) ) )",
            "(list (number -4) (number -3))",
        ),
        # concat keeps order and repeats
        (
            "( call concat ( call concat en.ship.b en.ship.a ) ( call singleton en.ship.b ) )",
            "(list (name en.ship.b) (name en.ship.a) (name en.ship.b))",
        ),
        # listValue sorts by print
        ("( call listValue ( call concat #9 #10 ) )", "(list (number 10) (number 9))"),
        ("( call listValue ( call listValue en.a.b ) )", "(list (name en.a.b))"),
        ("( call listValue 'a )", "(list (string a))"),
        ("( call ensureNumericEntity ( list ( time 9 0 ) 'x ) )", "(list (time 9 0) (string x))"),
        ("( call ensureNumericProperty 'leaves )", "(string leaves)"),
        ("( call reverse '!!p )", "(string !p)"),
        # a null where a restrictor or a list of its own kind may stand
        (
            "( call countSuperlative $ 'max 'port ( call superlative ( list ) 'max 'length ) )",
            ships("a"),
        ),
    ],
)
def test_values(form, printed, world):
    assert run(form, world).text == printed


NULL = "( call superlative ( list ) 'max 'length )"


@pytest.mark.parametrize(
    "form, category, counts_as_empty",
    [
        ("( call getProperty ( list ) 'length )", "empty", False),
        ("( call getProperty en.ship.c 'length )", "empty", False),
        ("( call getProperty en.ship.zz 'length )", "entity", False),
        ("( call getProperty en.ship.a 'no_such )", "property", False),
        ("( call getProperty en.port.rome 'length )", "type", False),
        ("( call getProperty en.port.rome 'type )", "type", False),
        ("( call getProperty ( list 'a ) 'length )", "type", False),
        ("( call domain '!length )", "entity", False),
        ("( call filter ( list ) 'no_such )", "property", False),
        ("( call filter $ 'length '= ( number 20 en.cm ) )", "type", False),
        ("( call filter $ 'length '= ( number 20 ( x ) ) )", "null", True),
        ("( call filter $ 'port '< en.port.rome )", "type", False),
        ("( call filter ( list 'a ) 'fast )", "type", False),
        ("( call ensureNumericProperty 'no_such )", "null", True),
        ("( call ensureNumericProperty 'port )", "type", False),
        ("( call ensureNumericEntity ( list ) )", "index", False),
        ("( call ensureNumericEntity en.ship.a )", "type", False),
        ("( call concat en.ship.a en.ship.a )", "argument", False),
        ("( call concat ( list ) ( list ) )", "argument", False),
        ("( call concat en.ship.a en.port.rome )", "type", False),
        ("( call concat 'a 'b )", "arity", False),
        ("( call countSuperlative $ 'max 'length )", "type", False),
        ("( call countComparative $ 'port '!= #1 )", "argument", False),
        ("( call countComparative $ 'port '= ( call .size $ ) )", "arity", False),
        ("( call aggregate 'sum ( list ) )", "empty", False),
        ("( call aggregate 'max ( list #1 ) )", "argument", False),
        ("( call sum ( list ( date 1 1 1 ) ) )", "type", False),
        ("( call nonsense )", "function", False),
        ("( call .size )", "arity", False),
        ("( call .size #1 )", "function", False),
        ("( call 'f )", "function", False),
        ("( lambda x x )", "object", False),
        ("( call listValue ( a b ) )", "object", False),
        # nulls
        (NULL, "null", False),
        (f"( call listValue {NULL} )", "null", True),
        (f"( call getProperty {NULL} 'length )", "entity", True),
        (f"( call getProperty ( call singleton {NULL} ) 'length )", "entity", True),
        (f"( call filter {NULL} 'fast )", "null", True),
        (f"( call superlative {NULL} 'max 'length )", "null", True),
        (f"( call countComparative {NULL} 'port '= #1 )", "null", True),
        (f"( call countComparative $ 'port '= {NULL} )", "type", False),
        (f"( call aggregate 'sum {NULL} )", "null", True),
        (f"( call concat {NULL} $ )", "null", True),
        (f"( call sum {NULL} )", "null", True),
        (f"( call singleton {NULL} )", "null", False),
        (f"( call .size {NULL} )", "function", False),
        (f"( call nonsense {NULL} )", "function", False),
        (f"( call getProperty {NULL} )", "null", False),
        (f"( call reverse {NULL} )", "null", True),
        (f"( call superlative $ {NULL} 'length )", "null", True),
        (f"( call countSuperlative $ {NULL} 'port )", "null", True),
        (f"( call filter $ 'fast {NULL} ( list ) )", "null", True),
        # a number with a malformed unit cannot be printed, not even in an error's message
        ("( number 3 ( a ) )", "null", False),
        ("( call listValue ( number 3 ( a ) ) )", "null", False),
        ("( call listValue ( list ( number 3 ( a ) ) #4 ) )", "null", True),
        ("( call getProperty ( number 3 ( a ) ) 'length )", "null", True),
        ("( call concat ( number 3 ( a ) ) ( number 3 ( a ) ) )", "null", True),
        ("( call concat ( number 3 ( a ) ) #3 )", "null", True),
        ("( call listValue ( p ( number 3 ( a ) ) ) )", "null", True),
        ("( p ( number 3 ( a ) ) )", "null", False),
    ],
)
def test_errors(form, category, counts_as_empty, world):
    denotation = run(form, world)
    assert isinstance(denotation, Failure)
    assert (denotation.category, denotation.counts_as_empty) == (category, counts_as_empty)
    assert denotation.executable == counts_as_empty
    assert "\n" not in denotation.message


def test_the_first_error_wins_and_says_where(world):
    denotation = run("( call concat ( call sum en.a ) ( call nonsense ) )", world)
    assert (denotation.category, denotation.place) == ("arity", 3)
    both = run(f"( call ( call nonsense ) {NULL} )", world)
    assert (both.category, both.place) == ("function", 2)


def test_arguments_are_evaluated_before_the_function_is_looked_at(world):
    denotation = run(f"( call ( string f ) ( call listValue {NULL} ) )", world)
    assert denotation.metric_text == "(list)"


def test_only_two_errors_equal_the_empty_list(world):
    empty = run("( call filter $ ( string length ) ( string ~ ) ( list ) )", world)
    null = run(f"( call listValue {NULL} )", world)
    other = run("( call nonsense )", world)
    assert same_denotation(empty, null) and same_denotation(null, null)
    assert not same_denotation(other, other) and not same_denotation(empty, other)


def test_lists_compare_as_multisets(world):
    one = run("( call listValue ( call concat en.ship.b en.ship.a ) )", world)
    two = run("( call listValue ( call concat en.ship.a en.ship.b ) )", world)
    thrice = "( call concat ( call concat en.ship.a en.ship.b ) ( call singleton en.ship.b ) )"
    assert same_denotation(one, two)
    assert not same_denotation(one, run(f"( call listValue {thrice} )", world))


def test_a_value_that_reads_like_an_error_is_not_executable(world):
    assert not execute("( string BADJAVA )", world).executable
    assert not execute("( string MYERROR )", world).executable
    assert execute("( string null )", world).executable


def test_non_ascii_text_sorts_by_code_unit(world):
    values = (String("\uffee"), String("\U0001f600"), String("a"))
    result = list_value(world, values)
    assert [v.value for v in result.values] == ["a", "\U0001f600", "\uffee"]


def test_first_executable(world):
    bad, empty, good = "( x", spell_out(f"( call listValue {NULL} )"), "foo"
    assert first_executable([bad, "", good, good], world) == 2
    assert first_executable([bad, empty, good], world) == 1
    assert first_executable([bad, bad], world) is None
    assert first_executable([], world) is None


def test_variables(world):
    form = "( call SW.getProperty _s_ ( string length ) )"
    assert execute(form, world, {"_s_": "en.ship.a"}).text == "(list (number 30 en.m))"
    assert execute(form, world, {"_s_": "en.ship.b"}).text == "(list (number 20 en.m))"
    assert execute(form, world).category == "entity"


def test_remembered_forms_stay_few():
    fresh = World(TripleStore())
    for i in range(20_050):
        assert execute(f"name{i}", fresh).text == f"(name name{i})"
    assert len(fresh.denotations) <= 20_000
    execute("a" * 10_000, fresh)
    assert "a" * 10_000 not in fresh.denotations


def test_threads_share_a_world():
    shared = World(load_world("blocks").database)
    prefix = "( call SW.listValue ( call SW.filter ( call SW.domain ( string shape ) ) ( string "
    forms = [
        f"{prefix}{side} ) ( string {op} ) en.block.{i} ) )"
        for side in ("left", "above")
        for op in ("=", "!=")
        for i in range(2, 60)
    ]
    expected = [execute(form, World(load_world("blocks").database)) for form in forms]
    wrong = []

    def work():
        wrong.extend(f for f, e in zip(forms, expected) if execute(f, shared) != e)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_explain_shows_every_call_left_to_right(world):
    form = "( call SW.concat ( call SW.singleton en.ship.a ) ( call SW.nonsense ) )"
    steps = explain(form, world)
    assert [(step.depth, step.form) for step in steps] == [
        (0, form),
        (1, "( call SW.singleton en.ship.a )"),
        (1, "( call SW.nonsense )"),
    ]
    assert steps[0].denotation == steps[2].denotation == execute(form, world)
    assert steps[1].denotation == Answer("(list (name en.ship.a))")
    assert steps[1].length == 1


def test_explain_of_no_form(world):
    (step,) = explain("( call", world)
    assert step.denotation.category == "parse"


@pytest.mark.data
@pytest.mark.parametrize("domain", DOMAINS)
def test_known_answers_of_the_datasets(domain, data_dir):
    world = load_world(domain)
    for form, expected in answers(data_dir, domain, "dataset"):
        assert execute(form, world).metric_text == expected[0], form


@pytest.mark.data
@pytest.mark.parametrize("domain", DOMAINS)
def test_known_answers_of_harder_forms(domain, data_dir):
    world = load_world(domain)
    for form, (expected, kind, *_) in answers(data_dir, domain, "hard"):
        denotation = execute(form, world)
        assert (denotation.metric_text or "ERROR") == expected, form
        failed = isinstance(denotation, Failure)
        assert failed == (kind not in ("OK", "EMPTY")), form
        assert not failed or (denotation.category == "parse") == (kind == "NULL"), form
        assert not failed or denotation.counts_as_empty == (kind == "ERR_AS_EMPTY"), form


def answers(data_dir, domain, which):
    path = data_dir / "denotations" / f"{domain}.{which}.tsv"
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    assert lines
    return [(form, rest) for form, *rest in (line.split("\t") for line in lines)]


def test_needs_neither_torch_nor_fairseq():
    code = (
        "import sys; sys.modules.update(torch=None, fairseq=None, numpy=None)\n"
        "from fairseq_twostage.semantics import execute, load_world\n"
        "print(execute('( call SW.domain ( string date ) )', load_world('calendar')).executable)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout == "True\n", result.stderr
