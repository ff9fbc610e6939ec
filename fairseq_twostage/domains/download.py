"""Fetch the public datasets and word vectors, with checksums and the standard library alone.

``python3 -m fairseq_twostage.domains.download`` (or ``scripts/download_data.sh``) needs
nothing installed. A file appears under its name only when it is whole and right; files
that are there already are checked, not fetched again. The addresses' beginnings can be
replaced by mirrors: ``TWOSTAGE_GITHUB_URL``, ``TWOSTAGE_GLOVE_URL``.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fairseq_twostage import durable
from fairseq_twostage.domains.fetching import (
    BLOCK,
    Fetcher,
    NotThereError,
    emptied,
    take_over,
    unfinished_beside,
)
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import load_json, read_lines, sha256

RAW_GITHUB = "https://raw.githubusercontent.com"
GLOVE_ADDRESS = "https://nlp.stanford.edu/data/glove.6B.zip"
GLOVE_MEMBER = "glove.6B.100d.txt"
GLOVE_DIM = 100
# GloVe's home page gives no checksum: some rows, by their first values.
GLOVE_ROWS = {
    "the": "-0.038194 -0.24487 0.72812",
    "of": "-0.1529 -0.24279 0.89837",
    "state": "0.0011835 -0.16506 1.2236",
    "meeting": "-0.45414 -0.55923 0.72432",
    "player": "0.12574 0.32509 1.113",
}
# GeoQuery's questions with gold SQL, as jkkummerfeld/text2sql-data has them.
QUESTIONS = "geoquery/questions.tsv"
QUESTIONS_PATH = (
    "jkkummerfeld/text2sql-data/5050bad2309a93636ea4788d3660c9202bf11e0e/data/geography.json"
)
QUESTION_ROWS = "00f6bb7684d936a019bb0778ec7c960d47ccd1de21d72535ed5579a66f83c230"
PARTS = ("overnight", "geogranno", "grammar", "glove", "geoquery")


@dataclass(frozen=True)
class PublicFile:
    """A file of a public repository; ``public_files.tsv`` lists them.

    Args:
        target: where it goes under the data folder.
        repository: ``owner/name``.
        revisions: commits that hold it, tried in order; the checksum decides, so that a
            later revision with the same bytes is as good.
        path: inside the repository.
        sha256: of its bytes.
    """

    target: str
    repository: str
    revisions: tuple[str, ...]
    path: str
    sha256: str


def public_files() -> list[PublicFile]:
    """The pinned files, in the order of their list."""
    lines = read_lines(Path(__file__).with_name("public_files.tsv"))
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return [
        PublicFile(target, repository, tuple(revisions.split(",")), path, digest)
        for target, repository, revisions, path, digest in rows
    ]


def download_public_file(
    file: PublicFile, folder: Path, fetcher: Fetcher, base: str = RAW_GITHUB
) -> bool:
    """Bring one file of a public repository; False if it was there already.

    Raises:
        UserError: none of its addresses gives the bytes that the checksum tells.
    """
    target = folder / file.target
    if target.is_file() and sha256(target) == file.sha256:
        return False
    with unfinished_beside(target) as unfinished:
        problems = []
        for revision in file.revisions:
            address = f"{base}/{file.repository}/{revision}/{file.path}"
            try:
                fetcher.fetch(address, unfinished)
            except NotThereError as error:
                problems.append(f"{revision}: {error}")
                continue
            if sha256(unfinished) == file.sha256:
                take_over(unfinished, target)
                return True
            problems.append(f"{revision}: SHA-256 differs from the known one")
            emptied(unfinished)
        raise UserError("; ".join(problems), where=f"{base}/{file.repository}/…/{file.path}")


def download_questions(
    folder: Path, fetcher: Fetcher, base: str = RAW_GITHUB, rows_sha256: str = QUESTION_ROWS
) -> bool:
    """Bring GeoQuery's questions: split, question and the first of its queries, names filled in.

    Args:
        rows_sha256: of the rows in alphabetical order.

    Returns:
        False if they were there already.

    Raises:
        UserError: they cannot be had, or are others.
    """
    target, address = folder / QUESTIONS, f"{base}/{QUESTIONS_PATH}"
    if target.is_file() and _rows_digest(read_lines(target)[1:]) == rows_sha256:
        return False
    with unfinished_beside(target) as unfinished:
        try:
            fetcher.fetch(address, unfinished)
        except NotThereError as error:
            raise UserError(str(error), where=address) from None
        rows = list(_question_rows(unfinished, address))
        if _rows_digest(rows) != rows_sha256:
            raise UserError("SHA-256 of the questions differs from the known one", where=address)
        lines = ["split\tquestion\tsql", *rows]
        unfinished.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
        take_over(unfinished, target)
    return True


def _rows_digest(rows: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(sorted(rows)).encode()).hexdigest()


def _question_rows(path: Path, address: str) -> Iterator[str]:
    """Those of training first, then of development, then of test."""
    try:
        entries = load_json(path.read_text(encoding="utf-8"))
        for split in ("train", "dev", "test"):
            for entry in entries:
                for sentence in entry["sentences"]:
                    if sentence["question-split"] == split:
                        both = sentence["text"], entry["sql"][0]
                        yield "\t".join([split, *(_filled(t, sentence["variables"]) for t in both)])
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise UserError("no questions of this form", where=address) from None


def _filled(text: str, variables: dict[str, str]) -> str:
    for name, value in variables.items():
        text = text.replace(name, value)
    return text


def download_glove(folder: Path, fetcher: Fetcher, address: str = GLOVE_ADDRESS) -> bool:
    """Bring GloVe 6B and keep its 100-d file; False if that was there already.

    An archive that broke off is kept under a temporary name, and the next call continues it.

    Raises:
        UserError: the archive cannot be had, is damaged, or holds other vectors.
    """
    target = folder / "glove" / GLOVE_MEMBER
    if target.is_file():
        check_glove(target)
        return False
    with unfinished_beside(target) as unpacked:
        archive = target.with_name(".glove.6B.zip.part")
        with durable.alone(target.parent):  # two would write into one archive
            if target.is_file():
                return False
            try:
                fetcher.fetch(address, archive)
            except NotThereError as error:
                raise UserError(str(error), where=address) from None
            with open(unpacked, "wb") as sink:
                for block in _blocks_of(archive, address):
                    sink.write(block)
            archive.unlink()
            check_glove(unpacked, where=address)
            take_over(unpacked, target)
    return True


def _blocks_of(archive: Path, address: str) -> Iterator[bytes]:
    """The 100-d file of the archive in pieces; an archive that lacks it or is damaged goes."""
    try:
        with zipfile.ZipFile(archive) as members, members.open(GLOVE_MEMBER) as source:
            while block := source.read(BLOCK):
                yield block
    except (zipfile.BadZipFile, EOFError, OSError) as error:
        archive.unlink()
        raise UserError(f"not a whole zip archive ({error})", where=address) from None
    except KeyError:
        archive.unlink()
        raise UserError(f"the archive holds no {GLOVE_MEMBER}", where=address) from None


def check_glove(path: Path, where: str | None = None) -> None:
    """Raise :class:`UserError` unless the known rows of GloVe 6B 100d stand in ``path``."""
    missing = dict(GLOVE_ROWS)
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
        for line in file:
            word, _, values = line.partition(" ")
            if word in missing:
                start = missing.pop(word)
                if not values.startswith(f"{start} ") or values.count(" ") != GLOVE_DIM - 1:
                    raise UserError(
                        f"not GloVe 6B {GLOVE_DIM}d: another row of {word!r}",
                        where=where or str(path),
                    )
            if not missing:
                return
    raise UserError(f"not GloVe 6B: no row of {next(iter(missing))!r}", where=where or str(path))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options."""
    parser.add_argument("--dest", type=Path, default=Path("data"), help="default: data")
    parser.add_argument(
        "--only", nargs="+", choices=PARTS, default=PARTS, help="parts to fetch (default: all)"
    )
    parser.add_argument("--tries", type=int, default=Fetcher.tries, help="attempts per file")
    parser.add_argument(
        "--retry-delay", type=float, default=Fetcher.delay, help="seconds before the second one"
    )


