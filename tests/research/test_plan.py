"""What a matrix consists of, and how its time is estimated."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.results import read_results
from fairseq_twostage.systems.commands import Run, fingerprint
from fairseq_twostage.systems.config import load_system
from fairseq_twostage.systems.config_files import find_config
from research.paper import ALIASES
from research.workflow.estimate import SECONDS_PER_ROW, Clock, main, report
from research.workflow.plan import (
    TRAINING_ROWS,
    Places,
    Plan,
    RunKey,
    count_blocks,
    missing,
    read_plan,
)
from tests.configurations import EVERY
from tests.research.helpers import run

ROOT = Path(__file__).resolve().parents[2]
RESEARCH = ROOT / "research"
# Results that are in no matrix, by system.
NO_CONFIGURATION = {
    "quickstart": "scripts/quickstart.sh, a shortened schedule",
    "quickstart_minus_cycle_learning": "scripts/quickstart.sh",
    "quickstart_naive_parser": "scripts/quickstart.sh",
    "naive_parser_parser_pairs": "twostage prepare --parser-pairs, a data-bin of its own",
    "sentence_encoder_parser_pairs": "twostage prepare --parser-pairs",
    "words_only_parser_pairs": "twostage prepare --parser-pairs",
}
EARLIER = {"sentence_encoder"}  # what frozen_encoder was called, with other weights
CALENDAR = RunKey("calendar", "paper", 1)


@pytest.fixture
def configs(tmp_path: Path) -> Path:
    """Three systems: first has a, b; second adds b.second, c; third is another name of second."""
    folder = tmp_path / "configs"
    folder.mkdir()
    (folder / "first.yaml").write_text(
        "config: x\n"
        "stages: {a: {}, b: {checkpoints: {with: a}}, unused: {}}\n"
        "evaluate: {parser: a, paraphraser: b}\n"
    )
    (folder / "second.yaml").write_text(
        "extends: first\n"
        "stages: {b: {name: b.second}, c: {checkpoints: {from: b}, folders: {near: a}}}\n"
        "evaluate: {paraphraser: c}\n"
    )
    (folder / "third.yaml").write_text("{extends: second, system: second}\n")
    return folder


def matrix(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "matrix.yaml"
    path.write_text(text)
    return path


BLOCKS = """
blocks:
  - {systems: [first, third], domains: [calendar, geo]}
  - {systems: [second], domains: [calendar], seeds: [1, 2], settings: [paper, grammar]}
