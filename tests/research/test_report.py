"""``python -m research.report``, and the committed pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairseq_twostage.results import read_results
from research.paper import HERE
from research.report import END, PAGES, ROOT, TABLES, draw_figures, fill, main
from research.runs import Runs
from tests.research.helpers import run

MARK = "<!-- made by research.report: {} -->"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    for seed, right in ((1, range(42)), (2, range(126))):
        run(seed=seed, right=right, total=168).write(tmp_path)
    return tmp_path / "results.jsonl"


def creator(image: bytes) -> str:
    found = re.search(r"Matplotlib v[\d.]+", image.decode("utf-8"))
    assert found
    return found[0]


def test_results_of_ones_own(results: Path, tmp_path: Path):
    pytest.importorskip("matplotlib", reason="figures need matplotlib, of the extra 'repro'")
    assert main(["--results", str(results), "--dest", str(tmp_path / "mine")]) == 0
    page = (tmp_path / "mine" / "results.md").read_text(encoding="utf-8")
    assert "50.0 ± 35.4 (2)" in page  # seeds 25 and 75
    images = {path.name: path.read_bytes() for path in (tmp_path / "mine" / "figures").iterdir()}
    assert set(re.findall(r"\(figures/(\w+\.svg)\)", page)) == set(images) and len(images) == 4
    again = ["--results", str(tmp_path), "--dest", str(tmp_path / "again")]
    assert main([*again, "--no-figures"]) == 0
    assert (tmp_path / "again" / "results.md").read_text(encoding="utf-8") == page
    assert not (tmp_path / "again" / "figures").exists()


@pytest.mark.slow
def test_committed_tables_are_those_of_the_committed_results():
    assert main(["--check"]) == 0


@pytest.mark.slow
def test_committed_figures_are_those_of_the_committed_results():
    pytest.importorskip("matplotlib", reason="figures need matplotlib, of the extra 'repro'")
    for name, drawn in draw_figures(Runs(read_results(HERE))).items():
        committed = (ROOT / "docs" / "figures" / f"{name}.svg").read_bytes()
        if creator(committed) == creator(drawn):  # drawings differ between versions
            assert committed == drawn, f"{name}: run python -m research.report"


def test_a_check_looks_at_tables_and_not_at_prose(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    page, options = tmp_path / "page.md", ["--results", str(results), "--no-figures"]
    page.write_text(f"Prose.\n\n{MARK.format('runs')}\n{END}\n")
    assert main([str(page), "--check", *options]) == 1
    assert capsys.readouterr().err == (
        f"report: error: {page}: not of these results: runs; run python -m research.report\n"
    )
    assert "Prose." in page.read_text() and "|" not in page.read_text()
    assert main([str(page), *options]) == 0
    page.write_text(page.read_text().replace("Prose.", "Other prose."))
    assert main([str(page), "--check", *options]) == 0


def test_every_table_stands_in_a_page():
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    shown = set(re.findall(MARK.format("(.+)"), text))
    assert {name for name in shown if not name.startswith("choice ")} == set(TABLES)


def test_tables_are_filled_in_at_their_indentation():
    runs = Runs([run()])
    page = f"- Item\n\n  {MARK.format('runs')}\n  old\n  {END}\n\n  {END} stays\n"
    filled = fill(page, runs, "page")
    assert "old" not in filled and filled.endswith(f"  {END}\n\n  {END} stays\n")
    assert all(line.startswith("  |") for line in filled.splitlines()[3:6])
    assert fill(filled, runs, "page") == filled


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("plain", "has no <!-- made by research.report: TABLE -->"),
        (f"{END}\n{MARK.format('runs')}\n", "a table has no <!-- end -->"),
        (f"{MARK.format('runs')}\n{MARK.format('main')}\n{END}", "2 begin, 1 end"),
        (f"{MARK.format('none')}\n{END}\n", "none: no such table; there are overview"),
        (f"{MARK.format('choice none')}\n{END}\n", "choices.jsonl: none: nothing of that"),
    ],
)
def test_a_page_that_cannot_be_filled_stays_as_it_is(
    results: Path, tmp_path: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
):
    page = tmp_path / "page.md"
    page.write_text(text)
    assert main([str(page), "--results", str(results), "--no-figures"]) == 1
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert page.read_text() == text


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
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *ROOT.glob("docs/*.md")]
    for path in (*pages, *HERE.rglob("*.md"), *HERE.rglob("*.jsonl")):
        words = tuple(re.findall(r"[^\s\"|`]+", path.read_text(encoding="utf-8")))
        for start in range(len(words) - 5):
            for sentence in by_start.get(words[start : start + 6], ()):
                assert words[start : start + len(sentence)] != sentence, path
