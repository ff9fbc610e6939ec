"""The parser of a folder: an exported one, or that of a run."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, replace
from pathlib import Path

from fairseq_twostage.databin.folder import Manifest, read_manifest
from fairseq_twostage.files import sha256
from fairseq_twostage.inference.bundle import is_bundle, read_bundle
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.inference.pipeline import CANONICAL, PRIOR, placed
from fairseq_twostage.inference.trust import Trust
from fairseq_twostage.inference.trust_files import kept_trust, write_trust
from fairseq_twostage.systems.commands import Run
from fairseq_twostage.systems.record import SystemRecord, by_hand, check_data, read_record
from fairseq_twostage.writing import make_folder

TRUST = "trust"  # folder of a run


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
    record: SystemRecord,
    run: Path,
    data: Path | None = None,
    lexicon: Path | None = None,
    judged: bool = True,
) -> TwoStageParser:
    """The parser of a trained system.

    Args:
        record: what the run says of it.
        run: its folder.
        data: the data-bin, if it lies elsewhere than where it was trained.
        lexicon: in place of the data-bin's.
        judged: whether its readings are judged; that is fitted here where the run does not hold it.

    Raises:
        UserError: its data-bin is another one or gone, or a checkpoint is.
    """
    from fairseq_twostage import plugin

    plugin.require_fairseq()
    from fairseq_twostage.inference.loading import load_pipeline

    data = Path(record.data) if data is None else data
    check_data(record, read_manifest(data), data)
    parser = load_pipeline(placed(record.pipeline, run), data, run, record.fingerprint, lexicon)
    if judged:
        parser.trust = fitted_trust(record, run, parser, data)
    return parser


def fitted_trust(
    record: SystemRecord, run: Path, parser: TwoStageParser, data: Path
) -> Trust | None:
    """What judges the readings of a run, from its folder or, if that holds none, fitted here.

    None where a person reads canonical utterances.
    """
    if record.pipeline.source == CANONICAL:
        return None
    of = trained_on(record, run)
    if (kept := kept_trust(run / TRUST, of, record.system)) is not None:
        return kept
    from fairseq_twostage.inference.trust_fitting import fit_trust

    found = fit_trust(parser, data)
    write_trust(found, run / TRUST, of, record.system)
    return found


def trained_on(record: SystemRecord, run: Path) -> str:
    """Sixteen digits of the data-bin, the checkpoints and how a system reads."""
    pipeline = record.pipeline
    paths = [*filter(None, [pipeline.parser, pipeline.encoder]), *pipeline.paraphrasers]
    files = [sha256(run / path) for path in paths if (run / path).is_file()]
    known = json.dumps([record.fingerprint, asdict(pipeline), files], sort_keys=True)
    return hashlib.sha256(known.encode()).hexdigest()[:16]


def recorded(run: Run, manifest: Manifest) -> SystemRecord:
    """What a trained run says of itself, with what is fitted for good when training ends."""
    record = by_hand(
        run.data,
        run.pipeline(generated=not manifest.frequent_as_meant),
        run.system.system,
        run.system.config,
        run.seed,
        [run.system.stage_name(key) for key in run.system.needed_stages()],
        run.system.evaluate.split_of(manifest.domain),
    )
    make_folder(run.folder)
    return fitted(record, run.folder) if record.pipeline.rerank else record


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
