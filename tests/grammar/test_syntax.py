import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.syntax import Atom, Form, check_blanks, parse


def trees(text):
    def plain(tree):
        return tree.text if isinstance(tree, Atom) else [plain(item) for item in tree.items]

    return [plain(tree) for tree in parse(text, "g")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a (b c) d)", [["a", ["b", "c"], "d"]]),
        ("(a)(b)", [["a"], ["b"]]),
        ("(a b)# comment ) (\n(c)", [["a", "b"], ["c"]]),
        ("# only a comment", []),
        ("(a#b)", [["a#b"]]),
        ("(f(x y)", [["f(x", "y"]]),
        ('("two words" "")', [["two words", ""]]),
        (r'("say \"hi\"" "a\nb\t\\" "~\(")', [['say "hi"', "a\nb\t\\", "~("]]),
        ('("( # )")', [["( # )"]]),
        ("$VP/NP !type >= a.b_c^2", ["$VP/NP", "!type", ">=", "a.b_c^2"]),
    ],
)
def test_tokens_and_brackets(text, expected):
    if expected is None:
        with pytest.raises(UserError, match="without its"):
            trees(text)
    else:
        assert trees(text) == expected


def test_forms_know_the_line_they_start_on():
    first, second = parse('# 1\n(a\n  (b "x\ny")\n c)\n\n(d)', "g")
    assert isinstance(first, Form)
    assert (first.line, first.items[1].line, first.items[2].line, second.line) == (2, 3, 5, 7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(a)\n(b (c)\n", r"g:2: '\(' is never closed: \(b \(c\)"),
        ("(a)\n)\n", r"g:2: '\)' without its '\('"),
        ('(a)\n\n("b', r"g:3: quote is never closed"),
        ("(a)\n" + "(" * 9999, r"g:2: brackets are nested too deeply"),
    ],
)
def test_unbalanced_text_is_an_error_with_its_line(text, message):
    with pytest.raises(UserError, match=message):
        list(parse(text, "g"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(a)\n(rule\u00a0$Boat (x) (y))", r"g:2: no-break space \(U\+00A0\) in 'rule\\xa0\$Boat'"),
        ("(a \u200bb)", r"g:1: zero width space \(U\+200B\) in '\\u200bb'"),
        ('# a\u00a0b\n(a "b\u00a0c d")', None),
        ("(a caf\u00e9)", None),
    ],
)
def test_what_looks_like_a_blank_and_is_none(text, message):
    if message is None:
        check_blanks(text, "g")
    else:
        with pytest.raises(UserError, match=message):
            check_blanks(text, "g")


_atoms = st.text(st.characters(blacklist_categories=("Cs", "Cc"))).map(lambda t: Atom(t, 1))
_trees = st.recursive(_atoms, lambda inner: st.lists(inner).map(lambda i: Form(tuple(i), 1)))


@given(_trees)
def test_printing_and_reading_are_inverse(tree):
    assert list(parse(f"({tree})", "g")) == [Form((tree,), 1)]
