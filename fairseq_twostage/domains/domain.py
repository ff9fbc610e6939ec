"""A domain: what it is made of, and how its rows are read and split."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from fairseq_twostage.domains.overnight import read_overnight
from fairseq_twostage.domains.tsv import read_rows
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_lines, unquoted
from fairseq_twostage.grammar.reader import DEFAULT_TAGS
from fairseq_twostage.semantics.loading import Aggregates
from fairseq_twostage.text.normalisation import tokenize_utterance
from fairseq_twostage.text.rows import Row
from fairseq_twostage.text.tokenisation import (
    BLANKS,
    DEFAULT_PIECES,
    MAX_WORDS,
    WORDS,
    count_words,
)

T = TypeVar("T")
SPLITS = ("train", "valid", "test")
FURTHER = "further"  # rows that are scored apart: twostage evaluate --split further
LABELLED_SPLITS = (*SPLITS, FURTHER)
TRAIN_SHARE = 0.8
MORE = "more"  # further utterances, such as a log's
VALID_STEP = 5  # of further utterances that are the only ones, each fifth is of validation, too
WORLD_FILE_ENDINGS = (".tsv", ".db")


@dataclass(frozen=True)
class Domain:
    """A domain: its files and how they are read. File names are relative to ``folder``.

    Args:
        name: as in results and run folders.
        folder: where the files lie; None: in the folder of raw data.
        utterances: split -> file of natural utterances without annotation, one per line.
            Without ``valid``, validation utterances are cut from ``train`` (:func:`split_train`).
            A file under :data:`MORE` adds to ``train``; none of it is cut off.
        labelled: split -> file of annotated rows (``.examples``: Overnight's, else columns). In
            a domain without ``utterances`` they are the utterances, too, and without ``valid``
            the validation rows are cut from ``train``.
        grammar: files that generate the (canonical utterance, logical form) pairs.
        tags: what holds in their ``when`` conditions.
        depth: of derivations, for a recursive grammar.
        pairs: a file of such pairs, in place of a grammar.
        world: name of a generated world, a ``.tsv`` of triples, or GeoGranno's ``.db``.
        aggregates: whether sums and averages in the world are over ``rows`` or over distinct
            ``values``; None: over rows if the world is a ``.tsv``.
        database: a ``schema.yaml``, in place of a world: forms run in the database it names.
        executor: ``module:function``, in place of a world. With neither, logical forms are
            compared as text.
        lexicon: phrases that become typed placeholders.
        units: what the units of the facts are, where their name does not say it: unit -> measure,
            or measure (``unit``) and what people say (``words``).
        dates: which of ``DMY`` and ``MDY`` 3/4/2019 is; None: the first.
        tokenisation: ``words``; ``blanks``, of text that is tokenised already; or
            ``sentencepiece``.
        pieces: size of the sentencepiece vocabulary.
        embeddings: word vectors: a file, ``none``, ``sentence-encoder``; None: left open.
    """

    name: str
    folder: Path | None = None
    utterances: Mapping[str, str] = field(default_factory=dict)
    labelled: Mapping[str, str] = field(default_factory=dict)
    grammar: Sequence[str] = ()
    tags: Sequence[str] = DEFAULT_TAGS
    depth: int | None = None
    pairs: str | None = None
    world: str | None = None
    aggregates: Aggregates | None = None
    database: str | None = None
    executor: str | None = None
    lexicon: str | None = None
    units: Mapping[str, Any] = field(default_factory=dict)
    dates: str | None = None
    tokenisation: str = WORDS
    pieces: int = DEFAULT_PIECES
    embeddings: str | None = None

    def base(self, raw: Path) -> Path:
        """The folder that file names start from; ``raw`` is that of the raw data."""
        return raw if self.folder is None else self.folder

    @property
    def world_file(self) -> str | None:
        """The world, where it is a file and not the name of a generated one."""
        return self.world if self.world and self.world.endswith(WORLD_FILE_ENDINGS) else None

    @property
    def setting(self) -> str:
        """Where Z comes from by default: annotated rows (``paper``) or the pairs (``grammar``)."""
        return "grammar" if self.utterances or self.database else "paper"

    def data_bin(self, setting: str | None = None) -> Path:
        """Where its data-bin lies unless an option says where; None is the domain's own setting.

        ``data-bin/NAME``; ``data-bin/NAME.grammar`` where ``paper`` is its own, so that the two
        settings do not collide.
        """
        ending = ".grammar" if setting == "grammar" != self.setting else ""
        return Path("data-bin") / f"{self.name}{ending}"

    def rows(self, raw: Path, seed: int) -> dict[str, list[Row]]:
        """The aligned rows of the splits that have any; ``seed`` decides a cut of the file."""
        files = {split: self.base(raw) / file for split, file in self.labelled.items()}
        rows = {split: _read_rows(path, self.tokenisation) for split, path in files.items()}
        if "train" in rows and "valid" not in rows and not self.utterances:
            rows["train"], rows["valid"] = _cut(rows["train"], seed, files["train"])
        return {split: rows[split] for split in LABELLED_SPLITS if split in rows}

    def unlabelled(self, raw: Path, seed: int) -> dict[str, list[str]]:
        """The distinct utterances without annotation, by split, tokenised."""
        files = {split: self.base(raw) / file for split, file in self.utterances.items()}
        lines = {split: read_utterances(path, self.tokenisation) for split, path in files.items()}
        more = lines.pop(MORE, None)
        if "train" in lines and "valid" not in lines:
            lines["train"], lines["valid"] = _cut(lines["train"], seed, files["train"])
        if more is not None:
            known = {line for part in lines.values() for line in part}
            lines.setdefault("valid", more[::VALID_STEP])
            lines["train"] = [*lines.get("train", ()), *(x for x in more if x not in known)]
        return lines


READERS = {".examples": read_overnight}
"""Of annotated rows, by the ending of the file; others have columns."""


def _read_rows(path: Path, tokenisation: str) -> list[Row]:
    rows = READERS.get(path.suffix, read_rows)(path)
    for row in rows:
        if (words := count_words(row.utterance, tokenisation)) > MAX_WORDS:
            raise UserError(f"an utterance of {words} words; at most {MAX_WORDS}", row.where)
    return rows


def read_utterances(path: Path, tokenisation: str = BLANKS) -> list[str]:
    """The distinct utterances of a file, one per line, tokenised; blank lines do not count.

    Those of more than 200 words (by ``tokenisation``) are left out, as a note says.

    Raises:
        UserError: the file cannot be read, is empty, or a line holds a tab.
    """
    found: dict[str, None] = {}
    for number, line in enumerate(read_lines(path), start=1):
        if "\t" in line.strip():
            raise UserError(
                "a tab in an utterance; annotated rows belong under 'labelled'",
                where=f"{path}:{number}",
            )
        utterance = tokenize_utterance(unquoted(line.strip(), f"{path}:{number}"))
        if (words := count_words(utterance, tokenisation)) > MAX_WORDS:
            print(
                f"note: {path}:{number}: left out: {words} words, and at most {MAX_WORDS} are read",
                file=sys.stderr,
            )
        elif utterance:
            found[utterance] = None
    if not found:
        raise UserError("holds no utterance", where=str(path))
    return list(found)


def _cut(items: list[T], seed: int, path: Path) -> tuple[list[T], list[T]]:
    if len(items) < 2:
        raise UserError("too few rows to cut a validation part off", where=str(path))
    return split_train(items, seed)


def split_train(rows: Sequence[T], seed: int) -> tuple[list[T], list[T]]:
    """Cut a training file 80/20 into train and validation rows.

    The order is NumPy's legacy shuffle of ``arange(n)``, as in the paper's released code
    (seed 999), so that the rows are the very ones of the published results.
    """
    order = np.arange(len(rows))
    np.random.RandomState(seed).shuffle(order)
    size = int(TRAIN_SHARE * len(rows))
    return [rows[i] for i in order[:size]], [rows[i] for i in order[size:]]
