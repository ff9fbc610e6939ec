"""Raw files -> data-bin: read, split, de-pair, count, binarize, describe."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fairseq_twostage import __version__
from fairseq_twostage.databin import folder as databin
from fairseq_twostage.databin.binarize import binarize, make_dictionary
from fairseq_twostage.databin.corpora import Corpora, Recipe, read_corpora
from fairseq_twostage.databin.embeddings import read_vectors, write_vectors
from fairseq_twostage.databin.folder import (
    GOLD,
    EmbeddingsInfo,
    Manifest,
    Source,
    read_manifest,
    write_gold,
)
from fairseq_twostage.databin.review import review
from fairseq_twostage.databin.vector_transfer import transfer_vectors
from fairseq_twostage.databin.world import carry_world
from fairseq_twostage.domains.pairs import write_pairs
from fairseq_twostage.durable import alone, install, scratch_folder
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import sha256
from fairseq_twostage.plugin import require_fairseq
from fairseq_twostage.schema import CHECKSUM, read_object
from fairseq_twostage.text.rows import Row
from fairseq_twostage.text.vocabulary import write_counts
from fairseq_twostage.writing import check_folder, staged_folder, write_json

_OF_THE_VERSION = ("version", "files", CHECKSUM)


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
    _check_options(recipe)
    check_folder(dest.parent)
    corpora = read_corpora(recipe)
    for note in review(recipe, corpora):
        print(f"note: {note}", file=sys.stderr)
    sources = _sources(recipe)
    vectors = _word_vectors(recipe, set(corpora.counts["utterance"]))
    with staged_folder(dest) as folder:
        _write_text(folder, corpora)
        coverage = write_vectors(
            folder / databin.EMBEDDINGS, vectors, corpora.counts["utterance"], recipe.embedding_dim
        )
        if isinstance(recipe.embeddings, Path) and not coverage.types_covered:
            note = "has no vector of any word of this data: of another language, or in capitals?"
            print(f"note: {recipe.embeddings}: {note}", file=sys.stderr)
        _binarize(folder, corpora)
        corpora.frontend.write(folder)
        options = recipe.options | carry_world(recipe.source, recipe.raw, folder)
        write_json(folder / databin.GOLD_SOURCES, [asdict(source) for source in sources])
        vectors_made = EmbeddingsInfo(
            file=recipe.embeddings.name,
            sha256=sha256(_vectors_file(recipe, folder)),
            dim=recipe.embedding_dim,
            **asdict(coverage),
        )
        manifest = _manifest(recipe, options, corpora, vectors_made, sources)
        manifest.write(folder)
        return manifest, _install(folder, dest, force)


def _word_vectors(recipe: Recipe, words: set[str]) -> dict[str, str]:
    """Of the words that have one, after the back-off."""
    path, dim, backoff = recipe.embeddings, recipe.embedding_dim, recipe.backoff_embeddings
    if not isinstance(path, Path):
        return path.vectors(sorted(words), dim)
    vectors = read_vectors(path, words, dim)
    if backoff is not None:
        vectors |= transfer_vectors(words - vectors.keys(), path, dim, backoff)
    return vectors


def _vectors_file(recipe: Recipe, folder: Path) -> Path:
    """What the manifest's hash of the word vectors is of: where they came from, if a file."""
    source = recipe.embeddings
    return source if isinstance(source, Path) else folder / databin.EMBEDDINGS


def _check_options(recipe: Recipe) -> None:
    """Raise for options that do not go together."""
    if (recipe.canonical == "grammar") != (recipe.pairs is not None):
        raise UserError("--canonical grammar and --pairs FILE belong together")
    if recipe.backoff_embeddings is not None and not isinstance(recipe.embeddings, Path):
        raise UserError(
            f"needs word vectors of a file, and --embeddings is {recipe.embeddings.name!r}",
            where="--backoff-embeddings",
        )


def _sources(recipe: Recipe) -> list[Source]:
    domain = recipe.source
    names = [*domain.labelled.values(), *domain.utterances.values()]
    files = [(recipe.base / name, name) for name in names]
    if recipe.pairs is not None:
        files.append((recipe.pairs, recipe.pairs.name))
    for name in filter(None, (domain.world_file, domain.lexicon, domain.database)):
        if not (recipe.base / name).is_file():
            raise UserError("no such file; twostage download fetches it", str(recipe.base / name))
        files.append((recipe.base / name, name))
    return [Source(name, path.stat().st_size, sha256(path)) for path, name in files]


