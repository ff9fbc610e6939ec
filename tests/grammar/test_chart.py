import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.chart import Chart
from fairseq_twostage.grammar.sampling import sample
from tests.grammar.helpers import grammar_of
from tests.grammar.naive import NaiveRule, naive_pairs


def pairs(text, **options):
    chart = Chart(grammar_of(text), **options)
    return sorted((phrase.utterance, phrase.term.text) for phrase in chart.roots())


def test_words_and_categories_in_their_order():
    text = """
    (rule $Name (alice) (ConstantFn en.alice))
    (rule $Rel (birth "(day)") (ConstantFn (string birthday)))
    (rule $ROOT (the $Rel of $Name please) (lambda r (lambda n (call get (var n) (var r)))))
    """
    assert pairs(text) == [
        ("the birth (day) of alice please", "( call get en.alice ( string birthday ) )")
    ]


def test_every_semantic_function():
    text = """
    (rule $X (x) x)
    (rule $F (f) (ConstantFn (lambda v (call f (var v)))))
    (rule $ROOT (same $X) (IdentityFn))
    (rule $ROOT (second $X $F) (SelectFn 0))
    (rule $ROOT (constant $X) (ConstantFn c))
    (rule $ROOT ($F forward $X) (JoinFn forward betaReduce))
    (rule $ROOT ($X backward $F) (JoinFn backward betaReduce))
    (rule $ROOT ($F unreduced $X) (JoinFn forward))
    (rule $ROOT (given $X) (JoinFn forward betaReduce (arg0 (lambda v (call g (var v))))))
    (rule $ROOT (inner $F) (lambda g (call h ((var g) y))))
    """
    assert pairs(text) == sorted(
        [
            ("same x", "x"),
            ("second x f", "x"),
            ("constant x", "c"),
            ("f forward x", "( call f x )"),
            ("x backward f", "( call f x )"),
            ("f unreduced x", "( ( lambda v ( call f ( var v ) ) ) x )"),
            ("given x", "( call g x )"),
            ("inner f", "( call h ( ( lambda v ( call f ( var v ) ) ) y ) )"),
        ]
    )


def test_optional_parts_come_and_go_and_are_no_arguments():
    text = """
    (rule $X (x) x)
    (rule $Polite (please) please)
    (rule $ROOT ((kindly optional) show $X ($Polite optional)) (lambda v (call s (var v))))
    """
    utterances = ["kindly show x", "kindly show x please", "show x", "show x please"]
    assert pairs(text) == [(utterance, "( call s x )") for utterance in utterances]


def test_rules_that_need_an_input_utterance_generate_nothing():
    text = """
    (rule $ROOT (a) a)
    (rule $ROOT (b) b (anchored 1))
    (rule $ROOT (c) c (anchored 1) (floating 1))
    (rule $ROOT (d) d (floating 1))
    (rule $ROOT ($PHRASE) (NumberFn))
    (rule $ROOT ($TOKEN e) (IdentityFn))
    """
    assert [utterance for utterance, _ in pairs(text)] == ["a", "c", "d"]


def test_depth_counts_rules_but_not_renamings():
    text = """
    (rule $ROOT ($A) (IdentityFn))
    (rule $A ($B) (IdentityFn))
    (rule $B ($A) (IdentityFn))
    (rule $B (b) b)
    (rule $B (not $A) (lambda x (call n (var x))))
    (rule $ROOT (show $A) (IdentityFn))
    """
    utterances = {depth: [u for u, _ in pairs(text, depth=depth)] for depth in (1, 2, 3)}
    assert utterances == {
        1: ["b"],
        2: ["b", "not b", "show b"],
        3: ["b", "not b", "not not b", "show b", "show not b"],
    }


def test_every_combination_is_tried_once():
    text = """
    (rule $N (a) a) (rule $N (b) b) (rule $N (c) c)
    (rule $N ($N and $N) (lambda x (lambda y (call and (var x) (var y)))))
    (rule $ROOT ($N) (lambda x (call list (var x))))
    """
    chart = Chart(grammar_of(text), depth=4)
    everything = 3 + 9 + (12 * 12 - 3 * 3)
    assert len(list(chart.roots())) == everything
    assert [use.applied for use in chart.uses] == [1, 1, 1, everything - 3, everything]


