import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.reader import read_grammar
from fairseq_twostage.grammar.rules import Join, Part


@pytest.fixture
def write(tmp_path):
    def write_file(text, name="g.grammar"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


def lefts(grammar):
    return [rule.left for rule in grammar.rules]


def test_a_rule_with_everything(write):
    grammar = read_grammar(
        write(
            "# a comment\n"
            '(rule $A (the $B (please optional) ($C optional) "(x y)")'
            " (lambda b (call f (var b)))"
            " (anchored 1) (floating 1) (weight 0.5) (_in_ _out_) (1))"
        )
    )
    (rule,) = grammar.rules
    assert rule.left == "$A"
    assert rule.parts == (
        Part("the"),
        Part("$B"),
        Part("please", optional=True),
        Part("$C", optional=True),
        Part("(x y)"),
    )
    assert (rule.arity, rule.categories) == (1, ("$B", "$C"))
    assert dict(rule.info) == {"anchored": 1, "floating": 1, "weight": 0.5}
    assert (rule.types, rule.typed_part) == (("_in_", "_out_"), 1)
    assert rule.source.endswith("g.grammar:2")
    assert str(rule) == "$A -> the $B (please optional) ($C optional) (x y)"


@pytest.mark.parametrize(
    ("condition", "tags", "holds"),
    [
        ("a", "a", True),
        ("a", "b", False),
        ("(and a b)", "a", False),
        ("(and a b)", "a b", True),
        ("(and)", "", True),
        ("(or a b)", "b", True),
        ("(or a b)", "c", False),
        ("(or)", "", False),
        ("(not a)", "b", True),
        ("(not a)", "a", False),
        ("(and (or a b) (not (and c d)))", "b c", True),
        ("(and (or a b) (not (and c d)))", "b c d", False),
    ],
)
def test_when(write, condition, tags, holds):
    path = write(f"(when {condition} (rule $A (x) (ConstantFn x)))")
    assert lefts(read_grammar(path, tags.split())) == ["$A"] * holds


def test_when_nests_and_reports_the_tags_it_knows(write):
    path = write("(when a (when (not b) (rule $A (x) x)) (rule $B (x) x))")
    assert lefts(read_grammar(path, ["a"])) == ["$A", "$B"]
    assert lefts(read_grammar(path, ["a", "b"])) == ["$B"]
    assert read_grammar(path, ["a"]).known_tags == {"a", "b"}


def test_definitions_are_replaced_everywhere_in_a_rule(write):
    path = write(
        "(def @f some.function)\n(def @call (call @f (var x)))\n(def @cat $A)\n"
        "(rule @cat ($B) (lambda x @call))"
    )
    (rule,) = read_grammar(path).rules
    assert rule.left == "$A"
    assert rule.function.template.text == "( lambda x ( call some.function ( var x ) ) )"


def test_the_functions_of_the_world_need_no_definition_but_may_have_one(write):
    rule = "(rule $A (x) (ConstantFn (call @filter y)))"
    assert read_grammar(write(rule)).rules[0].function.value.text == "( call SW.filter y )"
    own = read_grammar(write(f"(def @filter my.filter) {rule}"))
    assert own.rules[0].function.value.text == "( call my.filter y )"


def test_for_repeats_its_statements(write):
    path = write(
        "(def @x outer)\n"
        "(for @x (one (number 2))\n"
        " (rule $A (word) (ConstantFn @x)) (rule $B (word) (ConstantFn @x)))\n"
        "(rule $C (word) (ConstantFn @x))"
    )
    values = [(rule.left, rule.function.value.text) for rule in read_grammar(path).rules]
    assert values == [
        ("$A", "one"),
        ("$B", "one"),
        ("$A", "( number 2 )"),
        ("$B", "( number 2 )"),
        ("$C", "outer"),
    ]


def test_include_is_relative_to_the_including_file(write):
    write("(def @name bob) (rule $A (x) x)", "parts/base.grammar")
    write("(include base.grammar)\n(rule $B (y) (ConstantFn @name))", "parts/more.grammar")
    main = write("(include parts/more.grammar)\n(rule $C (z) z)", "main.grammar")
    grammar = read_grammar(main)
    assert lefts(grammar) == ["$A", "$B", "$C"]
    names = [file.name for file in grammar.files]
    assert names == ["main.grammar", "more.grammar", "base.grammar"]


def test_rules_read_twice_count_once(write):
    base = write("(rule $A (x) x)", "base.grammar")
    main = write("(include base.grammar)\n(include base.grammar)\n(rule $A (x) x)", "main.grammar")
    grammar = read_grammar([base, main])
    assert lefts(grammar) == ["$A"]


def test_join_functions(write):
    path = write(
        "(rule $A ($B $C) (JoinFn forward betaReduce))\n"
        "(rule $A ($B $C) (JoinFn betaReduce backward))\n"
        "(rule $A ($B $C) (JoinFn unary,binary unaryCanBeArg1))\n"
        "(rule $A ($B) (JoinFn forward (arg0 (lambda x (var x)))))"
    )
    functions = [rule.function for rule in read_grammar(path).rules]
    assert functions[:3] == [
        Join(backward=False, beta_reduce=True),
        Join(backward=True, beta_reduce=True),
        Join(backward=True, beta_reduce=False),
    ]
    assert functions[3].first.text == "( lambda x ( var x ) )"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("(rule $A (x) x)\n(rule $A (x", 2, "never closed"),
        ("\n(rule $A (x))", 2, r"expected \(rule .*got \(rule \$A \(x\)\)"),
        ("(rule A (x) x)", 1, r"must be a \$CATEGORY: \(rule A"),
        ("(rule $A x x)", 1, "right side must be a list"),
        ("(rule $A () x)", 1, "right side must be a list"),
        ("(rule $A ((x maybe)) x)", 1, r"expected a word.*in \(rule \$A"),
        ("(rule $A ((x optional)) x)", 1, "every part is optional"),
        ('(rule $A ("a\\tb") x)', 1, "cannot be empty or hold tabs"),
        ("(rule $A ($B) (UnknownFn))", 1, "unknown semantic function UnknownFn.*in"),
        ("(rule $A ($B) ((x)))", 1, "unknown semantic function"),
        ("(rule $A ($B $C) (IdentityFn))", 1, "takes one category, the rule has 2"),
        ("(rule $A ($B) (SelectFn 1))", 1, "needs 2 categories, the rule has 1"),
        ("(rule $A ($B) (SelectFn x))", 1, r"expected \(SelectFn NUMBER\)"),
        ("(rule $A ($B) (JoinFn forward))", 1, "takes 2 categories, the rule has 1"),
        ("(rule $A ($B $C) (JoinFn betaReduce))", 1, "needs forward or backward"),
        ("(rule $A ($B $C) (JoinFn sideways))", 1, "does not know 'sideways'"),
        ("(rule $A ($B) (JoinFn forward (arg1 x)))", 1, r"expected \(arg0 FORM\)"),
        ("(rule $A ($B $C) (lambda x (var x)))", 1, "1 lambdas for 2 categories"),
        ("(rule $A (x) (lambda x (var x)))", 1, "at least one category"),
        ("(rule $A (x) (ConstantFn))", 1, r"expected \(ConstantFn FORM"),
        ("(rule $A (x)\n (ConstantFn (number many)))", 1, "cannot read the numbers"),
        ("(rule $A (x) x (weight heavy))", 1, r"expected \(KEY NUMBER\)"),
        ("(rule $A (x) x loose)", 1, r"expected \(KEY NUMBER\)"),
        ("(rule $A (x)\n\n x (@typo 1))", 3, "@typo is not defined"),
        ("(rule $A (x) (ConstantFn @typo))", 1, "@typo is not defined"),
        ("(def name x)", 1, "starts with @"),
        ("(def @name)", 1, r"expected \(def"),
        ("(for @x a (rule $A (x) x))", 1, r"expected \(for"),
        ("(for x (a) (rule $A (x) x))", 1, "starts with @"),
        ("(when)", 1, r"expected \(when"),
        ("(when (xor a b)\n (rule $A (x) x))", 1, "expected a tag"),
        ("(when (not a b) (rule $A (x) x))", 1, "expected a tag"),
        ("\n\n(rules $A (x) x)", 3, r"unknown statement \(rules"),
        ("\nrule", 2, r"expected \(rule"),
        ("(include missing.grammar)", 1, "cannot include .*missing.grammar: no such file"),
        ("(include (a b))", 1, r"expected \(include"),
        ("(include g.grammar)", 1, "includes itself"),
    ],
)
def test_a_malformed_file_gets_its_line(write, text, line, message):
    path = write(text)
    with pytest.raises(UserError, match=message) as error:
        read_grammar(path)
    assert str(error.value).startswith(f"{path}:{line}: ")
    assert "\n" not in str(error.value)


def test_an_error_in_an_included_file_names_that_file(write):
    bad = write("(rule $A (x) x)\n(rule $B)", "bad.grammar")
    with pytest.raises(UserError) as error:
        read_grammar(write("(include bad.grammar)"))
    assert str(error.value).startswith(f"{bad}:2: ")


def test_a_file_that_is_no_text_is_an_error(tmp_path):
    path = tmp_path / "g.grammar"
    path.write_bytes(b"(rule \xff)")
    with pytest.raises(UserError, match="not UTF-8"):
        read_grammar(path)
    with pytest.raises(UserError, match="no such file"):
        read_grammar(tmp_path / "missing.grammar")
