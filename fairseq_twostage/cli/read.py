"""``twostage read``: what preparation and what use read of a text, side by side."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from fairseq_twostage.cli.prepare import pairs_files, raw_folder
from fairseq_twostage.databin.corpora import Recipe, read_corpora
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.durable import scratch_folder
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import stream_lines
from fairseq_twostage.text.reading import UtteranceReader


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--domain", required=True, help="a published domain, a domain.yaml or its folder")
    add("--raw", type=Path, help="folder of the raw datasets (default: TWOSTAGE_DATA, else data)")
    add(
        "file",
        nargs="?",
        default="-",
        help="utterances, one per line, a second column is left out (default: -, standard input)",
    )


def main(args: argparse.Namespace) -> int:
    """Print, for each line, the tokens of ``prepare``, a tab, and those of ``parse``."""
    domain = load_domain(args.domain)
    raw = raw_folder(args.raw, domain)
    with scratch_folder("read") as scratch:
        pairs = pairs_files(domain, raw, scratch)[0] if domain.setting == "grammar" else None
        recipe = Recipe(domain, raw, Path(), canonical=domain.setting, pairs=pairs)
        corpora = read_corpora(recipe, warn)
    frontend = replace(corpora.frontend, asks_as_schemas=domain.database is not None)
    reader = UtteranceReader(corpora.counts["utterance"], frontend)
    for line in stream_lines(args.file, "strict"):
        text = line.partition("\t")[0]
        try:
            parsed = reader(text).tokens
        except UserError as error:
            parsed = f"({error})"
        print(corpora.frontend.read(text).tokens, parsed, sep="\t", flush=args.file == "-")
    return 0


def warn(problem: UserError) -> None:
    """Say what ``prepare`` would refuse."""
    print(f"twostage read: warning: {problem}", file=sys.stderr)
