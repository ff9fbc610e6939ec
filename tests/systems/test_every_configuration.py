"""Every configuration: its commands are those of ``commands.tsv``, and fairseq takes them.

The table was made from one file per system with inheritance up to ten deep, before these became
the configurations of the package and the ablations. A line changes only where a system does:
``python -m tests.systems.test_every_configuration`` then writes the table anew.
"""

from __future__ import annotations

import hashlib
import shlex
from functools import cache
from pathlib import Path

import pytest

from fairseq_twostage import plugin
from fairseq_twostage.systems.commands import LABEL_OPTIONS, PLUGIN, Run
from fairseq_twostage.systems.config import FAIRSEQ_TRAIN, load_system
from fairseq_twostage.systems.config_files import RENAMED, ConfigFile
from tests.configurations import EVERY

# The last four are those that some system treats otherwise.
DOMAINS = ("calendar", "basketball", "restaurants", "socialnetwork", "geo")
FILE = Path(__file__).with_name("commands.tsv")
TABLE = FILE.read_text(encoding="utf-8").splitlines()[1:]
AGAIN = "python -m tests.systems.test_every_configuration writes the table anew"
EXPECTED = {name: (system, digest) for name, system, digest in map(str.split, TABLE)}


@pytest.fixture(autouse=True)
def no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TWOSTAGE_BERT", "TWOSTAGE_ELMO"):
        monkeypatch.delenv(name, raising=False)


@cache
def run_of(config: ConfigFile, domain: str) -> Run:
    """Without the folders of any machine."""
    system = load_system(config, domain=domain)
    return Run(system, Path("data-bin") / domain, Path("runs") / f"{domain}.paper.2", seed=2)


def stage_commands(run: Run) -> dict[str, list[str]]:
    return {key: run.stage_command(key) for key in run.system.needed_stages()}


def row_of(config: ConfigFile) -> tuple[str, str]:
    """The system's name, and a digest of its commands in five domains."""
    lines: list[str] = []
    for domain in DOMAINS:
        run = run_of(config, domain)
        commands = [*stage_commands(run).values(), run.evaluate_command()]
        lines += [shlex.join(words).replace(str(PLUGIN), "$PLUGIN") for words in commands]
    return run.system.system, hashlib.sha256("\n".join(lines).encode()).hexdigest()


def test_the_table_is_of_all() -> None:
    assert {config.name for config in EVERY} == {*EXPECTED} - {*RENAMED}, AGAIN


@pytest.mark.parametrize("config", EVERY, ids=lambda config: config.name)
def test_the_commands_are_those_of_the_table(config: ConfigFile) -> None:
    assert row_of(config) == EXPECTED.get(config.name), AGAIN


@pytest.mark.parametrize("domain", DOMAINS)
def test_stages_of_one_name_are_the_same_command_in_every_system(domain: str) -> None:
    """Else one system would take what another one has trained otherwise."""
    seen: dict[tuple[str, str], list[str]] = {}
    for config in EVERY:
        run = run_of(config, domain)
        for key, command in stage_commands(run).items():
            name = (run.system.config, run.system.stage_name(key))
            assert seen.setdefault(name, command) == command, (config.name, name)


@pytest.mark.parametrize("domain", ["calendar", "geo"])
def test_fairseq_understands_every_command(domain: str) -> None:
    options = pytest.importorskip("fairseq.options")
    plugin.load()
    tried = set()
    for config in EVERY:
        run = run_of(config, domain)
        for key, command in stage_commands(run).items():
            portable = tuple(run.portable(command))
            if command[0] == FAIRSEQ_TRAIN and portable not in tried:
                tried.add(portable)
                parser = options.get_training_parser()
                args = options.parse_args_and_arch(parser, input_args=command[1:])
                assert args.save_dir == str(run.folder / run.system.stage_name(key))
    assert len(tried) > 50


def test_labels_train_no_system_but_those_that_say_so() -> None:
    for config in EVERY:
        run = run_of(config, "geo")
        words = {word for command in stage_commands(run).values() for word in command}
        labelled = bool({f"--{option}" for option in LABEL_OPTIONS} & words)
        assert labelled == any(part in config.name for part in ("supervised", "semi_")), config


def test_every_system_of_the_paper_has_a_configuration() -> None:
    shares = ("05", "15", "30", "50")
    channels = ("none", "drop", "add", "shuffle", "drop+add", "drop+shuffle", "add+shuffle", "all")
    objectives = ("bt", "drl", "dae", "dae+bt", "dae+drl", "bt+drl", "dae+bt+drl")
    expected = {
        *("complete", "minus_cycle_learning", "minus_shared_encoder", "naive_parser"),
        *("one_stage_supervised", "two_stage_supervised", "multitask_dae"),
        *("embed_glove", "embed_elmo", "embed_bert", "embed_sentence_encoder"),
        *("wmd_samples_one_stage", "wmd_samples_two_stage"),
        *(f"{stages}_stage_supervised_{share}" for stages in ("one", "two") for share in shares),
        *(f"semi_{share}" for share in (*shares, "100")),
        *(f"noise_{name}" for name in channels),
        *(f"cycle_{name}" for name in objectives),
        *(f"reward_minus_{name}" for name in ("fluency", "style", "relevance", "executability")),
    }
    systems = {config.name: run_of(config, "calendar").system.system for config in EVERY}
    assert expected <= set(systems)
    not_run_twice = {name for name in expected if systems[name] != name}
    assert not_run_twice == {"noise_all", "cycle_dae", "cycle_bt+drl"}


def write_table() -> None:
    """Rows of systems that are there, those of renamed ones as they were."""
    head, *_ = FILE.read_text(encoding="utf-8").splitlines()
    rows = {name: row for name, row in EXPECTED.items() if name in RENAMED}
    rows |= {config.name: row_of(config) for config in EVERY}
    lines = [head, *("\t".join([name, *rows[name]]) for name in sorted(rows))]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_table()
