from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairseq_twostage.domains.overnight import read_overnight
from fairseq_twostage.errors import UserError
from fairseq_twostage.text.rows import Row

LAMBDA = r"""(example
  (utterance "Trees taller than (say) the \"old\" oak")
  (original "tree whose height is larger than height of old oak")
  (targetFormula
    (call edu.stanford.nlp.sempre.overnight.SimpleWorld.listValue
      ((lambda s (var s)) (string !type)))
  )
)
"""
PLAIN = """(example
  (id tree:7)
  (utterance "any oak")
  (original "oak")
  (targetFormula en.tree.oak)
)
"""


def read(tmp_path: Path, text: str) -> list[Row]:
    path = tmp_path / "trees.examples"
    path.write_text(text, encoding="utf-8")
    return read_overnight(path)


def test_rows_of_two_examples(tmp_path: Path) -> None:
    assert read(tmp_path, LAMBDA + "\n" + PLAIN) == [
        Row(
            'trees taller than ( say ) the "old" oak',
            "tree whose height is larger than height of old oak",
            "( call SW.listValue ( ( lambda s ( var s ) ) ( string !type ) ) )",
        ),
        Row("any oak", "oak", "en.tree.oak"),
    ]


FORMS = st.recursive(
    st.text("abc.!_=", min_size=1, max_size=4),
    lambda inner: st.lists(inner, min_size=1, max_size=3),
    max_leaves=8,
)


def spell(form: Any, gap: str) -> str:
    if isinstance(form, str):
        return form
    return "(" + gap.join(spell(item, gap) for item in form) + ")"


@given(form=FORMS, gap=st.sampled_from([" ", "  ", "\n  ", "\t"]))
def test_layout_of_a_formula_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, form: Any, gap: str
) -> None:
    folder = tmp_path_factory.mktemp("raw")
    one_line = read(folder, PLAIN.replace("en.tree.oak", spell(form, " ")))
    laid_out = read(folder, PLAIN.replace("en.tree.oak", spell(form, gap)))
    assert laid_out == one_line
    spaced = one_line[0].logical_form.split()
    assert spaced.count("(") == spaced.count(")") == spell(form, " ").count("(")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (LAMBDA.replace("!type)))", "!type))") + PLAIN, 9, "example begins before the one of"),
        (PLAIN + LAMBDA.replace("!type)))", "!type))"), 7, "never closed"),
        (PLAIN.replace("oak)\n)", "oak))\n)"), 6, r"'\)' without '\('"),
        (PLAIN.replace('"any oak"', '"any oak'), 3, "quotation mark"),
        (PLAIN + "tail", 7, "expected '"),
        ("(sentence)", 1, "expected '"),
        (PLAIN.replace("original", "canonical"), 1, r"no field \(original"),
        (PLAIN.replace('"oak"', '"oak" "elm"'), 4, "needs one value"),
        (PLAIN.replace('"oak"', "oak"), 4, "quotation marks"),
        (PLAIN.replace('"any oak"', '" "'), 3, "is empty"),
    ],
)
def test_a_bad_example_is_named_by_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(UserError, match=rf"trees\.examples:{line}: .*{message}"):
        read(tmp_path, text)


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_examples(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError, match=r"trees\.examples: holds no example"):
        read(tmp_path, text)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_overnight(tmp_path / "none.examples")
