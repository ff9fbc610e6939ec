"""Raw files -> data-bin: read, split, de-pair, count, binarize, describe."""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from fairseq_twostage import __version__
from fairseq_twostage.corpora import databin
from fairseq_twostage.corpora.binarize import binarize, make_dictionary
from fairseq_twostage.corpora.databin import (
    GOLD,
    EmbeddingsInfo,
    Manifest,
    Source,
    read_manifest,
    write_gold,
    write_json,
)
from fairseq_twostage.corpora.domain import Domain
from fairseq_twostage.corpora.domains import GEO, GEO_DEV_FILES, get_domain
from fairseq_twostage.corpora.embeddings import (
    VectorSource,
    read_vectors,
    write_vectors,
)
from fairseq_twostage.corpora.frontend import Frontend, make_frontend
from fairseq_twostage.corpora.rows import Row
from fairseq_twostage.corpora.tokenisation import BLANKS, SENTENCEPIECE
from fairseq_twostage.corpora.tsv import read_pairs
from fairseq_twostage.corpora.unalign import (
    UnalignedSplit,
    unalign,
    unalign_with_grammar,
    with_parser_pairs,
)
from fairseq_twostage.corpora.vector_transfer import transfer_vectors
from fairseq_twostage.corpora.vocabulary import count_words, write_counts
from fairseq_twostage.corpora.worlds import carry_world
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import replace_folder, sha256, staged_folder
from fairseq_twostage.plugin import require_fairseq

NO_VARIABLES = "{}"


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what a data-bin holds.

    Args:
        domain: what it is made of, or the name of a known one.
        raw: folder with ``overnight/`` or ``geogranno/`` inside.
        embeddings: text file of word vectors, or what makes them.
        embedding_dim: number of values per word in it.
        backoff_embeddings: other word vectors, carried over for the words that it lacks.
        canonical: ``paper`` (Z = canonical side of the rows) or ``grammar`` (Z = ``pairs``).
        pairs: file of (canonical utterance, logical form); for ``grammar`` only.
        parser_pairs: file of more such pairs, for the naive parser alone.
        seed: of the Overnight split and of every shuffle.
        geo_dev: GeoGranno's development file, without its ending.
    """

    domain: Domain | str
    raw: Path
    embeddings: Path | VectorSource
    embedding_dim: int = 100
    backoff_embeddings: Path | None = None
    canonical: str = "paper"
    pairs: Path | None = None
    parser_pairs: Path | None = None
    seed: int = 999
    geo_dev: str = GEO_DEV_FILES[0]

    @cached_property
    def source(self) -> Domain:
        """The domain."""
        return (
            get_domain(self.domain, self.geo_dev) if isinstance(self.domain, str) else self.domain
        )

    @property
    def base(self) -> Path:
        """The folder that the domain's file names start from."""
        return self.source.base(self.raw)

    @property
    def options(self) -> dict[str, Any]:
        """The options a manifest records besides domain, setting and seed."""
        options: dict[str, Any] = {"embedding_dim": self.embedding_dim}
        for name in ("backoff_embeddings", "parser_pairs"):
            path: Path | None = getattr(self, name)
            if path is not None:
                options[name] = {"file": path.name, "sha256": sha256(path)}
        domain = self.source
        if domain.name == GEO and "valid" in domain.labelled:
            options["geo_dev"] = Path(domain.labelled["valid"]).stem
        if domain.tokenisation != BLANKS:
            options["tokenisation"] = domain.tokenisation
        if domain.tokenisation == SENTENCEPIECE:
            options["pieces"] = domain.pieces
        if domain.lexicon is not None:
            options["lexicon"] = Path(domain.lexicon).name
        return options


@dataclass
class _Corpora:
    """The lines of every corpus, and the counts behind each dictionary."""

    rows: dict[str, list[Row]]
    unaligned: dict[str, UnalignedSplit]
    frontend: Frontend
    counts: dict[str, Counter[str]] = field(init=False)

    def __post_init__(self) -> None:
        parts = self.unaligned.values()
        nl = count_words(x for part in parts for x, _ in part.utterances)
        cf = count_words(z for part in parts for z in part.canonicals)
        lf = count_words(y for part in parts for _, y in part.pairs)
        self.counts = {"utterance": nl + cf, "nl": nl, "cf": cf, "lf": lf}

    @property
    def with_variables(self) -> bool:
        """Whether some logical form holds placeholders."""
        return any(row.variables for rows in self.rows.values() for row in rows) or any(
            variables != NO_VARIABLES
            for part in self.unaligned.values()
            for _, variables in part.utterances
        )

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
    _check_options(recipe)
    corpora = _read_corpora(recipe)
    sources = _sources(recipe)
    vectors = _word_vectors(recipe, set(corpora.counts["utterance"]))
    with staged_folder(dest) as folder:
        _write_text(folder, corpora)
        coverage = write_vectors(
            folder / databin.EMBEDDINGS, vectors, corpora.counts["utterance"], recipe.embedding_dim
        )
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