def test_the_type_check_prunes_what_is_below():
    text = """
    (rule $X (good) good) (rule $X (bad) bad)
    (rule $Y (y $X) (lambda x (call y (var x))))
    (rule $ROOT (z $Y) (lambda x (call z (var x))))
    """
    checked = []

    def check(term):
        checked.append(term.text)
        return term.text != "bad"

    assert pairs(text, type_check=check) == [("z y good", "( call z ( call y good ) )")]
    assert checked == ["good", "bad", "( call y good )", "( call z ( call y good ) )"]


def test_functions_are_not_checked_before_they_are_applied():
    text = """
    (rule $X (x) x)
    (rule $F (f $X) (lambda a (lambda b (call f (var a) (var b)))))
    (rule $ROOT ($X $F) (JoinFn backward betaReduce))
    """
    checked = []
    pairs(text, type_check=lambda term: checked.append(term.text) or True)
    assert checked == ["x", "( call f x x )"]


def test_a_join_that_cannot_reduce_is_an_error_of_its_rule():
    text = "(rule $X (x) x)\n(rule $ROOT ($X $X) (JoinFn forward betaReduce))"
    with pytest.raises(UserError, match=r"^g:2: not a lambda: x, in \$ROOT -> \$X \$X"):
        pairs(text)


CATEGORIES = ("$ROOT", "$A", "$B")


@st.composite
def naive_rules(draw):
    left = draw(st.sampled_from(CATEGORIES))
    parts = draw(st.lists(st.sampled_from(["w", "v", *CATEGORIES[1:], "$ROOT"]), max_size=3))
    categories = [part for part in parts if part.startswith("$")]
    if len(categories) > 2 or not parts:
        parts, categories = ["u"], []
    if len(categories) == 1 and draw(st.booleans()):
        template = None
    elif categories:
        arguments = draw(st.permutations(["{0}", "{1}"][: len(categories)]))
        template = f"( call {draw(st.sampled_from('fg'))} {' '.join(arguments)} )"
    else:
        template = draw(st.sampled_from(["c", "d"]))
    return NaiveRule(left, tuple(parts), template)


#: Enough to get to $ROOT often; the rest is left to chance.
grammars = st.lists(naive_rules(), min_size=1, max_size=4).map(
    lambda rules: [
        NaiveRule("$A", ("a",), "a"),
        NaiveRule("$B", ("b",), "b"),
        NaiveRule("$ROOT", ("say", "$A"), "( call s {} )"),
        *rules,
    ]
)


def drop_some(text):
    """A type check without rhyme or reason, the same in every process."""
    return sum(map(ord, text)) % 5 != 0


def roots(rules, depth, capacity=100_000, check=drop_some):
    text = "\n".join(rule.statement() for rule in rules)
    type_check = None if check is None else lambda term: check(term.text)
    return Chart(grammar_of(text), type_check, depth, capacity)


def as_pairs(phrases):
    return {(phrase.utterance, phrase.term.text) for phrase in phrases}


@settings(max_examples=150, deadline=None)
@given(grammars, st.integers(1, 3), st.sampled_from([drop_some, None]))
def test_the_set_is_that_of_the_naive_generator(rules, depth, check):
    expected = naive_pairs(rules, depth, check or (lambda text: True))
    assert as_pairs(roots(rules, depth, check=check).roots()) == expected


@settings(max_examples=100, deadline=None)
@given(grammars, st.integers(1, 3), st.integers(0, 10))
def test_the_set_does_not_depend_on_the_memory(rules, depth, capacity):
    everything = as_pairs(roots(rules, depth).roots())
    assert as_pairs(roots(rules, depth, capacity).roots()) == everything


@settings(max_examples=100, deadline=None)
@given(st.data(), grammars)
def test_the_order_of_rules_does_not_change_the_set(data, rules):
    shuffled = data.draw(st.permutations(rules))
    assert as_pairs(roots(rules, 3).roots()) == as_pairs(roots(shuffled, 3).roots())


@settings(max_examples=100, deadline=None)
@given(grammars, st.integers(1, 3), st.sampled_from([0, 3, 100_000]), st.integers(0, 5))
def test_a_sampled_pair_is_in_the_full_set(rules, depth, capacity, seed):
    everything = as_pairs(roots(rules, depth).roots())
    some = [
        phrase
        for phrase, _ in zip(
            sample(roots(rules, depth, capacity), seed, patience=300, pool_size=20), range(50)
        )
    ]
    assert len(as_pairs(some)) == len(some)
    assert as_pairs(some) <= everything
    assert bool(some) == bool(everything)
