"""Reading what ``twostage prepare`` wrote, for the tasks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from fairseq.data import Dictionary, FairseqDataset, data_utils

from fairseq_twostage.data.pairs import MappedDataset
from fairseq_twostage.databin.binarize import load_dictionary
from fairseq_twostage.databin.folder import GOLD, data_bin_lines, read_manifest
from fairseq_twostage.decoding.constraints import PrefixTrie, trie_of_lines
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import load_json, read_lines
from fairseq_twostage.models.dual_paraphraser import id_maps

ALIGNED = "nl-cf-lf"  # in the names of files of aligned rows


class DataBin:
    """A prepared domain on disk.

    Args:
        folder: what ``twostage prepare`` wrote.

    Raises:
        UserError: it is not there, is no data-bin, or is one of another version.
    """

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.manifest = read_manifest(folder)
        self.dictionaries: dict[str, str] = {}  # digests of those that were asked for

    def dictionary(self, side: str) -> Dictionary:
        """The dictionary of ``utterance``, ``nl``, ``cf`` or ``lf``."""
        dictionary = load_dictionary(self.folder / f"dict.{side}.txt")
        symbols = "\n".join(dictionary.symbols)
        self.dictionaries[side] = hashlib.sha256(symbols.encode()).hexdigest()
        return dictionary

    def indexed(self, name: str, dictionary: Dictionary) -> FairseqDataset:
        """Binarized sentences, ``name`` as in ``train.nl``."""
        path = self.folder / name
        if not self.exists(name):
            raise UserError("not there; run twostage prepare again", str(path))
        if path.with_name(f"{path.name}.bin").stat().st_size == 0:
            raise UserError("the corpus is empty", str(path))  # fairseq cannot map no bytes
        return data_utils.load_indexed_dataset(str(path), dictionary)

    def exists(self, name: str) -> bool:
        """Whether there are binarized sentences of that name."""
        return (self.folder / f"{name}.idx").exists()

    def sentences(self, name: str, dictionary: Dictionary) -> list[np.ndarray]:
        """The same in memory, one array of ids with end of sentence per line."""
        dataset = self.indexed(name, dictionary)
        return [dataset[index].numpy().astype(np.int64) for index in range(len(dataset))]

    def translated(
        self, name: str, dictionary: Dictionary, other: Dictionary
    ) -> FairseqDataset | None:
        """Utterances in the ids of ``other``; None where there are none, as geo's test z."""
        if not self.exists(name):
            return None
        table, _ = id_maps(dictionary, other)
        return MappedDataset(self.indexed(name, dictionary), table)

    def variables(self, split: str) -> Sequence[Mapping[str, str]] | None:
        """Variables of each x of ``split``, or None in a domain that has none."""
        path = self.folder / f"{split}.nl.variables.jsonl"
        if not path.exists():
            return None
        return [load_json(line) for line in data_bin_lines(path)]

    def counts(self, side: str, dictionary: Dictionary) -> np.ndarray:
        """How often each word of ``dictionary`` stands in the side's corpus, ``(words,)``."""
        counts = np.zeros(len(dictionary), dtype=np.int64)
        for line in data_bin_lines(self.folder / f"counts.{side}.tsv"):
            word, count = line.split("\t")
            counts[dictionary.index(word)] += int(count)
        return counts

    def gold(self, split: str, side: str) -> str:
        """Name of one side of the aligned rows; only evaluation and labels may ask for it."""
        return f"{GOLD}/{split}.{ALIGNED}.{side}"


KNOWN = "known"


def known_sentences(data_bin: DataBin, side: str, which: str, dictionary: Dictionary) -> PrefixTrie:
    """The closed list that decoding may be held to.

    Args:
        data_bin: whose training corpora hold the known ones; those of development may hold what
            its annotated rows are scored against.
        side: ``cf`` or ``lf``.
        which: ``known``, or a file with one tokenised sentence per line.
        dictionary: of the decoder; sentences with other words are left out.

    Raises:
        UserError: there is no such file, or no sentence that the decoder can write.
    """
    if which != KNOWN:
        return trie_of_lines(read_lines(Path(which)), dictionary, which)
    name = "cf" if side == "cf" else "cf-lf.lf"
    lines = data_bin_lines(data_bin.folder / "text" / f"train.{name}")
    return trie_of_lines(lines, dictionary, side)


def labelled_rows(size: int, share: float, seed: int) -> list[int]:
    """Indices of the rows that an explicit share of labels uncovers, ascending; at least one.

    A larger share of the same seed contains the smaller one.

    Args:
        size: rows there are.
        share: of them, in (0, 1].
        seed: of the choice.
    """
    count = max(1, round(share * size))
    return sorted(np.random.default_rng(seed).permutation(size)[:count].tolist())
