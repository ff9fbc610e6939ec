"""The TSV of predictions."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.scoring.predictions import predictions_name, read_predictions

HEADER = "utterance\tcanonical\tlogical_form\tdenotation\tcorrect\n"


def predictions(path: Path, *rows: str) -> Path:
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def test_a_file_is_named_after_its_split():
    assert predictions_name("new", "valid") == "new.valid.tsv"
    assert predictions_name("complete", "test") == "complete.tsv"


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
    with pytest.raises(UserError, match=r"f\.tsv:1: not UTF-8 text \(byte 4"):
        read_predictions(tmp_path / "f.tsv")
