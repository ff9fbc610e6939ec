"""The real Snakemake over a stand-in for ``twostage`` that notes what it is asked to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from fairseq_twostage.results import read_results
from tests.research.helpers import run

if sys.version_info < (3, 11):
    pytest.skip("Snakemake needs Python 3.11", allow_module_level=True)

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
MATRIX = """
blocks:
  - {systems: [naive_parser, minus_cycle_learning, complete], domains: [calendar]}
  - {systems: [cycle_bt], domains: [calendar], settings: [paper, grammar]}
"""
STAND_IN = f"""#!{sys.executable}
import json, os, sys, time
from pathlib import Path
words = sys.argv[1:]
options = dict(zip(words, words[1:]))
run = Path(options.get("--runs", "")) / ".".join(
    options.get(name, "") for name in ("--domain", "--setting", "--seed")
)
system = Path(options.get("--config", "").split(":")[-1]).stem
if words[0] == "prepare":
    job, file = options["--dest"], Path(options["--dest"]) / "manifest.json"
elif "--until" in options:
    job, file = f"{{run}} {{options['--until']}}", run / options["--until"] / "done"
else:
    job, file = f"{{run}} = {{system}}", Path(options["--results"])
def note(text):
    with open("jobs", "a") as jobs:
        print(text, file=jobs, flush=True)
note(f"begin {{job}}")
time.sleep(0.1)
if os.environ.get("FAIL") and os.environ["FAIL"] in job:
    sys.exit("as told")
file.parent.mkdir(parents=True, exist_ok=True)
sys.path.insert(0, os.environ["TREE"])
content = json.loads(os.environ["CONTENT"])
names = ("domain", "setting", "seed")
content |= dict(zip(names, run.name.split(".")), system=system, seed=int(options.get("--seed", 1)))
if options.get("--results"):
    from fairseq_twostage.results import to_result
    to_result(content, job).write(file)
else:
    file.write_text("")
