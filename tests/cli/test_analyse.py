"""``twostage analyse`` as a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.databin.folder import EmbeddingsInfo, Manifest, read_gold, write_gold
from fairseq_twostage.text.rows import Row
from tests.reporting.helpers import run

DATE = "( call SW.listValue ( call SW.getProperty en.meeting.{} ( string date ) ) )"
HEADER = "utterance\tcanonical\tlogical_form\tdenotation\tcorrect\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data-bin with two test rows."""
    folder = tmp_path / "calendar"
    (folder / "gold").mkdir(parents=True)
    vectors = EmbeddingsInfo(0, 0, 0, 0, file="", sha256="", dim=0)
    Manifest(1, "0", "calendar", "paper", 1, {}, [], {}, vectors).write(folder)
    write_gold(
        folder, "test", [Row("when is it", "", DATE.format(3)), Row("and", "", DATE.format(4))]
    )
    return folder


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    path = tmp_path / "predictions.tsv"
    rows = [("when is it", DATE.format(3)), ("and", DATE.format(4).replace("date", "length"))]
    path.write_text(HEADER + "".join(f"{x}\tz\t{y}\t\t0\n" for x, y in rows))
    return path


def test_counts_go_beside_the_result(
    data: Path, predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    result = run(right=[0], total=2).write(tmp_path / "results")
    options = ["--data", str(data), "--predictions", str(predictions), "--result", str(result)]
    assert main(["analyse", *options, "--rows"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["row 1\twrong property", "    1  wrong property"]
    written = json.loads((result.parent / "calendar.paper.1.errors.json").read_text())
    assert written["total"] == 2 and written["split"] == "test"
    assert {name: n for name, n in written["errors"].items() if n} == {"wrong_property": 1}


def test_predictions_must_be_those_of_the_result(
    data: Path, predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    result = run(right=[1], total=2).write(tmp_path / "results")
    options = ["--data", str(data), "--predictions", str(predictions)]
    assert main(["analyse", *options, "--result", str(result)]) == 1
    assert "other rows are right" in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.errors.json"))
    predictions.write_text(HEADER + "other\tz\ty\t\t0\n")
    assert main(["analyse", *options]) == 1
    assert "not of the rows of test" in capsys.readouterr().err


def test_counts_go_beside_a_result_of_any_name(
    data: Path, predictions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    result = run(right=[0], total=2).write(tmp_path / "results")
    (tmp_path / "an").mkdir()
    monkeypatch.chdir(tmp_path / "an")
    for name, beside in (("mine.json", "mine.errors.json"), ("a.1", "a.1.errors.json")):
        for place in (Path(name), tmp_path / "an" / name):
            place.write_bytes(result.read_bytes())
            options = ["--data", str(data), "--predictions", str(predictions)]
            assert main(["analyse", *options, "--result", str(place)]) == 0
            assert json.loads(place.with_name(beside).read_text())["total"] == 2
            place.with_name(beside).unlink()
    assert not list(tmp_path.rglob("*.errors.json"))


def test_a_result_that_is_not_there(
    data: Path, predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    options = ["--data", str(data), "--predictions", str(predictions)]
    for bad, message in ((tmp_path / "none.json", "no such file"), (tmp_path, "cannot be read")):
        assert main(["analyse", *options, "--result", str(bad)]) == 1
        printed = capsys.readouterr()
        assert printed.out == "" and printed.err.count("\n") == 1
        assert f"{bad}: {message}" in printed.err


@pytest.mark.parametrize("name", ["shelter", "calendar"])  # its own, and that of a dataset
def test_a_domain_of_ones_own_has_its_own_world(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    pytest.importorskip("fairseq.binarizer")
    folder, data = tmp_path / "mine", tmp_path / "bin"
    assert main(["init", str(folder)]) == 0
    description = (folder / "domain.yaml").read_text(encoding="utf-8")
    (folder / "domain.yaml").write_text(description.replace("name: shelter", f"name: {name}"))
    options = ["--embeddings", "none", "--dest", str(data)]
    assert main(["prepare", "--domain", str(folder / "domain.yaml"), *options]) == 0
    predictions, rows = tmp_path / "predictions.tsv", read_gold(data, "test")
    lines = [f"{row.utterance}\tz\t{row.logical_form}\t\t1\n" for row in rows]
    predictions.write_text(HEADER + "".join(lines), encoding="utf-8")
    capsys.readouterr()
    assert main(["analyse", "--data", str(data), "--predictions", str(predictions)]) == 0
    counts = [int(line.split()[0]) for line in capsys.readouterr().out.splitlines()]
    assert rows and sum(counts) == 0  # the gold forms are right
