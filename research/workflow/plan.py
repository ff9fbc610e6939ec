"""What a matrix of runs consists of: its results, and the stages they share.

A matrix is a YAML file of blocks, each a product of systems, domains, settings and seeds::

    blocks:
      - systems: [complete, minus_cycle_learning]
        domains: [calendar, geo]
        settings: [paper]        # default
        seeds: [1, 2, 3]         # default: [1]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from fairseq_twostage.domains.registry import GEO
from fairseq_twostage.errors import UserError
from fairseq_twostage.results import FILE, RunResult, read_results, results_file
from fairseq_twostage.systems.commands import Run, fingerprint
from fairseq_twostage.systems.config import System, load_system
from fairseq_twostage.systems.config_files import ABLATIONS, CONFIGS, ConfigFile
from fairseq_twostage.systems.running import difference
from fairseq_twostage.yaml_reading import load_yaml

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "research" / FILE
SETTINGS = ("paper", "grammar")
DEFAULTS: dict[str, list[Any]] = {"settings": ["paper"], "seeds": [1]}
# Utterances to train on, where no data-bin tells (docs/data.md).
TRAINING_ROWS = dict(basketball=1248, blocks=1276, calendar=535, housing=601, publications=512)
TRAINING_ROWS |= dict(recipes=691, restaurants=1060, socialnetwork=2828, geo=487)


@dataclass(frozen=True)
class RunKey:
    """A run folder: ``DOMAIN.SETTING.SEED``."""

    domain: str
    setting: str
    seed: int

    def __str__(self) -> str:
        return f"{self.domain}.{self.setting}.{self.seed}"

    @classmethod
    def parse(cls, text: str) -> RunKey:
        """The key that ``text`` is the print of."""
        domain, setting, seed = text.rsplit(".", 2)
        return cls(domain, setting, int(seed))

    @property
    def data_bin(self) -> str:
        """Name of the data-bin's folder, as ``twostage train`` expects it."""
        return f"{self.domain}.grammar" if self.setting == "grammar" else self.domain


@dataclass(frozen=True)
class Stage:
    """A stage to train: its folder, and one configuration that has it.

    Attributes:
        config: where the configuration stands.
        needs: folder names of the stages that have to be done before.
        command: that trains it, without the folders of any machine.
    """

    config: ConfigFile
    needs: tuple[str, ...]
    command: tuple[str, ...]


@dataclass
class Plan:
    """The runs of a matrix.

    Attributes:
        results: each system with its run folder, in the order of the blocks, each once.
        configs: where the configuration of each system stands.
        stages: by system and domain, the folder names of its stages in the order of training.
        how: how each stage is trained, by domain and folder name.
    """

    results: list[tuple[str, RunKey]] = field(default_factory=list)
    configs: dict[str, ConfigFile] = field(default_factory=dict)
    stages: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    how: dict[tuple[str, str], Stage] = field(default_factory=dict)

    def add(self, config: ConfigFile, runs: Iterable[RunKey]) -> None:
        """Add the runs of a configuration, by the name of its system.

        Raises:
            UserError: it trains a stage in another way than a system that was added before.
        """
        everywhere = _system(config)
        name = everywhere.system
        self.configs.setdefault(name, config)
        for run in runs:
            if (name, run.domain) not in self.stages or self.configs[name] != config:
                differs = run.domain in everywhere.domains
                system = _system(config, run.domain) if differs else everywhere
                self._add_stages(system, run.domain, config)
            if (name, run) not in self.results:
                self.results.append((name, run))

    def _add_stages(self, system: System, domain: str, config: ConfigFile) -> None:
        keys = system.needed_stages()
        self.stages[system.system, domain] = [system.stage_name(key) for key in keys]
        anywhere = Run(system, Path("data"), Path("run"), seed=1)
        for key in keys:
            stage = system.stage_name(key)
            needs = tuple(system.stage_name(needed) for needed in system.stages[key].needs())
            command = tuple(anywhere.portable(anywhere.stage_command(key)))
            how = Stage(config, needs, command)
            before = self.how.setdefault((domain, stage), how)
            if before.command != command:
                raise UserError(
                    f"{before.config.name} and {config.name} train the stage {stage!r} of {domain} "
                    f"in two ways ({difference(before.command, command)}): give them a matrix and "
                    "a runs folder each",
                    str(config),
                )

    def stages_of(self, system: str, run: RunKey) -> list[str]:
        """Folder names of the stages behind a result, in the order of training."""
        return self.stages[system, run.domain]

    def stage(self, run: RunKey, name: str) -> Stage:
        """How a stage of a run folder is trained."""
        return self.how[run.domain, name]

    def stage_runs(self, results: Iterable[tuple[str, RunKey]]) -> list[tuple[RunKey, str]]:
        """Every stage behind ``results``, each once: run folder and stage."""
        pairs = ((run, name) for system, run in results for name in self.stages_of(system, run))
        return list(dict.fromkeys(pairs))


