"""Tables of what was looked at before an option was chosen, from hand-made results."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.results import RunResult
from research.choices import choice_table, main, read_choices, training_table
from tests.research.helpers import cells, run


def looked_at(folder: Path, **variants: list[RunResult]) -> pd.DataFrame:
    """The choice ``rate`` with these variants, by way of the command."""
    file = folder / "choices.jsonl"
    for variant, runs in variants.items():
        results = folder / f"{variant}.jsonl"
        for each in runs:
            each.write(results.with_stem(f"{variant}.{each.split}"))
        written = sorted(folder.glob(f"{variant}.*.jsonl"))
        assert main(["rate", variant, *map(str, written), "--choices", str(file)]) == 0
    return read_choices(file)


@pytest.fixture
def rates(tmp_path: Path) -> pd.DataFrame:
    """Of two rates calendar, of the smaller one recipes, too, by two seeds."""
    high, low = [], []
    for split, right in (("train", [0]), ("valid", [0, 1, 2])):
        high.append(run(split=split, right=right))
        low.append(run(split=split, right=[]))
        low.append(run(split=split, right=right, domain="recipes"))
        low.append(run(split=split, right=[1], domain="recipes", seed=2))
    return looked_at(tmp_path, **{"10_often": high, "9_often": low})


def test_training_and_development_rows_of_each_variant(rates: pd.DataFrame):
    table = choice_table("rate", rates)
    assert table.index("9 often") < table.index("10 often")  # by number
    # Recipes: 25 and 25 of the training rows, 75 and 25 of the others.
    assert cells(table, "rate") == ["calendar", "recipes", "rows right"]
    assert cells(table, "9 often") == ["0.0 / 0.0", "25.0 / 50.0 (2)", "6 of 24"]
    assert cells(table, "10 often") == ["25.0 / 75.0", "–", "4 of 8"]


def test_what_cannot_be_a_table(rates: pd.DataFrame):
    with pytest.raises(UserError, match="other: nothing of that choice"):
        choice_table("other", rates)
    with pytest.raises(UserError, match="rate: 10_often: not one system on train and valid"):
        choice_table("rate", rates[(rates.variant != "10_often") | (rates.split != "valid")])
    with pytest.raises(UserError, match="rate: a training lacks a sign"):
        training_table("rate", rates)


def test_a_line_for_each_training_by_how_well_it_matches(tmp_path: Path):
    trainings = [(1, 0.71, 3.0, [0]), (2, 0.9, 2.5, [0, 1, 2]), (3, 0.8, 3.5, [0, 1])]
    runs = [
        run(split=split, right=right, seed=seed, metric=metric, frequency_match=match)
        for seed, match, metric, right in trainings
        for split in ("train", "valid")
    ]
    table = training_table("rate", looked_at(tmp_path, once=runs))
    seeds = [line.split()[4] for line in table.splitlines()[2:-1]]
    assert seeds == ["2", "3", "1"]
    assert cells(table, "once, calendar, seed 1") == ["71.0", "3.00", "25.0 / 25.0"]
    # Ranks 3, 2, 1 of the match are those of the accuracy; 1, 3, 2 of the metric:
    # 1 - 6 (4 + 1 + 1) / (3 * 8).
    assert cells(table, "ρ") == ["1.00", "-0.50", ""]


def test_lines_that_are_no_choice(tmp_path: Path):
    read_choices.cache_clear()
    file = tmp_path / "choices.jsonl"
    for line, message in (
        ({"choice": "a"}, r"choices\.jsonl:1: names no choice or no variant"),
        ({"choice": "a", "variant": "b"}, r"choices\.jsonl:1: system: field required"),
    ):
        file.write_text(json.dumps(line))
        with pytest.raises(UserError, match=message):
            read_choices(file)
