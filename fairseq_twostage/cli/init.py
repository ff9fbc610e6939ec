"""``twostage init``: a folder with a small domain that works, to be made one's own."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from fairseq_twostage.durable import install
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import staged_folder

FILES: Sequence[str] = (
    "README.md",
    "domain.yaml",
    "words.grammar",
    "general.grammar",
    "world.tsv",
    "lexicon.tsv",
    "utterances.txt",
    "test.tsv",
    "questions.txt",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="new or empty folder")


def main(args: argparse.Namespace) -> int:
    """Copy the skeleton; an existing file is never touched."""
    folder: Path = args.folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError("exists and is not an empty folder", where=str(folder))
    skeleton = resources.files("fairseq_twostage.skeleton")
    with staged_folder(folder) as made:
        for name in FILES:
            with resources.as_file(skeleton / name) as source:
                shutil.copyfile(source, made / name)
        install(made, folder)
    print(f"{folder}: {', '.join(FILES)}")
    print(f"next: twostage canonical --domain {folder / 'domain.yaml'}")
    return 0
