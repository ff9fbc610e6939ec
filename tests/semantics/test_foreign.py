"""Worlds that are no database: a user's executor, and comparison as text."""

from __future__ import annotations

import pickle

import pytest

from fairseq_twostage.inference.answer import answer_line, answer_table, answer_values, display
from fairseq_twostage.semantics import (
    ExactMatchWorld,
    FunctionWorld,
    execute,
    first_executable,
    same_denotation,
)
from fairseq_twostage.semantics.explain import explain


def answer(form: str):
    """A little executor: addition of the numbers in a form."""
    tokens = form.split()
    if tokens[:2] == ["(", "both"]:
        return [token for token in tokens[2:-1]]
    if "crash" in tokens:
        raise RuntimeError("it\ncrashed")
    numbers = [int(token) for token in tokens if token.isdecimal()]
    return sum(numbers) if numbers else None


WORLD = FunctionWorld("module:answer", answer)


def test_a_function_answers_forms_with_their_brackets_apart():
    assert execute("(add 3  4)", WORLD).metric_text == "7"
    assert execute("(add _a_ 4)", WORLD, {"_a_": "(neg 5)"}).metric_text == "9"


def test_several_answers_come_in_no_order():
    first, second = execute("(both b a)", WORLD), execute("( both a b )", WORLD)
    assert first.metric_text == "(list a b)"
    assert same_denotation(first, second)


@pytest.mark.parametrize(
    ("result", "text", "shown"),
    [
        ("New York", "New York", ["New York"]),
        (
            ["New York", "Los Angeles"],
            '(list "Los Angeles" "New York")',
            ["Los Angeles", "New York"],
        ),
        (["New  York\n"], '(list "New York")', ["New York"]),
        (("(x", 'a "b"'), r'(list "(x" "a \"b\"")', ["(x", 'a "b"']),
        ({"one"}, "(list one)", ["one"]),
        (["a", "b", "a"], "(list a a b)", ["a", "a", "b"]),
        (3, "3", ["3"]),
        (3.0, "3", ["3"]),
        (0.00125, "0.00125", ["0.00125"]),
        ([2.5, 10], "(list 10 2.5)", ["10", "2.5"]),
        ([], "(list)", []),
        ("", "", []),
        ("(number 0.00125 en.gram)", "(number 0.00125 en.gram)", ["0.00125 grams"]),
        ("(number 4.500 en.kg)", "(number 4.500 en.kg)", ["4.5 kg"]),
        (["(name en.ship.baltic)"], "(list (name en.ship.baltic))", ["baltic"]),
        ("(list (name en.a.b) (name en.a.c))", "(list (name en.a.b) (name en.a.c))", ["b", "c"]),
        ("(half open", "(half open", ["(half open"]),
    ],
)
def test_answers_are_shown_whole(result, text, shown):
    denotation = execute("form", FunctionWorld("module:constant", lambda form: result))
    assert denotation.text == text
    assert [display(value) for value in answer_values(denotation)] == shown
    assert answer_line(denotation) == (", ".join(shown) or "nothing")
    assert [row[0] for row in answer_table(denotation).rows] == shown


def test_answers_are_compared_as_a_multiset_of_texts():
    def denotation(result):
        return execute("form", FunctionWorld("module:constant", lambda form: result))

    def same(one, other):
        return same_denotation(denotation(one), denotation(other))

    assert same(["New York", "Los Angeles"], ("Los Angeles", "New York"))
    assert not same(["New York"], ["New", "York"])
    assert not same(["New York"], ["New York", "New York"])
    assert not same(["a b", "c"], ["a", "b c"])
    assert same("New York", ["New York"])
    assert same(2, [2.0]) and not same(0.0012, 0.00125)


@pytest.mark.parametrize(("form", "reason"), [("( crash )", "it crashed"), ("x", "no value")])
def test_what_a_function_raises_or_leaves_open_is_no_value(form, reason):
    denotation = execute(form, WORLD)
    assert not denotation.executable
    assert denotation.metric_text is None
    assert reason in denotation.message
    assert not same_denotation(denotation, denotation)


def test_exact_match_compares_the_spelling():
    world = ExactMatchWorld(["(a (b))", "c"])
    assert same_denotation(execute("( a (b) )", world), execute("(a ( b ))", world))
    assert not same_denotation(execute("( a )", world), execute("c", world))


def test_known_forms_count_as_executable():
    world = ExactMatchWorld(["( a _x_ )"])
    assert execute("(a _x_)", world, {"_x_": "one"}).executable
    assert not execute("( a )", world).executable
    assert first_executable(["( b )", "( a _x_ )"], world) == 1


def test_a_gold_form_outside_the_known_ones_can_still_be_met():
    world = ExactMatchWorld(["a"])
    assert same_denotation(execute("b", world), execute("b", world))


def test_variables_are_filled_in_before_the_comparison():
    world = ExactMatchWorld(["( a _x_ )"])
    filled = execute("( a _x_ )", world, {"_x_": "en.one"})
    assert same_denotation(filled, execute("( a en.one )", world))
    assert not same_denotation(filled, execute("( a en.two )", world))


def test_the_worlds_can_be_sent_to_another_process():
    for world, form in ((WORLD, "( add 1 2 )"), (ExactMatchWorld(["a"]), "a")):
        copy = pickle.loads(pickle.dumps(world))
        assert execute(form, copy).metric_text == execute(form, world).metric_text


def test_explain_has_one_step():
    (step,) = explain("( add 1 2 )", WORLD)
    assert step.denotation.metric_text == "3"
