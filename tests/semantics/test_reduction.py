"""Beta reduction, by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.formulas import formula_text, read_formula
from fairseq_twostage.semantics.reduction import Steps, beta_reduce


def reduced(text, limit=10_000):
    return formula_text(beta_reduce(read_formula(text), Steps(limit)))


@pytest.mark.parametrize(
    "text, result",
    [
        ("( ( lambda x ( call f ( var x ) ( var x ) ) ) a )", "( call f a a )"),
        ("( ( lambda x b ) a )", "b"),
        ("( ( lambda x ( var y ) ) a )", "( var y )"),
        # an inner lambda of the same variable shields its body
        ("( ( lambda x ( ( lambda x ( call f ( var x ) ) ) b ) ) a )", "( call f b )"),
        ("( ( lambda x ( lambda x ( var x ) ) ) a )", "( lambda x ( var x ) )"),
        # the argument is put in unreduced and reduced there
        ("( ( lambda f ( ( var f ) a ) ) ( lambda x ( call g ( var x ) ) ) )", "( call g a )"),
        # nothing is renamed: the outer y is caught by the inner lambda
        ("( ( lambda x ( lambda y ( var x ) ) ) ( var y ) )", "( lambda y ( var y ) )"),
        # the left part is reduced by itself first
        ("( ( ( lambda x ( lambda y ( call f ( var x ) ( var y ) ) ) ) a ) b )", "( call f a b )"),
        ("( ( lambda x ( and ( var x ) b ) ) a )", "( and a b )"),
        ("( call f ( ( lambda x ( var x ) ) a ) )", "( call f a )"),
        ("( a ( ( lambda x ( var x ) ) b ) )", "( a b )"),
        ("( call f ( lambda x ( ( lambda y ( var y ) ) a ) ) )", "( call f ( lambda x a ) )"),
    ],
)
def test_reduction(text, result):
    assert reduced(text) == result


def test_a_reduction_without_end_uses_up_its_steps():
    omega = "( lambda x ( ( var x ) ( var x ) ) )"
    with pytest.raises(ExecutionError) as error:
        reduced(f"( {omega} {omega} )")
    assert error.value.category == "budget"


def test_what_does_not_change_is_shared():
    formula = read_formula("( call f ( call g a ) ( ( lambda x ( var x ) ) b ) )")
    result = beta_reduce(formula, Steps(100))
    assert result.parts[1] is formula.parts[1]
