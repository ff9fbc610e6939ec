"""Raw files -> data-bin: read, split, de-pair, count, binarize, describe."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fairseq_twostage import __version__
from fairseq_twostage.corpora import databin
from fairseq_twostage.corpora.binarize import binarize, make_dictionary, require_fairseq
from fairseq_twostage.corpora.databin import (
    GOLD,
    EmbeddingsInfo,
    Manifest,
    Source,
    read_manifest,
    write_gold,
    write_json,
)
from fairseq_twostage.corpora.domains import GEO_DEV_FILES, get_domain
from fairseq_twostage.corpora.embeddings import Coverage, read_vectors, write_vectors
from fairseq_twostage.corpora.rows import Row
from fairseq_twostage.corpora.tsv import read_pairs
from fairseq_twostage.corpora.unalign import UnalignedSplit, unalign, unalign_with_grammar
from fairseq_twostage.corpora.vector_transfer import transfer_vectors
from fairseq_twostage.corpora.vocabulary import count_words, write_counts
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import sha256

UNALIGNED_SPLITS = ("train", "valid")


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what a data-bin holds.

    Args:
        domain: name of a known domain.
        raw: folder with ``overnight/`` or ``geogranno/`` inside.
        embeddings: text file of word vectors.
        embedding_dim: number of values per word in it.
        backoff_embeddings: other word vectors, carried over for the words that it lacks.
        canonical: ``paper`` (Z = canonical side of the rows) or ``grammar`` (Z = ``pairs``).
        pairs: file of (canonical utterance, logical form); for ``grammar`` only.
        seed: of the Overnight split and of every shuffle.
        geo_dev: GeoGranno's development file, without its ending.
    """

    domain: str
    raw: Path
    embeddings: Path
    embedding_dim: int = 100
    backoff_embeddings: Path | None = None
    canonical: str = "paper"
    pairs: Path | None = None
    seed: int = 999
    geo_dev: str = GEO_DEV_FILES[0]

    @property
    def options(self) -> dict[str, Any]:
        """The options a manifest records besides domain, setting and seed."""
        options: dict[str, Any] = {"embedding_dim": self.embedding_dim}
        if self.backoff_embeddings is not None:
            options["backoff_embeddings"] = {
                "file": self.backoff_embeddings.name,
                "sha256": sha256(self.backoff_embeddings),
            }
        if self.domain == "geo":
            options["geo_dev"] = self.geo_dev
        return options


@dataclass
class _Corpora:
    """The lines of every corpus, and the counts behind each dictionary."""

    rows: dict[str, list[Row]]
    unaligned: dict[str, UnalignedSplit]
    counts: dict[str, Counter[str]] = field(init=False)

    def __post_init__(self) -> None:
        parts = self.unaligned.values()
        nl = count_words(x for part in parts for x, _ in part.utterances)
        cf = count_words(z for part in parts for z in part.canonicals)
        lf = count_words(y for part in parts for _, y in part.pairs)
        self.counts = {"utterance": nl + cf, "nl": nl, "cf": cf, "lf": lf}

    def sides(self, split: str) -> dict[str, list[str]]:
        """File name -> lines, for what an unsupervised run reads of a split."""
        part = self.unaligned[split]
        return {
            f"{split}.nl": [x for x, _ in part.utterances],
            f"{split}.cf": part.canonicals,
            f"{split}.cf-lf.cf": [z for z, _ in part.pairs],
            f"{split}.cf-lf.lf": [y for _, y in part.pairs],
        }

    def sizes(self) -> dict[str, int]:
        """Lines of every corpus, distinct z, words of every dictionary."""
        sizes = {f"{GOLD}.{split}": len(rows) for split, rows in self.rows.items()}
        for split, part in self.unaligned.items():
            sizes[f"{split}.nl"] = len(part.utterances)
            sizes[f"{split}.cf"] = len(part.canonicals)
            sizes[f"{split}.cf.distinct"] = len(set(part.canonicals))
            sizes[f"{split}.cf-lf"] = len(part.pairs)
        return sizes | {f"dict.{side}": len(counts) for side, counts in self.counts.items()}


