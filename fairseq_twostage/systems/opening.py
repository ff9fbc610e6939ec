"""The parser of a folder: an exported one, or that of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fairseq_twostage.databin.folder import read_manifest
from fairseq_twostage.inference.bundle import is_bundle, read_bundle
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.inference.pipeline import PRIOR, placed
from fairseq_twostage.systems.record import SystemRecord, check_data, read_record


def open_parser(
    folder: Path, data: Path | None = None, system: str | None = None
) -> TwoStageParser:
    """The parser of an exported folder, or of a run folder.

    Args:
        folder: what ``twostage export`` or ``twostage train`` wrote.
        data: the data-bin of a run, if it lies elsewhere than where it was trained.
        system: of a run that has several.

    Raises:
        UserError: it is neither.
    """
    if is_bundle(folder):
        return read_bundle(folder)
    record = read_record(folder, system)
    return load_run(record, folder, data)


def load_run(
    record: SystemRecord, run: Path, data: Path | None = None, lexicon: Path | None = None
) -> TwoStageParser:
    """The parser of a trained system.

    Raises:
        UserError: its data-bin is another one or gone, or a checkpoint is.
    """
    from fairseq_twostage import plugin

    plugin.require_fairseq()
    from fairseq_twostage.inference.loading import load_pipeline

    data = Path(record.data) if data is None else data
    check_data(record, read_manifest(data), data)
    return load_pipeline(placed(record.pipeline, run), data, run, record.fingerprint, lexicon)


def fitted(record: SystemRecord, run: Path) -> SystemRecord:
    """With the prior, and the similarities of its data-bin kept in the run's folder."""
    from fairseq_twostage import plugin

    plugin.load()
    from fairseq_twostage.inference.loading import load_paraphrasers, reranking

    data = Path(record.data)
    pipeline = placed(replace(record.pipeline, prior=[]), run)
    models = load_paraphrasers(pipeline, data)
    found = reranking(pipeline, data, models, run, record.fingerprint)
    if not pipeline.rerank.get(PRIOR) or found.prior is None:
        return record
    return replace(record, pipeline=replace(record.pipeline, prior=found.prior.tolist()))
