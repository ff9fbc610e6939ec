"""The domains that ship with the project, and how their rows are split."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from fairseq_twostage.corpora.overnight import read_overnight
from fairseq_twostage.corpora.rows import Row
from fairseq_twostage.corpora.tsv import read_geogranno
from fairseq_twostage.errors import UserError

T = TypeVar("T")
SPLITS = ("train", "valid", "test")
OVERNIGHT_DOMAINS = (
    "basketball",
    "blocks",
    "calendar",
    "housing",
    "publications",
    "recipes",
    "restaurants",
    "socialnetwork",
)
GEO_DEV_FILES = ("geo_dev_54", "geo_dev")
TRAIN_SHARE = 0.8


@dataclass(frozen=True)
class Domain:
    """A domain: where its raw files lie and how they are read.

    Args:
        name: as on the command line.
        files: split -> path under the raw folder. Without ``valid``, the validation rows
            are cut from the training file (:func:`split_train`).
        read: reader of one raw file.
        world: path of the world's database under the raw folder, or None where the world is
            generated.
    """

    name: str
    files: Mapping[str, str]
    read: Callable[[Path], list[Row]]
    world: str | None = None

    def rows(self, raw: Path, seed: int) -> dict[str, list[Row]]:
        """The aligned rows of every split; ``seed`` decides a cut of the training file."""
        rows = {split: self.read(raw / file) for split, file in self.files.items()}
        if "valid" not in rows:
            if len(rows["train"]) < 2:
                raise UserError(
                    "too few rows to cut a validation part off",
                    where=str(raw / self.files["train"]),
                )
            rows["train"], rows["valid"] = split_train(rows["train"], seed)
        return {split: rows[split] for split in SPLITS}


def split_train(rows: Sequence[T], seed: int) -> tuple[list[T], list[T]]:
    """Cut a training file 80/20 into train and validation rows.

    The order is NumPy's legacy shuffle of ``arange(n)``, as in the paper's released code
    (seed 999), so that the rows are the very ones of the published results.
    """
    order = np.arange(len(rows))
    np.random.RandomState(seed).shuffle(order)
    size = int(TRAIN_SHARE * len(rows))
    return [rows[i] for i in order[:size]], [rows[i] for i in order[size:]]


def get_domain(name: str, geo_dev: str = GEO_DEV_FILES[0]) -> Domain:
    """Look a domain up by name; ``geo_dev`` chooses GeoGranno's development file."""
    if name in OVERNIGHT_DOMAINS:
        files = {
            split: f"overnight/{name}.paraphrases.{split}.examples" for split in ("train", "test")
        }
        return Domain(name, files, read_overnight)
    if name == "geo":
        names = {"train": "geo_train", "valid": geo_dev, "test": "geo_test"}
        files = {split: f"geogranno/{file}.tsv" for split, file in names.items()}
        return Domain(name, files, read_geogranno, world="geogranno/geo880.db")
    known = ", ".join((*OVERNIGHT_DOMAINS, "geo"))
    raise UserError(f"unknown domain {name!r}; known: {known}")
