from collections import Counter
from pathlib import Path

import pytest

from fairseq_twostage.databin.embeddings import Coverage, read_vectors, write_vectors
from fairseq_twostage.errors import UserError

VECTORS = "the 0.1 -0.2\nelm 1 2e-3\noak -1.50 0\nthe 9 9\n"


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "vectors.txt"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("header", ["", "4 2\n"])
def test_the_vocabularys_vectors_are_cut_out_digit_for_digit(tmp_path: Path, header: str) -> None:
    found = read_vectors(write(tmp_path, header + VECTORS), {"oak", "the", "ash"}, 2)
    assert found == {"oak": "-1.50 0", "the": "0.1 -0.2"}


@pytest.mark.parametrize("header", ["", "5 2\n", "\ufeff"])
def test_a_word_may_have_blanks(tmp_path: Path, header: str) -> None:
    rows = "oak 1 2\n. . 3 4\nto no@body.org 5 6\n\u00a0 7 8\na\u00a0b 9 9\nthe 0.1 -2e-3\r\n"
    found = read_vectors(write(tmp_path, header + rows), {"oak", "the", ".", "to", ". ."}, 2)
    assert found == {"oak": "1 2", "the": "0.1 -2e-3", ". .": "3 4"}


def test_output_and_coverage(tmp_path: Path) -> None:
    counts = Counter({"the": 6, "ash": 3, "oak": 1})
    vectors = {"oak": "-1.50 0", "the": "0.1 -0.2"}
    coverage = write_vectors(tmp_path / "out", vectors, counts, 2)
    assert (tmp_path / "out").read_text() == "2 2\nthe 0.1 -0.2\noak -1.50 0\n"
    assert coverage == Coverage(types_covered=2, types=3, tokens_covered=7, tokens=10)
    assert str(coverage) == "2 of 3 words (66.7 %), 70.0 % of the tokens"


def test_fairseq_reads_the_output(tmp_path: Path) -> None:
    fairseq_utils = pytest.importorskip("fairseq.utils")
    write_vectors(tmp_path / "out", {"oak": "-1.50 0"}, Counter({"oak": 1, "ash": 1}), 2)
    parsed = fairseq_utils.parse_embedding(str(tmp_path / "out"))
    assert {word: vector.tolist() for word, vector in parsed.items()} == {"oak": [-1.5, 0.0]}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (VECTORS.replace("elm 1 2e-3", "elm 1 2 3"), 2, "expected 2 values, found 3"),
        (VECTORS.replace("oak -1.50 0", "oak -1.50"), 3, "expected 2 values, found 1"),
        ("oak 1 2 3\n", 1, r"found 3 \(--embedding-dim 3, if that is meant\)"),
        ("7 3\noak 1 2 3\n", 1, "the header says 3"),
        ("oak 1 two\n", 1, "'two' is not a number"),
        ("oak 1 2\n\nelm 1 2\n", 2, "found 0$"),
        ("oak\t1\t2\n", 1, "found 0: write blanks between them, not tabs"),
        ("oak 1 2\relm 1 2\r", 1, "carriage return"),
        ("oak 1 2\nelm 1\0 2\n", 2, "NUL"),
        ("oak nan 2\n", 1, "'nan' is not a number"),
        ("elm 1 2\noak 1 -1e39\n", 2, "'-1e39' is not a number"),
    ],
)
def test_a_bad_row_is_named_by_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(UserError, match=rf"vectors\.txt:{line}: .*{message}"):
        read_vectors(write(tmp_path, text), {"oak"}, 2)


def test_an_empty_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no word vector"):
        read_vectors(write(tmp_path, ""), {"oak"}, 2)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.txt: no such file"):
        read_vectors(tmp_path / "none.txt", {"oak"}, 2)
