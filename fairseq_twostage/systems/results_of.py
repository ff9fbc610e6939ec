"""The line of results of an evaluated run."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairseq_twostage.databin.folder import read_manifest
from fairseq_twostage.provenance import current_commit, portable_command
from fairseq_twostage.results import RunResult
from fairseq_twostage.scoring.error_classes import count_errors
from fairseq_twostage.scoring.first_release import first_release_correct
from fairseq_twostage.scoring.frequency_match import frequency_match
from fairseq_twostage.selection import LABEL_FREE, read_choice
from fairseq_twostage.systems.commands import fingerprint
from fairseq_twostage.systems.record import SystemRecord
from fairseq_twostage.systems.running import recorded_command
from fairseq_twostage.systems.scoring import Scored, last_checkpoint
from fairseq_twostage.systems.stage_log import TRAIN_LOG, StageLog, read_stage_log

PATH = "inference"  # options["path"] of what this path of inference scored


def write_result(path: Path, result: RunResult, scored: Scored) -> Path:
    """Write a result with its counts of errors into a file or folder; returns the file."""
    predicted = [
        (form, row.logical_form, row.variables) for form, row in zip(scored.forms, scored.gold)
    ]
    world = scored.parser.world
    released = first_release_correct(predicted, world, result.domain)
    errors = count_errors(predicted, world)
    return replace(result, errors=errors, first_release_correct=released).write(path)


def run_result(
    record: SystemRecord,
    scored: Scored,
    run: Path | None = None,
    accuracies: Mapping[int, float] | None = None,
    history_split: str | None = None,
    corpus: Sequence[str] = (),
) -> RunResult:
    """The line's content, but for the counts of errors.

    Args:
        record: what was scored, its checkpoints where they lie.
        scored: the rows.
        run: folder with the stages' logs.
        accuracies: by epoch, of ``history_split``.
        history_split: on which every epoch was scored.
        corpus: Z, whose frequencies ẑ is compared with.
    """
    pipeline = record.pipeline
    logs = stage_logs(record, run)
    chosen = {"parser": read_choice(pipeline.parser)} if pipeline.parser else {}
    for path in pipeline.paraphrasers:
        chosen["paraphraser"] = read_choice(path)
    choice = chosen.get("paraphraser")
    metric = choice.metric if choice and choice.is_label_free() else LABEL_FREE
    last = Path(last_checkpoint(pipeline)).parent.name if chosen else ""
    history = logs[last].metric_history(metric, accuracies) if last in logs else []
    minimized = False
    if accuracies and last in logs and not history:  # nothing label-free was logged, as of a parser
        chosen_by = choice or chosen["parser"]
        metric, minimized = chosen_by.metric, chosen_by.minimized
        history = logs[last].metric_history(metric, accuracies)
    options = pipeline.options()
    options["path"] = PATH
    options["selection"] = {name: each.describe() for name, each in chosen.items()}
    manifest = read_manifest(record.data)
    if "parser_pairs" in manifest.options:
        options["parser_pairs"] = manifest.options["parser_pairs"]
    if history_split:
        options["history_split"] = history_split
        options["history_metric"] = metric
        if minimized:
            options["history_minimized"] = True
    mixed = len(pipeline.paraphrasers) > 1
    match = None
    if pipeline.two_stages:
        match = round(frequency_match(scored.paraphrases, corpus), 4)
    return RunResult(
        system=record.system,
        domain=record.domain,
        setting=record.setting,
        seed=record.seed,
        split=record.split,
        accuracy=round(scored.percent, 2),
        correct=len(scored.correct_rows),
        total=len(scored.right),
        correct_rows=scored.correct_rows,
        metric=choice.label_free() if choice and not mixed else None,
        frequency_match=match,
        history={last: history} if history else {},
        commit=current_commit(),
        command=portable_command(sys.argv[1:]),
        config=record.config,
        seconds=round(sum(log.seconds for log in logs.values()), 1) if logs else None,
        peak_mb=max((log.peak_mb for log in logs.values() if log.peak_mb), default=None),
        options=options,
        stage_seconds={stage: round(log.seconds, 1) for stage, log in logs.items()},
        fingerprints=stage_fingerprints(record, run),
        trust=trust_record(scored),
    )


def trust_record(scored: Scored) -> dict[str, Any] | None:
    """How trusted answers fare, with the numbers of each row."""
    selective = scored.selective
    if selective is None:
        return None
    rows = {
        "confidence": [round(verdict.confidence or 0.0, 3) for verdict in scored.verdicts],
        "in_domain": [round(verdict.in_domain or 0.0, 3) for verdict in scored.verdicts],
        "given": [int(verdict.understood) for verdict in scored.verdicts],
    }
    return {**selective.as_dict(), **rows}


def stage_fingerprints(record: SystemRecord, run: Path | None) -> dict[str, str]:
    """Of the stages that led to the evaluated checkpoints, where their command is recorded."""
    if run is None:
        return {}
    commands = {stage: recorded_command(run / stage) for stage in record.stages}
    return {stage: fingerprint(command) for stage, command in commands.items() if command}


def stage_logs(record: SystemRecord, run: Path | None) -> dict[str, StageLog]:
    """Logs of the stages that led to the evaluated checkpoints."""
    if run is None:
        return {}
    paths = {stage: run / stage / TRAIN_LOG for stage in record.stages}
    return {stage: read_stage_log(path) for stage, path in paths.items() if path.exists()}