def prepare(recipe: Recipe, dest: Path, force: bool = False) -> tuple[Manifest, bool]:
    """Make the data-bin ``dest``; it appears whole, by a rename, or not at all.

    Returns:
        the manifest, and whether anything was written: an existing data-bin made from the
        same files with the same options is left as it is.

    Raises:
        UserError: for unusable input, and for an existing ``dest`` that differs unless
            ``force`` is given (which never replaces a folder that is no data-bin).
    """
    require_fairseq()
    corpora = _read_corpora(recipe)
    sources = _sources(recipe)
    vectors = _word_vectors(recipe, set(corpora.counts["utterance"]))
    with _staged(dest) as folder:
        _write_text(folder, corpora, with_variables=recipe.domain == "geo")
        coverage = write_vectors(
            folder / "embeddings.txt", vectors, corpora.counts["utterance"], recipe.embedding_dim
        )
        _binarize(folder, corpora)
        _copy_world(recipe, folder)
        write_json(folder / databin.GOLD_SOURCES, [asdict(source) for source in sources])
        manifest = _manifest(recipe, corpora, coverage, sources)
        manifest.write(folder)
        return manifest, _install(folder, dest, force)


def _word_vectors(recipe: Recipe, words: set[str]) -> dict[str, str]:
    """Of the words that have one, after the back-off."""
    path, dim, backoff = recipe.embeddings, recipe.embedding_dim, recipe.backoff_embeddings
    vectors = read_vectors(path, words, dim)
    if backoff is not None:
        vectors |= transfer_vectors(words - vectors.keys(), path, dim, backoff)
    return vectors


def _copy_world(recipe: Recipe, folder: Path) -> None:
    """Put the world's database beside the data: rewards and evaluation execute in it."""
    world = get_domain(recipe.domain).world
    if world is not None:
        shutil.copyfile(recipe.raw / world, folder / databin.WORLD)


def _read_corpora(recipe: Recipe) -> _Corpora:
    if (recipe.canonical == "grammar") != (recipe.pairs is not None):
        raise UserError("--canonical grammar and --pairs FILE belong together")
    rows = get_domain(recipe.domain, recipe.geo_dev).rows(recipe.raw, recipe.seed)
    if recipe.pairs is not None:
        pairs = read_pairs(recipe.pairs)
        unaligned = {
            split: unalign_with_grammar(rows[split], pairs, split, recipe.seed)
            for split in UNALIGNED_SPLITS
        }
    else:
        for split in UNALIGNED_SPLITS:
            if not all(row.canonical for row in rows[split]):
                raise UserError(f"a {split} row has no canonical utterance")
        unaligned = {split: unalign(rows[split], split, recipe.seed) for split in UNALIGNED_SPLITS}
    return _Corpora(rows, unaligned)


def _sources(recipe: Recipe) -> list[Source]:
    files = [
        (recipe.raw / file, file)
        for file in get_domain(recipe.domain, recipe.geo_dev).files.values()
    ]
    if recipe.pairs is not None:
        files.append((recipe.pairs, recipe.pairs.name))
    world = get_domain(recipe.domain).world
    if world is not None:
        if not (recipe.raw / world).is_file():
            raise UserError(
                "no such file; fetch it with scripts/download_data.sh", str(recipe.raw / world)
            )
        files.append((recipe.raw / world, world))
    return [Source(name, path.stat().st_size, sha256(path)) for path, name in files]


def _manifest(
    recipe: Recipe, corpora: _Corpora, coverage: Coverage, sources: Sequence[Source]
) -> Manifest:
    annotated = set(get_domain(recipe.domain, recipe.geo_dev).files.values())
    return Manifest(
        format=databin.FORMAT,
        version=__version__,
        domain=recipe.domain,
        canonical=recipe.canonical,
        seed=recipe.seed,
        options=recipe.options,
        sources=[
            Source(source.file, None, None) if source.file in annotated else source
            for source in sources
        ],
        sizes=corpora.sizes(),
        embeddings=EmbeddingsInfo(
            file=recipe.embeddings.name,
            sha256=sha256(recipe.embeddings),
            dim=recipe.embedding_dim,
            **asdict(coverage),
        ),
    )


