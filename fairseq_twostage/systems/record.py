"""What a run says of itself: ``RUN/SYSTEM.json``, written by ``twostage train``.

It names everything that reading takes: checkpoints, how ẑ is chosen, how ŷ is found, which reading
is picked, and the data-bin that all of it was learnt from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from fairseq_twostage import __version__
from fairseq_twostage.databin.folder import (
    GOLD,
    MANIFEST,
    WORLD,
    Manifest,
    check_sum,
    read_manifest,
)
from fairseq_twostage.databin.world import EXECUTOR_FOLDER, TRIPLES
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import digests
from fairseq_twostage.inference.pipeline import Pipeline
from fairseq_twostage.provenance import current_commit
from fairseq_twostage.schema import (
    CHECKSUM,
    DomainName,
    check_format,
    checked,
    read_object,
    strict,
    with_checksum,
)
from fairseq_twostage.text.frontend import LEXICON_FILE, VALUES_FILE
from fairseq_twostage.writing import write_json

FORMAT = 1
AGAIN = "run twostage train again (stages that are done are kept)"
LATER = (MANIFEST, f"{GOLD}/", LEXICON_FILE, VALUES_FILE, TRIPLES, WORLD, f"{EXECUTOR_FOLDER}/")
SUFFIX = ".json"


@strict
@dataclass(frozen=True)
class SystemRecord:
    """A trained system.

    Attributes:
        format: version of the layout.
        version: of the package.
        commit: of the code that trained it.
        system: its name in results.
        config: the configuration that it belongs to.
        domain: that it was trained on.
        setting: where Z came from.
        seed: of the run.
        data: where the data-bin lay.
        fingerprint: of what the data-bin holds.
        split: that is scored.
        stages: names of the stages that led to it, in order.
        pipeline: how it reads; checkpoints below the run's folder.
    """

    format: int
    version: str
    commit: str
    system: str
    config: str
    domain: DomainName
    setting: str
    seed: int
    data: str
    fingerprint: str
    split: str
    stages: list[str]
    pipeline: Pipeline

    def write(self, run: Path) -> Path:
        """Write ``RUN/SYSTEM.json``; returns its path."""
        return write_json(run / f"{self.system}{SUFFIX}", with_checksum(asdict(self)))


def by_hand(
    data: str | Path,
    pipeline: Pipeline,
    system: str = "by_hand",
    config: str = "by_hand",
    seed: int = 1,
    stages: Sequence[str] = (),
    split: str = "test",
) -> SystemRecord:
    """The record of what no run has one of: checkpoints named one by one, an exported parser."""
    manifest = read_manifest(data)
    return SystemRecord(
        format=FORMAT,
        version=__version__,
        commit=current_commit(),
        system=system,
        config=config,
        domain=manifest.domain,
        setting=manifest.canonical,
        seed=seed,
        data=str(data),
        fingerprint=fingerprint(Path(data), manifest),
        split=split,
        stages=list(stages),
        pipeline=pipeline,
    )


def read_record(run: Path, system: str | None = None) -> SystemRecord:
    """The record of a run, or that of one system of it.

    Args:
        run: folder of ``twostage train``.
        system: by the name in results or by that of its configuration; needed where the folder has
            several.

    Raises:
        UserError: there is none, or there are several, or it is damaged.
    """
    if not run.is_dir():
        raise UserError("no such folder; twostage build and twostage train make one", str(run))
    records = {path: _read(path) for path in sorted(run.glob(f"*{SUFFIX}"))}
    if not records:
        raise UserError(
            f"holds no record of a system (SYSTEM{SUFFIX}): twostage train writes it, at once "
            "where every stage is done",
            str(run),
        )
    named = {
        path: record
        for path, record in records.items()
        if system in (None, record.system, record.config)
    }
    exact = [record for record in named.values() if record.system == system]
    if exact or len(named) == 1:
        return (exact or list(named.values()))[0]
    known = ", ".join(record.system for record in records.values())
    what = f"has no system {system!r}, only {known}" if system and not named else f"has {known}"
    raise UserError(f"{what}: choose one with --system", str(run))


def _read(path: Path) -> SystemRecord:
    values = read_object(path, "not a record of twostage train")
    if "format" not in values:
        raise UserError("not a record of twostage train", str(path))
    check_format(values, FORMAT, "a record", AGAIN, str(path))
    check_sum(values, path)
    record = checked(
        SystemRecord, {name: v for name, v in values.items() if name != CHECKSUM}, str(path)
    )
    record.pipeline.check(f"{path}: pipeline")
    return record


def check_data(record: SystemRecord, manifest: Manifest, data: Path) -> None:
    """Refuse another data-bin than the one that a run was trained on.

    Raises:
        UserError: it is another.
    """
    if fingerprint(data, manifest) != record.fingerprint:
        raise UserError(
            f"not the data-bin that {record.system} was made of ({record.domain}, "
            f"{record.setting}); prepare that again, or make it of this one",
            str(data),
        )


def fingerprint(data: Path, manifest: Manifest) -> str:
    """Sixteen digits of what a data-bin holds and a model has learnt from or is ranked by.

    Annotated rows, names and facts do not count: these may come later, without training.
    """
    known = {
        "domain": manifest.domain,
        "canonical": manifest.canonical,
        "options": manifest.options,
    }
    digest = hashlib.sha256(json.dumps(known, sort_keys=True).encode())
    for name, content in digests(data):
        if not name.startswith(LATER):
            digest.update(f"{name} {content}\n".encode())
    return digest.hexdigest()[:16]
