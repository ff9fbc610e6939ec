import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.syntax import parse
from fairseq_twostage.grammar.terms import atom, form, parse_term


def term(text):
    (tree,) = parse(text, "g")
    return parse_term(tree, "g:1")


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("en.person.alice", "en.person.alice"),
        ("(call f (string !type) x)", "( call f ( string !type ) x )"),
        (
            "(call edu.stanford.nlp.sempre.overnight.SimpleWorld.filter (var s))",
            "( call SW.filter ( var s ) )",
        ),
        ("(number 03.0 en.inch)", "( number 3 en.inch )"),
        ("(number 1e3)", "( number 1000 )"),
        ("(number 2.5 en.mile)", "( number 2.5 en.mile )"),
        ("(number 7 fb:en.unitless)", "( number 7 )"),
        ("(date 2015 01 -1)", "( date 2015 1 -1 )"),
        ("(time 09 0)", "( time 9 0 )"),
        ("(string a b)", "( string a )"),
        ('(string "two words")', '( string "two words" )'),
        ("(boolean true)", "( boolean true )"),
        ("((lambda s (var s)) x)", "( ( lambda s ( var s ) ) x )"),
    ],
)
def test_constants_print_as_the_evaluator_prints_them(written, printed):
    assert term(written).text == printed


@pytest.mark.parametrize(
    "text",
    [
        *("()", "(number abc)", "(number)", "(date 2015 1)", "(date 2015 1 x)", "(string (a))"),
        *("(lambda x)", "(lambda (x) y)", "(var)", "(var (x))", "(call)"),
    ],
)
def test_what_is_no_logical_form_is_an_error_at_its_place(text):
    with pytest.raises(UserError, match=r"^g:1: "):
        term(text)


@pytest.mark.parametrize(
    ("function", "argument", "result"),
    [
        ("(lambda x (f (var x) (var y)))", "a", "( f a ( var y ) )"),
        ("(lambda x (call g (var x) (var x)))", "(h b)", "( call g ( h b ) ( h b ) )"),
        # an inner lambda of the same variable shields its body
        ("(lambda x (f (var x) (lambda x (var x))))", "a", "( f a ( lambda x ( var x ) ) )"),
        # by name and without renaming: the variable is captured
        ("(lambda x (lambda y (f (var x))))", "(var y)", "( lambda y ( f ( var y ) ) )"),
        # one step only: the application that arises stays
        ("(lambda x ((var x) b))", "(lambda z (var z))", "( ( lambda z ( var z ) ) b )"),
    ],
)
def test_apply_reduces_one_step_by_name(function, argument, result):
    assert term(function).apply(term(argument)).text == result


def test_only_a_lambda_can_be_applied():
    with pytest.raises(ValueError, match="not a lambda"):
        term("(f x)").apply(term("a"))


def test_free_variables():
    assert term("(lambda x (f (var x) (lambda y (var y)) (var z)))").free == {"z"}


_terms = st.recursive(
    st.sampled_from("abc").map(atom)
    | st.sampled_from("xy").map(lambda v: form(atom("var"), atom(v))),
    lambda inner: (
        st.builds(lambda *parts: form(atom("f"), *parts), inner, inner)
        | st.builds(lambda v, b: form(atom("lambda"), atom(v), b), st.sampled_from("xy"), inner)
    ),
)


def naive_substitute(tree, variable, value):
    """On nested lists, as the definition says it."""
    if tree == ["var", variable]:
        return value
    if isinstance(tree, str) or (tree[0] == "lambda" and tree[1] == variable):
        return tree
    return [naive_substitute(part, variable, value) for part in tree]


def as_lists(term_):
    return term_.atom if term_.parts is None else [as_lists(part) for part in term_.parts]


@given(_terms, st.sampled_from("xy"), _terms)
def test_substitution_agrees_with_its_definition(body, variable, value):
    expected = naive_substitute(as_lists(body), variable, as_lists(value))
    assert as_lists(body.substitute(variable, value)) == expected


@given(_terms)
def test_a_printed_term_reads_back(original):
    assert term(original.text) == original
