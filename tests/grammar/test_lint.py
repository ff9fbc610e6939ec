from fairseq_twostage.grammar.analysis import (
    productive_categories,
    reachable_categories,
    recursive_rule,
)
from fairseq_twostage.grammar.chart import Chart
from fairseq_twostage.grammar.lint import lint
from tests.grammar.helpers import grammar_of

CLEAN = """
(rule $X (x) x)
(rule $ROOT (show $X) (lambda v (call s (var v))))
"""


def findings(text, check=None):
    chart = Chart(grammar_of(text), check, depth=5)
    return [str(finding) for finding in lint(chart, chart.roots())]


def test_a_clean_grammar_has_no_findings():
    assert findings(CLEAN) == []
    assert findings(CLEAN + "(rule $ROOT ($Y) (IdentityFn)) (rule $Y (y) y)") == []


def test_an_utterance_with_two_logical_forms():
    (finding,) = findings(CLEAN + "(rule $X (x) other)")
    assert finding == (
        "ambiguous utterance 'show x' has 2 logical forms: ( call s other ); ( call s x )"
    )


def test_a_logical_form_with_two_utterances():
    (finding,) = findings(CLEAN + "(rule $X (ecks) x)")
    assert finding == "logical form '( call s x )' has 2 utterances: show ecks; show x"


def test_rules_that_are_of_no_use():
    text = """
    (rule $X (x) x)
    (rule $X (bad) bad)
    (rule $X (half) half)
    (rule $Lost (y) y)
    (rule $ROOT (show $X) (lambda v (call s (var v))))
    (rule $ROOT (show $Nothing) (IdentityFn))
    (rule $ROOT ($Nothing) (IdentityFn))
    (rule $ROOT ($PHRASE) (NumberFn))
    """
    refused = {"bad", "( call s half )"}
    assert findings(text, check=lambda term: term.text not in refused) == [
        "g:3: $X -> bad never passes the type check (1 applications); twostage execute says why: "
        "bad",
        "g:4: $X -> half is part of no pair: the type check refuses all that is built with it",
        "g:5: $Lost -> y is never reached from $ROOT",
        "g:7: $ROOT -> show $Nothing never applies: there are no phrases of $Nothing",
        "g:8: $ROOT -> $Nothing never applies: there are no phrases of $Nothing",
        "g:9: $ROOT -> $PHRASE needs an input utterance: it generates nothing",
    ]


def test_two_derivations_of_one_pair_are_both_of_use():
    text = """
    (rule $X (x) x)
    (rule $Y (x) x)
    (rule $Z ($X) (IdentityFn))
    (rule $Z (very $X) (lambda v (call very (var v))))
    (rule $Z (very $Y) (lambda v (call very (var v))))
    (rule $ROOT (show $Z) (lambda v (call s (var v))))
    """
    assert findings(text) == []


def test_reachable_and_productive():
    grammar = grammar_of(
        "(rule $ROOT ($A) (IdentityFn)) (rule $A ($B b) (IdentityFn)) (rule $C (c) c)"
        "(rule $A ($PHRASE) (NumberFn)) (rule $D ($C) (IdentityFn))"
        "(rule $E (e ($F optional)) e)"
    )
    assert reachable_categories(grammar) == {"$ROOT", "$A", "$B"}
    assert productive_categories(grammar) == {"$C", "$D", "$E"}


def test_recursion():
    base = "(rule $ROOT ($A) (IdentityFn)) (rule $A (a) a) (rule $B (b) b)"
    recursive = {
        "": None,
        "(rule $A ($A) (IdentityFn))": None,
        "(rule $A ($B) (IdentityFn)) (rule $B ($A) (IdentityFn))": None,
        "(rule $A (not $A) (IdentityFn))": "$A -> not $A",
        "(rule $A (x $B) (IdentityFn)) (rule $B ($A) (IdentityFn))": "$A -> x $B",
        # never reached, and never applied
        "(rule $B (not $B) (IdentityFn))": None,
        "(rule $A ($A $None) (SelectFn 0))": None,
    }
    for text, expected in recursive.items():
        rule = recursive_rule(grammar_of(base + text))
        assert (rule and str(rule)) == expected, text
