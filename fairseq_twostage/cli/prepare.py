"""``twostage prepare``: raw dataset files -> data-bin."""

from __future__ import annotations

import argparse
import logging
import os
import tempfile
from pathlib import Path

from fairseq_twostage.corpora.databin import Manifest
from fairseq_twostage.corpora.domains import GEO_DEV_FILES, OVERNIGHT_DOMAINS, get_domain
from fairseq_twostage.corpora.prepare import Recipe, prepare
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import atomic_write
from fairseq_twostage.grammar import generate_pairs

EMBEDDING_FILES = ("glove/glove.6B.100d.txt", "glove/glove.6B.100d.subset.txt")
BACKOFF_FILE = "glove/glove.6B.50d.subset.txt"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``twostage prepare``."""
    add = parser.add_argument
    add("--domain", required=True, help="an Overnight domain (calendar, …) or geo")
    add(
        "--raw",
        type=Path,
        metavar="DIR",
        help="folder with overnight/, geogranno/, glove/ (default: $TWOSTAGE_DATA, else ./data)",
    )
    add("--dest", type=Path, metavar="DIR", help="default: data-bin/DOMAIN")
    add(
        "--canonical",
        choices=("paper", "grammar"),
        default="paper",
        help="canonical utterances of the training rows, or every one of a grammar once",
    )
    add(
        "--grammar",
        type=Path,
        metavar="FILE",
        help="for --canonical grammar: what generates the pairs (default: "
        "RAW/grammar/overnight/DOMAIN.grammar)",
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
        type=Path,
        metavar="FILE",
        help=f"word vectors as text (default: RAW/{EMBEDDING_FILES[0]}, else its .subset)",
    )
    add(
        "--embedding-dim",
        type=int,
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
    add("--seed", type=int, default=999, help="of the split and the shuffles (default: 999)")
    add(
        "--geo-dev",
        choices=GEO_DEV_FILES,
        default=GEO_DEV_FILES[0],
        help="geo's development rows: the later 54 or the paper's 59 (default: %(default)s)",
    )
    add("--force", action="store_true", help="replace an existing data-bin that differs")


def main(args: argparse.Namespace) -> int:
    """Prepare one domain and print its sizes and the coverage of the word vectors."""
    logging.getLogger("fairseq").setLevel(logging.WARNING)  # importing it advertises packages
    if not 0 <= args.seed < 2**32:
        raise UserError("must be between 0 and 2^32 - 1", where="--seed")
    raw = args.raw or Path(os.environ.get("TWOSTAGE_DATA") or "data")
    if not raw.is_dir():
        raise UserError(
            "no such folder of raw data; scripts/download_data.sh fills ./data, or give --raw",
            where=str(raw),
        )
    with tempfile.TemporaryDirectory() as scratch:
        recipe = _recipe(args, raw, _pairs(args, raw, Path(scratch)))
        dest = args.dest or Path("data-bin") / args.domain
        manifest, written = prepare(recipe, dest, args.force)
    _print_summary(recipe, dest, manifest, written)
    return 0


def _recipe(args: argparse.Namespace, raw: Path, pairs: Path | None) -> Recipe:
    embeddings = args.embeddings or _default_embeddings(raw)
    return Recipe(
        domain=args.domain,
        raw=raw,
        embeddings=embeddings,
        embedding_dim=args.embedding_dim,
        backoff_embeddings=_backoff(args, raw, embeddings),
        canonical=args.canonical,
        pairs=pairs,
        seed=args.seed,
        geo_dev=args.geo_dev,
    )


def _pairs(args: argparse.Namespace, raw: Path, scratch: Path) -> Path | None:
    """The file of pairs that the options name, generated from a grammar if they name that."""
    if args.pairs is not None and args.grammar is not None:
        raise UserError("give one of the two", where="--pairs, --grammar")
    if args.canonical != "grammar" or args.pairs is not None:
        if args.grammar is not None:
            raise UserError("belongs to --canonical grammar", where="--grammar")
        return args.pairs
    if args.domain not in OVERNIGHT_DOMAINS and args.grammar is None:
        get_domain(args.domain)
        raise UserError(f"{args.domain} needs --pairs FILE", where="--canonical grammar")
    grammar = args.grammar or raw / "grammar" / "overnight" / f"{args.domain}.grammar"
    path = scratch / f"{grammar.name}.pairs.tsv"
    with atomic_write(path) as file:
        for pair in generate_pairs([grammar], args.domain):
            file.write(f"{pair.utterance}\t{pair.logical_form}\n")
    return path


def _print_summary(recipe: Recipe, dest: Path, manifest: Manifest, written: bool) -> None:
    sizes, vectors = manifest.sizes, manifest.embeddings
    print(
        f"{dest}: {'written' if written else 'up to date'} ({recipe.domain}, {recipe.canonical})\n"
        f"  rows: train {sizes['gold.train']}, valid {sizes['gold.valid']}, "
        f"test {sizes['gold.test']}\n"
        f"  canonical utterances: {sizes['train.cf']}, {sizes['train.cf.distinct']} distinct\n"
        f"  words: nl {sizes['dict.nl']}, cf {sizes['dict.cf']}, "
        f"utterance {sizes['dict.utterance']}, lf {sizes['dict.lf']}\n"
        f"  {vectors.file} ({vectors.dim}-d) covers {vectors}"
    )


def _backoff(args: argparse.Namespace, raw: Path, embeddings: Path) -> Path | None:
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
        "no word vectors there; scripts/download_data.sh brings them, or give --embeddings",
        where=str(raw / EMBEDDING_FILES[0]),
    )