note(f"end {{job}}")
"""


RESULT = json.dumps(asdict(run()))


@dataclass
class Workplace:
    """A folder in which the workflow runs."""

    folder: Path

    def snakemake(self, *options: str, fail: str = "") -> subprocess.CompletedProcess[str]:
        """Run the workflow; ``fail`` is a part of the name of a job that is to fail."""
        return subprocess.run(
            [
                *(
                    sys.executable,
                    "-m",
                    "snakemake",
                    "--snakefile",
                    ROOT / "research" / "workflow" / "Snakefile",
                ),
                *(
                    "--cores",
                    "2",
                    "--keep-going",
                    "--config",
                    "matrix=matrix.yaml",
                    "results=mine.jsonl",
                    *options,
                ),
            ],
            cwd=self.folder,
            env={
                **{name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ},
                "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
                "CONTENT": RESULT,
                "FAIL": fail,
                "TREE": str(ROOT),
            },
            capture_output=True,
            text=True,
            timeout=240,
        )

    def jobs(self) -> list[str]:
        """What was begun and ended, in order; forgotten afterwards."""
        path = self.folder / "jobs"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    (tmp_path / "matrix.yaml").write_text(MATRIX)
    (tmp_path / "bin").mkdir()
    stand_in = tmp_path / "bin" / "twostage"
    stand_in.write_text(STAND_IN)
    stand_in.chmod(0o755)
    return Workplace(tmp_path)


def test_stages_are_trained_once_and_in_order(workplace: Workplace):
    done = workplace.snakemake()
    assert done.returncode == 0, done.stderr
    jobs = workplace.jobs()
    begun = [job.removeprefix("begin ") for job in jobs if job.startswith("begin ")]
    assert len(begun) == len(set(begun))
    paper = "runs/calendar.paper.1"
    stages = ["lm.nl", "lm.cf", "style", "parser", "dae", "dae.averaged", "cycle", "cycle.bt"]
    systems = ["naive_parser", "minus_cycle_learning", "complete", "cycle_bt"]
    grammar = "runs/calendar.grammar.1"
    assert set(begun) == {
        *("data-bin/calendar", "data-bin/calendar.grammar"),
        *(f"{paper} {stage}" for stage in stages),
        *(f"{paper} = {system}" for system in systems),
        *(f"{grammar} {stage}" for stage in ("parser", "dae", "cycle.bt")),
        f"{grammar} = cycle_bt",
    }
    place = {job: number for number, job in enumerate(jobs)}
    for first, then in (
        ("data-bin/calendar", f"{paper} parser"),
        (f"{paper} parser", f"{paper} dae"),
        (f"{paper} lm.nl", f"{paper} = complete"),
        (f"{paper} dae.averaged", f"{paper} = minus_cycle_learning"),
        (f"{paper} dae", f"{paper} cycle"),
        (f"{paper} dae", f"{paper} cycle.bt"),
        (f"{grammar} dae", f"{grammar} cycle.bt"),
    ):
        assert place[f"end {first}"] < place[f"begin {then}"]

    # All is there: nothing is run, not even where stages behind a result are gone.
    (workplace.folder / paper / "parser" / "done").unlink()
    assert workplace.snakemake().returncode == 0
    assert workplace.jobs() == []


def test_a_failed_stage_is_tried_again_and_the_rest_is_not(workplace: Workplace):
    options = ("block=1",)
    failed = workplace.snakemake(*options, fail="paper.1 dae")
    assert failed.returncode != 0
    first = workplace.jobs()
    assert "end runs/calendar.paper.1 = naive_parser" in first
    assert not [job for job in first if "cycle" in job]
    assert workplace.snakemake(*options).returncode == 0
    again = [job.removeprefix("end ") for job in workplace.jobs() if job.startswith("end ")]
    ended = [job.removeprefix("end ") for job in first if job.startswith("end ")]
    assert set(again).isdisjoint(ended)
    assert set(again) == {
        f"runs/calendar.paper.1 {job}"
        for job in ("dae", "dae.averaged", "cycle", "= minus_cycle_learning", "= complete")
    }
    assert len(again) == 5 and again[0].startswith("runs/calendar.paper.1 dae")


def test_folders_may_have_blanks(workplace: Workplace):
    block = "{systems: [naive_parser], domains: [calendar], settings: [paper, grammar]}"
    (workplace.folder / "matrix.yaml").write_text(f"blocks: [{block}]")
    done = workplace.snakemake("data=my data", "runs=my runs", "results=it's here")
    assert done.returncode == 0, done.stderr
    assert {job for job in workplace.jobs() if job.startswith("end ")} == {
        *("end my data/calendar", "end my data/calendar.grammar"),
        *(f"end my runs/calendar.{setting}.1 parser" for setting in ("paper", "grammar")),
        *(f"end my runs/calendar.{setting}.1 = naive_parser" for setting in ("paper", "grammar")),
    }
    found = read_results(workplace.folder / "it's here")
    assert [each.key[1:] for each in found] == [
        ("calendar", "grammar", 1),
        ("calendar", "paper", 1),
    ]


def test_the_script_runs_block_after_block(workplace: Workplace):
    tree = workplace.folder / "tree"
    (tree / "scripts").mkdir(parents=True)
    (tree / "scripts" / "setup.sh").write_text("")
    for name in ("research", "fairseq_twostage"):
        (tree / name).symlink_to(ROOT / name)
    for name, command in (("python", ""), ("snakemake", "-m snakemake")):
        wrapper = workplace.folder / "bin" / name
        wrapper.write_text(f'#!/bin/sh\nexec "{sys.executable}" {command} "$@"\n')
        wrapper.chmod(0o755)
    environment = {
        **{"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")},
        **{"TWOSTAGE_VENV": str(workplace.folder), "CONTENT": RESULT, "OMP_NUM_THREADS": "1"},
        **{"TREE": str(ROOT), "RESULTS": "mine"},
    }

    def script(*options: str) -> str:
        done = subprocess.run(
            ["bash", tree / "research" / "workflow" / "run.sh", "matrix.yaml", *options],
            cwd=workplace.folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    missing = script("--dry-run", "--cores", "2")
    assert missing.startswith("0 of 5 results are there\n")
    assert "missing: 5 results, 11 stages to train, about " in missing
    assert script("--dry-run").endswith(f" on {len(os.sched_getaffinity(0))}\n")
    assert not (tree / "jobs").exists()
    shown = script("--cores", "1")
    assert "run: block 2 of 2" in shown
    jobs = (tree / "jobs").read_text().splitlines()
    first = jobs.index("end runs/calendar.paper.1 = complete")
    assert first < jobs.index("begin runs/calendar.paper.1 cycle.bt")
    assert script("--dry-run") == "5 of 5 results are there\n"
