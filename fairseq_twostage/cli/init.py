"""``twostage init``: a folder with a small domain that works, or one made of a database."""

from __future__ import annotations

import argparse
import os
import re
import shutil
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from fairseq_twostage.databases.opening import SCHEMA_FILE
from fairseq_twostage.durable import install
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_text
from fairseq_twostage.writing import staged_folder

if TYPE_CHECKING:
    from fairseq_twostage.databases.guessed import Guessed

"""Questions of a database, the simplest ones, with which people's are compared."""
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
    add = parser.add_argument
    add("folder", type=Path, metavar="DIR", help="new or empty folder")
    add(
        "--database",
        metavar="URL",
        help="make it of this database: sqlite:///shop.db, postgresql://host/shop, "
        "duckdb:///shop.duckdb, the path of such a file, of a SQL script that makes a SQLite "
        "database, or of a folder of CSV or Parquet files; "
        "${NAME} is a variable of the environment",
    )
    add("--utterances", type=Path, metavar="FILE", help="questions people have asked, one a line")


def main(args: argparse.Namespace) -> int:
    """Copy the skeleton, or describe a database; an existing file is never touched."""
    folder: Path = args.folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError("exists and is not an empty folder", where=str(folder))
    if args.database is not None:
        return _of_database(folder, args.database, args.utterances)
    if args.utterances is not None:
        raise UserError("belongs to --database", "--utterances")
    skeleton = resources.files("fairseq_twostage.skeleton")
    with staged_folder(folder) as made:
        for name in FILES:
            with resources.as_file(skeleton / name) as source:
                shutil.copyfile(source, made / name)
        install(made, folder)
    print(f"{folder}: {', '.join(FILES)}")
    print(f"next: twostage canonical --domain {folder / 'domain.yaml'}")
    return 0


def _of_database(folder: Path, url: str, utterances: Path | None) -> int:
    """Write ``domain.yaml`` and ``schema.yaml`` for a database."""
    try:
        from fairseq_twostage.databases.connecting import open_database
        from fairseq_twostage.databases.guessing import guess
        from fairseq_twostage.databases.guessing_nouns import add_synonyms
        from fairseq_twostage.databases.reflection import Reflected
        from fairseq_twostage.databases.schema_text import schema_text
    except ModuleNotFoundError as error:
        message = f"needs {error.name}: pip install 'fairseq-twostage[database]'"
        raise UserError(message, "--database") from None
    asked = None if utterances is None else read_text(utterances)
    if not url.strip():
        raise UserError("names no database", "--database")
    guessed = guess(Reflected(open_database(url, Path(), "--database")))
    if asked is not None:
        add_synonyms(guessed, asked.splitlines())
    if not guessed.tables:
        raise UserError("no table that can be asked about: " + "; ".join(guessed.left_out), url)
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", folder.resolve().name).strip("-_") or "database"
    database = _seen_from(folder, url)
    with staged_folder(folder) as made:
        (made / SCHEMA_FILE).write_text(schema_text(database, guessed), "utf-8")
        lines = _DOMAIN.format(name=name)
        if asked is not None:
            (made / "utterances.txt").write_text(asked, "utf-8")
            lines += _UTTERANCES
        (made / "domain.yaml").write_text(lines, "utf-8")
        found = {} if asked is None else _called_otherwise(made, guessed, asked.splitlines())
        if found:
            (made / SCHEMA_FILE).write_text(schema_text(database, guessed), "utf-8")
        install(made, folder)
    counts = ", ".join(
        f"{len(found)} {noun}{'s' * (len(found) != 1)}"
        for noun, found in (("table", guessed.tables), ("relationship", guessed.relationships))
    )
    print(f"{folder}: domain.yaml, {SCHEMA_FILE} ({counts})")
    for kind, plural in found.items():
        print(f"  the questions ask for {kind}: taken for {plural} (synonyms in {SCHEMA_FILE})")
    for line in guessed.left_out:
        print(f"  left out: {line}")
    print(f"next: look at {folder / SCHEMA_FILE}, then twostage build {folder}")
    return 0


def _called_otherwise(made: Path, guessed: Guessed, asked: Sequence[str]) -> dict[str, str]:
    """Add what people call the things of a table, as the sentence encoder has it, and give each
    with the table's own plural.

    Without the encoder, and where no question can be made yet, nothing is added.
    """
    from fairseq_twostage.databases.inflection import singular
    from fairseq_twostage.databin.frontend import make_frontend
    from fairseq_twostage.domains.registry import load_domain
    from fairseq_twostage.domains.schemas import MOST_PAIRS, schema_pairs

    things = {name: table for name, table in guessed.tables.items() if not table.get("aside")}
    plurals = {name: str(table["plural"]) for name, table in things.items()}
    try:
        from fairseq_twostage.models.sentence_encoder import SentenceEncoder
        from fairseq_twostage.pairing.calling import called_so, unknown_kinds

        domain = load_domain(made)
        pairs = schema_pairs(domain, made, MOST_PAIRS)
        frontend = make_frontend(domain, made, {}, {}, pairs)
        utterances = [frontend.read(line).tokens for line in asked if line.strip()]
        canonical = [frontend.encode(z) for z, _ in pairs]
        unknown = unknown_kinds(utterances, canonical)
        if not unknown:
            return {}
        found = called_so(unknown, utterances, canonical, plurals, SentenceEncoder.load())
    except (ModuleNotFoundError, UserError):
        return {}
    for kind, name in found.items():
        guessed.tables[name].setdefault("synonyms", []).append(singular(kind))
        guessed.notes["tables", name, "synonyms"] = "guessed from the questions"
    return {kind: plurals[name] for kind, name in found.items()}


def _seen_from(folder: Path, url: str) -> str:
    """A URL whose relative path starts at the folder; a password stays where it was given."""
    from fairseq_twostage.databases.connecting import database_url

    if "$" in url:
        return url
    made = database_url(url, Path())
    if made.password is not None:
        raise UserError(
            "holds a password, which would be written into a file: put the URL into a variable "
            "and give --database '${NAME}'",
            "--database",
        )
    if made.get_backend_name() not in ("sqlite", "duckdb"):
        return made.render_as_string()
    return os.path.relpath(str(made.database), folder.resolve())


_DOMAIN = """\
# Questions about a database, answered by it. What can be asked: schema.yaml.
name: {name}
database: schema.yaml
embeddings: sentence-encoder
"""
_UTTERANCES = "utterances: utterances.txt      # how people ask, without any annotation\n"
