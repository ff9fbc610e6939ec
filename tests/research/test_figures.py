"""Figures whose bytes depend on the results alone."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="figures need matplotlib, of the extra 'repro'")

from research.figures import DRAWERS, draw
from research.runs import Runs
from tests.research.helpers import run


def history(scored: bool) -> dict[str, list[dict[str, float]]]:
    epochs = [{"epoch": float(n), "metric": n / 10} for n in range(1, 6)]
    if scored:
        epochs = [epoch | {"accuracy": 10 * epoch["epoch"]} for epoch in epochs]
    return {"cycle": epochs}


RUNS = [
    run(seed=1, history=history(scored=True)),
    run(seed=2, right=[0], history=history(scored=False)),
    run(system="semi_05", right=[0, 1, 2]),
    run(system="one_stage_supervised", domain="geo", right=[0, 1, 2]),
    run(system="noise_none", right=[]),
    run(system="minus_cycle_learning", right=[0]),
]
ROOT = Path(__file__).resolve().parents[2]
PRINT_DIGESTS = """
import hashlib
from research.figures import DRAWERS, draw
from research.runs import Runs
from tests.research.test_figures import RUNS
for name in DRAWERS:
    print(hashlib.sha256(draw(name, Runs(RUNS))).hexdigest())
"""


def texts(image: bytes) -> list[str]:
    return [text.strip() for text in ElementTree.fromstring(image).itertext() if text.strip()]


@pytest.mark.slow
def test_the_same_bytes_in_another_process():
    other = subprocess.run(
        [sys.executable, "-c", PRINT_DIGESTS],
        env={"PYTHONHASHSEED": "7", "PYTHONPATH": ".", "PATH": ""},
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert len(set(other)) == len(DRAWERS)
    assert other == [hashlib.sha256(draw(name, Runs(RUNS))).hexdigest() for name in DRAWERS]


def test_other_results_other_bytes():
    changed = [*RUNS[:-1], run(system="minus_cycle_learning", right=[0, 1])]
    assert draw("ablations", Runs(RUNS)) != draw("ablations", Runs(changed))
    assert b"<dc:date>" not in draw("ablations", Runs(RUNS))


def test_a_panel_for_each_domain_with_labels():
    titles = texts(draw("labelled_share", Runs(RUNS)))
    assert {"calendar", "geo", "Overnight, average"} <= set(titles)
    assert "recipes" not in titles


def test_learning_curves_show_the_rank_correlation():
    assert "cycle: ρ = 1.00" in texts(draw("learning_curves", Runs(RUNS)))
    assert "no run" in texts(draw("learning_curves", Runs([run()])))


def test_missing_bars_are_named():
    shown = texts(draw("ablations", Runs(RUNS)))
    # Of 8 + 8 + 5 rows those of DAE alone (twice), of the complete model (twice) and no noise.
    assert shown.count("not measured") == 16