def _manifest(
    recipe: Recipe,
    options: dict[str, Any],
    corpora: Corpora,
    embeddings: EmbeddingsInfo,
    sources: Sequence[Source],
) -> Manifest:
    annotated = set(recipe.source.labelled.values())
    return Manifest(
        format=databin.FORMAT,
        version=__version__,
        domain=recipe.source.name,
        canonical=recipe.canonical,
        seed=recipe.seed,
        options=options,
        sources=[
            Source(source.file, None, None) if source.file in annotated else source
            for source in sources
        ],
        sizes=corpora.sizes(),
        embeddings=embeddings,
    )


def _write_text(folder: Path, corpora: Corpora) -> None:
    for name in ("text", GOLD, "lm.nl", "lm.cf"):
        (folder / name).mkdir()
    if corpora.further:
        write_pairs(corpora.further, folder / "text" / databin.FURTHER)
    for split in databin.UNALIGNED_SPLITS:
        for name, lines in corpora.sides(split).items():
            _write_lines(folder / "text" / name, lines)
        if corpora.with_variables:
            variables = [values for _, values in corpora.unaligned[split].utterances]
            _write_lines(folder / f"{split}.nl.variables.jsonl", variables)
    for side in ("nl", "cf"):
        write_counts(folder / f"counts.{side}.tsv", corpora.counts[side])
    for split, rows in corpora.rows.items():
        write_gold(folder, split, rows)


def _binarize(folder: Path, corpora: Corpora) -> None:
    dictionaries = {side: make_dictionary(counts) for side, counts in corpora.counts.items()}
    for side, dictionary in dictionaries.items():
        dictionary.save(str(folder / f"dict.{side}.txt"))
    # The encoder reads both sides with one dictionary; each decoder writes with its own.
    reads = {"nl": "utterance", "cf": "utterance", "lf": "lf"}
    for split in databin.UNALIGNED_SPLITS:
        for name in corpora.sides(split):
            dictionary = dictionaries[reads[name.rsplit(".", 1)[1]]]
            binarize(folder / "text" / name, folder / name, dictionary)
        for side in ("nl", "cf"):
            lm = folder / f"lm.{side}"
            dictionaries[side].save(str(lm / "dict.txt"))
            binarize(folder / "text" / f"{split}.{side}", lm / split, dictionaries[side])
    with scratch_folder("prepare") as scratch:
        for split, rows in corpora.rows.items():
            for side, lines in _gold_sides(rows).items():
                text = scratch / f"{split}.{side}"
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


def _install(folder: Path, dest: Path, force: bool) -> bool:
    """Put the finished ``folder`` at ``dest``; False if ``dest`` holds the same already."""
    with alone(dest.parent):
        if dest.exists() and not (dest.is_dir() and not any(dest.iterdir())):
            if not (dest / databin.MANIFEST).is_file():
                raise UserError("exists and is not a data-bin; choose another --dest", str(dest))
            if not force:
                if _same_files(folder, dest):
                    return False
                read_manifest(dest)
                raise UserError(
                    "a data-bin made from other files or with other options; --force replaces it",
                    where=str(dest),
                )
        install(folder, dest)
    return True


def _same_files(one: Path, other: Path) -> bool:
    """Whether every file of ``one`` stands in ``other`` with the same bytes.

    Of the manifest the package's version does not count: a new one alone asks for no ``--force``.
    """
    files = [path.relative_to(one) for path in one.rglob("*") if path.is_file()]
    files.remove(Path(GOLD) / databin.MANIFEST)  # sums of files that are compared
    return all(
        (other / file).is_file() and _unversioned(other / file) == _unversioned(one / file)
        for file in files
    )


def _unversioned(file: Path) -> object:
    if file.name != databin.MANIFEST:
        return file.read_bytes()
    said = read_object(file, "not a manifest of twostage prepare")
    return {name: value for name, value in said.items() if name not in _OF_THE_VERSION}
