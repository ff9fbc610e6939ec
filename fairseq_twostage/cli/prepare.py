"""``twostage prepare``: raw dataset files -> data-bin."""

from __future__ import annotations

import argparse
import logging
import os
from pathlib import Path

from fairseq_twostage.corpora.domains import GEO_DEV_FILES
from fairseq_twostage.corpora.prepare import Recipe, prepare
from fairseq_twostage.errors import UserError

EMBEDDING_FILES = ("glove/glove.6B.100d.txt", "glove/glove.6B.100d.subset.txt")


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
        help="canonical utterances of the training rows, or every one of --pairs once",
    )
    add(
        "--pairs",
        type=Path,
        metavar="FILE",
        help="for --canonical grammar: canonical utterance TAB logical form per line",
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
    recipe = Recipe(
        domain=args.domain,
        raw=raw,
        embeddings=args.embeddings or _default_embeddings(raw),
        embedding_dim=args.embedding_dim,
        canonical=args.canonical,
        pairs=args.pairs,
        seed=args.seed,
        geo_dev=args.geo_dev,
    )
    dest = args.dest or Path("data-bin") / args.domain
    manifest, written = prepare(recipe, dest, args.force)
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
    return 0


def _default_embeddings(raw: Path) -> Path:
    for file in EMBEDDING_FILES:
        if (raw / file).is_file():
            return raw / file
    raise UserError(
        "no word vectors there; scripts/download_data.sh brings them, or give --embeddings",
        where=str(raw / EMBEDDING_FILES[0]),
    )
