"""``twostage analyse`` as a command."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.databin.folder import EmbeddingsInfo, Manifest, read_gold, write_gold
from fairseq_twostage.text.rows import Row

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


def test_each_error_has_a_class(data: Path, predictions: Path, capsys: pytest.CaptureFixture[str]):
    options = ["--data", str(data), "--predictions", str(predictions)]
    assert main(["analyse", *options, "--rows"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["row 1\twrong property", "    1  wrong property"]
    assert main(["analyse", *options, "--result", "x.json"]) == 0  # of version 0.1
    assert "--result is ignored" in capsys.readouterr().err
    predictions.write_text(HEADER + "other\tz\ty\t\t0\n")
    assert main(["analyse", *options]) == 1
    assert "not of the rows of test" in capsys.readouterr().err


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
