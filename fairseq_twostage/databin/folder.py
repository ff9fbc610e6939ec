"""What ``twostage prepare`` leaves behind, read back: the manifest and the gold rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, StringConstraints
from typing_extensions import TypedDict

from fairseq_twostage.databin.embeddings import Coverage
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import digests, load_json, read_lines, sha256
from fairseq_twostage.schema import (
    CHECKSUM,
    Digest,
    DomainName,
    FunctionName,
    check_format,
    checked,
    checksum,
    read_object,
    strict,
    with_checksum,
)
from fairseq_twostage.text.rows import Row
from fairseq_twostage.writing import write_json

FORMAT = 1
MANIFEST = "manifest.json"
GOLD = "gold"
UNALIGNED_SPLITS = ("train", "valid")  # whose sides stand outside of it, too
GOLD_SOURCES = f"{GOLD}/sources.json"
WORLD = "world.db"
EMBEDDINGS = "embeddings.txt"
FURTHER = "further.tsv"
Setting = Annotated[str, StringConstraints(pattern="^(paper|grammar)$")]
WorldName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][\w. -]*$")]


@strict
@dataclass(frozen=True)
class Source:
    """A raw file; size and hash are None where they would depend on the pairing of x and z."""

    file: str
    bytes: int | None
    sha256: str | None


@strict
@dataclass(frozen=True)
class EmbeddingsInfo(Coverage):
    """Where the word vectors came from and how much of the utterances they cover."""

    file: str
    sha256: str
    dim: int


class CheckedOptions(TypedDict, total=False):
    """Options of a manifest that decide how its data are read; others are for people."""

    __pydantic_config__ = ConfigDict(strict=True)  # type: ignore[misc]

    tokenisation: Literal["words", "blanks", "sentencepiece"]
    world: WorldName
    aggregates: Literal["rows", "values"]
    executor: FunctionName


@strict
@dataclass(frozen=True)
class Manifest:
    """How a data-bin was made.

    Args:
        format: version of the layout.
        version: of the package that wrote it.
        domain: name of the domain.
        canonical: setting of Z, ``paper`` or ``grammar``.
        seed: of every split and shuffle.
        options: the remaining options of the command.
        sources: raw files. Size and SHA-256 of those with annotated rows stand in
            ``gold/sources.json`` only: a hash of aligned rows depends on the alignment.
        sizes: lines of every corpus, words of every dictionary.
        embeddings: the word vectors.
        files: SHA-256 of the files outside ``gold/``; those of the files within depend on the
            pairing, and stand in ``gold/manifest.json``. Data-bins of version 0.2 have neither.
    """

    format: int
    version: str
    domain: DomainName
    canonical: Setting
    seed: int
    options: dict[str, Any]
    sources: list[Source]
    sizes: dict[str, int]
    embeddings: EmbeddingsInfo
    files: dict[str, Digest] = field(default_factory=dict)

    @property
    def frequent_as_meant(self) -> bool:
        """Whether z stands in Z as often as X means it: not if a grammar generated Z."""
        return self.canonical == "paper"

    def write(self, folder: Path) -> None:
        """Write ``manifest.json`` into ``folder``, with the sums of all that lies there."""
        found = dict(digests(folder))
        gold = {name: found.pop(name) for name in list(found) if name.startswith(f"{GOLD}/")}
        gold.pop(f"{GOLD}/{MANIFEST}", None)
        found.pop(MANIFEST, None)
        if gold:
            write_json(folder / GOLD / MANIFEST, with_checksum({"files": gold}))
        write_json(folder / MANIFEST, with_checksum(asdict(replace(self, files=found))))


@strict
@dataclass(frozen=True)
class GoldManifest:
    """``gold/manifest.json``: SHA-256 of the files in ``gold/``, and of what it says."""

    files: dict[str, Digest]
    sha256: Digest


def data_bin_lines(path: Path) -> list[str]:
    """The lines of a text file that every data-bin has.

    Raises:
        UserError: it is not there, cannot be read, or is empty.
    """
    if not path.is_file():
        raise UserError("not there; run twostage prepare again", where=str(path))
    lines = read_lines(path)
    if not lines:
        raise UserError("the corpus is empty; run twostage prepare again", where=str(path))
    return lines


def known_forms(folder: str | Path) -> dict[str, str]:
    """The logical form of each canonical utterance that the naive parser is trained on.

    Of several forms of one utterance it is the most frequent, then the first.
    """
    text = Path(folder) / "text"
    canonical, forms = (data_bin_lines(text / f"train.cf-lf.{side}") for side in ("cf", "lf"))
    found: dict[str, Counter[str]] = {}
    for line, form in zip(canonical, forms, strict=True):
        found.setdefault(line, Counter())[form] += 1
    return {line: counts.most_common(1)[0][0] for line, counts in found.items()}


def further_forms(folder: str | Path) -> dict[str, str]:
    """The logical forms of canonical utterances that are too many to be compared with every
    question; empty where there are none."""
    path = Path(folder) / "text" / FURTHER
    if not path.is_file():
        return {}
    return dict(line.split("\t") for line in data_bin_lines(path))


def read_word_vectors(folder: Path) -> dict[str, NDArray[np.float64]]:
    """The word vectors of a data-bin, ``(dim,)`` each, in the order of its file."""
    rows = (line.split(" ") for line in data_bin_lines(folder / EMBEDDINGS)[1:])
    return {word: np.array(values, dtype=np.float64) for word, *values in rows}


def read_manifest(folder: str | Path) -> Manifest:
    """Read a data-bin's manifest.

    Raises:
        UserError: when the folder is missing, is no data-bin, or has the format of another
            version.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise UserError("no such folder; make it with twostage prepare", where=str(folder))
    path = folder / MANIFEST
    if not path.is_file():
        raise UserError(
            f"not a data-bin (no {MANIFEST}); make one with twostage prepare", where=str(folder)
        )
    values = read_object(path, "not a manifest of twostage prepare")
    if "format" not in values:
        raise UserError("not a manifest of twostage prepare", where=str(path))
    check_format(values, FORMAT, "a data-bin", "run twostage prepare again", str(folder))
    check_sum(values, path)
    known = {name: value for name, value in values.items() if name != CHECKSUM}
    manifest = checked(Manifest, known, str(path), "damaged manifest ({})")
    checked(CheckedOptions, manifest.options, f"{path}: options")
    return manifest


