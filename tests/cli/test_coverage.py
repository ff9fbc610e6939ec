"""``twostage coverage`` as a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.databin.folder import EmbeddingsInfo, Manifest, write_gold
from fairseq_twostage.text.rows import Row


def test_rows_with_new_programs_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    data = tmp_path / "geo"
    (data / "gold").mkdir(parents=True)
    (data / "text").mkdir()
    vectors = EmbeddingsInfo(0, 0, 0, 0, file="", sha256="", dim=0)
    Manifest(1, "0", "geo", "paper", 1, {}, [], {}, vectors).write(data)
    (data / "text" / "train.cf-lf.cf").write_text("state\nstate\nstate\n")
    (data / "text" / "train.cf-lf.lf").write_text("( state )\n( state )\n( rare )\n")
    forms = {"which": "( state )", "how many": "( count )", "what": "( rare )"}
    write_gold(data, "test", [Row(utterance, "", form) for utterance, form in forms.items()])
    results = tmp_path / "results"
    assert main(["coverage", "--data", str(data), "--results", str(results)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 of 3 rows")
    written = json.loads((results / "coverage.geo.paper.json").read_text())
    assert written.pop("commit")
    assert written.pop("command").startswith("twostage")
    assert written == {
        "domain": "geo",
        "new_rows": [1],
        "setting": "paper",
        "split": "test",
        "total": 3,
    }
