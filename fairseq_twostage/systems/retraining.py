"""A system trained again, on data prepared anew, with labels beside what it learns without them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from fairseq_twostage.databin.folder import read_manifest
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.labels import Label
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.systems.commands import Run
from fairseq_twostage.systems.config import System, load_system
from fairseq_twostage.systems.config_files import ConfigFile
from fairseq_twostage.systems.opening import load_run, recorded
from fairseq_twostage.systems.running import Runner, run_stages
from fairseq_twostage.text.rows import Row
from fairseq_twostage.writing import atomic_write

MIXED = "weighted_objectives"  # the criterion that labelled pairs can be added to


def retrained(
    config: ConfigFile,
    data: Path,
    runs: Path,
    seed: int,
    changes: Sequence[str],
    execute: Runner,
    with_labels: bool = False,
    jobs: int = 1,
) -> TwoStageParser:
    """The parser of a system after its stages have run; stages that are done are kept.

    Args:
        config: of the system.
        data: data-bin; no row of its test split is read.
        runs: folder of runs.
        seed: of every stage.
        changes: of the configuration, ``KEY=VALUE``.
        execute: runs a stage's command.
        with_labels: whether labelled pairs of the data-bin are learnt from, too.
        jobs: stages that may run side by side.

    Raises:
        UserError: a stage fails, or labels have no place in the configuration.
    """
    manifest = read_manifest(data)
    changes = [*changes, f"seed={seed}"]
    system = load_system(config, changes, manifest.domain)
    if with_labels:
        system = load_system(config, [*changes, *supervised(system)], manifest.domain)
    run = Run(system, data, runs / f"{manifest.domain}.{manifest.canonical}.{seed}", seed)
    run_stages(run, execute, jobs=jobs)
    record = recorded(run, manifest)
    record.write(run.folder)
    parser = load_run(record, run.folder, data)
    from fairseq_twostage.inference.loading import remember_canonicals

    remember_canonicals(parser, data)
    return parser


def supervised(system: System) -> list[str]:
    """Changes by which the stages that weigh objectives learn from labelled pairs, too.

    Raises:
        UserError: there is no such stage.
    """
    found = []
    for key in system.needed_stages():
        if system.stage_options(key).get("criterion") == MIXED:
            at = f"stages.{key}.options"
            found += [f"{at}.objectives.supervised=1", f"{at}.labelled-share=1.0"]
    if not found:
        raise UserError(f"{system.system} has no stage that learns from labels; leave out --train")
    return found


def write_labelled(parser: TwoStageParser, labels: Iterable[Label], path: Path) -> int:
    """Write labels that a canonical utterance says as rows of ``prepare --labelled``.

    Returns:
        how many these are.
    """
    rows = [
        Row(label.tokens, canonical, label.form, label.utterance.variables)
        for label in labels
        if label.right and (canonical := parser.canonical_of.get(label.form))
    ]
    with atomic_write(path) as file:
        file.writelines(f"{row.line}\n" for row in rows)
    return len(rows)