def check_sum(values: dict[str, Any], path: Path) -> None:
    """Refuse JSON whose sum is another one; that of version 0.2 has none.

    Raises:
        UserError: it was changed.
    """
    if CHECKSUM in values and values[CHECKSUM] != checksum(values):
        raise UserError("damaged, or changed since it was written", str(path))


def check_files(folder: Path, manifest: Manifest) -> None:
    """Refuse a data-bin in which a file outside ``gold/`` is damaged; no aligned file is opened.

    Raises:
        UserError: it is.
    """
    for name, digest in manifest.files.items():
        path = folder / name
        if not path.is_file():
            raise UserError("not there; run twostage prepare again", str(path))
        _check_digest(path, digest)


def _check_gold(path: Path) -> None:
    """Refuse a damaged file of ``gold/``; data-bins of version 0.2 have no sums."""
    manifest = path.parent / MANIFEST
    if not manifest.is_file():
        return
    values = read_object(manifest, "not a manifest of twostage prepare")
    check_sum(values, manifest)
    digest = checked(GoldManifest, values, str(manifest)).files.get(f"{GOLD}/{path.name}")
    if digest is not None:
        _check_digest(path, digest)


def _check_digest(path: Path, digest: str) -> None:
    if sha256(path) != digest:
        raise UserError(
            "damaged, or changed since twostage prepare wrote it; run it again", str(path)
        )


def world_file(folder: str | Path) -> Path | None:
    """The database of the domain's world, or None where the world is generated."""
    path = Path(folder) / WORLD
    return path if path.is_file() else None


def read_gold(folder: str | Path, split: str) -> list[Row]:
    """The aligned rows of a split, for evaluation or an explicit labelled share.

    Training that is meant to be unsupervised must not call this.
    """
    read_manifest(folder)
    path = Path(folder) / GOLD / f"{split}.tsv"
    if not path.is_file():
        raise UserError("no such split", where=str(path))
    rows = []
    for number, line in enumerate(data_bin_lines(path), start=1):
        try:
            utterance, canonical, form, variables = line.split("\t")
            rows.append(Row(utterance, canonical, form, load_json(variables)))
        except ValueError as error:
            raise UserError("damaged row", where=f"{path}:{number}") from error
    _check_gold(path)
    return rows


def write_gold(folder: Path, split: str, rows: list[Row]) -> None:
    """Write ``gold/SPLIT.tsv``: x, z, y and the variables as JSON, tab-separated."""
    lines = "".join(f"{row.line}\n" for row in rows)
    (folder / GOLD / f"{split}.tsv").write_text(lines, encoding="utf-8", newline="\n")