def _write_text(folder: Path, corpora: _Corpora, with_variables: bool) -> None:
    for name in ("text", GOLD, "lm.nl", "lm.cf"):
        (folder / name).mkdir()
    for split in UNALIGNED_SPLITS:
        for name, lines in corpora.sides(split).items():
            _write_lines(folder / "text" / name, lines)
        if with_variables:
            variables = [values for _, values in corpora.unaligned[split].utterances]
            _write_lines(folder / f"{split}.nl.variables.jsonl", variables)
    for side in ("nl", "cf"):
        write_counts(folder / f"counts.{side}.tsv", corpora.counts[side])
    for split, rows in corpora.rows.items():
        write_gold(folder, split, rows)


def _binarize(folder: Path, corpora: _Corpora) -> None:
    dictionaries = {side: make_dictionary(counts) for side, counts in corpora.counts.items()}
    for side, dictionary in dictionaries.items():
        dictionary.save(str(folder / f"dict.{side}.txt"))
    # The encoder reads both sides with one dictionary; each decoder writes with its own.
    reads = {"nl": "utterance", "cf": "utterance", "lf": "lf"}
    for split in UNALIGNED_SPLITS:
        for name in corpora.sides(split):
            dictionary = dictionaries[reads[name.rsplit(".", 1)[1]]]
            binarize(folder / "text" / name, folder / name, dictionary)
        for side in ("nl", "cf"):
            lm = folder / f"lm.{side}"
            dictionaries[side].save(str(lm / "dict.txt"))
            binarize(folder / "text" / f"{split}.{side}", lm / split, dictionaries[side])
    with tempfile.TemporaryDirectory() as scratch:
        for split, rows in corpora.rows.items():
            for side, lines in _gold_sides(rows).items():
                text = Path(scratch) / f"{split}.{side}"
                _write_lines(text, lines)
                prefix = folder / GOLD / f"{split}.nl-cf-lf.{side}"
                binarize(text, prefix, dictionaries[reads[side]])


def _gold_sides(rows: Sequence[Row]) -> dict[str, list[str]]:
    sides = {"nl": [row.utterance for row in rows], "lf": [row.logical_form for row in rows]}
    if all(row.canonical for row in rows):
        sides["cf"] = [row.canonical for row in rows]
    return sides


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


@contextmanager
def _staged(dest: Path) -> Iterator[Path]:
    """A temporary folder beside ``dest``, gone at the end unless it was renamed."""
    try:
        dest.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{dest.name}.", dir=dest.parent))
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", where=str(dest)) from None
    try:
        umask = os.umask(0)
        os.umask(umask)
        folder.chmod(0o777 & ~umask)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _install(folder: Path, dest: Path, force: bool) -> bool:
    """Rename the finished ``folder`` to ``dest``; False if ``dest`` holds the same already."""
    if not dest.exists() or (dest.is_dir() and not any(dest.iterdir())):
        os.replace(folder, dest)
        return True
    if not (dest / databin.MANIFEST).is_file():
        raise UserError("exists and is not a data-bin; choose another --dest", where=str(dest))
    if not force:
        if _same_files(folder, dest):
            return False
        read_manifest(dest)
        raise UserError(
            "a data-bin made from other files or with other options; --force replaces it",
            where=str(dest),
        )
    with tempfile.TemporaryDirectory(prefix=f".{dest.name}.old.", dir=dest.parent) as aside:
        os.replace(dest, Path(aside) / dest.name)
        os.replace(folder, dest)
    return True


def _same_files(one: Path, other: Path) -> bool:
    """Whether every file of ``one`` stands in ``other`` with the same bytes."""
    files = [path.relative_to(one) for path in one.rglob("*") if path.is_file()]
    return all(
        (other / file).is_file() and (other / file).read_bytes() == (one / file).read_bytes()
        for file in files
    )
