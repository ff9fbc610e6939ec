"""Case studies from predictions."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.reporting.cases import find_predictions, parse_rows, show_cases
from fairseq_twostage.reporting.predictions import predictions_name, read_predictions
from fairseq_twostage.text.rows import Row

HEADER = "utterance\tcanonical\tlogical_form\tdenotation\tcorrect\n"


def predictions(path: Path, *rows: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def test_chosen_rows_of_every_system(tmp_path: Path):
    predictions(
        tmp_path / "predictions" / "complete.tsv", "a ?\tz\ty\t(list)\t1", "b\tz2\ty2\tERROR\t0"
    )
    predictions(tmp_path / "parser" / "predictions.test.tsv", "a ?\t\tw\t(list)\t0", "b\t\tw\t5\t1")
    gold = [Row("a ?", "", "g"), Row("b", "zz", "gg")]
    files, others = find_predictions(tmp_path)
    assert not others
    assert list(show_cases([1, 0], files, gold)) == [
        "row 1: b",
        *("  gold", "    z  zz", "    y  gg"),
        *("  parser: right", "    ŷ  w", "    =  5"),
        *("  complete: wrong", "    ẑ  z2", "    ŷ  y2", "    =  ERROR", ""),
        "row 0: a ?",
        *("  gold", "    z  (none)", "    y  g"),
        *("  parser: wrong", "    ŷ  w", "    =  (list)"),
        *("  complete: right", "    ẑ  z", "    ŷ  y", "    =  (list)", ""),
    ]
    with pytest.raises(UserError, match="row 2: parser has rows 0 to 1"):
        next(show_cases([0, 2], files))  # before any row is shown
    with pytest.raises(UserError, match="not of this split"):
        list(show_cases([0], files, [Row("x", "", "g")]))


def test_files_must_be_of_the_same_rows(tmp_path: Path):
    one = predictions(tmp_path / "one.tsv", "a\tz\ty\t(list)\t1")
    two = predictions(tmp_path / "two.tsv", "b\tz\ty\t(list)\t1")
    with pytest.raises(UserError, match=r"two\.tsv: not of the same rows as .*one\.tsv"):
        next(show_cases([0], {"one": one, "two": two}))
    with pytest.raises(UserError, match="no predictions found"):
        list(show_cases([0], {}))


def test_files_of_another_split_are_told_apart(tmp_path: Path):
    valid, test = ("a\tz\ty\t(list)\t1", "b\tz\ty\t(list)\t1"), ("c\tz\ty\t(list)\t0",)
    folder = tmp_path / "predictions"
    paths = {
        name: predictions(folder / f"{name}.tsv", *rows)
        for name, rows in {"complete": test, "old": valid, "new.valid": valid}.items()
    }
    paths |= {
        split: predictions(tmp_path / "parser" / f"predictions.{split}.tsv", *rows)
        for split, rows in {"test": test, "valid": valid}.items()
    }
    # By name alone, "old" passes for the test rows, as it lies where those do.
    named = {"parser": paths["test"], "complete": paths["complete"], "old": paths["old"]}
    assert find_predictions(tmp_path) == (named, [paths["valid"], paths["new.valid"]])
    with pytest.raises(UserError, match=r"old\.tsv: not of the same rows as .*; --data"):
        next(show_cases([0], named))
    gold = {"test": [Row("c", "", "y")], "valid": [Row("a", "", "y"), Row("b", "", "y")]}
    files, others = find_predictions(tmp_path, "test", gold["test"])
    assert files == {"parser": paths["test"], "complete": paths["complete"]}
    assert others == [paths["valid"], paths["new.valid"], paths["old"]]
    files, others = find_predictions(tmp_path, "valid", gold["valid"])
    assert files == {"parser": paths["valid"], "new": paths["new.valid"], "old": paths["old"]}
    assert others == [paths["test"], paths["complete"]]
    assert predictions_name("new", "valid") == "new.valid.tsv"
    assert predictions_name("complete", "test") == "complete.tsv"


def test_rows():
    assert parse_rows("3,17-19,5-5") == [3, 17, 18, 19, 5]
    for text in ("", "a", "-1", "1;2", "5-3", "0,5-3", "2-", "3,,4"):
        with pytest.raises(UserError, match="no list of rows"):
            parse_rows(text)


def test_damaged_predictions_are_named(tmp_path: Path):
    quoted = predictions(tmp_path / "a.tsv", 'say "a\tz\ty"\t(list)\t1')
    assert read_predictions(quoted)[0].utterance == 'say "a'
    answer = "(list" + " (name fb:en.flight.00000)" * 6000 + ")"
    assert read_predictions(predictions(tmp_path / "f.tsv", f"a\tz\ty\t{answer}\t1"))
    short = predictions(tmp_path / "b.tsv", "a\tz\ty\t(list)\t1", "a\tz")
    with pytest.raises(UserError, match=r"b\.tsv:3: damaged row"):
        read_predictions(short)
    (tmp_path / "c.tsv").write_text("a\tb\n")
    with pytest.raises(UserError, match=r"c\.tsv:1: not predictions"):
        read_predictions(tmp_path / "c.tsv")
    with pytest.raises(UserError, match="no such file"):
        read_predictions(tmp_path / "d.tsv")
    (tmp_path / "e.tsv").write_text("")
    with pytest.raises(UserError, match=r"e\.tsv:1: not predictions"):
        read_predictions(tmp_path / "e.tsv")
    (tmp_path / "f.tsv").write_bytes("café".encode("latin-1"))
    with pytest.raises(UserError, match=r"f\.tsv: not UTF-8 text \(byte 3\)"):
        read_predictions(tmp_path / "f.tsv")
