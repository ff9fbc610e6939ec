"""What a run says of itself: ``RUN/SYSTEM.json``, written by ``twostage train``.

It names everything that reading takes: checkpoints, how ẑ is chosen, how ŷ is found, which reading
is picked, and the data-bin that all of it was learnt from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, get_type_hints

from fairseq_twostage.corpora.databin import GOLD, MANIFEST, Manifest
from fairseq_twostage.corpora.text import read_text
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import sha256
from fairseq_twostage.results import fits, write_json

FORMAT = 1
SUFFIX = ".json"
NATURAL, CANONICAL = "nl", "cf"


@dataclass(frozen=True)
class Pipeline:
    """How a system reads.

    Attributes:
        paraphrasers: checkpoints; of several the mixture is read with.
        parser: checkpoint of the naive parser, or None where every ẑ is looked up.
        rerank: weights by feature; empty: ẑ comes from a beam, or there is one stage.
        prior: of each known canonical utterance in alphabetic order, where ``rerank`` has a
            weight for it.
        proposals: width of the beam whose ẑ are considered beside the known ones.
        beam: of each stage.
        pick: see :mod:`.inference.picking`.
        lookup: whether a known ẑ has the logical form of the domain's pairs and no other.
        source: what is read, ``nl`` or gold ``cf``.
        skip_punctuation: whether tokens that Z does not have are left out if they have no letter.
    """

    paraphrasers: list[str] = field(default_factory=list)
    parser: str | None = None
    rerank: dict[str, float] = field(default_factory=dict)
    prior: list[float] = field(default_factory=list)
    proposals: int = 0
    beam: int = 5
    pick: str = "best"
    lookup: bool = False
    source: str = NATURAL
    skip_punctuation: bool = False

    @property
    def two_stages(self) -> bool:
        """Whether a ẑ is found first."""
        return bool(self.paraphrasers or self.rerank)

    def options(self) -> dict[str, Any]:
        """What a results file says of it."""
        found: dict[str, Any] = {"beam": self.beam, "pick": self.pick, "source": self.source}
        if self.rerank:
            found["rerank"] = ",".join(f"{name}={weight:g}" for name, weight in self.rerank.items())
            found["proposals"] = self.proposals
        if self.lookup:
            found["lookup"] = True
        if self.skip_punctuation:
            found["skip_punctuation"] = True
        if len(self.paraphrasers) > 1:
            found["paraphrasers"] = len(self.paraphrasers)
        return found


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
    domain: str
    setting: str
    seed: int
    data: str
    fingerprint: str
    split: str
    stages: list[str]
    pipeline: Pipeline

    def write(self, run: Path) -> Path:
        """Write ``RUN/SYSTEM.json``; returns its path."""
        return write_json(run / f"{self.system}{SUFFIX}", asdict(self))


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
        raise UserError("no such folder; make a run with twostage train", str(run))
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
    text = read_text(path)
    try:
        values = dict(json.loads(text).items())
        pipeline = values.get("pipeline") or {}
        if not isinstance(pipeline, dict):
            raise AttributeError
    except (ValueError, AttributeError):
        raise UserError("not a record of twostage train", str(path)) from None
    if values.get("format") != FORMAT:
        raise UserError(
            f"a record of format {values.get('format')}, and this version reads {FORMAT}: run "
            "twostage train again (stages that are done are kept)",
            str(path),
        )
    read = _checked(Pipeline, pipeline, f"{path}: pipeline")
    return _checked(SystemRecord, {**values, "pipeline": read}, str(path))


def _checked(kind: Any, values: Mapping[str, Any], where: str) -> Any:
    names = {each.name for each in fields(kind)}
    if unlike := set(values) ^ names:
        raise UserError(f"damaged: {min(unlike)} is missing or unknown", where)
    for name, wanted in get_type_hints(kind).items():
        if wanted is not Pipeline and not fits(values[name], wanted):
            raise UserError(f"damaged: {name} cannot be {values[name]!r}", where)
    return kind(**values)


def check_data(record: SystemRecord, manifest: Manifest, data: Path) -> None:
    """Refuse another data-bin than the one that a run was trained on.

    Raises:
        UserError: it is another.
    """
    if fingerprint(data, manifest) != record.fingerprint:
        raise UserError(
            f"not the data-bin that {record.system} was trained on ({record.domain}, "
            f"{record.setting}); prepare that again, or train on this one",
            str(data),
        )


def fingerprint(data: Path, manifest: Manifest) -> str:
    """Sixteen digits of what a data-bin holds but annotated rows, which may come later."""
    known = {
        "domain": manifest.domain,
        "canonical": manifest.canonical,
        "options": manifest.options,
    }
    digest = hashlib.sha256(json.dumps(known, sort_keys=True).encode())
    for path in sorted(data.rglob("*")):
        name = path.relative_to(data).as_posix()
        if path.is_file() and name != MANIFEST and not name.startswith(f"{GOLD}/"):
            digest.update(f"{name} {sha256(path)}\n".encode())
    return digest.hexdigest()[:16]


def placed(pipeline: Pipeline, run: Path) -> Pipeline:
    """With the checkpoints where they lie.

    Raises:
        UserError: one is gone.
    """

    def at(path: str) -> str:
        found = run / path
        if not found.is_file():
            raise UserError("the checkpoint is gone; train it again", str(found))
        return str(found)

    return replace(
        pipeline,
        paraphrasers=[at(path) for path in pipeline.paraphrasers],
        parser=None if pipeline.parser is None else at(pipeline.parser),
    )