@cache  # a quarter of a second each, and many blocks have the same ones
def _system(config: ConfigFile, domain: str | None = None) -> System:
    return load_system(config, domain=domain)


def read_plan(
    matrix: Path,
    configs: Path = CONFIGS,
    block: int | None = None,
    systems: Collection[str] | None = None,
) -> Plan:
    """Read a matrix.

    Args:
        matrix: YAML file.
        configs: folder of the systems' configurations; what is not in it is an ablation.
        block: take this block alone, counted from 1.
        systems: take these alone.

    Raises:
        UserError: no such file, something in it that is no part of a matrix, or two systems that
            cannot share a runs folder.
    """
    plan = Plan()
    for number, entry in enumerate(_read_blocks(matrix), start=1):
        if block not in (None, number):
            continue
        where = f"{matrix}: block {number}"
        lists = _lists(entry, where)
        keys = product(lists["domains"], lists["settings"], lists["seeds"])
        runs = [RunKey(domain, setting, seed) for domain, setting, seed in keys]
        for system in lists["systems"]:
            if systems is not None and system not in systems:
                continue
            file = configs / f"{system}.yaml"
            plan.add(ConfigFile(file) if file.is_file() else ConfigFile(ABLATIONS, system), runs)
    if block is not None and not plan.results:
        raise UserError(
            f"no block {block} in {matrix}, which has {count_blocks(matrix)}", "--block"
        )
    return plan


def _lists(entry: Any, where: str) -> dict[str, list[Any]]:
    """A block's lists, the missing ones as they are by default."""
    named = {"systems", "domains", *DEFAULTS}
    if not isinstance(entry, dict) or not {"systems", "domains"} <= set(entry) <= named:
        raise UserError("has systems and domains, and may have settings and seeds", where)
    lists = DEFAULTS | entry
    for name, values in lists.items():
        if not isinstance(values, list):
            raise UserError(f"{name} is no list; write [{values}]", where)
    if not set(map(str, lists["settings"])) <= set(SETTINGS):
        raise UserError(f"settings are {', '.join(SETTINGS)}", where)
    if not all(isinstance(seed, int) for seed in lists["seeds"]):
        raise UserError("seeds are numbers", where)
    if not set(map(str, lists["domains"])) <= set(TRAINING_ROWS):
        raise UserError(f"domains are {', '.join(TRAINING_ROWS)}", where)
    if "grammar" in lists["settings"] and GEO in lists["domains"]:
        raise UserError(f"{GEO} has no grammar of its own, so no setting grammar", where)
    return lists


def count_blocks(matrix: Path) -> int:
    """How many blocks a matrix has."""
    return len(_read_blocks(matrix))


def _read_blocks(matrix: Path) -> list[Any]:
    content = load_yaml(matrix)
    blocks = content.get("blocks") if isinstance(content, dict) else None
    if not isinstance(blocks, list):
        raise UserError("not a matrix: YAML with a list of blocks", str(matrix))
    return blocks


@dataclass(frozen=True)
class Places:
    """Where data-bins, runs and results (a file, or its folder) lie."""

    data: Path
    runs: Path
    results: Path

    def there(self) -> dict[tuple[str, RunKey], RunResult]:
        """The results at hand, by system and run."""
        found = read_results(self.results) if results_file(self.results).exists() else []
        return {(each.system, RunKey(*each.key[1:])): each for each in found}

    def scored(self, system: str, run: RunKey) -> Path:
        """The file that Snakemake sees of a result, whose line all runs share a file with."""
        return self.runs / str(run) / "predictions" / f"{system}.scored"

    def done(self, run: RunKey, stage: str) -> Path:
        """The file that says that a stage is trained."""
        return self.runs / str(run) / stage / "done"


def missing(
    plan: Plan, places: Places
) -> tuple[list[tuple[str, RunKey]], list[tuple[RunKey, str]]]:
    """Results that are not there, and the stages that have to be trained for them."""
    there = places.there()
    results = [pair for pair in plan.results if pair not in there]
    needed = plan.stage_runs(results)
    return results, [pair for pair in needed if not places.done(*pair).exists()]


def outdated(plan: Plan, places: Places) -> list[str]:
    """The results that tell of another training than the configurations now do, in a line."""
    found = []
    there = places.there()
    for system, run in plan.results:
        recorded = there[system, run].fingerprints if (system, run) in there else {}
        now = {
            stage: fingerprint(plan.stage(run, stage).command)
            for stage in plan.stages_of(system, run)
        }
        if recorded and recorded != now:
            found.append(f"{system} {run}")
    if not found:
        return []
    count = f"{len(found)} of them, trained in another way than the configurations now say"
    return [f"{count} (remove their lines to have them made again): {', '.join(found)}"]
