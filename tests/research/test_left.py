"""What the paper reports and no result has."""

from __future__ import annotations

from research.left import left_table
from research.runs import Runs
from tests.research.helpers import cells, run

FOUR = ("calendar", "publications", "recipes", "geo")


def test_what_is_missing_is_named_with_the_hours_of_its_stages() -> None:
    seconds = {"lm.nl": 0.0, "lm.cf": 0.0, "style": 0.0, "parser": 0.0, "dae": 1800.0}
    done = [run("minus_cycle_learning", domain, stage_seconds=seconds) for domain in FOUR]
    others = [run("complete", domain, stage_seconds=seconds) for domain in FOUR]
    table = left_table(Runs([*done, *others, run("semi_15", "housing")]))
    first = cells(table, "− CycleLearning", "`minus_cycle_learning`")
    assert first[0] == "Bas, Blo, Hou, Res, Soc"
    # Of the paper's Geo there is no 15 %: it is not missing.
    assert (
        cells(table, "CompleteModel + 15 %", "`semi_15`")[0] == "Bas, Blo, Cal, Pub, Rec, Res, Soc"
    )
    assert "`noise_all`" not in table  # that is minus_cycle_learning
    hours = [float(line.split("|")[-2]) for line in table.splitlines()[2:]]
    assert abs(sum(hours[:-1]) - hours[-1]) < 0.05 * len(hours)
