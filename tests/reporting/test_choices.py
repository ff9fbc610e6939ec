"""Tables of what was looked at before an option was chosen, from hand-made results."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.errors import UserError
from fairseq_twostage.reporting.choices import choice_table, fill_choices, training_table
from fairseq_twostage.reporting.overview import END
from tests.reporting.helpers import run

MARK = "<!-- made by twostage report: rate -->"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Of the rates 0.004 and 0.01 calendar, of the first one recipes, too, by two seeds."""
    run().write(tmp_path)
    folder = tmp_path / "choices" / "rate"
    for split, right in (("train", [0]), ("valid", [0, 1, 2])):
        run(split=split, right=right).write(folder / "0.01" / split)
        run(split=split, right=[]).write(folder / "0.004" / split)
        run(split=split, right=right, domain="recipes").write(folder / "0.004" / split)
        run(split=split, right=[1], domain="recipes", seed=2).write(folder / "0.004" / split)
    return tmp_path


def test_training_and_development_rows_of_each_variant(results: Path):
    # Recipes: 25 and 25 of the training rows, 75 and 25 of the others.
    assert choice_table(results / "choices" / "rate") == [
        "| rate | calendar | recipes | rows right |",
        "| :-- | --: | --: | --: |",
        "| 0.004 | 0.0 / 0.0 | 25.0 / 50.0 (2) | 6 of 24 |",
        "| 0.01 | 25.0 / 75.0 | – | 4 of 8 |",
    ]


def test_every_mark_of_a_page_is_filled_at_its_indentation(results: Path):
    page = f"- Item\n\n  {MARK}\n  old\n  {END}\n\n  more\n"
    filled = fill_choices(page, results, "page")
    assert filled.splitlines()[2:6] == [
        f"  {MARK}",
        *(f"  {line}" for line in choice_table(results / "choices" / "rate")[:3]),
    ]
    assert filled.endswith(f"  {END}\n\n  more\n") and "old" not in filled
    assert fill_choices(filled, results, "page") == filled


def test_the_command_fills_the_page_and_keeps_both_kinds_of_results_apart(
    results: Path, tmp_path: Path
):
    page, output = tmp_path / "choices.md", tmp_path / "results.md"
    page.write_text(f"{MARK}\n{END}\n")
    options = ("--results", str(results), "--output", str(output), "--no-figures")
    assert main(["report", *options, "--choices", str(page)]) == 0
    assert "| 0.01 | 25.0 / 75.0 | – | 4 of 8 |" in page.read_text()
    assert "recipes" not in output.read_text().partition("## All runs")[2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MARK.replace("rate", "other") + f"\n{END}\n", "choices/other: no variants"),
        (f"{MARK}\nno end", "page: no lines"),
    ],
)
def test_marks_that_cannot_be_filled(results: Path, text: str, message: str):
    with pytest.raises(UserError, match=message):
        fill_choices(text, results, "page")


def test_results_of_another_split_are_refused(results: Path):
    folder = results / "choices" / "rate" / "0.01" / "train"
    run().path(folder).unlink()
    run().write(folder)
    with pytest.raises(UserError, match=r"0\.01/train: not results of one system"):
        choice_table(results / "choices" / "rate")


def test_a_line_for_each_training_by_how_well_it_matches(tmp_path: Path):
    trainings = [(1, 0.71, 3.0, [0]), (2, 0.9, 2.5, [0, 1, 2]), (3, 0.8, 3.5, [0, 1])]
    for seed, match, metric, right in trainings:
        for split in ("train", "valid"):
            signs = run(split=split, right=right, seed=seed, metric=metric, frequency_match=match)
            signs.write(tmp_path / "choices" / "rate" / "0.01" / split)
    lines = training_table(tmp_path / "choices" / "rate")
    assert lines == [
        "| rate | frequency match | label-free metric | rows right, % |",
        "| :-- | --: | --: | --: |",
        "| 0.01, calendar, seed 2 | 90.0 | 2.50 | 75.0 / 75.0 |",
        "| 0.01, calendar, seed 3 | 80.0 | 3.50 | 50.0 / 50.0 |",
        "| 0.01, calendar, seed 1 | 71.0 | 3.00 | 25.0 / 25.0 |",
        # Ranks 3, 2, 1 of the match are those of the accuracy; 1, 3, 2 of the metric:
        # 1 - 6 (4 + 1 + 1) / (3 * 8).
        "| ρ | 1.00 | -0.50 |  |",
    ]
    page = fill_choices(f"{MARK.replace('rate', 'rate, by training')}\n{END}\n", tmp_path, "page")
    assert page.splitlines()[1:-1] == lines


def test_trainings_without_their_signs_are_refused(results: Path):
    with pytest.raises(UserError, match="no frequency match"):
        training_table(results / "choices" / "rate")
