"""A share of the faults, in minutes; ``python -m tests.faults`` tries all."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUM = re.compile(r"^all +([\d,]+) +([\d,]+) +0 +0 +0 +[\d,]+$", re.M)


def faults(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.faults", *options],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        timeout=900,
    )


@pytest.mark.slow
def test_a_share_of_the_faults_loses_nothing_and_finds_what_was_planted() -> None:
    done = faults("--share", "0.002", "--seconds", "45")
    assert done.stdout.count(": reported ") == 3, done.stdout + done.stderr[-2000:]
    found = SUM.search(done.stdout)
    assert done.returncode == 0 and found, done.stdout + done.stderr[-2000:]
    tried, survived = (int(number.replace(",", "")) for number in found.groups())
    assert tried == survived >= 22
