"""``twostage report`` as a command, and the committed page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.reporting.case_study import Case
from fairseq_twostage.reporting.overview import BEGIN, END
from tests.reporting.helpers import run

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    for seed, right in ((1, [0]), (2, [0, 1, 2])):
        run(seed=seed, right=right).write(tmp_path / "results")
    return tmp_path / "results"


def report(results: Path, output: Path, *options: str) -> int:
    return main(["report", "--results", str(results), "--output", str(output), *options])


def test_the_same_results_give_the_same_bytes(results: Path, tmp_path: Path):
    pytest.importorskip("matplotlib", reason="figures need matplotlib, of the extra 'repro'")
    (tmp_path / "page.preface.md").write_text("Read *this* first.\n")
    assert report(results, tmp_path / "page.md") == 0
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    # Seeds 25 and 75: mean 50, deviation 35.4.
    assert "50.0 ± 35.4 (2)" in page and "Read *this* first." in page
    images = {path.name: path.read_bytes() for path in (tmp_path / "figures").iterdir()}
    assert set(re.findall(r"\(figures/(\w+\.svg)\)", page)) == set(images) and len(images) == 3
    assert report(results, tmp_path / "page.md") == 0
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page
    assert {path.name: path.read_bytes() for path in (tmp_path / "figures").iterdir()} == images


def test_without_figures(results: Path, tmp_path: Path):
    assert report(results, tmp_path / "page.md", "--no-figures") == 0
    assert not (tmp_path / "figures").exists()
    assert "![" not in (tmp_path / "page.md").read_text(encoding="utf-8")


def test_the_committed_page_is_made_from_the_committed_results(tmp_path: Path):
    pytest.importorskip("matplotlib", reason="figures need matplotlib, of the extra 'repro'")
    options = ["--preface", str(ROOT / "docs" / "results.preface.md")]
    for option, page in (("--readme", "README.md"), ("--choices", "docs/choices.md")):
        copy = tmp_path / Path(page).name
        copy.write_bytes((ROOT / page).read_bytes())
        options += [option, str(copy)]
    assert report(ROOT / "results", tmp_path / "results.md", *options) == 0
    for page in ("docs/results.md", "README.md", "docs/choices.md"):
        made = (tmp_path / Path(page).name).read_text(encoding="utf-8")
        committed = (ROOT / page).read_text(encoding="utf-8")
        command = "twostage report --readme README.md --choices docs/choices.md"
        assert made == committed, f"{page} is stale: run {command}"
    for image in (tmp_path / "figures").iterdir():
        drawn = (ROOT / "docs" / "figures" / image.name).read_bytes()
        if creator(drawn) == creator(image.read_bytes()):  # drawings differ between versions
            assert drawn == image.read_bytes(), f"{image.name} is stale: run twostage report"


def creator(image: bytes) -> str:
    found = re.search(r"Matplotlib v[\d.]+", image.decode("utf-8"))
    assert found
    return found[0]


def test_a_readme_without_marks_stops_the_report(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    readme = tmp_path / "README.md"
    for text in ("plain", f"{END}\n{BEGIN}\n", f"{BEGIN}\nno end"):
        readme.write_text(text)
        options = ("--no-figures", "--readme", str(readme))
        assert report(results, tmp_path / "page.md", *options) == 1
        assert f"{readme}: no lines" in capsys.readouterr().err
        assert readme.read_text() == text and not (tmp_path / "page.md").exists()


@pytest.mark.data
def test_no_sentence_of_a_dataset_is_in_results_or_pages(data_dir: Path):
    """Of six words or more: shorter ones may stand in a page by chance."""
    sentences = set()
    for path in (*data_dir.glob("overnight/*.examples"), *data_dir.glob("geogranno/geo_*.tsv")):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".tsv":
            found = [field for line in text.splitlines() for field in line.split("\t")[:2]]
        else:
            found = re.findall(r'\((?:utterance|original) "(.*)"\)', text)
        sentences.update(tuple(line.split()) for line in found if len(line.split()) > 5)
    assert len(sentences) > 10_000
    by_start: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for sentence in sentences:
        by_start.setdefault(sentence[:6], []).append(sentence)
    pages = [*ROOT.glob("docs/*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md"]
    for path in (*(ROOT / "results").rglob("*.json"), *pages):
        words = tuple(re.findall(r"[^\s\"|`]+", path.read_text(encoding="utf-8")))
        for start in range(len(words) - 5):
            for sentence in by_start.get(words[start : start + 6], ()):
                assert words[start : start + len(sentence)] != sentence, path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not a results file"),
        ("[]", "not a results file"),
        ('{"system": "x"}', "lacks accuracy"),
    ],
)
def test_a_file_that_is_no_result_is_named(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
):
    bad = results / "complete" / "geo.paper.1.json"
    bad.write_text(text)
    assert report(results, tmp_path / "out.md") == 1
    error = capsys.readouterr().err
    assert str(bad) in error and message in error and error.count("\n") == 1
    assert not (tmp_path / "out.md").exists() and not (tmp_path / "figures").exists()


def test_no_results_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert report(tmp_path, tmp_path / "out.md") == 1
    assert "no results files" in capsys.readouterr().err


def test_cases_are_printed_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    header = "utterance\tcanonical\tlogical_form\tdenotation\tcorrect"
    Path("p.tsv").write_text(f"{header}\nwhich ship\tship\t( y )\t(list)\t1\n")
    assert main(["report", "--cases", "0", "--predictions", "mine=p.tsv"]) == 0
    assert capsys.readouterr().out.splitlines()[:3] == [
        "row 0: which ship",
        "  mine: right",
        "    ẑ  ship",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["p.tsv"]
    assert main(["report", "--cases", "0", "--predictions", "p.tsv"]) == 1
    assert "'p.tsv' is not NAME=FILE" in capsys.readouterr().err


def test_cases_of_a_run_that_holds_two_splits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "geo.paper.1" / "predictions"
    folder.mkdir(parents=True)
    header = "utterance\tcanonical\tlogical_form\tdenotation\tcorrect\n"
    (folder / "complete.tsv").write_text(f"{header}which ship\tship\t( y )\t(list)\t1\n")
    (folder / "naive_parser.tsv").write_text(f"{header}which lake\t\t( y )\t(list)\t1\n")
    command = ["report", "--run", "geo.paper.1", "--cases"]

    def refused(*options: str) -> str:
        assert main([*command, *options]) == 1
        printed = capsys.readouterr()
        assert printed.out == "" and printed.err.count("\n") == 1
        return printed.err

    assert "naive_parser.tsv: not of the same rows as" in refused("0")
    (folder / "naive_parser.tsv").rename(folder / "naive_parser.valid.tsv")
    assert main([*command, "0"]) == 0
    printed = capsys.readouterr()
    assert "which ship" in printed.out and "naive_parser" not in printed.out
    assert "left out, not of test: predictions/naive_parser.valid.tsv\n" in printed.err
    assert "row 1: complete has rows 0 to 0" in refused("0,1")
    assert "none of its predictions are of train" in refused("0", "--split", "train")
    for text in ("", "5-3"):
        assert f"'{text}' is no list of rows" in refused(text)
    assert [path.name for path in tmp_path.iterdir()] == ["geo.paper.1"]


def test_the_listed_cases_of_a_domain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    cases = (Case("calendar", 1, "look here"), Case("geo", 0, ""), Case("calendar", 0, "and there"))
    monkeypatch.setattr("fairseq_twostage.cli.report.listed_cases", lambda: cases)
    folder = tmp_path / "calendar.paper.1" / "predictions"
    folder.mkdir(parents=True)
    rows = "".join(f"{x}\tz\ty\t(list)\t1\n" for x in ("which ship", "and which lake"))
    header = "utterance\tcanonical\tlogical_form\tdenotation\tcorrect\n"
    (folder / "complete.tsv").write_text(header + rows)
    assert main(["report", "--cases", "list", "--run", str(folder.parent)]) == 0
    shown = [line for line in capsys.readouterr().out.splitlines() if line[:3] in ("row", "  (")]
    assert shown == ["row 1: and which lake", "  (look here)", "row 0: which ship", "  (and there)"]
    other = folder.parent.rename(tmp_path / "recipes.grammar.2")
    for options, message in (
        (["--run", str(other)], "no row of recipes is listed, only of calendar, geo"),
        (["--run", str(other), "--split", "valid"], "are test rows, not of valid"),
        (["--predictions", "a=b"], "give --data or --run"),
    ):
        assert main(["report", "--cases", "list", *options]) == 1
        printed = capsys.readouterr()
        assert message in printed.err and printed.err.count("\n") == 1 and not printed.out
