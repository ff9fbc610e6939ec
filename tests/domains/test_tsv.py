from collections.abc import Callable
from pathlib import Path

import pytest

from fairseq_twostage.domains.tsv import read_pairs, read_rows
from fairseq_twostage.errors import UserError
from fairseq_twostage.text.rows import Row


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "rows.tsv"
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_rows(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "Is _lake_ deep ?\tdepth of _lake_\t( f ( string ! type ) _lake_ )"
        '\t{"_lake_": "en.lake.blue"}\r\n\nAny lake ?\tnone\t( f )\t{}\n',
    )
    assert read_rows(path) == [
        Row(
            "is _lake_ deep ?",
            "depth of _lake_",
            "( f ( string !type ) _lake_ )",
            {"_lake_": "en.lake.blue"},
        ),
        Row("any lake ?", "", "( f )", {}),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a", "expected 2 or 3 or 4 tab-separated columns, found 1"),
        ("a\tnone", "neither a canonical utterance nor a logical form"),
        ("\tb\t( c )\t{}", "the utterance is empty"),
        ("a\tb\t\t{}", "logical form is empty"),
        ("a\tb\t( c\t{}", "broken logical form"),
        ("a\tb\tc )\t{}", "broken logical form"),
        ("a\tb\t( c )\t{", "not JSON"),
        ("a\tb\t( c )\t" + "[" * 100_000, "not JSON: nested too deeply"),
        ('a\tb\t( c )\t{"_x_": ' + "9" * 5000 + "}", "not JSON: Exceeds the limit"),
        ("a\tb\t( c )\t[]", "must look like"),
        ('a\tb\t( c )\t{"_x_": 3}', "must look like"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path, f"x\tz\t( y )\t{{}}\n{line}\n")
    with pytest.raises(UserError, match=rf"rows\.tsv:2: .*{message}"):
        read_rows(path)


def test_pairs_keep_order_and_drop_repetitions(tmp_path: Path) -> None:
    path = write(tmp_path, "Tree\t(call SW.f)\noak (old)\ten.oak\ntree\t( call SW.f )\n")
    assert read_pairs(path) == [("tree", "( call SW.f )"), ("oak ( old )", "en.oak")]


def test_two_forms_of_one_canonical_utterance(tmp_path: Path) -> None:
    path = write(tmp_path, "tree\t( f )\noak\t( g )\ntree\t( h )\n")
    with pytest.raises(UserError, match=r"rows\.tsv:3: a second logical form"):
        read_pairs(path)


@pytest.mark.parametrize("reader", [read_rows, read_pairs])
def test_an_empty_file(tmp_path: Path, reader: Callable[[Path], object]) -> None:
    with pytest.raises(UserError, match=r"rows\.tsv: holds no"):
        reader(write(tmp_path, "\n"))