"""


def test_every_stage_of_a_run_once(tmp_path: Path, configs: Path):
    plan = read_plan(matrix(tmp_path, BLOCKS), configs)
    assert [f"{system} {run}" for system, run in plan.results] == [
        *("first calendar.paper.1", "first geo.paper.1"),
        *("second calendar.paper.1", "second geo.paper.1"),
        *("second calendar.paper.2", "second calendar.grammar.1", "second calendar.grammar.2"),
    ]
    for key in (CALENDAR, RunKey("geo", "paper", 1)):
        assert plan.stages_of("first", key) == ["a", "b"]
        assert plan.stages_of("second", key) == ["a", "b.second", "c"]
    stages = plan.stage_runs(plan.results)
    assert len(stages) == len(set(stages)) == 2 * 4 + 3 * 3
    first, second = plan.stage(CALENDAR, "a"), plan.stage(CALENDAR, "b.second")
    assert first.config.file == configs / "first.yaml" and first.needs == ()
    assert second.config.file == configs / "third.yaml"
    assert second.needs == ("a",)
    assert plan.stage(CALENDAR, "c").needs == ("b.second", "a")


def test_a_domain_may_have_stages_of_its_own(tmp_path: Path, configs: Path):
    other = "{stages: {d: {checkpoints: {of: a}}}, evaluate: {parser: d}}"
    (configs / "fourth.yaml").write_text(f"extends: first\ndomains: {{geo: {other}}}\n")
    text = "blocks: [{systems: [fourth, first], domains: [geo, calendar]}]"
    plan = read_plan(matrix(tmp_path, text), configs)
    geo = RunKey("geo", "paper", 1)
    assert plan.stages_of("fourth", geo) == ["a", "b", "d"]
    assert plan.stages_of("fourth", CALENDAR) == plan.stages_of("first", geo) == ["a", "b"]
    assert plan.stage(geo, "d").needs == ("a",)
    assert (CALENDAR, "d") not in plan.stage_runs(plan.results)


def test_a_block_alone(tmp_path: Path, configs: Path):
    path = matrix(tmp_path, BLOCKS)
    assert count_blocks(path) == 2
    assert len(read_plan(path, configs, block=2).results) == 4
    with pytest.raises(UserError, match=r"--block: no block 3 in .*matrix\.yaml, which has 2"):
        read_plan(path, configs, block=3)


def test_run_folders():
    run = RunKey.parse("my.domain.grammar.12")
    assert run == RunKey("my.domain", "grammar", 12) and str(run) == "my.domain.grammar.12"
    assert run.data_bin == "my.domain.grammar" and CALENDAR.data_bin == "calendar"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("blocks: [{systems: [first]}]", "block 1: has systems and domains"),
        ("blocks: [{systems: [first], domains: [geo], seed: [1]}]", "has systems and domains"),
        ("blocks: [{systems: [first], domains: [geo], settings: [own]}]", "settings are paper"),
        (
            "blocks: [{systems: [first], domains: [geo], settings: [grammar]}]",
            "block 1: geo has no grammar of its own",
        ),
        ("blocks: [{systems: [none], domains: [geo]}]", r"ablations\.yaml: no entry 'none', only "),
        ("blocks: [{systems: [first], domains: [none]}]", "block 1: domains are basketball, "),
        ("blocks: [{systems: [first], domains: geo}]", r"domains is no list; write \[geo\]"),
        ("blocks: [{systems: [first], domains: [geo], seeds: 3}]", "seeds is no list"),
        ("blocks: [{systems: [first], domains: [geo], seeds: [a]}]", "seeds are numbers"),
        ("blocks: [3]", "block 1: has systems and domains"),
        ("[1]", "not a matrix"),
        ("{", r":1: not YAML"),
        ("a: " + "[" * 99 + "]" * 99, "nested more than 40 deep"),
        ("blocks: {a: b}", "not a matrix"),
    ],
)
def test_what_is_no_matrix(tmp_path: Path, configs: Path, text: str, message: str):
    with pytest.raises(UserError, match=message):
        read_plan(matrix(tmp_path, text), configs)


def test_a_stage_is_trained_in_one_way(tmp_path: Path, configs: Path):
    harmless = "{b: {options: {lr: 0.5, log-interval: 5}}}"
    (configs / "fast.yaml").write_text(
        f"extends: first\ndomains: {{geo: {{stages: {harmless}}}}}\n"
    )
    (configs / "again.yaml").write_text(f"extends: fast\nsystem: first\nstages: {harmless}\n")
    for systems, domain in (("first, fast", "calendar"), ("again, fast", "geo")):
        text = f"blocks: [{{systems: [{systems}], domains: [{domain}]}}]"
        assert read_plan(matrix(tmp_path, text), configs).results

    message = (
        r"fast\.yaml: first and fast train the stage 'b' of geo in two ways \(now --lr 0\.5\): "
        "give them a matrix and a runs folder each$"
    )
    text = "blocks: [{systems: [first], domains: [geo]}, {systems: [fast], domains: [geo]}]"
    with pytest.raises(UserError, match=message):
        read_plan(matrix(tmp_path, text), configs)
    text = "blocks: [{systems: [first, again], domains: [calendar]}]"  # of one name
    with pytest.raises(UserError, match=r"first and again train the stage 'b' of calendar"):
        read_plan(matrix(tmp_path, text), configs)


def test_time_of_the_same_domain_or_by_size(tmp_path: Path):
    results = [
        run(seed=1, stage_seconds={"parser": 100.0, "odd": 5.0}),
        run(seed=2, stage_seconds={"parser": 120.0}),
        run(domain="geo", stage_seconds={"parser": 50.0}),
    ]
    clock = Clock(results, tmp_path)
    assert clock.seconds(CALENDAR, "parser") == 110
    # 110 s for 535 rows and 50 s for 487.
    assert clock.seconds(RunKey("recipes", "paper", 9), "parser") == 691 * 160 / (535 + 487)
    assert clock.seconds(CALENDAR, "cycle.bt") == 535 * SECONDS_PER_ROW["cycle"]
    (tmp_path / "calendar.grammar").mkdir()
    (tmp_path / "calendar.grammar" / "manifest.json").write_text('{"sizes": {"train.nl": 100}}')
    grammar = RunKey("calendar", "grammar", 1)
    assert clock.seconds(grammar, "odd") == 5.0 * 100 / TRAINING_ROWS["calendar"]


def test_time_of_a_variant_is_that_of_what_it_varies(tmp_path: Path):
    times = {"parser": 50.0, "parser.supervised": 768.0, "dae": 40.0, "dae.semi_30": 90.0}
    clock = Clock([run(stage_seconds=times)], tmp_path)
    assert clock.seconds(CALENDAR, "parser.supervised_05") == 768
    assert clock.seconds(RunKey("geo", "paper", 1), "parser.supervised_05") == 768 * 487 / 535
    assert clock.seconds(CALENDAR, "dae.semi_30") == 90
    assert clock.seconds(CALENDAR, "dae.semi_50") == clock.seconds(CALENDAR, "dae.drop+add") == 40
    assert clock.seconds(CALENDAR, "style") == 535 * SECONDS_PER_ROW["style"]


def test_what_is_missing_and_for_how_long(tmp_path: Path, configs: Path):
    plan = read_plan(
        matrix(tmp_path, "blocks: [{systems: [first, second], domains: [calendar]}]"), configs
    )
    places = Places(tmp_path / "data", tmp_path / "runs", tmp_path / "results")
    done = places.done(CALENDAR, "a")
    done.parent.mkdir(parents=True)
    done.touch()
    run("first", stage_seconds={"a": 9.0, "b": 600.0}).write(places.results)
    run("other", stage_seconds={"b.second": 3600.0, "c": 7200.0}).write(places.results)
    assert missing(plan, places) == (
        [("second", CALENDAR)],
        [(CALENDAR, "b.second"), (CALENDAR, "c")],
    )
    # c waits for b.second, so a second core does not help.
    assert report(plan, places, cores=2) == [
        "1 of 2 results are there",
        "second: 2 stages to train, 3.0 h: calendar.paper.1",
        "missing: 1 results, 2 stages to train, about 3.0 h on one core, 3.0 h on 2",
    ]
    run("second").write(places.results)
    assert report(plan, places, cores=2) == ["2 of 2 results are there"]


def test_results_of_another_training_are_named(tmp_path: Path, configs: Path):
    text = "blocks: [{systems: [first], domains: [calendar], seeds: [1, 2]}]"
    plan = read_plan(matrix(tmp_path, text), configs)
    places = Places(tmp_path / "data", tmp_path / "runs", tmp_path / "results")
    system = load_system(configs / "first.yaml")
    prints = {}
    for key in system.needed_stages():
        trained = Run(system, Path("/d"), Path("/r"), seed=2)
        command = trained.portable(trained.stage_command(key))
        prints[system.stage_name(key)] = fingerprint(command)
    run("first", seed=1, fingerprints=prints).write(places.results)
    run("first", seed=2, fingerprints=prints).write(places.results)
    assert report(plan, places, cores=1) == ["2 of 2 results are there"]
    run("first", seed=2, fingerprints=prints | {"b": "0" * 12}).write(places.results)
    assert report(plan, places, cores=1) == [
        "2 of 2 results are there",
        "1 of them, trained in another way than the configurations now say "
        "(remove their lines to have them made again): first calendar.paper.2",
    ]


@cache
def published(file: Path) -> Plan:
    """A matrix of the repository, read once."""
    return read_plan(file)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["overnight", "geogranno"])
def test_the_matrices_of_the_paper(name: str, capsys: pytest.CaptureFixture[str]):
    file = RESEARCH / "workflow" / f"{name}.yaml"
    plan = published(file)
    domains = {run.domain for _, run in plan.results}
    assert domains == (set(TRAINING_ROWS) - {"geo"} if name == "overnight" else {"geo"})
    assert {"complete", "cycle_bt", "noise_none", "semi_100"} <= set(plan.configs)
    assert main([str(file), "--results", "nowhere", "--runs", "nowhere", "--cores", "3"]) == 0
    assert f"0 of {len(plan.results)} results are there" in capsys.readouterr().out


@pytest.mark.slow
def test_every_result_is_in_a_matrix():
    plans = [published(file) for file in (RESEARCH / "workflow").glob("*.yaml")]
    planned = {f"{system}/{run}" for plan in plans for system, run in plan.results}
    there = {
        f"{each.system}/{RunKey(*each.key[1:])}"
        for each in read_results(RESEARCH)
        if each.domain in TRAINING_ROWS  # not the examples, which twostage build trains
    }
    assert {name.split("/")[0] for name in there - planned} == {*NO_CONFIGURATION, *EARLIER}
    assert not {*NO_CONFIGURATION} & {config.name for config in EVERY}


@pytest.mark.parametrize(
    ("name", "runs"), [("overnight", "mine"), ("geogranno", "mine"), ("recipes", "mine/recipes")]
)
def test_the_scripts_run_their_matrix(name: str, runs: str, tmp_path: Path):
    script = f"reproduce_{name}.sh"
    workflow = tmp_path / "research" / "workflow"
    for folder in (tmp_path / "scripts", workflow):
        folder.mkdir(parents=True)
    (tmp_path / "scripts" / script).symlink_to(ROOT / "scripts" / script)
    (workflow / "run.sh").write_text('realpath "$1"; shift; echo "$TWOSTAGE_RUNS" "$@"')
    (workflow / f"{name}.yaml").touch()
    done = subprocess.run(
        ["bash", tmp_path / "scripts" / script, "--cores", "3"],
        env={"PATH": os.environ["PATH"], "TWOSTAGE_RUNS": "mine"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{workflow}/{name}.yaml\n{runs} --cores 3\n"


def test_a_clash_of_systems_is_said_before_the_first_block(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    blocks = [f"{{systems: [{name}], domains: [geo]}}" for name in ("complete", "words_only")]
    file = matrix(tmp_path, f"blocks: [{', '.join(blocks)}]")
    assert main([str(file), "--count-blocks"]) == 1
    assert "complete and words_only train the stage 'lm.nl' of geo" in capsys.readouterr().err
    assert main([str(file), "--block", "2", "--results", "none", "--runs", "none"]) == 0


def test_an_error_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(tmp_path / "none.yaml")]) == 1
    assert "none.yaml: no such file" in capsys.readouterr().err
    assert main(["none.yaml", "--cores", "0"]) == 1
    assert "--cores: must be at least 1" in capsys.readouterr().err
    (tmp_path / "latin.yaml").write_bytes(b"blocks: [caf\xe9]")
    assert main([str(tmp_path / "latin.yaml")]) == 1
    assert "latin.yaml:1: not UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize("name, system", [*ALIASES.items()])
def test_an_alias_is_no_configuration_or_one_of_the_same_system(name: str, system: str):
    if name in ("reward_all", "added_5_readings"):
        with pytest.raises(UserError):
            find_config(name)
    else:
        assert load_system(find_config(name)).system == system
