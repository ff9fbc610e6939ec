import subprocess
import sys

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar import Pair, generate_pairs
from fairseq_twostage.semantics import load_world

# The calendar world: "location" is a property of meetings, "colour" of nothing.
MEETINGS = """
(rule $Type (meeting) (ConstantFn en.meeting))
(rule $Type (person) (ConstantFn en.person))
(rule $Rel (place) (ConstantFn (string location)))
(rule $Rel (colour) (ConstantFn (string colour)))
(rule $All ($Type) (lambda t (call @getProperty (call @singleton (var t)) (string !type))))
(rule $Some ($Rel of $All) (lambda r (lambda e (call @getProperty (var e) (var r)))))
(rule $ROOT ($All) (lambda x (call @listValue (var x))))
(rule $ROOT ($Some) (lambda x (call @listValue (var x))))
"""
ALL_MEETINGS = "( call SW.getProperty ( call SW.singleton en.meeting ) ( string !type ) )"
WELL_TYPED = [
    Pair("meeting", f"( call SW.listValue {ALL_MEETINGS} )"),
    Pair("person", f"( call SW.listValue {ALL_MEETINGS.replace('en.meeting', 'en.person')} )"),
    Pair(
        "place of meeting",
        f"( call SW.listValue ( call SW.getProperty {ALL_MEETINGS} ( string location ) ) )",
    ),
]
RECURSIVE = """
(rule $N (a) a) (rule $N (b) b)
(rule $N (not $N) (lambda x (call not (var x))))
(rule $ROOT ($N) (lambda x (call list (var x))))
"""


@pytest.fixture
def write(tmp_path):
    def write_file(text):
        path = tmp_path / "g.grammar"
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


def test_execution_checks_the_types(write):
    assert list(generate_pairs(write(MEETINGS), "calendar")) == WELL_TYPED
    assert list(generate_pairs(write(MEETINGS), world=load_world("calendar"))) == WELL_TYPED


def test_without_a_world_nothing_is_checked(write):
    assert len(list(generate_pairs(write(MEETINGS)))) == 2 + 2 * 2


def test_an_empty_result_is_no_error_but_a_missing_value_is(write):
    filters = """
    (rule $All (meetings)
      (ConstantFn (call @getProperty (call @singleton en.meeting) (string !type))))
    (rule $None ($All of 1999)
      (lambda s (call @filter (var s) (string date) (string =) (date 1999 1 1))))
    (rule $Best (first $None) (lambda s (call @superlative (var s) (string min) (string date))))
    (rule $ROOT ($None) (lambda x (call @listValue (var x))))
    (rule $ROOT ($Best) (lambda x (call @listValue (var x))))
    """
    pairs = generate_pairs(write(filters), "calendar")
    assert [pair.utterance for pair in pairs] == ["meetings of 1999"]


def test_a_recursive_grammar_wants_a_bound(write):
    path = write(RECURSIVE)
    with pytest.raises(UserError, match=r"g.grammar:3: \$N -> not \$N is recursive"):
        generate_pairs(path)
    with pytest.raises(UserError, match="is recursive"):
        generate_pairs(path, sample=3)
    depths = [len(list(generate_pairs(path, depth=depth))) for depth in (1, 2, 3, 9)]
    assert depths == [0, 2, 4, 16]


def test_a_budget_takes_the_shallow_pairs_first(write):
    pairs = generate_pairs(write(RECURSIVE), budget=5, ordered=False)
    utterances = [pair.utterance for pair in pairs]
    assert utterances == ["a", "b", "not a", "not b", "not not a"]
    ordered = [pair.utterance for pair in generate_pairs(write(RECURSIVE), budget=5)]
    assert ordered == sorted(utterances)


def test_a_sample_has_the_size_asked_for(write):
    path = write(RECURSIVE)
    everything = set(generate_pairs(path, depth=20))
    pairs = list(generate_pairs(path, depth=20, sample=7, seed=5))
    assert len(pairs) == 7
    assert set(pairs) < everything
    assert pairs == sorted(pairs) == list(generate_pairs(path, depth=20, sample=7, seed=5))


@pytest.mark.parametrize(
    "text", ["", "(rule $A (a) a)", "(rule $ROOT ($A) (IdentityFn))", "(when t (rule $ROOT (a) a))"]
)
def test_a_grammar_without_a_way_to_words_is_an_error(write, text):
    with pytest.raises(UserError, match=r"no rules lead from \$ROOT to words"):
        generate_pairs(write(text))


def test_the_room_needs_neither_torch_nor_numpy():
    code = "import sys, fairseq_twostage.grammar as g; print({'torch', 'numpy'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