def _read_corpora(recipe: Recipe) -> _Corpora:
    domain = recipe.source
    rows = domain.rows(recipe.raw, recipe.seed)
    utterances = domain.unlabelled(recipe.raw, recipe.seed)
    pairs = None if recipe.pairs is None else read_pairs(recipe.pairs)
    if pairs is None:
        _check_annotated(rows, utterances)
    frontend = make_frontend(domain, recipe.raw, rows, utterances, pairs)
    if pairs is None:
        parts = {
            split: unalign([*map(frontend.apart, rows[split])], split, recipe.seed)
            for split in databin.UNALIGNED_SPLITS
        }
    rows = {split: [frontend.row(row) for row in rows[split]] for split in rows}
    forms = {frontend.encode(z): y for z, y in pairs or ()}
    rows = {split: _with_forms(rows[split], forms) for split in rows}
    if pairs is not None:
        natural = {
            split: [*rows.get(split, ()), *map(frontend.utterance, utterances.get(split, ()))]
            for split in databin.UNALIGNED_SPLITS
        }
        pairs = [(frontend.encode(z), y) for z, y in pairs]
        parts = {
            split: unalign_with_grammar(natural[split], pairs, split, recipe.seed)
            for split in natural
        }
    if recipe.parser_pairs is not None:
        more = [(frontend.encode(z), y) for z, y in read_pairs(recipe.parser_pairs)]
        parts["train"] = with_parser_pairs(parts["train"], more, "train", recipe.seed)
    return _Corpora(rows, parts, frontend)


def _with_forms(rows: Sequence[Row], forms: Mapping[str, str]) -> list[Row]:
    """Rows annotated with a canonical utterance alone take the logical form of its pair."""
    complete = []
    for row in rows:
        form = row.logical_form or forms.get(row.canonical)
        if form is None:
            reason = (
                f"no logical form, and {row.canonical!r} is no canonical utterance of the "
                "domain's pairs (twostage canonical lists them; names are numbered in the "
                "order of the utterance)"
            )
            if not forms:
                reason = "no logical form; --canonical grammar would take it from the pairs"
            raise UserError(reason, where=row.where)
        complete.append(replace(row, logical_form=form))
    return complete


def _check_annotated(rows: dict[str, list[Row]], utterances: dict[str, list[str]]) -> None:
    """The setting ``paper`` takes Z from the rows, so each of them must have one."""
    if utterances:
        raise UserError(
            "needs annotated utterances; this domain has others", where="--canonical paper"
        )
    for split in databin.UNALIGNED_SPLITS:
        for row in rows[split]:
            if not row.canonical:
                raise UserError(
                    "no canonical utterance; --canonical paper takes Z from the rows",
                    where=row.where,
                )


def _sources(recipe: Recipe) -> list[Source]:
    domain = recipe.source
    names = [*domain.labelled.values(), *domain.utterances.values()]
    files = [(recipe.base / name, name) for name in names]
    if recipe.pairs is not None:
        files.append((recipe.pairs, recipe.pairs.name))
    for name in filter(None, (domain.world_file, domain.lexicon)):
        if not (recipe.base / name).is_file():
            raise UserError(
                "no such file; fetch it with scripts/download_data.sh", str(recipe.base / name)
            )
        files.append((recipe.base / name, name))
    return [Source(name, path.stat().st_size, sha256(path)) for path, name in files]


def _manifest(
    recipe: Recipe,
    options: dict[str, Any],
    corpora: _Corpora,
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


def _write_text(folder: Path, corpora: _Corpora) -> None:
    for name in ("text", GOLD, "lm.nl", "lm.cf"):
        (folder / name).mkdir()
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


def _binarize(folder: Path, corpora: _Corpora) -> None:
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
    replace_folder(folder, dest)
    return True


def _same_files(one: Path, other: Path) -> bool:
    """Whether every file of ``one`` stands in ``other`` with the same bytes.

    Of the manifest the package's version does not count: a new one alone asks for no ``--force``.
    """
    files = [path.relative_to(one) for path in one.rglob("*") if path.is_file()]
    return all(
        (other / file).is_file() and _unversioned(other / file) == _unversioned(one / file)
        for file in files
    )


def _unversioned(file: Path) -> bytes:
    content = file.read_bytes()
    if file.name != databin.MANIFEST:
        return content
    return re.sub(rb'^  "version": .*$', b"", content, flags=re.MULTILINE)
