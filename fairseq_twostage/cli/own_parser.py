"""Where the parser of a domain lies: what ``twostage build`` has left, or an exported folder."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fairseq_twostage.cli.build import EXPORTED
from fairseq_twostage.cli.options import add_database, runs_folder, seed
from fairseq_twostage.databin.folder import read_manifest
from fairseq_twostage.domains.domain import Domain, read_utterances
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.bundle import is_bundle
from fairseq_twostage.inference.labels import Given, read_labels
from fairseq_twostage.inference.question_log import read_log

LEAST_IN_DOMAIN = 0.5  # probability below which a logged question is of no use


@dataclass(frozen=True)
class Place:
    """Where things lie.

    Attributes:
        folder: the exported parser.
        name: the domain as it was named; empty of an exported folder alone.
        domain: likewise, or None.
        data: its data-bin.
        run: its run.
    """

    folder: Path
    name: str = ""
    domain: Domain | None = None
    data: Path = Path()
    run: Path = Path()

    def utterances(self) -> list[str]:
        """The domain's own questions."""
        if self.domain is None:
            return []
        base = self.domain.base(Path())
        files = [base / file for file in self.domain.utterances.values()]
        words = self.domain.tokenisation
        return list(dict.fromkeys(line for file in files for line in read_utterances(file, words)))


def add_place(parser: argparse.ArgumentParser) -> None:
    """The options that :func:`find_place` and :func:`given_questions` read."""
    add = parser.add_argument
    add(
        "dir",
        metavar="DIR",
        help="a domain that twostage build has built (domain.yaml, its folder, or its name), or an "
        "exported parser",
    )
    add("--domain", help="of an exported parser, to use its questions, too")
    add("--data", type=Path, help="data-bin (default: data-bin/NAME)")
    add("--runs", type=Path, default=runs_folder(), help="of twostage build (default: runs)")
    add("--seed", type=seed, default=1, help="of twostage build (default: 1)")
    add(
        "--log",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="questions that twostage serve --log wrote; may be repeated",
    )
    add(
        "--marks",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="answers that were marked on the page: labelled.tsv, and the file of wrong ones "
        "beside it; may be repeated",
    )
    add(
        "--labels",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="question TAB logical form, SQL or canonical words; or a filled-in sheet of twostage "
        "ask-for-labels; may be repeated",
    )
    add_database(parser)


def find_place(args: argparse.Namespace) -> Place:
    """The parser that is meant.

    Raises:
        UserError: it is not there.
    """
    if is_bundle(Path(args.dir)):
        if args.domain is None:
            return Place(Path(args.dir))
        folder, name = Path(args.dir), args.domain
    else:
        if args.domain is not None:
            raise UserError("is for an exported parser, and DIR is none", "--domain")
        folder, name = None, args.dir
    domain = load_domain(name)
    data = args.data or domain.data_bin()
    if not data.is_dir():
        raise UserError(
            f"no data-bin; make it with twostage build {name}, or give --data", str(data)
        )
    manifest = read_manifest(data)
    if manifest.domain != domain.name:
        raise UserError(f"holds {manifest.domain}, not {domain.name}", str(data))
    run = args.runs / f"{manifest.domain}.{manifest.canonical}.{args.seed}"
    folder = folder or run / EXPORTED
    if not is_bundle(folder):
        raise UserError(f"no exported parser; make it with twostage build {name}", str(folder))
    return Place(folder, name, domain, data, run)


def given_labels(args: argparse.Namespace) -> list[Given]:
    """The labels of all files."""
    marks = [given for path in args.marks for given in read_labels(path, marks=True)]
    return [*marks, *(given for path in args.labels for given in read_labels(path))]


def logged_questions(paths: Sequence[Path]) -> list[str]:
    """The questions of logs but those that were not about the domain, as often as asked."""
    return [
        " ".join(each.question.split())
        for path in paths
        for each in read_log(path)
        if each.in_domain is None or each.in_domain >= LEAST_IN_DOMAIN
    ]