def fetch(args: argparse.Namespace) -> None:
    """Fetch the chosen parts, or find them there and right.

    Raises:
        UserError: one of them cannot be had.
    """
    fetcher = Fetcher(max(1, args.tries), args.retry_delay)
    for name, download in _downloads(args.dest, args.only, fetcher):
        print(f"{name}: ", end="", flush=True)
        try:
            print("fetched" if download() else "there already", flush=True)
        except UserError:
            print("failed", flush=True)
            raise


def main(argv: Sequence[str] | None = None) -> int:
    """The script: :func:`fetch` without anything installed; 1 where that fails."""
    parser = argparse.ArgumentParser(
        prog="download_data.sh", description="Fetch the datasets, grammars and GloVe vectors."
    )
    add_arguments(parser)
    try:
        fetch(parser.parse_args(argv))
    except UserError as error:
        print(f"download_data.sh: error: {error}", file=sys.stderr)
        return 1
    return 0


def _downloads(
    folder: Path, parts: Sequence[str], fetcher: Fetcher
) -> list[tuple[str, Callable[[], bool]]]:
    github = os.environ.get("TWOSTAGE_GITHUB_URL", RAW_GITHUB).rstrip("/")
    glove = os.environ.get("TWOSTAGE_GLOVE_URL", GLOVE_ADDRESS)
    downloads: list[tuple[str, Callable[[], bool]]] = [
        (file.target, partial(download_public_file, file, folder, fetcher, github))
        for file in public_files()
        if file.target.split("/")[0] in parts
    ]
    if "geoquery" in parts:
        downloads.append((QUESTIONS, partial(download_questions, folder, fetcher, github)))
    if "glove" in parts:
        target = f"glove/{GLOVE_MEMBER}"
        downloads.append((target, partial(download_glove, folder, fetcher, glove)))
    return downloads


if __name__ == "__main__":
    sys.exit(main())
